"""The questions of the lower ranks, which ask as people do."""

import numpy as np

from game.engine.actions import Ask, Result
from game.engine.chance import Chance
from game.engine.geometry import Board, mask_of
from game.engine.observation import Observation
from game.players.belief.evidence import Evidence
from game.players.belief.possible_fleets import bounds, rectangles
from game.players.belief.tables import Flags, Floats, Indices, read_answers

_MOST_PAIRS = 1 << 20
"""The most pairs of a rectangle and a placement that are compared; on a large board only every so
many rectangles are."""
_GRAIN = float(1 << 20)
"""The weight of the likeliest placement: sums of such whole numbers are exact in any order."""


def obvious_question(seen: Observation, chance: Chance) -> Ask | None:
    """A half of the board, later a quarter; None if all answers are clear."""
    board = seen.board
    right, bottom = board.columns - 1, board.rows - 1
    across = [(0, right // 2), (right // 2 + 1, right)]
    down = [(0, bottom // 2), (bottom // 2 + 1, bottom)]
    halves = [(one, (0, bottom)) for one in across] + [((0, right), one) for one in down]
    quarters = [(one, other) for one in across for other in down]
    boxes = [
        Ask(board.cell(first, top), board.cell(last, end))
        for (first, last), (top, end) in (quarters if seen.asked else halves)
    ]
    is_open = dict(zip(rectangles(board), open_questions(seen).tolist(), strict=True))
    left = [box for box in boxes if is_open[box]]
    return chance.choice(left) if left else None


def halving_question(seen: Observation, chance: Chance) -> Ask | None:
    """A rectangle with half of the cells in which a ship is known to lie, else of all left."""
    answers = read_answers(seen.board, seen.shots, seen.asked)
    unknown = mask_of(seen.targets) & ~answers.water
    region = answers.ship_in[0] if answers.ship_in else unknown
    inside = _cells_inside(seen.board, region)
    # Cells outside of the region would tell about another ship.
    uneven = abs(2 * inside - region.bit_count()) * seen.board.size
    uneven += _cells_inside(seen.board, unknown) - inside
    uneven[~open_questions(seen) | (inside == 0)] = seen.board.size**3
    best = np.flatnonzero(uneven == uneven.min()).tolist()
    if uneven[best[0]] == seen.board.size**3:
        return None
    return rectangles(seen.board)[chance.choice(best)]


def even_question(
    seen: Observation, evidence: Evidence, weights: Floats, most: int, chance: Chance
) -> Ask | None:
    """One of the `most` questions whose answer would be nearest to even if ships were independent.

    `weights` has shape (placements,).
    """
    tables = evidence.tables
    open_ones = np.flatnonzero(open_questions(seen))
    open_ones = open_ones[:: 1 + len(open_ones) * tables.no_ship // _MOST_PAIRS]
    if not len(open_ones):
        return None
    reached = _reached(seen.board, open_ones, tables.covers)
    nobody = np.ones(len(open_ones))
    whole = np.ceil(weights * (_GRAIN / max(weights.max(), 1e-300)))
    for kind, count in enumerate(evidence.counts):
        own = np.where(tables.kind == kind, whole, 0.0)
        nobody *= (1 - (reached @ own) / max(own.sum(), 1.0)) ** count
    nearest = np.argsort(abs(nobody - 0.5), kind="stable")[:most]
    return rectangles(seen.board)[int(open_ones[chance.choice(nearest.tolist())])]


def open_questions(seen: Observation) -> Flags:
    """Shape (rectangles,): whether the observer may ask that, and doesn't clearly know the answer.

    It is clear if there was a hit in the rectangle, or if nothing can be left in it.
    """
    answers = read_answers(seen.board, seen.shots, seen.asked)
    hits = mask_of(one.cell for one in seen.shots if one.result is not Result.WATER)
    unknown = mask_of(seen.targets) & ~answers.water
    is_open = (_cells_inside(seen.board, hits) == 0) & (_cells_inside(seen.board, unknown) > 0)
    for asked in seen.asked:
        is_open[rectangles(seen.board).index(asked.ask)] = False
    return np.asarray(is_open)


def _cells_inside(board: Board, mask: int) -> Indices:
    """Shape (rectangles,): how many cells of a mask are in each rectangle."""
    cells = np.array([mask >> cell & 1 for cell in board.cells]).reshape(board.rows, -1)
    sums = np.pad(cells, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
    left, right, top, bottom = bounds(board)
    inside: Indices = (
        sums[bottom + 1, right + 1] - sums[top, right + 1]
        - sums[bottom + 1, left] + sums[top, left]
    )  # fmt: skip
    return inside


def _reached(board: Board, which: Indices, covers: Flags) -> Flags:
    """Shape (which, placements): whether a ship there reaches into the rectangle."""
    sea = covers[:-1].reshape(-1, board.rows, board.columns)
    columns, rows = sea.any(axis=1), sea.any(axis=2)
    left, right, top, bottom = bounds(board)[:, which, None]
    first_column, first_row = columns.argmax(axis=1), rows.argmax(axis=1)
    last_column = first_column + columns.sum(axis=1) - 1
    last_row = first_row + rows.sum(axis=1) - 1
    return np.asarray(
        (first_column <= right) & (last_column >= left)
        & (first_row <= bottom) & (last_row >= top)
    )  # fmt: skip
