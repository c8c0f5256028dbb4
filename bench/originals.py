"""Bonn's three strengths beside the arithmetic of their original: shots to sink uniform fleets.

python -m bench originals --games 400

The original is rebuilt here by its own source text, not by its document: game/players/originals/
has the mind that the site plays. Both search the same fleets, one shot a turn, and a fleet that
moves does so by chance in half of the turns. `published` is what the original itself needed when it
was compiled and run. The last column is the p-value of a Kolmogorov-Smirnov test.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count, product
from math import exp, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bench.report import Sample, Table, track
from bench.selfplay import game_seed, play_solo, shots_of
from game.engine.chance import Chance
from game.engine.fleets import Course, Fleet, Placement, all_placements, steered
from game.engine.geometry import Cell, cells_of
from game.engine.presets import BONN
from game.engine.uniform_fleets import uniform_fleet
from game.players.originals.bonn import EASY, HARD, MEDIUM, Bonn

Floats: TypeAlias = npt.NDArray[np.float64]
Weigh: TypeAlias = Callable[[npt.NDArray[np.intp], int], Floats]
"""The factor of placements of that length with so many hits on them."""
PUBLISHED = {
    ("bonn-hard", False): 49.7, ("bonn-medium", False): 58.3, ("bonn-easy", False): 69.0,
    ("bonn-hard", True): 62.5, ("bonn-medium", True): 73.1, ("bonn-easy", True): 76.2,
}  # fmt: skip
_NOISE = {
    ("bonn-medium", False): 2.0, ("bonn-medium", True): 2.9,
    ("bonn-easy", False): 3.5, ("bonn-easy", True): 3.5,
}  # fmt: skip
_DECAY, _PHASE_ENDS = 0.98, 110
_LENGTHS = sorted(set(BONN.fleet))
_LIES = {
    length: np.array([ship.cells for ship in all_placements(BONN.board, length)])
    for length in _LENGTHS
}
_COLOUR = np.array([sum(divmod(cell, 10)) % 2 for cell in range(100)])


class Original:
    """A game of the original: what its computer has noted, and the fleet that it searches."""

    def __init__(self, strength: str, fleet: Fleet, rng: np.random.Generator, *, moving: bool):
        self._moving, self._rng = moving, rng
        self._noise = _NOISE.get((strength, moving))
        self._fleet = list(fleet)
        self._hits: list[set[int]] = [set() for _ in fleet]
        self._colour = int(rng.integers(2))
        self._water, self._hit = np.zeros(100, bool), np.zeros(100, bool)
        self._shots: list[int] = []
        self._sunk: list[tuple[Placement, int]] = []
        self._turn = 0
        self._first = self._sums(np.ones(100), BONN.fleet, lambda hits, _: np.ones(len(hits)))

    def shots(self) -> int:
        """Plays the game, and returns how many shots the computer needed."""
        for number in count(1):
            self._fire(self._target())
            if len(self._sunk) == len(self._fleet):
                return number
            if self._moving:
                self._turn += 2
                self._move()
        raise AssertionError

    def _target(self) -> int:
        scores = self._scores()
        if self._noise is None:
            return int(np.argmax(scores * self._rng.uniform(0.95, 1.05, 100)))
        return int(np.argmax(scores + self._rng.uniform(0, self._noise * scores.max(), 100)))

    def _scores(self) -> Floats:
        left = Counter(BONN.fleet)
        left.subtract(ship.length for ship, _ in self._sunk)
        lengths = tuple(left.elements())
        free = 1 - self._blocked()
        if not self._moving:
            sums = self._sums(free, lengths, _weights)
            shaded = sums * np.where(self._colour == _COLOUR, 1.0, 0.9)
            return np.where(self._hit, 0.0, shaded / self._first)
        least = sum(length // 2 for length in lengths)
        if self._hit.sum() < least and self._turn < _PHASE_ENDS:
            sums = self._sums(free, lengths, lambda hits, _: (hits == 0).astype(float))
            sums = sums * (self._colour == _COLOUR) / self._first
        else:
            sums = self._sums(free, lengths, _weights)
        return np.where(self._hit, 0.0, sums * (1 - self._recent()))

    def _sums(self, free: Floats, lengths: tuple[int, ...], weigh: Weigh) -> Floats:
        total = np.zeros(100)
        for length, ships in Counter(lengths).items():
            lies = _LIES[length]
            each = ships * free[lies].prod(axis=1) * weigh(self._hit[lies].sum(axis=1), length)
            total += np.bincount(lies.ravel(), each.repeat(length), 100)
        return total

    def _recent(self) -> Floats:
        """The weight of the last shot at each cell, by its age in shots."""
        recent = np.zeros(100)
        for age, cell in enumerate(reversed(self._shots)):
            if not recent[cell]:
                recent[cell] = _DECAY**age
        return recent

    def _blocked(self) -> Floats:
        recent = self._recent() if self._moving else np.ones(100)
        blocked = np.where(self._water, recent, 0.0)
        for ship, shots in self._sunk:
            age = len(self._shots) - shots
            around = cells_of(ship.halo)
            weight = _DECAY**age if self._moving else 1.0
            blocked[around] = np.maximum(blocked[around], weight)
        for cell in map(Cell, np.flatnonzero(self._hit).tolist()):
            blocked[BONN.board.diagonals(cell)] = 1.0
        return blocked

    def _fire(self, cell: int) -> None:
        self._shots.append(cell)
        for ship, hits in zip(self._fleet, self._hits, strict=True):
            if cell in ship.cells and len(hits) < ship.length:
                hits.add(cell)
                self._water[cell], self._hit[cell] = False, True
                if len(hits) == ship.length:
                    self._sunk.append((ship, len(self._shots)))
                    around = cells_of(ship.halo)
                    self._water[around] = self._hit[around] = False
                return
        self._water[cell], self._hit[cell] = True, False

    def _move(self) -> None:
        afloat = [at for at, ship in enumerate(self._fleet) if len(self._hits[at]) < ship.length]
        moves = [
            (at, target)
            for at in afloat
            if not self._hits[at]
            for target in (steered(BONN.board, self._fleet[at], course) for course in Course)
            if target
            and not any(target.halo & self._fleet[other].mask for other in afloat if other != at)
        ]
        if moves and self._rng.random() < 0.5:
            at, target = moves[int(self._rng.integers(len(moves)))]
            self._fleet[at] = target


def _weights(hits: npt.NDArray[np.intp], length: int) -> Floats:
    weights: Floats = 1.0 + 20 * hits + 50 * (hits == length - 1)
    return weights


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=400, help="of each strength and sea")
    parser.add_argument("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    table = Table(
        "mind:12, ships:7, games:>6, shots:>15.2f, original:>15.2f, published:>10, D:>7.3f, p:>7.3f"
    )
    for mind, moving in product((HARD, MEDIUM, EASY), (False, True)):
        ours, theirs = measured(mind, moving=moving, games=options.games, seed=options.seed)
        distance, p = kolmogorov_smirnov(ours.numbers, theirs.numbers)
        ships, published = "move" if moving else "stay", PUBLISHED[mind.name, moving]
        table.say(mind.name, ships, options.games, ours, theirs, published, distance, p)


def measured(mind: Bonn, *, moving: bool, games: int, seed: int) -> tuple[Sample, Sample]:
    """Returns the shots of our mind and of the original, for the same fleets."""
    rules, ours, theirs = replace(BONN, moving=moving), [], []
    for game in track(range(games), mind.name):
        drawn = game_seed(seed, game)
        fleet = uniform_fleet(rules, Chance(drawn, "selfplay/fleet", 0))
        ours.append(shots_of(play_solo(mind, rules, drawn, fleet=fleet)))
        rng = np.random.Generator(np.random.PCG64([seed, game]))
        theirs.append(Original(mind.name, fleet, rng, moving=moving).shots())
    return Sample(tuple(ours)), Sample(tuple(theirs))


def kolmogorov_smirnov(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, float]:
    """Returns the statistic of two samples and its asymptotic p-value (Stephens, 1970)."""
    points = np.union1d(one, other)
    shares = [
        np.searchsorted(np.sort(sample), points, "right") / len(sample) for sample in (one, other)
    ]
    distance = float(abs(shares[0] - shares[1]).max())
    size = sqrt(len(one) * len(other) / (len(one) + len(other)))
    scaled = (size + 0.12 + 0.11 / size) * distance
    terms = (2 * (-1) ** (k - 1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return distance, min(1.0, max(0.0, sum(terms))) if scaled > 0.2 else 1.0
