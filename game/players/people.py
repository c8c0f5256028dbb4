"""The lower ranks: minds that search as people do.

They finish a ship that they have hit. Their search is a softmax over features that were found to
predict people's choices: the probability of a cell, and its position relative to the last shot.
docs/strength.md has the source of the weights.
"""

from collections import Counter
from dataclasses import dataclass
from math import prod

import numpy as np

from game.engine.actions import Ask
from game.engine.chance import Chance
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.engine.rules import Ruleset
from game.players.asking import even_question, halving_question
from game.players.belief.evidence import Evidence
from game.players.belief.tables import Floats, Indices, knowledge_of
from game.players.originals.random_player import RandomFleet

CHANCE = 1.1
"""The weight of the standardized log probability of a cell."""
DISTANCE, SAME_LINE, CORNER, BESIDE, SAME_COLOUR, EDGE, DIAGONAL = (
    -0.30, 0.18, 0.18, 0.17, 0.14, -0.11, 0.11
)  # fmt: skip
"""The weights of the other standardized features: the distance from the last shot, and whether the
cell is in its row or column, in a corner, beside it, on its colour of the checkerboard, at the
edge, or diagonal to it."""
_SMALL = 80
"""The most cells of a small sea."""
_LEAST_CHANCE = 0.02
"""The floor of a cell's probability, relative to the greatest; people fire there as well."""
_MORE_HITS = 12.0
"""The factor in the weight of a placement for each hit that it covers."""


@dataclass(frozen=True, slots=True)
class HumanLikeMind(RandomFleet):
    name: str
    still_factor: float
    """The multiple of people's weight of the probability, if ships stay."""
    moving_factor: float
    """The same if ships move."""
    small_factor: float
    """The same if ships move in a small sea, where a match is short and skill decides it less."""
    questions: int = 0
    """It asks one of so many questions, those with the most even answers; 0 for one that halves
    what is left."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """A target beside a hit where its ship may lie, if there is one; otherwise a search."""
        targets = np.array(seen.targets)
        exponent = self._factor(seen.ruleset)
        unhit, hit = (each[targets] for each in ships_expected(Evidence(knowledge_of(seen))))
        if hit.any():
            weights = (hit > 0) * (hit / hit.max()) ** exponent
        else:
            weights = np.exp(self._appeal(seen, targets, unhit))
        ends = weights.cumsum()
        return Cell(int(targets[np.searchsorted(ends, chance.uniform() * ends[-1], side="right")]))

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """A question for a search; None while a ship that was hit is afloat."""
        evidence = Evidence(knowledge_of(seen))
        if evidence.hits:
            return None
        if not self.questions:
            return halving_question(seen, chance)
        weights = weights_with_answers(evidence)
        return even_question(seen, evidence, weights, self.questions, chance)

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the probability of an enemy ship afloat.

        Ships count as independent.
        """
        evidence = Evidence(knowledge_of(seen))
        unhit, hit = ships_expected(evidence)
        chances = np.minimum(unhit + hit / max(hit.max(), 1e-300), 1.0)
        chances[evidence.hits] = 1.0
        return [float(one) for one in chances]

    def _factor(self, rules: Ruleset) -> float:
        if not rules.moving:
            return self.still_factor
        return self.small_factor if rules.board.size <= _SMALL else self.moving_factor

    def _appeal(self, seen: Observation, targets: Indices, expected: Floats) -> Floats:
        """The argument of the softmax: shape (targets,)."""
        likely = np.maximum(expected, max(_LEAST_CHANCE * expected.max(), 1e-300))
        appeal = self._factor(seen.ruleset) * CHANCE * _standardised(np.log(likely))
        last = seen.aimed[-1] if seen.aimed else seen.shots[-1].cell if seen.shots else None
        for weight, feature in _features(seen.board, targets, last):
            appeal += weight * _standardised(feature)
        return appeal


def ships_expected(evidence: Evidence) -> tuple[Floats, Floats]:
    """Expected ships on each cell if ships were independent: two arrays of shape (cells,).

    The first counts ships without a hit. The second is for ships with a hit, in an arbitrary unit,
    and only for cells beside hits.
    """
    tables, weights = evidence.tables, weights_with_answers(evidence)
    inside = tables.inside(evidence.hits)
    unhit = np.where(inside, 0.0, weights)
    hit = np.where(inside, weights, 0.0) * _MORE_HITS**inside
    for kind, count in enumerate(evidence.counts):
        is_kind = tables.kind == kind
        unhit[is_kind] *= count / max(unhit[is_kind].sum(), 1e-300)
        hit[is_kind] *= count > 0
    expected, beside = tables.by_cell(unhit), tables.by_cell(hit)
    around = {cell for hit in evidence.hits for cell in tables.board.sides(hit)}
    around = around.difference(evidence.hits)
    beside[[cell for cell in tables.board.cells if cell not in around]] = 0.0
    return expected, beside


def weights_with_answers(evidence: Evidence) -> Floats:
    """The weights of the placements, given all sets of cells with a ship: shape (placements,).

    A placement outside of a set counts as often as another ship reaches into it, if ships were
    independent.
    """
    tables, weights = evidence.tables, evidence.placement_weights
    for reaching in evidence.rectangles[:-1].T:
        kinds = range(len(evidence.counts))
        sums = [weights[tables.kind == kind].sum() for kind in kinds]
        inside = [weights[reaching & (tables.kind == kind)].sum() for kind in kinds]
        nobody = [1 - one / max(total, 1e-300) for one, total in zip(inside, sums, strict=True)]
        for kind, count in enumerate(evidence.counts):
            others = Counter(dict(enumerate(evidence.counts)))
            others[kind] -= count > 0
            by_another = 1 - prod(nobody[one] ** others[one] for one in kinds)
            outside = ~reaching & (tables.kind == kind)
            weights = np.where(outside, weights * by_another, weights)
    return weights


def _features(board: Board, targets: Indices, last: Cell | None) -> list[tuple[float, Floats]]:
    """The weight of each feature, and its values of shape (targets,)."""
    columns, rows = targets % board.columns, targets // board.columns
    is_side = (columns == 0) | (columns == board.columns - 1)
    is_end = (rows == 0) | (rows == board.rows - 1)
    features = [(CORNER, is_side & is_end), (EDGE, is_side | is_end)]
    if last is not None:
        across, down = abs(columns - board.column(last)), abs(rows - board.row(last))
        features += [
            (DISTANCE, np.sqrt(across**2 + down**2)),
            (SAME_LINE, (across == 0) | (down == 0)),
            (BESIDE, across + down == 1),
            (SAME_COLOUR, (across + down) % 2 == 0),
            (DIAGONAL, (across == 1) & (down == 1)),
        ]
    return [(weight, feature.astype(float)) for weight, feature in features]


def _standardised(feature: Floats) -> Floats:
    """The standard scores; all 0 for a constant feature."""
    spread = feature.std()
    values: Floats = (feature - feature.mean()) / spread if spread > 0 else 0.0 * feature
    return values
