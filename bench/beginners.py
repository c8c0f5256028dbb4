"""Simulated beginners, against which the ranks are measured. No page offers them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from game.engine.actions import STAY, Ask, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import Fleet, complete, reach
from game.engine.geometry import Board, Cell, cells_of
from game.engine.observation import Observation
from game.players.asking import obvious_question
from game.players.belief.tables import read_answers

LOOKS_AGAIN_AFTER = 25
"""The own shots after which a beginner searches a cell again, if ships move."""


@dataclass(frozen=True, slots=True)
class Beginner:
    """A computer player that plays like a person in one of the first games.

    Beside an open hit it fires at any cell that it hasn't fired at since that hit, unless it is
    blind.
    """

    name: str
    is_sensible: bool = False
    """Whether it searches the cells of one chequerboard colour, follows hits along their line, and
    takes cells beside a wreck for water if ships may not touch."""
    is_blind: bool = False
    """Whether it fires at random at cells that it hasn't fired at, and follows no hit."""
    moves_of_six: int = 0
    """In how many of six turns it moves a ship."""
    asks: bool = False
    """Whether it asks the obvious, halves and quarters of the board."""

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return complete(seen.ruleset, (), chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """Chooses a cell beside a hit if possible, else one where it searches, else any."""
        board, targets, hits = seen.board, seen.targets, open_hits(seen)
        known = self._known(seen)
        if self.is_blind:
            return chance.choice([cell for cell in targets if cell not in known] or targets)
        answers = read_answers(board, seen.shots, seen.asked)
        targets = tuple(cell for cell in targets if not answers.water >> cell & 1) or targets
        if not seen.ruleset.moving:
            targets = tuple(cell for cell in targets if cell not in known) or targets
        beside = {
            cell for hit in hits for cell in board.sides(hit) if known.get(cell, -1) < hits[hit]
        }
        near = [cell for cell in targets if cell in beside]
        if self.is_sensible:
            near = [cell for cell in near if _is_in_line(board, cell, set(hits))] or near
        if near:
            return chance.choice(near)
        oldest = len(seen.shots) - LOOKS_AGAIN_AFTER
        fresh = [cell for cell in targets if known.get(cell, -1) < max(0, oldest)]
        if answers.ship_in:
            fresh = [cell for cell in fresh if answers.ship_in[0] >> cell & 1] or fresh
        if self.is_sensible:
            colour = chance.for_whole_match("colour").below(2)
            fresh = [cell for cell in fresh if _colour(board, cell) == colour] or fresh
        return chance.choice(fresh or targets)

    def _known(self, seen: Observation) -> dict[Cell, int]:
        """The cells that it takes for searched, and its last shot that told of each."""
        known: dict[Cell, int] = {}
        for at, shot in enumerate(seen.shots):
            known[shot.cell] = at
            if shot.wreck is not None and self.is_sensible:
                known.update(dict.fromkeys(cells_of(reach(seen.ruleset, shot.wreck)), at))
        return known

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """Makes a random move in `moves_of_six` of six turns."""
        steers = seen.steers if chance.below(6) < self.moves_of_six else ()
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


BEGINNERS = tuple(
    Beginner(name + mover, name == "sensible", name == "blind", moves)
    for name, (mover, moves) in product(
        ("plain", "sensible", "blind"), {"": 0, "-third": 2, "-half": 3}.items()
    )
)
"""Each kind never moves a ship, moves one in a third of its turns, or in half of them."""
PLAIN, SENSIBLE, CASUAL, BLIND = (BEGINNERS[at] for at in (0, 3, 4, 6))
