"""The minds of Camlship (Sheth, Fu, Mantravadi, Schoettle: Final Design Document).

The original hard mind stores the cell of its first hit, its last move and a list of next moves. A
mind here has no state, so the list is rebuilt from the shots.
"""

from dataclasses import dataclass

from game.engine.actions import Result
from game.engine.chance import Chance
from game.engine.fleets import Fleet, Placement, blocked_by, complete, free_placements, make_fleet
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.players.originals.random_player import RandomFleet


@dataclass(frozen=True, slots=True)
class Camlship(RandomFleet):
    """A mind of Camlship; only the hard one hunts ships that it has hit."""

    name: str
    is_hunting: bool

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random fleet; a ship beside another one is placed again with probability 1/2."""
        rules = seen.ruleset
        if not rules.touching:
            return complete(rules, (), chance)
        placed: list[Placement] = []
        for length in rules.fleet:
            free = free_placements(rules.board, length, blocked_by(rules, placed))
            if not free:
                return complete(rules, (), chance)
            place = chance.choice(free)
            while any(place.mask & other.beside for other in placed) and chance.below(2):
                place = chance.choice(free)
            placed.append(place)
        return make_fleet(rules, placed)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """One of the next moves, if there is one; otherwise a random cell not fired at before."""
        fired = {shot.cell for shot in seen.shots}.union(seen.aimed)
        if self.is_hunting:
            moves = [cell for cell in next_moves(seen) if cell not in fired]
            if moves:
                return chance.choice(moves)
        fresh = [cell for cell in seen.targets if cell not in fired]
        return chance.choice(fresh or seen.targets)


def next_moves(seen: Observation) -> list[Cell]:
    """The cells that the hard mind may fire at next; it has fired at none of them.

    After the first hit of a streak these are its four neighbours, by chance; after a further one
    the cell beyond it, and then those in line with both hits. The streak ends when no cell is left:
    this mind ignores sinkings.
    """
    board = seen.board
    first: Cell | None = None
    moves: list[Cell] = []
    fired: set[Cell] = set()
    for shot in seen.shots:
        fired.add(shot.cell)
        moves = [cell for cell in moves if cell != shot.cell]
        if shot.result is not Result.WATER:
            if first is None:
                first = shot.cell
                moves = list(board.sides(first))
            else:
                moves = [cell for cell in moves if _in_line(board, first, shot.cell, cell)]
                moves = [*_beyond(board, first, shot.cell), *moves]
        moves = [cell for cell in moves if cell not in fired]
        if not moves:
            first = None
    is_beyond = first is not None and bool(moves) and board.distance(first, moves[0]) > 1
    return moves[:1] if is_beyond else moves


def _in_line(board: Board, first: Cell, last: Cell, cell: Cell) -> bool:
    """Whether a cell is in the row or the column of both hits."""
    columns, rows = (
        {axis(one) for one in (first, last, cell)} for axis in (board.column, board.row)
    )
    return len(columns) == 1 or len(rows) == 1


def _beyond(board: Board, first: Cell, last: Cell) -> list[Cell]:
    """The next cell on the line from one hit to another, if there is one."""
    reach = board.distance(first, last)
    return [
        cell
        for cell in board.sides(last)
        if _in_line(board, first, last, cell) and board.distance(first, cell) > reach
    ]


EASY = Camlship("camlship-easy", is_hunting=False)
HARD = Camlship("camlship", is_hunting=True)
