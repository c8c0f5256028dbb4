"""The recap of an ended match: what each step shows, and how the steps differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from game.boards import BoardView, Hull, uncovered
from game.engine.match import Match, Result
from game.engine.rules import Pair, Side
from game.wording import step_line

STATES = {"unknown": "?", "sea": "~", "water": "w", "hit": "h", "sunk": "s", "ship": "S"}
"""The letter of each state of a cell in a film."""


class Step(NamedTuple):
    """One action of a match, in words."""

    number: int
    turn: int
    is_mine: bool
    who: str
    line: str

    def __str__(self) -> str:
        return f"{self.number}: {self.who}: {self.line}"


def film(match: Match, side: Side, names: Pair[str], step: int) -> dict[str, Any]:
    """Both boards at a step, a sentence for each step, and all steps for a script to show.

    The script knows no rules: it gets the boards before the first ply, and for every step the
    cells and hulls that look different from the step before.
    """
    if match.outcome is None:
        raise ValueError("there is no recap before the outcome")
    stages = list(match.stages())
    frames = [uncovered(stage, side) for stage in stages]
    enemy, own = frames[step]
    return {
        "enemy": enemy,
        "own": own,
        "turns": [stage.turn for stage in stages],
        "steps": steps(stages, side, names),
        "film": {"turns": [stage.turn for stage in stages], **reel(frames)},
    }


def steps(stages: Sequence[Match], side: Side, names: Pair[str]) -> list[Step]:
    """Every action of a match in words; `stages` are the match before each ply and at its end."""
    match = stages[-1]
    return [
        Step(ply + 1, stages[ply].turn, who is side, names[who], step_line(match, ply))
        for ply, who in enumerate(match.sides)
    ]


def reel(frames: Sequence[tuple[BoardView, ...]]) -> dict[str, Any]:
    """The boards of every step for a script: the first ones whole, then what changes."""
    return {
        "letters": {letter: state for state, letter in STATES.items()},
        "start": [_frame(view) for view in frames[0]],
        "changes": [
            [_changes(old, new) for old, new in zip(before, after, strict=True)]
            for before, after in pairwise(frames)
        ],
    }


def _frame(view: BoardView) -> dict[str, Any]:
    states = "".join(STATES[cell.state] for row in view.rows for cell in row)
    return {"cells": states, "hulls": [_hull(hull) for hull in view.hulls]}


def _hull(hull: Hull) -> list[int | str]:
    return [hull.id, hull.x, hull.y, hull.look]


def _changes(before: BoardView, after: BoardView) -> list[Any]:
    """The cells, the hulls and the ringed cells of a board that are new in a step."""
    old = [cell for row in before.rows for cell in row]
    new = [cell for row in after.rows for cell in row]
    cells = [
        [index, STATES[cell.state]]
        for index, cell in enumerate(new)
        if cell.state != old[index].state
    ]
    pairs = zip(before.hulls, after.hulls, strict=True)
    hulls = [_hull(hull) for was, hull in pairs if hull != was]
    return [cells, hulls, [index for index, cell in enumerate(new) if cell.is_last]]


def next_step(match: Match, step: int, *, sunk: bool) -> int:
    """The step after this one that shows a hit, or a sinking; the last step where none does."""
    wanted = {Result.SUNK} if sunk else {Result.HIT, Result.SUNK}
    steps = (shot.ply + 1 for shot in match.shots if shot.result in wanted)
    return next((found for found in steps if found > step), match.ply)


def step_text(steps: list[Step], step: int) -> str:
    """`17: You: B7: hit`: a step in words."""
    return str(steps[step - 1]) if step else _("Before the first shot")
