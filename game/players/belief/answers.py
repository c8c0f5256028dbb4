"""What the answers to questions add to the shots: cells without a ship, and sets with one."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.actions import Question, Result, Shot, without_ships
from game.engine.geometry import Board


class Answers(NamedTuple):
    """Masks of cells."""

    water: int
    """All rectangles without a ship."""
    ship_in: tuple[int, ...]
    """Sets of cells not fired at, in each of which a ship lies; none of them contains another. The
    smallest comes first."""


def read_answers(board: Board, shots: tuple[Shot, ...], questions: tuple[Question, ...]) -> Answers:
    """What the answers add to the shots. Ships must not move."""
    if not questions:
        return Answers(0, ())
    hit, fired, empty = 0, 0, without_ships(board, questions)
    for shot in shots:
        fired |= 1 << shot.cell
        hit |= (shot.result is not Result.WATER) << shot.cell
    boxes = [board.rectangle(one.ask.first, one.ask.last) for one in questions]
    # A rectangle with a hit has its ship.
    held = {
        box & ~(fired | empty)
        for box, question in zip(boxes, questions, strict=True)
        if question.is_yes and not box & hit
    }
    ordered = sorted(held, key=lambda one: (one.bit_count(), one))
    return Answers(empty, tuple(
        one for at, one in enumerate(ordered) if not any(o & ~one == 0 for o in ordered[:at])
    ))  # fmt: skip
