"""Three simulated beginners, against which the ranks are measured. No page offers them."""

from __future__ import annotations

from dataclasses import dataclass

from game.engine.actions import STAY, Ask, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.players.asking import obvious_question
from game.players.belief.answers import read_answers

LOOKS_AGAIN_AFTER = 25
"""The own shots after which a beginner searches water again, if ships move."""


@dataclass(frozen=True, slots=True)
class Beginner:
    """A computer player that plays like a person in one of the first games.

    Beside an open hit it fires at any cell that it hasn't fired at since that hit.
    """

    name: str
    is_sensible: bool
    """Whether it searches the cells of one chequerboard colour, follows hits along their line, and
    avoids cells beside wrecks if ships may not touch."""
    moves_of_three: int = 0
    """In how many of three turns it moves a ship."""
    asks: bool = False
    """Whether it asks the obvious, halves and quarters of the board."""

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Chooses a cell beside a hit if possible, else one where it searches, else any."""
        board, targets, hits = seen.board, seen.targets, open_hits(seen)
        fired = {shot.cell: at for at, shot in enumerate(seen.shots)}
        answers = read_answers(board, seen.shots, seen.asked)
        targets = tuple(cell for cell in targets if not answers.water >> cell & 1) or targets
        if self.is_sensible and not seen.ruleset.touching:
            wrecks = [shot.wreck for shot in seen.shots if shot.wreck is not None]
            targets = tuple(
                cell for cell in targets if not any(one.halo >> cell & 1 for one in wrecks)
            )
        near = [
            cell
            for cell in targets
            if any(fired.get(cell, -1) < hits[hit] for hit in hits.keys() & board.sides(cell))
        ]
        if self.is_sensible:
            near = [cell for cell in near if _is_in_line(board, cell, set(hits))] or near
        if near:
            return chance.choice(near)
        fresh = [cell for cell in targets if _is_searched(seen, fired.get(cell))]
        if answers.ship_in:
            fresh = [cell for cell in fresh if answers.ship_in[0] >> cell & 1] or fresh
        if self.is_sensible:
            colour = chance.for_whole_match("colour").below(2)
            fresh = [cell for cell in fresh if _colour(board, cell) == colour] or fresh
        return chance.choice(fresh or targets or seen.targets)

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Makes a random move in `moves_of_three` of three turns."""
        steers = seen.steers if chance.below(3) < self.moves_of_three else ()
        return chance.choice(steers) if steers else STAY

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        return obvious_question(seen, chance) if self.asks else None


def open_hits(seen: Observation) -> dict[Cell, int]:
    """The cells of hits on enemy ships that aren't known to be sunk, and the shot of each."""
    hits: dict[Cell, int] = {}
    for at, shot in enumerate(seen.shots):
        if shot.result is Result.WATER:
            hits.pop(shot.cell, None)
        else:
            hits[shot.cell] = at
        if shot.wreck is not None:
            for cell in shot.wreck.cells:
                hits.pop(cell, None)
    return hits


def _is_searched(seen: Observation, fired: int | None) -> bool:
    """Returns whether a beginner searches a cell that it last fired at with that shot."""
    if fired is None:
        return True
    is_old = len(seen.shots) - fired > LOOKS_AGAIN_AFTER
    return seen.ruleset.moving and is_old and seen.shots[fired].result is Result.WATER


def _is_in_line(board: Board, cell: Cell, hits: set[Cell]) -> bool:
    """Whether the cell continues the line of two adjacent hits."""
    return any(
        board.distance(cell, far) == 2
        and (board.column(cell) == board.column(far) or board.row(cell) == board.row(far))
        for near in hits.intersection(board.sides(cell))
        for far in hits.intersection(board.sides(near))
    )


def _colour(board: Board, cell: Cell) -> int:
    return (board.column(cell) + board.row(cell)) % 2


PLAIN = Beginner("plain", is_sensible=False)
SENSIBLE = Beginner("sensible", is_sensible=True)
CASUAL = Beginner("casual", is_sensible=True, moves_of_three=1)
BEGINNERS = (PLAIN, SENSIBLE, CASUAL)
