"""The ranks, from the weakest to the admiral."""

from __future__ import annotations

from game.players.admiral import ADMIRAL, Admiral

RANKS = (
    Admiral("recruit", 0.96, 1.0, finishes_first=True, particles=128),
    Admiral("sailor", 0.87, 0.78, finishes_first=True, particles=128),
    Admiral("lieutenant", 0.4, 0.6, finishes_first=True, particles=128),
    Admiral("captain", 0.91, 0.27, particles=128),
    ADMIRAL,
)
"""The five levels, the weakest first. Each needs about as many shots fewer than the one before:
seven with Bonn's rules, three where ships stay."""
