"""Three simulated beginners, against which the ranks are measured. No page offers them."""

from __future__ import annotations

from dataclasses import dataclass

from game.engine.actions import STAY, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Board, Cell
from game.engine.observation import Known, Observation
from game.players.originals.random_player import RandomPlayer

LOOKS_AGAIN_AFTER = 25
"""The own turns after which the casual beginner forgets a shot at water, if ships move."""


@dataclass(frozen=True, slots=True)
class Beginner:
    """A computer player that plays like a person in one of the first games."""

    name: str
    is_sensible: bool
    """Whether it searches the cells of one chequerboard colour, follows hits along their line,
    avoids cells that wrecks rule out, and moves its ships."""
    forgets_after: int | None = None
    """The own turns after which it forgets a shot at water, if ships move; None for never."""

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Chooses a cell beside a hit if possible, else one where it searches, else any."""
        fresh = self._fresh(seen)
        hits = open_hits(seen)
        near = [cell for cell in fresh if hits.intersection(seen.board.sides(cell))]
        if self.is_sensible:
            near = [cell for cell in near if _is_in_line(seen.board, cell, hits)] or near
        if near:
            return chance.choice(near)
        if self.is_sensible:
            colour = chance.for_whole_match("colour").below(2)
            chequer = [cell for cell in fresh if _colour(seen.board, cell) == colour]
            fresh = chequer or fresh
        return chance.choice(fresh or seen.targets)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Makes a random move in half of the turns, or none if it isn't sensible."""
        return RandomPlayer().steer(seen, chance) if self.is_sensible else STAY

    def _fresh(self, seen: Observation) -> list[Cell]:
        """The targets that it considers unknown."""
        known = {
            cell
            for cell, mark in seen.marks.items()
            if mark.known is not Known.WATER
            or self.forgets_after is None
            or seen.age(mark) < self.forgets_after
        }
        if self.is_sensible and not seen.ruleset.touching:
            wrecks = [shot.wreck for shot in seen.shots if shot.wreck is not None]
            known |= {cell for cell in seen.targets if any(w.halo >> cell & 1 for w in wrecks)}
            known |= {
                cell
                for cell in seen.targets
                if any(_is_diagonal(seen.board, cell, hit) for hit in open_hits(seen))
            }
        return [cell for cell in seen.targets if cell not in known]


def open_hits(seen: Observation) -> set[Cell]:
    """The cells of hits on enemy ships that aren't known to be sunk."""
    hits: set[Cell] = set()
    for shot in seen.shots:
        if shot.result is Result.WATER:
            hits.discard(shot.cell)
        else:
            hits.add(shot.cell)
        if shot.wreck is not None:
            hits.difference_update(shot.wreck.cells)
    return hits


def _is_in_line(board: Board, cell: Cell, hits: set[Cell]) -> bool:
    """Whether the cell continues the line of two adjacent hits."""
    return any(
        board.distance(cell, far) == 2
        and (board.column(cell) == board.column(far) or board.row(cell) == board.row(far))
        for near in hits.intersection(board.sides(cell))
        for far in hits.intersection(board.sides(near))
    )


def _is_diagonal(board: Board, cell: Cell, other: Cell) -> bool:
    return cell in board.neighbours(other) and cell not in board.sides(other)


def _colour(board: Board, cell: Cell) -> int:
    return (board.column(cell) + board.row(cell)) % 2


PLAIN = Beginner("plain", is_sensible=False)
SENSIBLE = Beginner("sensible", is_sensible=True)
CASUAL = Beginner("casual", is_sensible=True, forgets_after=LOOKS_AGAIN_AFTER)
BEGINNERS = (PLAIN, SENSIBLE, CASUAL)
