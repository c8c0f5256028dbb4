"""What a match shows of the habits of placing, and so where ships are to be expected."""

from __future__ import annotations

import numpy as np

from game.players.belief.habits import HabitWeights, habit_weights, log_priors, probabilities
from game.players.belief.messages import Evidence, grouped
from game.players.belief.tables import Floats, Indices


def expected_weights(evidence: Evidence) -> Floats:
    """How many times as likely as by chance a ship lies in each placement.

    Shape (placements,): the mean over the habits, by how likely each is after what was learnt and
    seen.
    """
    habits = habit_weights(evidence.knowledge.rules)
    logs = log_priors(evidence.knowledge.learnt, habits) + _log_likelihoods(evidence, habits)
    mixed: Floats = (probabilities(logs)[:, None] * habits.weights).sum(axis=0)
    return mixed


def _log_likelihoods(evidence: Evidence, habits: HabitWeights) -> Floats:
    """How much likelier what was seen is with each variant than by chance: shape (variants,).

    Logarithms. The ships are taken by themselves: those sunk where they lay, one for each group of
    open hits, and the others by how many of the placements that the habit makes likely are left.
    """
    tables, weights = evidence.tables, habits.weights
    places = [wreck.placement for wreck in evidence.shots.wrecks]
    logs: Floats = np.log(weights[:, places]).sum(axis=1)
    groups = grouped(tables.board, evidence.hits)
    for group in groups:
        on = [_log_share(habits, tables.placements_at[cell], evidence.messages) for cell in group]
        logs += sum(on) / len(on)
    afloat = sum(evidence.counts)
    if afloat > len(groups):
        is_unhit = ~tables.covers[:-1][:, list(evidence.hits)].any(axis=1)
        alone = [
            count
            * _log_share(habits, np.flatnonzero(tables.kind == kind), evidence.messages * is_unhit)
            for kind, count in enumerate(evidence.counts)
        ]
        logs += sum(alone) * (1 - len(groups) / afloat)
    # Fleets of a habit are rarer or more frequent than single ships of it, since ships may not lie
    # across one another; but that is known only of the ships found.
    found = (len(places) + min(len(groups), afloat)) / max(1, len(places) + afloat)
    return logs - found * habits.log_mean


def _log_share(habits: HabitWeights, which: Indices, possible: Floats) -> Floats:
    """The logarithm of how much likelier a ship lies in one of some placements than by chance.

    `possible` has shape (placements,): how far each agrees with what was seen.
    """
    uniform = habits.uniform[which] * possible[which]
    total = uniform.sum()
    if total <= 0:
        return np.zeros(len(habits.prior))
    logs: Floats = np.log((habits.weights[:, which] * uniform).sum(axis=1) / total)
    return logs
