"""The belief along a match: what was to be expected before each shot, see docs/belief.md.

A mind is asked once and has to draw its fleets from nothing. Whoever looks back goes from shot to
shot, and can take the fleets along: those that don't go with what is new are left out, those that
do are repeated, and all are stirred (resample and move: Gilks and Berzuini, *Following a moving
target*, 2001). That is both quicker and more certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.players.belief.exact import fleets_of, follow
from game.players.belief.messages import odds
from game.players.belief.sampler import Swarm
from game.players.belief.tables import (
    Bytes,
    Flags,
    Floats,
    Indices,
    Knowledge,
    Sea,
    Told,
    generator,
    sea,
    tell,
)

PARTICLES = 1024
"""How many fleets are taken along."""
_FAIR_WORK = 1700
"""So many places to look at for all ships of a fleet are no reason yet to take fewer along."""
_FEWEST = 64
_EXCHANGES = 3
"""So many pairs of lengths may change their hits before a shot."""
_SURVIVORS = 8
"""With fewer fleets left than this, all are drawn from nothing."""
Shorts: TypeAlias = npt.NDArray[np.int16]
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)


class Outlook(NamedTuple):
    """For each cell the chance that an unsunk ship lies there now, and that one never hit does."""

    cells: Floats
    unhit: Floats


class Wake(NamedTuple):
    """What is taken along from one question to the next."""

    fleets: Shorts | None
    """Ship by fleet; the ships of each length stand together, the longest first."""
    worth: Floats
    """What each place was worth when these fleets were drawn."""
    wrecks: int
    """How many ships had sunk."""


START = Wake(None, np.zeros(0), 0)
"""Nothing, before the first question."""


def before(knowledge: Knowledge) -> Knowledge | None:
    """The question to ask before one: that of the last shot, or of a salvo; None before the first.

    Every question has but one before it, so that its answer is the same whoever asked what before.
    """
    if not knowledge.shots:
        return None
    last = knowledge.shots[-1]
    is_last = [shot.turn == last.turn for shot in knowledge.shots]
    count = sum(is_last) if knowledge.rules.salvo else 1
    gone = knowledge.shots[len(knowledge.shots) - count :]
    sunk = [shot.wreck.length for shot in gone if shot.wreck is not None]
    return knowledge._replace(
        shots=knowledge.shots[: len(knowledge.shots) - count],
        left=tuple(sorted((*knowledge.left, *sunk), reverse=True)),
        turn=last.turn,
    )


def proceed(
    wake: Wake, knowledge: Knowledge, chance: Chance, particles: int = PARTICLES
) -> tuple[Wake, Outlook]:
    """What is to be expected of each cell after what is known, and what to take along from it.

    `wake` is what came of the question before.
    """
    waters = sea(knowledge.rules)
    told = tell(knowledge, waters)
    hits = told.open_cells(knowledge)
    if not knowledge.left:
        nothing = np.zeros(knowledge.rules.board.size)
        return START, Outlook(nothing, nothing)
    followed = follow(knowledge, waters) if knowledge.rules.moving else None
    if followed is not None:
        return START, _outlook(waters, hits, *_weighed(waters, *followed))
    worth = odds(knowledge, waters, told)
    counts = [knowledge.left.count(length) for length in waters.lengths]
    listed = fleets_of(waters, worth, counts, hits)
    if listed is not None and (weights := np.append(worth, 1.0)[listed].prod(axis=1)).any():
        return START, _outlook(waters, hits, *_weighed(waters, listed, weights))
    start = sum(int((waters.length == length).sum()) for length in knowledge.rules.fleet)
    particles = max(min(_FEWEST, particles), particles * _FAIR_WORK // max(start, _FAIR_WORK))
    wash = _Wash(waters, worth, counts, hits, generator(chance), particles)
    carried = wash.carried(wake, told)
    places = wash.stirred(wash.drawn() if carried is None else carried)
    after = Wake(wash.fleets.astype(np.int16), worth, len(told.wrecks))
    return after, _outlook(waters, hits, places, particles)


def _without(waters: Sea, fleets: Indices, place: int) -> Indices:
    """The fleets that have a ship in a place, without it; rows keep their lengths."""
    fleets = fleets[:, (fleets == place).any(axis=0)]
    if not fleets.size:
        return fleets
    row = (fleets == place).argmax(axis=0)
    last = int(np.flatnonzero(waters.kind[fleets[:, 0]] == waters.kind[place])[-1])
    fleets[row, np.arange(fleets.shape[1])] = fleets[last]
    return np.delete(fleets, last, axis=0)


class _Wash(Swarm):
    """A swarm whose fleets may come from elsewhere, with ships of one length in each row."""

    def carried(self, wake: Wake, told: Told) -> Indices | None:
        """The fleets of the question before, as likely as they are now; None if too few go on."""
        if wake.fleets is None:
            return None
        fleets = wake.fleets.astype(np.intp)
        for place, _, _ in told.wrecks[wake.wrecks :]:
            fleets = _without(self.sea, fleets, place)
        worth = self.sea_worth
        is_new = (worth > 0) & (wake.worth > 0)
        change = np.divide(worth, wake.worth, out=np.zeros_like(worth), where=is_new)
        weights = change[fleets].prod(axis=0)
        for hit in self.hits:
            weights = weights * self.sea.covers[fleets, hit].any(axis=0)
        if (weights > 0).sum() < _SURVIVORS:
            return None
        ends = weights.cumsum()
        points = (np.arange(self.particles) + self.random.random()) / self.particles
        return fleets[:, np.minimum(np.searchsorted(ends, points * ends[-1]), len(ends) - 1)]

    def drawn(self) -> Indices:
        """Fleets drawn from nothing, each as likely as any other of them."""
        if self.hits and not self.cover_evenly():
            self.cover()
        self.fill()
        if self.logs.any():
            self.resample(np.zeros(self.particles))
        kinds = np.append(self.sea.kind, len(self.counts))[self.fleets]
        fleets = np.take_along_axis(self.fleets, np.argsort(kinds, axis=0, kind="stable"), axis=0)
        return fleets[: sum(self.counts)]

    def stirred(self, fleets: Indices) -> Floats:
        """Draws every ship of the fleets anew among the others; returns the weight of each place.

        As in `stir`, a ship on open hits stays on just these; but here ships of different lengths
        may change their hits with one another.
        """
        self.fleets = fleets
        self.kind_of = np.append(self.sea.kind, 0)[fleets].min(axis=1)
        sign = self.sea.covers[:, list(self.hits)] @ (1 << np.arange(len(self.hits)) % 62)
        signs, self.sign = np.unique(sign, return_inverse=True)
        self.alike = np.packbits(signs[:, None] == sign[self.place][None], axis=1)
        self.alike &= np.packbits(self.worth > 0)
        if self.hits:
            pairs = list(pairwise(sorted(set(self.kind_of.tolist()))))
            for at in self.random.permutation(len(pairs))[:_EXCHANGES]:
                self._exchange(pairs[at])
        return self._sweep()

    def _sweep(self) -> Floats:
        """Gibbs sampling, ship by ship."""
        weights = np.zeros(self.begins[-1] * 256)
        after = [np.full_like(self.free, 255)]
        for ship in self.fleets[:0:-1]:
            after.append(after[-1] & self.open.take(ship, axis=0))
        before = np.full_like(self.free, 255)
        for kind, ship in zip(self.kind_of.tolist(), self.fleets, strict=True):
            free = before & after.pop() & self.alike.take(self.sign[ship], axis=0)
            used = np.arange(self.begins[kind], self.begins[kind + 1])
            drawn, total, looked = self.draw(free[:, used[0] : used[-1] + 1], used)
            share = np.tile(1 / np.maximum(total, 1e-300), len(used))
            weights += np.bincount(looked.ravel(), share, len(weights))
            ship[:] = np.where(total > 0, drawn, ship)
            before &= self.open.take(ship, axis=0)
        places = np.zeros(self.none + 1)
        found = (weights.reshape(-1, 256, 1) * _BITS).sum(axis=1)
        np.add.at(places, self.place, found.ravel() * self.worth)
        return places

    def _exchange(self, kinds: tuple[int, int]) -> None:
        """Lets two ships of different lengths change their hits (Metropolis and Hastings)."""
        rows = [
            self.random.choice(np.flatnonzero(self.kind_of == kind), self.particles)
            for kind in kinds
        ]
        signs = [self.sign[self.fleets[row, np.arange(self.particles)]] for row in rows]
        who = np.flatnonzero(signs[0] != signs[1])
        if not len(who):
            return
        rest = self._rest(rows[0][who], rows[1][who], who)
        mine, theirs = signs[0][who], signs[1][who]
        one, first = self._replaced(kinds[0], rest, theirs)
        other, second = self._replaced(kinds[1], rest & self.open.take(one, axis=0), mine)
        back = self._room(kinds[0], rest, mine)
        rest &= self.open.take(self.fleets[rows[0][who], who], axis=0)
        back = back * self._room(kinds[1], rest, theirs)
        goes = (self.random.random(len(who)) * back < first * second) & (first * second > 0)
        who = who[goes]
        self.fleets[rows[0][who], who] = one[goes]
        self.fleets[rows[1][who], who] = other[goes]

    def _rest(self, one: Indices, other: Indices, who: Indices) -> Bytes:
        """What the fleets `who` leave open without a ship of each in those rows."""
        rest = np.full((len(who), self.free.shape[1]), 255, np.uint8)
        for row, ship in enumerate(self.fleets):
            is_out = (one == row) | (other == row)
            rest &= self.open.take(np.where(is_out, self.none, ship[who]), axis=0)
        return rest

    def _replaced(self, kind: int, rest: Bytes, sign: Indices) -> tuple[Indices, Floats]:
        """A ship of that length drawn on just those hits, and what there was to choose from."""
        used = np.arange(self.begins[kind], self.begins[kind + 1])
        free = rest[:, used[0] : used[-1] + 1] & self.alike[:, used].take(sign, axis=0)
        drawn, total, _ = self.draw(free, used)
        return drawn, total

    def _room(self, kind: int, rest: Bytes, sign: Indices) -> Floats:
        """What there would be to choose from."""
        used = np.arange(self.begins[kind], self.begins[kind + 1])
        free = rest[:, used[0] : used[-1] + 1] & self.alike[:, used].take(sign, axis=0)
        room: Floats = self.sums.take(free.T + (used * 256)[:, None]).sum(axis=0, dtype=float)
        return room


def _weighed(waters: Sea, fleets: Indices, weights: Floats) -> tuple[Floats, float]:
    """The weight of each place, and of all fleets together."""
    each = np.repeat(weights, fleets.shape[1])
    places: Floats = np.bincount(fleets.ravel(), each, waters.none + 1).astype(float)
    return places, float(weights.sum())


def _outlook(waters: Sea, hits: Sequence[Cell], places: Floats, weight: float) -> Outlook:
    is_unhit: Flags = np.asarray(~waters.covers[:, list(hits)].any(axis=1))
    cells = (places[:, None] * waters.covers).sum(axis=0) / weight
    unhit = ((places * is_unhit)[:, None] * waters.covers).sum(axis=0) / weight
    cells[list(hits)] = 1.0
    return Outlook(np.minimum(cells, 1.0), np.minimum(unhit, 1.0))
