"""What earlier rounds taught of an enemy: its habits, and the fleets that it placed last.

What was learnt starts with the numbers of the habits. After them come those of each fleet, ship by
ship in the fleet's order: the number of its placement, `Placement.number`. docs/belief.md explains
the model.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from game.engine.chance import Chance
from game.engine.fleets import Placement
from game.engine.geometry import LARGEST
from game.engine.rules import Ruleset
from game.players.belief.evidence import Evidence, grouped
from game.players.belief.habits import (
    HABITS,
    HabitWeights,
    habit_weights,
    learn,
    log_means,
    log_priors,
    probabilities,
)
from game.players.belief.tables import Floats, Indices, tables_for

MOST_FLEETS = 3
"""The number of fleets that are remembered."""
AGAIN, ANEW = 0.03, 0.97
"""The counts of fleets placed again and of new ones, before any round: the parameters of a beta
distribution of the probability that a fleet is placed again."""
LEAST_SHARE = 0.1
"""The least probability that a remembered fleet is placed again."""
RECALLED = 0.6
"""The share of a remembered fleet's ships that is recalled well in a match."""
STEPS = {False: (1, 3), True: (3, LARGEST)}
"""Whether a hit fires again: the most steps from its place at which a ship is expected that is
recalled well, and another one. Where a hit fires again, one turn would find a whole fleet."""
_CHANGED = 0.1
"""The probability that a ship of a fleet placed again lies farther off."""
_GRAIN = float(1 << 20)
"""As in `habits`."""


def learn_round(
    learnt: tuple[int, ...], rules: Ruleset, fleet: Sequence[Placement]
) -> tuple[int, ...]:
    """What is known after one more fleet was revealed: its habits, and the last fleets."""
    placed = [ship.number for ship in fleet[: rules.ships_remembered]]
    numbers = (*learnt[len(HABITS) :], *placed)
    return (*learn(learnt, rules, fleet), *numbers[-MOST_FLEETS * len(rules.fleet) :])


def fleets_of(learnt: tuple[int, ...], rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """The remembered fleets, oldest first: ascending indices of placements.

    Numbers that no fleet of these rules has are left out.
    """
    tables, size = tables_for(rules), len(rules.fleet)
    at = {(one.length, one.number): index for index, one in enumerate(tables.placements)}
    numbers = learnt[len(HABITS) :]
    fleets = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    placed = [
        tuple(sorted(at.get(ship, -1) for ship in zip(rules.fleet, fleet, strict=False)))
        for fleet in fleets
    ]
    return tuple(one for one in placed if len(one) == size and one[0] >= 0)


def is_remembered(learnt: tuple[int, ...], rules: Ruleset, fleet: Sequence[Placement]) -> bool:
    tables = tables_for(rules)
    return tuple(sorted(tables.index_of[ship] for ship in fleet)) in fleets_of(learnt, rules)


def is_again(learnt: tuple[int, ...], rules: Ruleset) -> bool:
    """Whether the newest fleet was also placed before."""
    fleets = fleets_of(learnt, rules)
    return fleets[-1:] != () and fleets[-1] in fleets[:-1]


# --- during a match ---


def remembered_ships(rules: Ruleset, chance: Chance) -> tuple[int, ...]:
    """The ships of each remembered fleet that are recalled in a match, as indices into it."""
    ships = list(range(len(rules.fleet)))
    chance.for_side("memory").shuffle(ships)
    return tuple(sorted(ships[: round(RECALLED * len(ships))]))


@lru_cache(maxsize=64)
def with_fleets(
    learnt: tuple[int, ...], rules: Ruleset, recalled: tuple[int, ...]
) -> tuple[float, HabitWeights]:
    """The habits with one more variant for each remembered fleet, and the share of all of these.

    Their priors are relative to that share. `recalled` are the ships by `remembered_ships`.
    """
    habits = habit_weights(rules)
    fleets = fleets_of(learnt, rules)
    if not fleets:
        return 0.0, habits
    counts = Counter(fleets)
    repeats = len(fleets) - len(counts)
    share = max(LEAST_SHARE, (AGAIN + repeats) / (AGAIN + ANEW + len(fleets) - 1))
    weights = np.array([_recalled_weights(rules, fleet, recalled) for fleet in counts])
    return share, habits._replace(
        weights=np.concatenate([habits.weights, weights]),
        log_mean=np.append(habits.log_mean, log_means(rules, weights)),
        prior=np.append(habits.prior, [count / len(fleets) for count in counts.values()]),
    )


def _recalled_weights(rules: Ruleset, fleet: tuple[int, ...], recalled: tuple[int, ...]) -> Floats:
    """The weights of a remembered fleet, relative to uniform fleets: shape (placements,).

    Each ship is expected near its place, in moves of a king in chess, and turned the same way;
    those that are recalled are expected nearer.
    """
    tables, uniform = tables_for(rules), habit_weights(rules).uniform
    ships = np.bincount(tables.kind[list(fleet)], minlength=len(tables.lengths))
    weights, (well, badly) = np.ones(len(uniform)), STEPS[rules.again]
    for index, placement in enumerate(fleet):
        steps = well if index in recalled else badly
        ship, kind = tables.placements[placement], tables.kind[placement]
        near = [
            at
            for at, other in enumerate(tables.placements)
            if other.length == ship.length
            and (other.direction is ship.direction or ship.length == 1)
            and tables.board.distance(other.bow, ship.bow) <= steps
        ]
        of_kind = tables.kind == kind
        weights[of_kind] -= (1 - _CHANGED) / ships[kind]
        weights[near] += (1 - _CHANGED) / (ships[kind] * len(near) * uniform[near])
    rounded: Floats = np.round(weights * _GRAIN) / _GRAIN
    return rounded


def expected_weights(evidence: Evidence, chance: Chance) -> Floats:
    """The weight of each placement relative to uniform fleets: shape (placements,).

    It is the mean over the habits, and the fleets of earlier rounds as far as `chance` recalls
    them, by their posterior, given what was learnt and the shots.
    """
    learnt, rules = evidence.knowledge.learnt, evidence.knowledge.rules
    share, habits = with_fleets(learnt, rules, remembered_ships(rules, chance))
    known = probabilities(log_priors(learnt, habit_weights(rules)))
    priors = np.append((1 - share) * known, share * habits.prior[len(known) :])
    logs = np.log(priors) + _log_likelihoods(evidence, habits)
    mixed: Floats = (probabilities(logs)[:, None] * habits.weights).sum(axis=0)
    return mixed


def _log_likelihoods(evidence: Evidence, habits: HabitWeights) -> Floats:
    """The log-likelihood ratio of each variant against uniform fleets: shape (variants,).

    Ships count as independent: the wrecks, one ship for each group of open hits, and the others by
    the share of the variant's placements that is still possible.
    """
    tables, weights = evidence.tables, habits.weights
    places = [wreck.placement for wreck in evidence.wrecks]
    logs: Floats = np.log(weights[:, places]).sum(axis=1)
    groups = grouped(tables.board, evidence.hits)
    for group in groups:
        on = [_log_share(habits, tables.placements_at[cell], evidence.messages) for cell in group]
        logs += sum(on) / len(on)
    afloat = sum(evidence.counts)
    if afloat > len(groups):
        is_unhit = tables.inside(evidence.hits) == 0
        alone = [
            count
            * _log_share(habits, np.flatnonzero(tables.kind == kind), evidence.messages * is_unhit)
            for kind, count in enumerate(evidence.counts)
        ]
        logs += sum(alone) * (1 - len(groups) / afloat)
    # The normalization of whole fleets differs from that of single ships, because ships exclude one
    # another. It is applied in proportion to the ships found.
    share = (len(places) + min(len(groups), afloat)) / max(1, len(places) + afloat)
    return logs - share * habits.log_mean


def _log_share(habits: HabitWeights, which: Indices, possible: Floats) -> Floats:
    """The log-likelihood ratio of a ship in one of the placements `which`: shape (variants,).

    `possible` is the likelihood of each placement, shape (placements,).
    """
    uniform = habits.uniform[which] * possible[which]
    total = uniform.sum()
    if total <= 0:
        return np.zeros(len(habits.prior))
    logs: Floats = np.log((habits.weights[:, which] * uniform).sum(axis=1) / total)
    return logs
