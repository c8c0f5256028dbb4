"""Habits of placing a fleet: prior weights of placements, and learning from revealed fleets.

    learn((), rules, fleet) -> (25, -6, 3, -9, 1, -2, 13)

These are the log odds of each of HABITS against uniform fleets, in eighths of a nat. docs/belief.md
explains the model.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Placement
from game.engine.geometry import Direction
from game.engine.rules import Ruleset
from game.players.belief.evidence import Evidence
from game.players.belief.exact import exact_posterior, fleet_weights, weights_by_placement
from game.players.belief.sampler import Drawn, affordable, draw
from game.players.belief.tables import (
    Flags,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    tables_for,
)
from game.players.registry import HABITS as HABITS

UNIFORM_PROBABILITY = 0.8
"""The prior probability that an enemy has no habit."""
UNIT = 8
"""The number of units in a nat of log odds."""
MOST, LEAST = 127, -24
"""The bounds of what is learnt. The lower bound is close to 0, so that a new habit is noticed
within a few rounds."""
_STRENGTHS = {
    "edge": (1.0, 2.5), "inland": (1.0, 2.5), "corners": (1.5, 3.0), "across": (1.0, 2.5, 5.0),
    "down": (1.0, 2.5, 5.0), "clustered": (0.6,), "unlikely": (0.8, 1.6),
}  # fmt: skip
"""The factors by which each habit's feature is multiplied; each gives variants of the habit."""
_CORNER_REACH = 3
"""The number of steps from a corner within which a ship is near it."""
_CLUSTER_SIGMA = 0.25
"""The standard deviation of ships around a cluster's centre, in sides of the board."""
_UNIFORM_FLEETS, _FLEETS = 2048, 1024
"""The sample sizes if not all fleets can be listed: for uniform fleets, and for each variant."""
_FULL_WORK, _FEWEST = 2400, 128
"""See `affordable`."""
_GRAIN = float(1 << 20)
"""Weights are rounded to 1 / _GRAIN, because exponentials may differ in the last bit between
machines, and decisions must not."""


class HabitWeights(NamedTuple):
    """The variants of all habits for one ruleset; variant 0 is no habit."""

    uniform: Floats
    """Shape (placements,): the probability of each placement of a ship in a uniform fleet; sums to
    1 for each length."""
    weights: Floats
    """Shape (variants, placements): the weight relative to `uniform`, with the mean 1 for each
    length."""
    log_mean: Floats
    """Shape (variants,): the logarithm of the mean product of weights over uniform fleets."""
    habit: Indices
    """Shape (variants,): the index into HABITS, -1 for no habit."""
    prior: Floats
    """Shape (variants,): the prior probabilities."""
    signs: Flags
    """Shape (habits, placements): whether the placement is typical of the habit."""


def habit_weights(rules: Ruleset) -> HabitWeights:
    """The habits for a ruleset, from a cache."""
    # The cache key has only what decides which fleets are legal.
    return _habit_weights(Ruleset(**dict(rules.sea), again=False, moving=False, turns=None))


@lru_cache(maxsize=8)  # the fleets of presets; up to 0.5 MB each
def _habit_weights(rules: Ruleset) -> HabitWeights:
    tables, uniform = tables_for(rules), _uniform(rules)
    features = _features(rules, uniform)
    weights, habit, prior = [np.ones(len(uniform))], [-1], [UNIFORM_PROBABILITY]
    for at, (name, strengths) in enumerate(_STRENGTHS.items()):
        exponents = [strength * row for strength in strengths for row in features[name][0]]
        for exponent in exponents:
            row = np.exp(exponent)  # divided by its mean for each length
            means = np.bincount(tables.kind, uniform * row, len(tables.lengths))
            weights.append(np.maximum(np.round(row / means[tables.kind] * _GRAIN), 1.0) / _GRAIN)
            habit.append(at)
            prior.append((1 - UNIFORM_PROBABILITY) / len(HABITS) / len(exponents))
    rows = np.array(weights)
    return HabitWeights(
        uniform, rows, log_means(rules, rows),
        np.array(habit), np.array(prior), np.array([features[name][1] for name in HABITS]),
    )  # fmt: skip


def log_means(rules: Ruleset, weights: Floats) -> Floats:
    """The logarithm of the mean product of weights over uniform fleets, for each of some variants.

    `weights` has shape (variants, placements); the result has shape (variants,).
    """
    plain = _log_partition(rules, np.ones(weights.shape[1]))
    logs = np.array([_log_partition(rules, row) - plain for row in weights])
    rounded: Floats = np.round(logs * _GRAIN) / _GRAIN
    return rounded


@lru_cache(maxsize=2)
def _all_fleets(rules: Ruleset) -> Indices | None:
    """All fleets of these rules; None if there are too many to list: then some are drawn."""
    listed = exact_posterior(_nothing_known(rules))
    return listed and listed[0]


def _log_partition(rules: Ruleset, weights: Floats) -> float:
    """The logarithm of the sum over all fleets of the product of their weights."""
    if (fleets := _all_fleets(rules)) is not None:
        return float(np.log(fleet_weights(weights, fleets).sum()))
    evidence = _nothing_known(rules, lambda _: weights)
    log_partition = _drawn(evidence, _FLEETS, sweeps=0).log_partition
    return log_partition + len(rules.fleet) * float(np.log(weights.max()))


def _uniform(rules: Ruleset) -> Floats:
    """The probability of each placement in uniform fleets."""
    tables = tables_for(rules)
    if (fleets := _all_fleets(rules)) is not None:
        weights = weights_by_placement(tables, fleets, np.ones(len(fleets)))
    else:
        weights = _drawn(_nothing_known(rules), _UNIFORM_FLEETS, sweeps=2).weights
    # Every fleet is as likely as its mirror images: averaging over them reduces the sampling error.
    uniform = np.mean([weights[turned] for turned in _turned(tables)], axis=0)
    # Avoids 0 / 0 for rules that leave a ship no room; such rules are refused elsewhere.
    uniform = np.maximum(uniform, 1e-12)
    normed: Floats = uniform / np.bincount(tables.kind, uniform)[tables.kind]
    return normed


def _nothing_known(
    rules: Ruleset, expected: Callable[[Evidence], Floats] | None = None
) -> Evidence:
    return Evidence(Knowledge(rules, (), rules.fleet, turn=0, offset=0), expected)


def _drawn(evidence: Evidence, most: int, *, sweeps: int) -> Drawn:
    """A sample by common random numbers, so that the errors of two samples cancel."""
    work = evidence.tables.work(evidence.knowledge.rules.fleet)
    particles = affordable(most, work, full_work=_FULL_WORK, fewest=_FEWEST)
    return draw(evidence, Chance(bytes(16), "habits", 0), particles, sweeps=sweeps)


def _turned(tables: PlacementTables) -> list[Indices]:
    """For each symmetry of the board the image of each placement."""
    board, cells = tables.board, tables.cells
    grid = np.arange(board.size).reshape(board.rows, board.columns)
    grids = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
    if board.rows == board.columns:
        grids += [one.T for one in grids]

    def ends(to: Indices) -> Indices:
        """The first and the last cell of each placement's image, as one number."""
        images = np.append(to.ravel(), board.size)[cells]
        last = np.where(cells < board.size, images, -1).max(axis=0)
        ends: Indices = images.min(axis=0) * board.size + last
        return ends

    order = np.argsort(ends(grid))
    return [order[np.searchsorted(ends(grid), ends(to), sorter=order)] for to in grids]


def _features(rules: Ruleset, uniform: Floats) -> dict[str, tuple[list[Floats], Flags]]:
    """For each habit its features, shape (placements,), and its signs; see `HabitWeights`."""
    tables = tables_for(rules)
    board = tables.board
    columns, rows = np.arange(board.size) % board.columns, np.arange(board.size) // board.columns
    from_side = np.minimum(columns, board.columns - 1 - columns)
    from_end = np.minimum(rows, board.rows - 1 - rows)
    covers = tables.covers[:-1]
    on_edge = (covers & (np.minimum(from_side, from_end) == 0)).sum(axis=1) / tables.length
    steps = np.where(covers, from_side + from_end, board.size).min(axis=1)
    near_corner = np.maximum(_CORNER_REACH - steps, 0) / _CORNER_REACH
    across = np.array([one.direction is Direction.ACROSS for one in tables.placements])
    is_long = tables.length > 1
    expected = _expected_scores(rules, uniform)
    middle_x = ((covers * columns).sum(axis=1) / tables.length + 0.5) / board.columns
    middle_y = ((covers * rows).sum(axis=1) / tables.length + 0.5) / board.rows
    # The log densities of normal distributions around nine centres.
    centres = [
        -((middle_x - x) ** 2 + (middle_y - y) ** 2) / (2 * _CLUSTER_SIGMA**2)
        for x in (0.25, 0.5, 0.75)
        for y in (0.25, 0.5, 0.75)
    ]
    return {
        "edge": ([on_edge], on_edge == 1),
        "inland": ([(on_edge == 0).astype(float)], on_edge == 0),
        "corners": ([near_corner], steps <= 1),
        "across": ([across.astype(float)], across & is_long),
        "down": ([1.0 - across], ~across & is_long),
        # No single placement is typical of a cluster.
        "clustered": (centres, np.ones(len(uniform), bool)),
        "unlikely": ([-expected], expected < -1),
    }


def _expected_scores(rules: Ruleset, uniform: Floats) -> Floats:
    """The standard scores, among placements of one length, of the mean chance of a ship on a cell.

    Shape (placements,). The mean is over a placement's cells, in uniform fleets.
    """
    tables, covers = tables_for(rules), tables_for(rules).covers[:-1]
    kinds = len(tables.lengths)
    ships = uniform * np.array(tables.counts(rules.fleet))[tables.kind]
    chances = (ships[:, None] * covers).sum(axis=0)
    expected = (covers * chances).sum(axis=1) / tables.length
    off = expected - np.bincount(tables.kind, uniform * expected, kinds)[tables.kind]
    deviations = np.sqrt(np.bincount(tables.kind, uniform * off**2, kinds))
    scores: Floats = off / np.maximum(deviations, 1e-9)[tables.kind]
    return scores


# --- across rounds ---


def learn(learnt: tuple[int, ...], rules: Ruleset, fleet: Sequence[Placement]) -> tuple[int, ...]:
    """Updates the log odds of each of HABITS by a revealed fleet.

    Returns integers in eighths of a nat, from LEAST to MOST; `learnt` may be empty, and may have
    the numbers of fleets after those of the habits.
    """
    tables, habits = tables_for(rules), habit_weights(rules)
    lies = [tables.index_of[ship] for ship in fleet]
    likelihoods = np.log(habits.weights[:, lies]).sum(axis=1) - habits.log_mean
    shares = np.bincount(habits.habit + 1, habits.prior)
    # The variants of a habit are adjacent.
    starts = np.flatnonzero(np.diff(habits.habit, prepend=-2))
    sums = np.logaddexp.reduceat(np.log(habits.prior) + likelihoods, starts)
    gains = (sums - np.log(shares))[1:]
    before = learnt[: len(HABITS)] or (0,) * len(HABITS)
    return tuple(
        min(MOST, max(LEAST, old + round(UNIT * float(gain))))
        for old, gain in zip(before, gains, strict=True)
    )


def log_priors(learnt: tuple[int, ...], habits: HabitWeights) -> Floats:
    """The logarithm of each variant's probability, up to a constant: shape (variants,)."""
    known = learnt[: len(HABITS)] or (0,) * len(HABITS)
    odds = np.array((*known, 0)) / UNIT  # the last is for no habit, -1
    logs: Floats = np.log(habits.prior) + odds[habits.habit]
    return logs


def probabilities(logs: Floats) -> Floats:
    """The softmax of the logarithms."""
    shares = np.exp(logs - logs.max())
    normed: Floats = shares / shares.sum()
    return normed


def noticed(learnt: tuple[int, ...], rules: Ruleset) -> tuple[tuple[str, float], ...]:
    """The habits with a greater posterior than no habit, the likeliest first.

    Each comes with the expected number of ships that show its sign, relative to uniform fleets.
    """
    habits, tables = habit_weights(rules), tables_for(rules)
    shares = probabilities(log_priors(learnt, habits))
    by_habit = np.bincount(habits.habit + 1, shares)
    held = [at for at in range(len(HABITS)) if by_habit[at + 1] > by_habit[0]]
    weights = (shares[:, None] * habits.weights).sum(axis=0)
    ships = habits.uniform * np.array(tables.counts(rules.fleet))[tables.kind]
    times = [
        float((ships * weights)[sign].sum() / max(float(ships[sign].sum()), 1e-12))
        for sign in habits.signs
    ]
    held.sort(key=lambda at: (-by_habit[at + 1], at))
    return tuple((HABITS[at], times[at]) for at in held)
