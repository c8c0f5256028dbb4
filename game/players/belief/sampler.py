"""Fleets drawn by chance: ship by ship, many at the same time, and then stirred."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from game.engine.geometry import Cell
from game.players.belief.exact import fleets_of
from game.players.belief.tables import Bytes, Floats, Indices, Sea, Singles

SWEEPS = 2
"""How often every ship of every fleet is drawn anew among the others."""
FORESIGHT = 0.9
"""How far the free places of ships not yet drawn count beforehand: 0 not at all, 1 in full."""
_BELOW = np.float32(1 - 1e-6)
"""What keeps a point below the end of its range, whatever is rounded."""
_LEAST = 1e-30
"""What a drawn fleet keeps of its weight for each ship or hit that found no place."""


class Swarm:
    """Many fleets, the particles, drawn at the same time.

    Sets of places are rows of bits. Each length begins a new byte, and what a byte's places weigh
    together is looked up, so that a place is found byte by byte and then bit by bit.
    """

    def __init__(
        self,
        sea: Sea,
        worth: Floats,
        counts: Sequence[int],
        hits: Sequence[Cell],
        random: np.random.Generator,
        particles: int,
    ) -> None:
        """`worth` is that of each place, `counts` the ships of each length."""
        self.sea, self.counts, self.hits = sea, counts, hits
        self.random, self.particles = random, particles
        self.none = sea.none
        self.begins, self.place, self.open = sea.begins, sea.place, sea.open
        self.kinds = np.append(sea.kind, -1)
        self.sea_worth = worth
        self.worth = np.append(worth, 0.0)[self.place]
        self.byte_worth = self.worth.reshape(-1, 8).astype(np.float32)
        self.sums = _subsets(self.byte_worth).ravel()
        self.free = np.tile(np.packbits(self.worth > 0), (particles, 1))
        self.left = np.tile(np.array(counts), (particles, 1))
        self.logs = np.zeros(particles)
        self.fleets = np.zeros((0, particles), np.intp)

    def sail(self) -> Floats:
        """Draws the fleets; returns the weight of each place."""
        if self.hits and not self.cover_evenly():
            self.cover()
        self.fill()
        if self.logs.any():
            self.resample(np.zeros(self.particles))
        return self.stir()

    def cover_evenly(self) -> bool:
        """Draws the ships on open hits from a list of all that may lie there, if it is short."""
        listed = fleets_of(self.sea, self.sea_worth, self.counts, self.hits, is_whole=False)
        if listed is None or not len(listed):
            return False
        mass = np.append(self.sea_worth, 1.0)[listed].prod(axis=1)
        for kind, count in enumerate(self.counts):
            # Twins can be exchanged: as many ways as there are to choose them in order.
            courses = np.append(1, np.arange(count, 0, -1)).cumprod()
            mass *= courses[(self.kinds[listed] == kind).sum(axis=1)]
        if not mass.any():
            return False
        free = np.tile(self.free[:1], (len(listed), 1))
        for ship in listed.T:
            free &= self.open.take(ship, axis=0)
        taken = [(self.kinds[listed] == kind).sum(axis=1) for kind in range(len(self.counts))]
        left = self.left[:1] - np.column_stack(taken)
        ahead = self.ahead(free, left)
        ends = (mass * np.exp(ahead - ahead.max())).cumsum()
        points = (self.random.permutation(self.particles) + self.random.random()) / self.particles
        chosen = np.minimum(np.searchsorted(ends, points * ends[-1]), len(ends) - 1)
        self.fleets = listed[chosen].T
        self.free, self.left = free[chosen], left[chosen]
        self.logs = ahead.max() - ahead[chosen]
        return True

    def cover(self) -> None:
        """Draws a ship for each open hit that has none, the most constrained first."""
        lies = self.sea.covers[self.place]
        allowed = np.array([np.packbits(lies[:, hit] & (self.worth > 0)) for hit in self.hits])
        for at in sorted(range(len(self.hits)), key=lambda at: int(_ONES[allowed[at]].sum())):
            who = np.flatnonzero(~self.sea.covers[self.fleets, self.hits[at]].any(axis=0))
            if len(who):
                used = np.flatnonzero(allowed[at])
                kind = np.searchsorted(self.begins, used, side="right") - 1
                many = self.left[who[:, None], kind[None]]
                bits = self.free[who[:, None], used[None]] & allowed[at][used]
                self.settle(bits, used, who, many)

    def fill(self) -> None:
        """Draws the ships that are left, the longest first."""
        for kind, count in enumerate(self.counts):
            begin, end = self.begins[kind], self.begins[kind + 1]
            for rest in range(count, 0, -1):
                who = np.flatnonzero(self.left[:, kind] >= rest)
                if len(who):
                    every = len(who) == self.particles
                    part = self.free[:, begin:end] if every else self.free[who, begin:end]
                    self.settle(part, np.arange(begin, end), who)

    def settle(self, bits: Bytes, used: Indices, who: Indices, many: Indices | None = None) -> None:
        """Draws a ship for the particles `who`, of the places in `bits` of the bytes `used`."""
        ship, total, _ = self.draw(bits, used, many)
        self.logs[who] += np.log(np.where(total > 0, total, _LEAST))
        fleet = np.full(self.particles, self.none)
        fleet[who] = ship
        self.fleets = np.append(self.fleets, fleet[None], axis=0)
        new = who[ship < self.none]
        self.left[new, self.kinds[fleet[new]]] -= 1
        self.free &= self.open.take(fleet, axis=0)
        ahead = self.ahead(self.free, self.left)
        weights = np.exp(self.logs + ahead - (self.logs + ahead).max())
        if weights.sum() ** 2 < 0.5 * self.particles * (weights**2).sum():
            self.resample(ahead)

    def ahead(self, free: Bytes, left: Indices) -> Floats:
        """For each row of free places the logarithm of the weight that is likely still to come.

        Each of the ships left will multiply it by what its free places are worth then; now that is
        known for none of them, but more now is more then.
        """
        logs = np.zeros(len(free))
        for kind in range(len(self.counts)):
            if left[:, kind].any():
                used = np.arange(self.begins[kind], self.begins[kind + 1])
                total = self.sums.take(free[:, used] + used * 256).sum(axis=1)
                logs += left[:, kind] * np.log(np.maximum(total, _LEAST))
        return FORESIGHT * logs

    def draw(
        self, bits: Bytes, used: Indices, many: Indices | None = None
    ) -> tuple[Indices, Floats, Indices]:
        """For each row of bits one of its places, as likely as it is worth; what the row is worth;
        and where in `sums` the bytes were looked up.
        """
        count = len(bits)
        looked = bits.T + (used * 256)[:, None]
        if not bits.size:
            return np.full(count, self.none), np.zeros(count), looked
        ends = self.sums.take(looked)
        if many is not None:
            ends *= many.T.astype(np.float32)
        _add_up(ends)
        total = ends[-1]
        # One point in each of as many equal parts: as likely as independent ones, and more even.
        points = (self.random.permutation(count) + self.random.random(count)) / count
        aim = (points * _BELOW).astype(np.float32) * total
        which = np.minimum((ends <= aim).sum(axis=0), len(used) - 1)
        who = np.arange(count)
        aim -= np.where(which > 0, ends[which - 1, who], np.float32(0))
        if many is not None:
            aim /= np.maximum(many[who, which], 1).astype(np.float32)
        byte = used[which]
        inner = (_BITS[bits[who, which]] * self.byte_worth[byte]).T.copy()
        _add_up(inner)
        bit = np.minimum((inner <= np.minimum(aim, inner[-1] * _BELOW)).sum(axis=0), 7)
        ship = np.where(total > 0, self.place[byte * 8 + bit], self.none)
        return ship, total.astype(float), looked

    def resample(self, ahead: Floats) -> None:
        """Repeats heavy particles and leaves out light ones, by their weights and what lies ahead.

        Afterwards each weighs as much less as it was preferred for what lies ahead.
        """
        weights = np.exp(self.logs + ahead - (self.logs + ahead).max())
        ends = weights.cumsum()
        points = (np.arange(self.particles) + self.random.random()) / self.particles
        chosen = np.minimum(np.searchsorted(ends, points * ends[-1]), self.particles - 1)
        self.free, self.left = self.free[chosen], self.left[chosen]
        self.fleets = self.fleets[:, chosen]
        self.logs = ahead.max() - ahead[chosen]

    def stir(self) -> Floats:
        """Draws every ship anew among the others (Gibbs); returns the weight of each place.

        A ship on open hits stays on just these.
        """
        fleets = self.fleets
        weights = np.zeros(self.begins[-1] * 256)
        sign = self.sea.covers[:, list(self.hits)] @ (1 << np.arange(len(self.hits)) % 62)
        signs, of = np.unique(sign, return_inverse=True)
        alike = np.packbits(signs[:, None] == sign[self.place][None], axis=1)
        alike &= np.packbits(self.worth > 0)
        for _ in range(SWEEPS):
            after = [np.full_like(self.free, 255)]
            for ship in fleets[:0:-1]:
                after.append(after[-1] & self.open.take(ship, axis=0))
            before = np.full_like(self.free, 255)
            for ship in fleets:
                free = before & after.pop() & alike.take(of[ship], axis=0)
                kinds = self.kinds[ship]
                for kind in range(len(self.counts)):
                    who = np.flatnonzero(kinds == kind)
                    if not len(who):
                        continue
                    used = np.arange(self.begins[kind], self.begins[kind + 1])
                    bits = free[who, used[0] : used[-1] + 1]
                    drawn, total, looked = self.draw(bits, used)
                    share = np.tile(1 / np.maximum(total, 1e-300), len(used))
                    weights += np.bincount(looked.ravel(), share, len(weights))
                    ship[who] = drawn
                before &= self.open.take(ship, axis=0)
        places = np.zeros(self.none + 1)
        found = (weights.reshape(-1, 256, 1) * _BITS).sum(axis=1)
        np.add.at(places, self.place, found.ravel() * self.worth)
        return places / SWEEPS


def _add_up(rows: Singles) -> None:
    """Running sums down the columns, in place; NumPy's own go column by column, and are slow."""
    for at in range(1, len(rows)):
        rows[at] += rows[at - 1]


def _subsets(worth: Singles) -> Singles:
    """For each row of eight the sum of every subset, by the byte that stands for it."""
    sums = np.zeros((len(worth), 1), np.float32)
    for at in range(7, -1, -1):
        sums = np.concatenate([sums, sums + worth[:, at : at + 1]], axis=1)
    return sums


_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
_ONES = _BITS.sum(axis=1)
