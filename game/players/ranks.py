"""The ranks, from one that beginners beat to the admiral; docs/strength.md has their matches."""

from __future__ import annotations

from game.players.admiral import ADMIRAL, Admiral
from game.players.mind import Mind
from game.players.people import Person

RANKS: tuple[Mind, ...] = (
    Person("recruit", heeds_still=0.0, heeds_moving=0.08, habit=2.0),
    Person("sailor", heeds_still=2.0, heeds_moving=0.28),
    Person("lieutenant", heeds_still=3.0, heeds_moving=0.74),
    Person("captain", heeds_still=4.5, heeds_moving=3.0),
    Admiral("commodore", 0.9, 0.1, particles=128),
    ADMIRAL,
)
"""The weakest first."""
