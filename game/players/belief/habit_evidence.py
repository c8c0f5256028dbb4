"""The posterior of the habits of placing during a match, and the prior weights it implies."""

from __future__ import annotations

import numpy as np

from game.engine.chance import Chance
from game.players.belief.evidence import Evidence, grouped
from game.players.belief.fleets_again import remembered_ships, with_fleets
from game.players.belief.habits import HabitWeights, habit_weights, log_priors, probabilities
from game.players.belief.tables import Floats, Indices


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
    found = (len(places) + min(len(groups), afloat)) / max(1, len(places) + afloat)
    return logs - found * habits.log_mean


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
