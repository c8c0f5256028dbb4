"""Boards as text: fleets and matches are read from pictures, and drawn as pictures.

    ab..  .aa.       one panel, or two: the first side's waters and the second's, row 1 on top
    ab..  ....       a, b, c  a cell of ship 0, 1, 2 of the fleet;  .  all the rest
    ....  b...

A set of cells is drawn with `*`.
"""

from collections.abc import Iterable
from dataclasses import replace
from string import ascii_lowercase as letters
from typing import Any

from game.engine.actions import STAY, Action, Ask, Fire, Steer
from game.engine.chance import Chance
from game.engine.fleets import Course, Fleet, Placement, place
from game.engine.geometry import Board, Cell, Direction
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Pair, Ruleset, Side
from game.players.mind import Mind

SEED = bytes(range(16))
SEEDS = [bytes([number]) * 16 for number in range(200)]
PLAIN: dict[str, Any] = {"touching": False, "again": False, "moving": False, "turns": None}
"""A ruleset with every switch off, where a test turns on only what it is about."""
ALL_SORTS = {
    "bonn": BONN,
    "bonn still": replace(BONN, moving=False),
    "bonn salvo": replace(BONN, salvo=True, again=False, turns=75),
    "one turn": replace(BONN, turns=1),
    "no limit": replace(BONN, turns=None),
    "smallest": Ruleset(columns=4, rows=4, fleet=(1,), turns=None),
    "single cells": Ruleset(columns=5, rows=4, fleet=(1, 1, 1, 1), moving=False, turns=None),
    "full": Ruleset(columns=4, rows=4, fleet=(4, 4, 4, 4), touching=True, turns=None),
    "full salvo": Ruleset(
        columns=4, rows=4, fleet=(4, 4, 4, 4), touching=True, salvo=True, moving=False, turns=None
    ),
    "tall": Ruleset(columns=4, rows=15, fleet=(8, 8, 3), turns=40),
    "wide": Ruleset(columns=15, rows=4, fleet=(8, 1, 1), touching=True, salvo=True, turns=40),
    "largest": Ruleset(columns=15, rows=15, fleet=(8, 5, 5, 4, 1), moving=False, turns=None),
}
ODD_PAIR = """
    aaa...
    ......
    ....b.
    ....b.
    .cc...
    """


# --- reading ---


def panel(rows: str) -> str:
    """A picture of one panel from its rows, parted by any space."""
    return "\n".join(rows.split())


def panels(text: str) -> tuple[tuple[str, ...], ...]:
    """Each panel's rows, the left panel first."""
    lines = [line.split() for line in text.split("\n") if line.strip()]
    assert len({tuple(map(len, line)) for line in lines}) == 1, f"uneven rows: {text}"
    return tuple(zip(*lines, strict=True))


def cells(text: str, sign: str = "*") -> frozenset[Cell]:
    """The cells of a one-panel picture that bear a sign."""
    (rows,) = panels(text)
    return frozenset(Cell(at) for at, each in enumerate("".join(rows)) if each == sign)


def fleet(text: str) -> Fleet:
    """The ships of a one-panel picture, `a` first."""
    return fleets(text)[0]


def fleets(text: str) -> Pair[Fleet]:
    """The ships of a two-panel picture; those of one panel are both sides'."""
    waters = panels(text)
    return _fleet(waters[0]), _fleet(waters[-1])


def _fleet(rows: tuple[str, ...]) -> Fleet:
    sea, signs = Board(len(rows[0]), len(rows)), "".join(rows)
    used = sorted(set(signs) - {"."})
    assert used == list(letters[: len(used)]), "ships are called a, b, c and so on"
    return tuple(
        _ship(sea, [Cell(at) for at, sign in enumerate(signs) if sign == each]) for each in used
    )


def _ship(sea: Board, drawn: list[Cell]) -> Placement:
    down = len({sea.column(cell) for cell in drawn}) == 1
    ship = place(sea, drawn[0], Direction.DOWN if down else Direction.ACROSS, len(drawn))
    assert list(ship.cells) == drawn, "not a straight ship"
    return ship


def rules(text: str, **switches: Any) -> Ruleset:
    """The ruleset of a picture's size and first fleet, with all switches off but those named."""
    rows = panels(text)[0]
    lengths = tuple(ship.length for ship in _fleet(rows))
    return Ruleset(columns=len(rows[0]), rows=len(rows), fleet=lengths, **{**PLAIN, **switches})


def start(text: str, *, seed: bytes = SEED, **switches: Any) -> Match:
    """A match of the fleets drawn, before its first shot."""
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


def after(sea: str, shots: str, **switches: Any) -> Match:
    """The match after the first side's shots at a fleet that stays where it is drawn.

    The second side fires at water.
    """
    match = start(sea, **switches)
    ships = {cell for ship in match.placements(Side.FIRST) for cell in ship.cells}
    for name in shots.split():
        match = play(match, name)
        while match.side is Side.SECOND and match.outcome is None:
            barred = ships | match.spent(Side.FIRST)
            match = match.fire(next(c for c in match.ruleset.board.cells if c not in barred))
    return match


def seen_after(sea: str, shots: str = "", **switches: Any) -> Observation:
    """What the first side then knows."""
    return observe(after(sea, shots, **switches), Side.FIRST)


# --- drawing; what minds do there ---


def draw_cells(sea: Board, marked: Iterable[Cell], sign: str = "*") -> str:
    """A set of cells; twin of `cells`."""
    return _draw(sea, dict.fromkeys(marked, sign))


def _draw(sea: Board, signs: dict[Cell, str]) -> str:
    return "\n".join(
        "".join(signs.get(sea.cell(column, row), ".") for column in range(sea.columns))
        for row in range(sea.rows)
    )


def aims(mind: Mind, seen: Observation, seeds: int = 60, *, ply: int = 8) -> list[str]:
    """The name of the cell that a mind fires at, under each of so many seeds."""
    chances = (Chance(seed, "first/aim", ply) for seed in SEEDS[:seeds])
    return [seen.board.name(mind.aim(seen, chance)) for chance in chances]
