"""Boards as text: fleets and matches are read from pictures, and drawn as pictures.

    ab..  #~..       two panels, the first side's waters and the second's, row 1 on top
    aB..  ....       a, b, c  a cell of ship 0, 1, 2 of the fleet;  A, B, C  the same, hit
    ....  ..A.       #  a sunk ship;  ~  water that was fired at;  .  all the rest
    ...~  ..a.

What one side sees of the other's waters is drawn with `x` for a hit and `+` for a cell that is
aimed at; a mere set of cells with `*`.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase as letters
from typing import Any

from game.engine.actions import STAY, Action, Ask, Fire, Result, Steer
from game.engine.codec import Reader, decode
from game.engine.fleets import Course, Fleet, Placement, place
from game.engine.geometry import Board, Cell, Direction
from game.engine.match import Match
from game.engine.observation import Known, Observation
from game.engine.rules import Pair, Ruleset, Side

SEED = bytes(range(16))
PLAIN: dict[str, Any] = {"touching": False, "again": False, "moving": False, "turns": None}
"""A ruleset with every switch off, where a test turns on only what it is about."""


class NotAPicture(ValueError):
    """The text draws no board, or no straight ships."""


# --- reading ---


def picture(text: str) -> str:
    """Normalises a picture for comparison: no margins, two spaces between panels."""
    return "\n".join("  ".join(line.split()) for line in text.split("\n") if line.strip())


def panel(rows: str) -> str:
    """A picture of one panel from its rows, parted by any space."""
    return "\n".join(rows.split())


def side_by_side(left: str, right: str) -> str:
    """A picture of two panels from the rows of each, parted by any space."""
    return "\n".join(map("  ".join, zip(left.split(), right.split(), strict=True)))


def panels(text: str) -> tuple[tuple[str, ...], ...]:
    """Each panel's rows, the left panel first; raises NotAPicture where they are uneven."""
    lines = [line.split("  ") for line in picture(text).split("\n")]
    if len({tuple(map(len, line)) for line in lines}) != 1:
        raise NotAPicture(f"uneven rows:\n{picture(text)}")
    return tuple(zip(*lines, strict=True))


def board(text: str) -> Board:
    """The board that a picture's first panel has the size of."""
    rows = panels(text)[0]
    return Board(len(rows[0]), len(rows))


def cells(text: str, sign: str = "*") -> frozenset[Cell]:
    """The cells of a one-panel picture that bear a sign."""
    (rows,) = panels(text)
    return frozenset(Cell(at) for at, each in enumerate("".join(rows)) if each == sign)


def fleet(text: str) -> Fleet:
    """The ships of a one-panel picture, `a` first."""
    (rows,) = panels(text)
    return _fleet(rows)


def fleets(text: str) -> Pair[Fleet]:
    """The ships of a two-panel picture."""
    first, second = panels(text)
    return _fleet(first), _fleet(second)


def _fleet(rows: tuple[str, ...]) -> Fleet:
    sea, signs = Board(len(rows[0]), len(rows)), "".join(rows)
    used = "".join(sorted(set(signs) - {"."}))
    if used != letters[: len(used)]:
        raise NotAPicture(f"not ships a, b, c and so on: {used!r}")
    return tuple(
        _ship(sea, [Cell(at) for at, sign in enumerate(signs) if sign == each]) for each in used
    )


def _ship(sea: Board, drawn: list[Cell]) -> Placement:
    down = len({sea.column(cell) for cell in drawn}) == 1
    ship = place(sea, drawn[0], Direction.DOWN if down else Direction.ACROSS, len(drawn))
    if list(ship.cells) != drawn:
        raise NotAPicture(f"not a straight ship: {[sea.name(cell) for cell in drawn]}")
    return ship


def rules(text: str, **switches: Any) -> Ruleset:
    """The ruleset of a picture's size and first fleet, with all switches off but those named."""
    rows = panels(text)[0]
    lengths = tuple(ship.length for ship in _fleet(rows))
    return Ruleset(columns=len(rows[0]), rows=len(rows), fleet=lengths, **{**PLAIN, **switches})


def start(text: str, *, seed: bytes = SEED, **switches: Any) -> Match:
    """A match of the two fleets drawn, before its first shot."""
    return Match(rules(text, **switches), fleets(text), seed)


def action(sea: Board, text: str) -> Action:
    """`B2` fires there, `A1:B2?` asks, `a<` and `a>` steer ship a fore and aft, `stay` stays."""
    if text == "stay":
        return STAY
    if text[-1] in "<>":
        return Steer(letters.index(text[:-1]), Course.FORE if text[-1] == "<" else Course.AFT)
    if text[-1] == "?":
        first, last = text[:-1].split(":")
        return Ask(sea.parse(first), sea.parse(last))
    return Fire(sea.parse(text))


def play(match: Match, script: str) -> Match:
    """The match after the actions of a script such as `A1 B2 a< stay`."""
    for text in script.split():
        match = match.act(action(match.ruleset.board, text))
    return match


# --- drawing ---


def show(match: Match) -> str:
    """Both sides' waters as they are, in two panels."""
    return side_by_side(*(waters(match, side) for side in Side))


def waters(match: Match, side: Side) -> str:
    """One side's waters as they are."""
    signs: dict[Cell, str] = {}
    for shot in match.shots:
        if shot.side is side.opponent and shot.result is Result.WATER:
            signs[shot.cell] = "~"
    ships = match.placements(side)
    for index, ship in enumerate(ships):
        if not match.is_afloat(side, index):
            signs.update(dict.fromkeys(ship.cells, "#"))
    for index, ship in enumerate(ships):
        if match.is_afloat(side, index):
            signs.update(_afloat(index, ship, match.hits(side)))
    return _draw(match.ruleset.board, signs)


def own(seen: Observation) -> str:
    """The observer's own waters, drawn as `waters` draws them, from the observation alone."""
    signs = {cell: "~" for cell, mark in seen.incoming_marks.items() if mark.known is Known.WATER}
    for ship in seen.ships:
        if not ship.is_afloat:
            signs.update(dict.fromkeys(ship.placement.cells, "#"))
    for ship in seen.ships:
        if ship.is_afloat:
            signs.update(_afloat(ship.id, ship.placement, ship.hits))
    return _draw(seen.board, signs)


def enemy(seen: Observation) -> str:
    """The enemy's waters as the observer knows them: `~`, `x`, `#`, `+` and `.`."""
    sign_of = {Known.UNKNOWN: ".", Known.WATER: "~", Known.HIT: "x", Known.SUNK: "#"}
    signs = {cell: sign_of[mark.known] for cell, mark in seen.marks.items()}
    signs.update(dict.fromkeys(seen.aimed, "+"))
    return _draw(seen.board, signs)


def draw_cells(sea: Board, marked: Iterable[Cell], sign: str = "*") -> str:
    """A set of cells; twin of `cells`."""
    return _draw(sea, dict.fromkeys(marked, sign))


def draw_fleet(sea: Board, ships: Fleet) -> str:
    """A fleet; twin of `fleet`."""
    return _draw(sea, {cell: letters[at] for at, ship in enumerate(ships) for cell in ship.cells})


def _afloat(index: int, ship: Placement, hits: frozenset[Cell]) -> dict[Cell, str]:
    letter = letters[index]
    return {cell: letter.upper() if cell in hits else letter for cell in ship.cells}


def _draw(sea: Board, signs: dict[Cell, str]) -> str:
    rows = range(sea.rows)
    return "\n".join(
        "".join(signs.get(Cell(row * sea.columns + column), ".") for column in range(sea.columns))
        for row in rows
    )


def decoded(record: bytes) -> Match:
    """The match of a record with nothing behind it; raises BadEncoding."""
    reader = Reader(record)
    match = decode(reader)
    reader.end()
    return match
