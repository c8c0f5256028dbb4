"""The mind of the Uppsala game (Berger, Brunnsberg, Rosengren: Battleships Game, 2021).

It fires at random cells of one colour of a checkerboard until it hits. Then it pushes the
neighbours of the hit onto a stack and fires at the top. It doesn't know that ships may not touch,
and it ignores sinkings, which its authors call its weakness.
"""

from game.engine.actions import Result
from game.engine.chance import Chance
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.players.originals.random_player import RandomFleet


class Uppsala(RandomFleet):
    """A mind that searches one colour of a checkerboard, and hunts around hits."""

    name = "uppsala"

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The top of the stack; if it is empty, a random cell, of the first colour if possible."""
        fired = {shot.cell for shot in seen.shots}.union(seen.aimed)
        waiting = [cell for cell in stack(seen) if cell not in fired]
        if waiting:
            return waiting[0]
        fresh = [cell for cell in seen.targets if cell not in fired] or list(seen.targets)
        board = seen.board
        coloured = [cell for cell in fresh if (board.column(cell) + board.row(cell)) % 2]
        return chance.choice(coloured or fresh)


def stack(seen: Observation) -> list[Cell]:
    """The cells on the stack, top first: the neighbours of hits, the last hit's first."""
    waiting: list[Cell] = []
    fired: set[Cell] = set()
    for shot in seen.shots:
        fired.add(shot.cell)
        if shot.result is not Result.WATER:
            waiting = [*_sides(seen.board, shot.cell), *waiting]
        waiting = [cell for cell in dict.fromkeys(waiting) if cell not in fired]
    return waiting


def _sides(board: Board, cell: Cell) -> list[Cell]:
    """The cells beside a cell in the order of the original: up, down, left, right."""
    steps = (-board.columns, board.columns, -1, 1)
    return [Cell(cell + step) for step in steps if cell + step in board.sides(cell)]
