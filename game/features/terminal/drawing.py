"""Boards as lines of text; the signs are the same with and without colour.

    A B C D E F
1   . . ' : o .     . sea or unknown       o water, : 5 turns ago, ' 10 turns ago
2   . 3 x 3 . .     3 a ship of that length    x hit    # sunk
3   . . . .>o .     > the last shots
"""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, zip_longest
from typing import TypeAlias

from django.utils.translation import gettext as _
from rich.text import Text

from game.display.boards import BoardView, CellView
from game.display.names import kind_name, result_word, ship_names
from game.engine.actions import Result
from game.engine.observation import Observation, OwnShip
from game.matches.cell_names import CellNames, lettered
from game.matches.setup import Setup
from game.ops.text_width import columns

GAP = 4
"""Columns between two blocks side by side."""
_ROOM = 3
"""Columns for the name of a row."""
OLDEST = 10
"""The age in turns from which water has the sign for the oldest."""
_SIGNS = {
    "unknown": ".", "sea": ".", "water": "o", "old": ":", "oldest": "'", "hit": "x", "sunk": "#",
    "impossible": "-", "chosen": "+", "blocked": "-",
}  # fmt: skip


def draw(view: BoardView, title: str, *, has_edge: bool) -> list[Text]:
    """Returns the board under its title and letters; the styles are names of screen.STYLES.

    An edge closes coloured rows at the right.
    """
    lengths = _lengths(view)
    letters, numbers = axes(view.cell_names)
    lines = [Text(f"    {title}", "bold"), Text("   " + "".join(f" {it}" for it in letters))]
    for number, row in enumerate(view.rows):
        line = Text(" " * (_ROOM - columns(numbers[number])) + numbers[number])
        for i, cell in enumerate(row):
            look = _look(cell)
            sign = _SIGNS.get(look, lengths.get(number * view.board.columns + i, "S"))
            if cell.is_last:
                line.append(">", "last").append(sign, look)
            else:
                line.append(("-" if _is_hint(cell) else " ") + sign, look)
        lines.append(line.append(" ", "sea") if has_edge else line)
    return lines


def axes(cell_names: CellNames) -> tuple[Sequence[str], Sequence[str]]:
    """Returns what is drawn above the columns and beside the rows: short labels, if there are any.

    Longer ones have no room, so letters or numbers stand for them.
    """
    is_short = all(columns(label) == 1 for label in cell_names.columns)
    has_room = all(columns(label) <= _ROOM for label in cell_names.rows)
    drawn, plain = cell_names, lettered(cell_names.board)
    return (drawn if is_short else plain).columns, (drawn if has_room else plain).rows


def _lengths(view: BoardView) -> dict[int, str]:
    """Returns the length of the ship afloat on each cell that has one, as text."""
    return {
        (hull.y + (i if hull.is_down else 0)) * view.board.columns
        + (hull.x + (0 if hull.is_down else i)): str(hull.length)
        for hull in view.hulls
        if hull.look != "sunk"
        for i in range(hull.length)
    }


def _look(cell: CellView) -> str:
    """Returns a cell's style, which is also the key of its sign unless it is a ship."""
    if cell.is_chosen or cell.is_aimed:
        return "chosen"
    if cell.is_blocked and not _is_hint(cell):
        return "blocked"
    if cell.state == "water" and cell.look:
        return "old" if cell.look < OLDEST else "oldest"
    return cell.state


def _is_hint(cell: CellView) -> bool:
    """Returns whether there is old water where no ship can be."""
    return cell.is_blocked and cell.state == "water"


def arrange(blocks: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Returns two blocks side by side if the width has room for both, else one below the other."""
    column = column_of(width)
    if len(blocks) != 2 or any(line.cell_len > column for block in blocks for line in block):
        return [line for block in blocks for line in (*block, Text())][:-1]
    wide = max(line.cell_len for line in blocks[0]) + GAP
    return [
        left + " " * (wide - left.cell_len) + other if other else left
        for left, other in zip_longest(*blocks, fillvalue=Text())
    ]


def column_of(width: int) -> int:
    """Returns the greatest width of each of two blocks side by side."""
    return (width - GAP) // 2


Spelt: TypeAlias = Callable[[str], str]
"""Returns a text as the terminal can write it, which may be longer."""


def own_ships(seen: Observation, width: int, spelt: Spelt) -> list[Text]:
    """Returns the player's fleet, a line for each name of a ship and a sign for each cell."""
    names = ship_names(seen.ruleset)
    ships = sorted(seen.ships, key=lambda ship: (-ship.placement.length, ship.id))
    return _fleet([(spelt(names[ship.id]), _own_ship(ship)) for ship in ships], width)


def _own_ship(ship: OwnShip) -> str:
    if not ship.is_afloat:
        return _SIGNS["sunk"] * ship.placement.length
    length = str(ship.placement.length)
    return "".join(_SIGNS["hit"] if cell in ship.hits else length for cell in ship.placement.cells)


def enemy_ships(seen: Observation, width: int, spelt: Spelt) -> list[Text]:
    """Returns the enemy's fleet in the same form; a ship's hits come first if hits are named."""
    rules, drawn = seen.ruleset, list[tuple[str, str]]()
    if rules.named:
        for name, length, hits in zip(ship_names(rules), rules.fleet, seen.enemy_hits, strict=True):
            unhit = str(length) * (length - hits)
            ship = _SIGNS["hit"] * hits + unhit if unhit else _SIGNS["sunk"] * length
            drawn.append((spelt(name), ship))
        return _fleet(drawn, width)
    left = list(seen.enemy_left)
    for length in sorted(rules.fleet, reverse=True):
        is_afloat = length in left
        if is_afloat:
            left.remove(length)
        sign = str(length) if is_afloat else _SIGNS["sunk"]
        drawn.append((spelt(kind_name(rules, length)), sign * length))
    return _fleet(drawn, width)


def _fleet(drawn: Iterable[tuple[str, str]], width: int) -> list[Text]:
    """Returns lines of names and ships; adjacent ships of one name share a line."""
    kinds = [(name, " ".join(text for _name, text in ships))
             for name, ships in groupby(drawn, lambda ship: ship[0])]  # fmt: skip
    wide = max(len(name) for name, _ships in kinds) + 1
    lines = []
    for name, ships in kinds:
        rows = textwrap.wrap(ships, max(width - wide - 4, 9))
        for i, row in enumerate(rows):
            lines.append(Text(f"    {name if i == 0 else '':<{wide}}"))
            for sign in row:
                lines[-1].append(sign, "" if sign == " " else _LOOKS.get(sign, "ship"))
    return lines


_LOOKS = {_SIGNS[look]: look for look in ("hit", "sunk")}


def legend(setup: Setup) -> str:
    fleet = setup.ruleset.fleet
    span = "–".join(map(str, sorted({min(fleet), max(fleet)})))
    parts = [
        (".", _("unknown")), ("o", result_word(Result.WATER)),
        ("x", result_word(Result.HIT)), ("#", result_word(Result.SUNK)),
        (">", _("the last shots")), (span, _("a ship of that length")),
    ]  # fmt: skip
    if setup.ruleset.moving:
        parts[2:2] = [
            (":", _("water at least 5 turns ago (a ship may have come since)")),
            ("'", _("water at least 10 turns ago")),
        ]
    if setup.ruleset.salvo:
        parts.append(("+", _("aimed at")))
    if setup.assists.hints:
        parts.append(("-", _("hint: no ship can be here")))
    elif setup.ruleset.questions:
        parts.append(("-", _("no ship is here, as an answer says")))
    return ", ".join(f"{sign} {meaning}" for sign, meaning in parts)
