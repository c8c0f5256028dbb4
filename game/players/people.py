"""The lower ranks: computer players that search as people do.

They finish a ship that they have hit. Where they search, their choices follow a softmax over what
people's choices were found to follow: the chance of a cell, and where it lies from the last shot.
docs/strength.md says where its weights come from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.engine.chance import Chance
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation
from game.engine.rules import Ruleset
from game.players.belief.messages import Evidence
from game.players.belief.tables import Floats, Indices, knowledge_of
from game.players.originals.random_player import RandomFleet

CHANCE = 1.1
"""What a choice owes to the logarithm of a cell's chance, for each standard deviation."""
DISTANCE, SAME_LINE, CORNER, BESIDE, SAME_COLOUR, EDGE, DIAGONAL = (
    -0.30, 0.18, 0.18, 0.17, 0.14, -0.11, 0.11
)  # fmt: skip
"""What it owes to where the cell lies, likewise: its distance from the last shot, whether it is in
the same row or column, in a corner, beside the last shot, on its colour of the chequer, at the
edge, and diagonal to the last shot."""
_LEAST_CHANCE = 0.02
"""A chance below this part of the greatest counts as this part: people fire there as well."""
_MORE_HITS = 12.0
"""How many times likelier a ship is for each further hit that it lies on."""


@dataclass(frozen=True, slots=True)
class Person(RandomFleet):
    """A mind that chooses as people do, and heeds the chances more or less."""

    name: str
    heeds_still: float
    """How much it heeds the chances where ships stay, as a multiple of what people do."""
    heeds_moving: float
    """The same where ships move."""
    habit: float = 1.0
    """How much it heeds where a cell lies, as a multiple of what people do."""

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """A target beside a hit, where its ship may lie; without any, one where it searches."""
        targets = np.array(seen.targets)
        heeds = self._heeds(seen.ruleset)
        unhit, hit = (each[targets] for each in ships_expected(Evidence(knowledge_of(seen))))
        if hit.any():
            weights = (hit > 0) * (hit / hit.max()) ** heeds
        else:
            weights = np.exp(self._appeal(seen, targets, unhit))
        ends = weights.cumsum()
        return Cell(int(targets[np.searchsorted(ends, chance.uniform() * ends[-1], side="right")]))

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the chance that an unsunk enemy ship lies there.

        As if no ship were in another's way.
        """
        evidence = Evidence(knowledge_of(seen))
        unhit, hit = ships_expected(evidence)
        chances = np.minimum(unhit + hit / max(hit.max(), 1e-300), 1.0)
        chances[list(evidence.hits)] = 1.0
        return [float(one) for one in chances]

    def _heeds(self, rules: Ruleset) -> float:
        return self.heeds_moving if rules.moving else self.heeds_still

    def _appeal(self, seen: Observation, targets: Indices, expected: Floats) -> Floats:
        """What the softmax is taken of, for each target."""
        likely = np.maximum(expected, max(_LEAST_CHANCE * expected.max(), 1e-300))
        appeal = self._heeds(seen.ruleset) * CHANCE * _standardised(np.log(likely))
        last = seen.aimed[-1] if seen.aimed else seen.shots[-1].cell if seen.shots else None
        for weight, feature in _features(seen.board, targets, last):
            appeal += self.habit * weight * _standardised(feature)
        return appeal


def ships_expected(evidence: Evidence) -> tuple[Floats, Floats]:
    """For each cell how many ships may be expected, if none were in another's way.

    Two arrays of shape (cells,): ships never hit, in ships; and those that were hit, in a unit
    of their own, on the cells beside the hits and nowhere else.
    """
    tables, weights = evidence.tables, evidence.placement_weights
    covers, hits = tables.covers[:-1], list(evidence.hits)
    found = covers[:, hits].sum(axis=1)
    unhit = np.where(found, 0.0, weights)
    hit = np.where(found, weights, 0.0) * _MORE_HITS**found
    for kind, count in enumerate(evidence.counts):
        is_kind = tables.kind == kind
        unhit[is_kind] *= count / max(unhit[is_kind].sum(), 1e-300)
        hit[is_kind] *= count > 0
    expected, beside = tables.by_cell(unhit), tables.by_cell(hit)
    around = {cell for hit in hits for cell in tables.board.sides(hit)}.difference(hits)
    beside[[cell for cell in tables.board.cells if cell not in around]] = 0.0
    return expected, beside


def _features(board: Board, targets: Indices, last: Cell | None) -> list[tuple[float, Floats]]:
    """The weight and the values of each feature, of shape (targets,)."""
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
    """With mean 0 and standard deviation 1; all 0 where the feature is the same everywhere."""
    spread = feature.std()
    values: Floats = (feature - feature.mean()) / spread if spread > 0 else 0.0 * feature
    return values
