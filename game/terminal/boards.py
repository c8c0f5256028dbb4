"""Boards as lines of text; the signs are the same with and without colour.

    A B C D E F
1   . . . . o .     . sea or unknown       o water, : old water
2   . 3 x 3 . .     3 a ship of that length    x hit    # sunk
3   . . . .>o .     > the last shots
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest

from django.utils.translation import gettext as _

from game.display.boards import BoardView, CellView
from game.display.names import kind_name, result_word, ship_names
from game.engine.actions import Result
from game.engine.observation import Observation, OwnShip
from game.matches.setup import Setup

GAP = 4
"""Columns between two blocks side by side."""
_SIGNS = {
    "unknown": ".", "sea": ".", "water": "o", "hit": "x", "sunk": "#", "impossible": "-",
    "old": ":", "chosen": "+", "blocked": "-",
}  # fmt: skip
_COLOURS = {
    "unknown": "44;36", "sea": "44;36", "water": "44;97", "old": "44;37", "hit": "41;97",
    "sunk": "40;91", "impossible": "100;37", "blocked": "100;37", "chosen": "43;30",
    "ship": "47;30",
}  # fmt: skip
"""Select Graphic Rendition codes (ECMA-48). Only the sixteen basic colours are used, since users
set up their terminals so that these are readable."""
_CODES = re.compile("\x1b\\[[0-9;]*m")


def draw(view: BoardView, title: str, *, has_colour: bool) -> list[str]:
    """Returns the board under its title and letters, as lines of equal width."""
    lengths = _lengths(view)
    letters = "   " + "".join(f" {letter}" for letter in view.letters)
    lines = [f"    {title}", letters]
    for number, row in enumerate(view.rows):
        start = number * view.columns
        pieces = [_piece(cell, lengths.get(start + i, "S")) for i, cell in enumerate(row)]
        lines.append(f"{number + 1:>3}{_coloured(pieces) if has_colour else _plain(pieces)}")
    return lines


def _lengths(view: BoardView) -> dict[int, str]:
    """Returns the length of the ship afloat on each cell that has one, as text."""
    return {
        (hull.y + (i if hull.is_down else 0)) * view.columns
        + (hull.x + (0 if hull.is_down else i)): str(hull.length)
        for hull in view.hulls
        if hull.look != "sunk"
        for i in range(hull.length)
    }


def _piece(cell: CellView, length: str) -> tuple[str, str]:
    """Returns a cell as the key of its colour and two characters."""
    look = cell.state
    if cell.is_chosen or cell.is_aimed:
        look = "chosen"
    elif cell.is_blocked:
        look = "blocked"
    elif cell.state == "water" and cell.look:
        look = "old"
    return look, (">" if cell.is_last else " ") + _SIGNS.get(look, length)


def _plain(pieces: Iterable[tuple[str, str]]) -> str:
    return "".join(text for _look, text in pieces)


def _coloured(pieces: Sequence[tuple[str, str]]) -> str:
    """Joins the pieces and the board's edge, with a code before each run of one colour."""
    runs = groupby((*pieces, ("sea", " ")), lambda piece: _COLOURS[piece[0]])
    return "".join(f"\x1b[{code}m{_plain(run)}" for code, run in runs) + "\x1b[0m"


def seen_width(line: str) -> int:
    """Returns how many columns a line takes on the screen."""
    return len(_CODES.sub("", line))


def beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    wide = max(map(seen_width, left)) + GAP
    return [
        (one + " " * (wide - seen_width(one)) + other).rstrip()
        for one, other in zip_longest(left, right, fillvalue="")
    ]


def arrange(blocks: Sequence[Sequence[str]], width: int) -> list[str]:
    """Returns two blocks side by side if the width has room for both, else one below the other."""
    column = column_of(width)
    if len(blocks) == 2 and all(seen_width(line) <= column for block in blocks for line in block):
        return beside(*blocks)
    return [line for block in blocks for line in (*block, "")][:-1]


def board_width(view: BoardView) -> int:
    """Returns the columns that a board takes, with its row numbers and its edge."""
    return 4 + 2 * view.columns


def column_of(width: int) -> int:
    """Returns the greatest width of each of two blocks side by side."""
    return (width - GAP) // 2


def own_ships(seen: Observation, width: int) -> list[str]:
    """Returns the player's fleet, a line for each name of a ship and a sign for each cell."""
    names = ship_names(seen.ruleset)
    ships = sorted(seen.ships, key=lambda ship: (-ship.placement.length, ship.id))
    return _fleet([(names[ship.id], _own_ship(ship)) for ship in ships], width)


def _own_ship(ship: OwnShip) -> str:
    if not ship.is_afloat:
        return _SIGNS["sunk"] * ship.placement.length
    length = str(ship.placement.length)
    return "".join(_SIGNS["hit"] if cell in ship.hits else length for cell in ship.placement.cells)


def enemy_ships(seen: Observation, width: int) -> list[str]:
    """Returns the enemy's fleet in the same form; a ship's hits come first if hits are named."""
    rules = seen.ruleset
    if rules.named:
        known = zip(ship_names(rules), rules.fleet, seen.enemy_hits, strict=True)
        return _fleet([(name, _hit_ship(length, hits)) for name, length, hits in known], width)
    left = list(seen.enemy_left)
    drawn = []
    for length in sorted(rules.fleet, reverse=True):
        is_afloat = length in left
        if is_afloat:
            left.remove(length)
        sign = str(length) if is_afloat else _SIGNS["sunk"]
        drawn.append((kind_name(rules, length), sign * length))
    return _fleet(drawn, width)


def _hit_ship(length: int, hits: int) -> str:
    if hits == length:
        return _SIGNS["sunk"] * length
    return _SIGNS["hit"] * hits + str(length) * (length - hits)


def _fleet(drawn: Iterable[tuple[str, str]], width: int) -> list[str]:
    """Returns lines of names and ships; adjacent ships of one name share a line."""
    kinds = [(name, " ".join(text for _name, text in ships))
             for name, ships in groupby(drawn, lambda ship: ship[0])]  # fmt: skip
    wide = max(len(name) for name, _ships in kinds) + 1
    lines = []
    for name, ships in kinds:
        rows = textwrap.wrap(ships, max(width - wide - 4, 9))
        lines += [f"    {name if i == 0 else '':<{wide}}{row}" for i, row in enumerate(rows)]
    return lines


def legend(setup: Setup) -> str:
    fleet = setup.ruleset.fleet
    span = "–".join(map(str, sorted({min(fleet), max(fleet)})))
    parts = [
        (".", _("unknown")), ("o", result_word(Result.WATER)),
        ("x", result_word(Result.HIT)), ("#", result_word(Result.SUNK)),
        (">", _("the last shots")), (span, _("a ship of that length")),
    ]  # fmt: skip
    if setup.ruleset.moving:
        parts.insert(2, (":", _("old water: a ship may have come since")))
    if setup.ruleset.salvo:
        parts.append(("+", _("aimed at")))
    if setup.assists.hints:
        parts.append(("-", _("hint: no ship can be here")))
    return ", ".join(f"{sign} {meaning}" for sign, meaning in parts)
