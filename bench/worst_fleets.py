"""The worst fleets for a mind: those that cost it the most shots every time they are laid.

They are looked for by hill climbing: one ship is placed anew, and the fleet is kept if it costs
more. A mind that always searches in the same way has fleets that it always finds last.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import NamedTuple

from bench.families import FAMILIES, family_fleet, one_placed_anew
from bench.selfplay import NotAMeasure, Sample, game_seed, play_solo, shots_of
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.rules import Ruleset
from game.players.mind import Mind

STARTS = 16
"""How many fleets of all families are tried first; the climb begins at the worst."""
FIRST_GAMES, ENOUGH_GAMES = 4, 12
"""A fleet gets so many games, and if it may be worse than the worst so far, as many as these."""
MARGIN = 1.5
"""By how many shots the first games may fall short of the worst fleet's mean."""


class WorstFleet(NamedTuple):
    """What a climb has found."""

    fleet: Fleet
    tried: int
    """How many fleets were tried."""
    shots: Sample
    """Those of games played after the climb, with seeds of their own."""


def worst_fleet(
    mind: Mind, rules: Ruleset, *, goes_on: Callable[[], bool], games: int, seed: int
) -> WorstFleet:
    """The fleet that costs the mind most, of those tried while the climb `goes_on`.

    How much it costs is told by `games` further games: those of the climb flatter what was chosen
    by them. Raises NotAMeasure for fewer than two.
    """
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")
    chance = Chance(seed.to_bytes(SEED_BYTES, "big"), "worst-fleets", 0)
    climb = _Climb(mind, rules, seed)
    names = list(FAMILIES)
    climb.try_fleet(family_fleet("uniform", rules, chance))
    while goes_on():
        if climb.tried < STARTS:
            climb.try_fleet(family_fleet(names[climb.tried % len(names)], rules, chance))
        else:
            climb.try_fleet(one_placed_anew(rules, climb.fleet, chance))
    shots = [climb.play(climb.fleet, -1 - game) for game in range(games)]
    return WorstFleet(climb.fleet, climb.tried, Sample(tuple(shots)))


class _Climb:
    """The worst fleet so far, and its games."""

    fleet: Fleet
    shots: list[int]

    def __init__(self, mind: Mind, rules: Ruleset, seed: int) -> None:
        self.mind, self.rules, self.seed = mind, rules, seed
        self.shots, self.tried, self.played = [], 0, 0

    def try_fleet(self, fleet: Fleet) -> None:
        """Takes the fleet if it costs more."""
        self.tried += 1
        shots = self._more(fleet, FIRST_GAMES)
        if self.shots and fmean(shots) < fmean(self.shots) - MARGIN:
            return
        shots += self._more(fleet, ENOUGH_GAMES - FIRST_GAMES)
        if self.shots:
            # The worst so far was chosen for its games: some more show whether that was luck.
            self.shots += self._more(self.fleet, FIRST_GAMES)
        if not self.shots or fmean(shots) > fmean(self.shots):
            self.fleet, self.shots = fleet, shots

    def _more(self, fleet: Fleet, games: int) -> list[int]:
        self.played += games
        return [self.play(fleet, self.played - game) for game in range(games)]

    def play(self, fleet: Fleet, number: int) -> int:
        """The shots of the game of that number."""
        match = play_solo(self.mind, self.rules, game_seed(self.seed, number), fleets=fleet)
        return shots_of(match)
