"""The admiral: a computer player that fires, places and steers by a belief.

docs/belief.md says why they value shots, fleets and moves as they do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.engine.actions import STAY, Manoeuvre, Result
from game.engine.chance import Chance
from game.engine.fleets import Course, Fleet, Placement, steered
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.players.belief.belief import PARTICLES, Belief, believe
from game.players.belief.endgame import shots_left
from game.players.belief.tables import Floats, generator, knowledge_about, knowledge_of
from game.players.originals.random_player import RandomPlayer
from game.players.placing import boltzmann_choice, hidden_fleet

HIT_SHIP_WEIGHT = 0.3
"""Where ships move, what a hit on a ship that was hit before is worth; a first hit is worth 1."""
INFORMATION_WEIGHT = 0.25
"""Where ships stay, what a bit of information is worth; a hit is worth 1."""
SEARCH_SPREAD, LAST_SPREAD = 0.1, 0.4
"""Where ships stay, by what part at most the value of a cell is raised by chance, so that no fleet
lies where every search comes last; and the chance of one among the last fleets, where it costs
less."""
CERTAIN = 1 - 1e-9
"""From this chance on a hit is certain: a sum of rounded chances may fall short of 1."""
CANDIDATES = 3
"""Where all fleets can be listed, for how many targets the shots that follow are counted."""
COUNTDOWN = 12
"""Turns before the limit from which on every hit is worth the same."""
STEER_INVERSE_TEMPERATURE = 12.0
"""How strongly safe moves are preferred: the exponent for each hit to be expected."""
MIN_RELATIVE_CHANCE = 0.5
"""The commodore searches no cell below this part of the mean chance, unless none else is left."""
_OVERLOOKED_VALUE = 1e-6
"""What an overlooked cell is worth: less than any other that may hold a ship, but more than 0."""


@dataclass(frozen=True, slots=True)
class Admiral:
    """A mind that fires by its belief."""

    name: str
    overlook_chance: float = 0.0
    """Where ships move: that it overlooks a cell in a search, and that it steers at random."""
    stray_chance: float = 0.0
    """Where ships stay: that it fires at any cell that may hold a ship."""
    particles: int = PARTICLES
    """How many fleets its belief draws."""
    expects_habits: bool = True
    """Whether it reckons with habits of placing, and with ships that flee."""

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        """A random legal fleet; the less it shows of itself, the likelier."""
        return hidden_fleet(seen.ruleset, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target of the highest value; chance decides between equals."""
        belief = self._belief(seen, chance)
        targets = np.array(seen.targets)
        # Drawn before any branch, so that every rank takes the same numbers for the same purpose.
        draws = generator(chance).random((2, len(targets)))
        rules = seen.ruleset
        # Drawn for the whole match: two searches differ as far as they may without a loss.
        taste = generator(chance.for_whole_match("search")).random(rules.board.size)[targets]
        if belief.is_listed and not (self.stray_chance or rules.moving or rules.salvo):
            likely = belief.cells[targets]
            # A certain hit has to be fired sometime, so what it tells now costs no shot.
            values = np.where(likely > CERTAIN, np.inf, likely * (1 + LAST_SPREAD * taste))
            best = targets[np.lexsort((draws[1], values))[::-1][:CANDIDATES]]
            if belief.cells[best[0]] > CERTAIN:
                return Cell(int(best[0]))
            told = all(shot.wreck or shot.result is not Result.SUNK for shot in seen.shots)
            shots = shots_left(
                belief, seen.spent, best.tolist(), is_named=rules.named, has_wrecks=told
            )
            return Cell(int(best[shots.argmin()]))
        search, finish = (values[targets] for values in shot_values(seen, belief))
        if not rules.moving:
            search = search * (1 + SEARCH_SPREAD * taste)
        if self.overlook_chance and rules.moving:
            unhit = belief.unhit[targets]
            search = np.where(draws[0] < self.overlook_chance, _OVERLOOKED_VALUE, search)
            search[unhit < MIN_RELATIVE_CHANCE * unhit.mean()] = 0.0
        if self.stray_chance and not rules.moving and chance.uniform() < self.stray_chance:
            search, finish = (belief.cells[targets] > 0).astype(float), np.zeros(len(targets))
        return Cell(int(targets[np.lexsort((draws[1], search + finish))[-1]]))

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the chance that an unsunk enemy ship lies there."""
        return [float(one) for one in self._belief(seen, chance).cells]

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """A random move or none; the fewer hits the enemy may then expect, the likelier."""
        if chance.uniform() < self.overlook_chance:
            return RandomPlayer().steer(seen, chance)
        expected = believe(knowledge_about(seen), chance, self.particles).cells
        # For all ships, those that can't move too: an answer's time must not tell which can.
        fore, aft = (_changes(seen, course, expected) for course in Course)
        options: list[Manoeuvre] = [STAY, *seen.steers]
        changes = [
            (fore if steer.course is Course.FORE else aft)[steer.ship] for steer in seen.steers
        ]
        return options[boltzmann_choice([0.0, *changes], STEER_INVERSE_TEMPERATURE, chance)]

    def _belief(self, seen: Observation, chance: Chance) -> Belief:
        return believe(
            knowledge_of(seen), chance, self.particles, expects_habits=self.expects_habits
        )


def shot_values(seen: Observation, belief: Belief) -> tuple[Floats, Floats]:
    """For each cell the value of a shot there, if a certain first hit on a ship has the value 1.

    Returns two arrays of shape (cells,), whose sum is the value: for the search for ships never
    hit, and for sinking those that were hit. Where ships move, one that was hit lies still: it
    can wait, and until it sinks the others can't pass it.
    """
    unhit, hit = belief.unhit, belief.hit
    if not seen.ruleset.moving:
        return unhit + INFORMATION_WEIGHT * _information(belief.cells), hit
    if seen.turns_left is not None and seen.turns_left <= COUNTDOWN:
        return unhit, hit
    return unhit, HIT_SHIP_WEIGHT * hit


def _information(chances: Floats) -> Floats:
    """For each cell the bits of information in whether a ship lies there (Shannon, 1948)."""
    inside = np.clip(chances, 1e-12, 1 - 1e-12)  # the logarithm of 0 is not finite
    bits: Floats = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return bits


def _changes(seen: Observation, course: Course, expected: Floats) -> list[float]:
    """For each ship how many more hits the enemy may expect on it after that move."""

    def hits(ship: Placement) -> float:
        return float(expected[list(ship.cells)].sum())

    lies = [ship.placement for ship in seen.ships]
    return [hits(steered(seen.board, one, course) or one) - hits(one) for one in lies]


ADMIRAL = Admiral("admiral", particles=640)
"""It draws some fleets fewer than the belief would by itself: that pays for weighing the habits."""
