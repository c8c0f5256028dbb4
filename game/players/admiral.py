"""The admiral: a mind that fires, places and steers by its belief; see docs/belief.md."""

from dataclasses import dataclass

import numpy as np

from game.engine.actions import STAY, Ask, Manoeuvre, Steer
from game.engine.chance import Chance
from game.engine.fleets import Fleet, steered
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.players.belief.belief import PARTICLES, Belief, believe
from game.players.belief.possible_fleets import possible_fleets
from game.players.belief.tables import Floats, generator, knowledge_about, knowledge_of
from game.players.hidden_fleets import boltzmann_choice, hidden_fleet
from game.players.originals.random_player import RandomPlayer

HIT_SHIP_WEIGHT = 0.3
"""If ships move: the value of a further hit on a ship; a first hit has the value 1."""
INFORMATION_WEIGHT = 0.25
"""If ships stay: the value of a bit of information; a hit has the value 1."""
SEARCH_SPREAD = 0.1
"""If ships stay: the greatest random increase of a cell's value in a search, so that no fleet lies
where every search comes last."""
CERTAIN = 1 - 1e-9
"""The probability from which a hit is certain, since a sum may be rounded below 1."""
LIKELY, FOR_EACH_QUESTION = 0.25, 1 / 30
"""It fires first and asks later if a hit is at least so likely: with more questions for a match it
can afford to ask sooner."""
COUNTDOWN = 12
"""The number of turns before the limit in which all hits have the same value."""
STEER_INVERSE_TEMPERATURE = 12.0
"""The inverse temperature of the preference for safe moves, per expected hit."""
MIN_RELATIVE_CHANCE = 0.5
"""The commodore searches only cells of at least this share of the mean probability."""
LAST_CARE = 0.5
"""The share by which fewer cells are overlooked in the search for the last ship."""
_OVERLOOKED_VALUE = 1e-6
"""The value of an overlooked cell: less than that of any cell with a ship, but more than 0."""


@dataclass(frozen=True, slots=True)
class Admiral:
    name: str
    overlook_chance: float = 0.0
    """If ships move: the probability of overlooking a cell, and of steering at random."""
    stray_chance: float = 0.0
    """If ships stay: the probability of firing at a random cell that may hold a ship."""
    particles: int = PARTICLES

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return hidden_fleet(seen.ruleset, chance)

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        """The question that tells most; None if a hit is likely anyway."""
        belief = self._belief(seen, chance)
        fleets = possible_fleets(knowledge_of(seen), belief)
        likely = LIKELY + FOR_EACH_QUESTION * seen.ruleset.questions
        if seen.questions_left >= fleets.cells_left:
            likely = CERTAIN
        if belief.cells[list(seen.targets)].max() >= likely:
            return None
        return fleets.best(seen.targets, [one.ask for one in seen.asked])

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The target of the highest value; ties are broken at random."""
        belief = self._belief(seen, chance)
        targets = np.array(seen.targets)
        # Drawn before any branch, so that all ranks use the same numbers for the same purpose.
        draws = generator(chance).random((2, len(targets)))
        rules = seen.ruleset
        # Drawn for the whole match, so that two matches search in different orders.
        taste = generator(chance.for_whole_match("search")).random(rules.board.size)[targets]
        search, finish = (values[targets] for values in shot_values(seen, belief))
        if not rules.moving:
            search = search * (1 + SEARCH_SPREAD * taste)
        if self.overlook_chance and rules.moving:
            unhit = belief.unhit[targets]
            # A cell of a small sea matters more, and one that may hold one of the last ships.
            share_found = 1 - float(unhit.sum()) / sum(rules.fleet)
            share = min(1.0, rules.board.size / 100) * (1 - LAST_CARE * share_found**2)
            overlooked = draws[0] < self.overlook_chance * share
            search = np.where(overlooked, _OVERLOOKED_VALUE, search)
            search[unhit < MIN_RELATIVE_CHANCE * unhit.mean()] = 0.0
        if self.stray_chance and not rules.moving and chance.uniform() < self.stray_chance:
            search, finish = (belief.cells[targets] > 0).astype(float), np.zeros(len(targets))
        return Cell(int(targets[np.lexsort((draws[1], search + finish))[-1]]))

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the probability of an enemy ship afloat."""
        return [float(one) for one in self._belief(seen, chance).cells]

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        """A random move or none, by a softmax over the hits that the enemy may then expect."""
        if chance.uniform() < self.overlook_chance:
            return RandomPlayer().steer(seen, chance)
        expected = believe(knowledge_about(seen), chance, self.particles).cells
        changes = [_change(seen, steer, expected) for steer in seen.steers]
        options: list[Manoeuvre] = [STAY, *seen.steers]
        return options[boltzmann_choice([0.0, *changes], STEER_INVERSE_TEMPERATURE, chance)]

    def _belief(self, seen: Observation, chance: Chance) -> Belief:
        return believe(knowledge_of(seen), chance, self.particles, expects_habits=True)


def shot_values(seen: Observation, belief: Belief) -> tuple[Floats, Floats]:
    """The value of a shot at each cell, in certain first hits: two summands of shape (cells,).

    The first is for finding ships without a hit, the second for sinking ships with a hit. If ships
    move, a ship with a hit can wait: it lies still, and until it sinks the others can't pass it.
    """
    unhit, hit = belief.unhit, belief.hit
    if not seen.ruleset.moving:
        return unhit + INFORMATION_WEIGHT * _information(belief.cells), hit
    if seen.turns_left is not None and seen.turns_left <= COUNTDOWN:
        return unhit, hit
    return unhit, HIT_SHIP_WEIGHT * hit


def _information(chances: Floats) -> Floats:
    """The entropy of whether a ship covers each cell, in bits (Shannon, 1948): shape (cells,)."""
    inside = np.clip(chances, 1e-12, 1 - 1e-12)  # the logarithm of 0 is not finite
    bits: Floats = -inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside)
    return bits


def _change(seen: Observation, steer: Steer, expected: Floats) -> float:
    """The change in expected enemy hits by a move."""
    lies = seen.ships[steer.ship].placement
    target = steered(seen.board, lies, steer.course) or lies
    before, after = (float(expected[list(ship.cells)].sum()) for ship in (lies, target))
    return after - before


ADMIRAL = Admiral("admiral", particles=640)
"""It samples fewer fleets than the default, which pays for the computation of habits."""
