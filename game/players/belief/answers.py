"""What the answers to questions add to the shots: cells without a ship, and sets with one."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.actions import Result
from game.players.belief.tables import Knowledge


class Answers(NamedTuple):
    """Masks of cells."""

    water: int
    """The cells of all rectangles without a ship."""
    ship_in: tuple[int, ...]
    """Sets of cells that each hold a ship, which no shot has met there yet; none contains another.
    The smallest comes first."""


def read_answers(knowledge: Knowledge) -> Answers:
    if not knowledge.asked:
        return Answers(0, ())
    board, hit, water, empty = knowledge.rules.board, 0, 0, 0
    for shot in knowledge.shots:
        if shot.result is Result.WATER:
            water |= 1 << shot.cell
        else:
            hit |= 1 << shot.cell
    held = []
    for question in knowledge.asked:
        cells = board.rectangle(question.ask.first, question.ask.last)
        if question.is_yes:
            held.append(cells)
        else:
            empty |= cells
    left = sorted({one & ~(water | empty) for one in held if not one & hit}, key=int.bit_count)
    smallest = [
        one for at, one in enumerate(left) if not any(other & ~one == 0 for other in left[:at])
    ]
    return Answers(empty, tuple(smallest))


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, ascending; the inverse of `mask_of`."""
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]
