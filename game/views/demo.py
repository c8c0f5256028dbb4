"""The short match shown on the home page: always the same, between two minds."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from game.display.boards import BoardView, Hull, full_boards
from game.display.replay import CELL_CODES, frame, replay_changes
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.rules import Ruleset, Side
from game.matches.saved import begin
from game.matches.setup import Setup

_RULES = Ruleset(columns=8, rows=6, fleet=(4, 3, 2, 2), turns=60)
_MINDS = ("bonn-hard", "bonn-easy")
_SEED = (7).to_bytes(SEED_BYTES, "big")
_SHOWN = 0.6
"""The share of the match that is over in the still picture."""


class Mark(NamedTuple):
    """A cell of the still picture."""

    x: int
    y: int
    state: str


class Demo(NamedTuple):
    """One side's board in the middle of the match, and data of all steps for the script."""

    columns: int
    rows: int
    hulls: tuple[Hull, ...]
    cells: tuple[Mark, ...]
    data: dict[str, Any]


@cache
def match() -> Match:
    """The match, played to its end."""
    return begin(Setup(_RULES, _MINDS), _SEED).with_minds_played().match


@cache
def demo() -> Demo:
    """The demo of the second side's board: a step for every action that changes it."""
    frames: list[BoardView] = []
    for stage in match().stages():
        enemy, _own = full_boards(stage, Side.FIRST)
        if not frames or _looks(enemy) != _looks(frames[-1]):
            frames.append(enemy)
    step = int(_SHOWN * len(frames))
    shown = frames[step]
    return Demo(
        _RULES.columns,
        _RULES.rows,
        shown.hulls,
        tuple(
            Mark(x, y, cell.state) for y, row in enumerate(shown.rows) for x, cell in enumerate(row)
        ),
        {
            "step": step,
            "letters": {letter: state for (state, _known), letter in CELL_CODES.items()},
            **replay_changes([(frame(view, view),) for view in frames]),
        },
    )


def _looks(view: BoardView) -> object:
    return [cell.state for row in view.rows for cell in row], view.hulls
