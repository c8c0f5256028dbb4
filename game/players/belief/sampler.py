"""Fleets drawn by chance, where there are too many to list: many at the same time.

They are drawn ship by ship (sequential importance sampling: Liu, *Monte Carlo Strategies in
Scientific Computing*, 2001, ch. 3), with a look ahead at the ships still to come (the auxiliary
particle filter: Pitt and Shephard, 1999). Gibbs sampling (Geman and Geman, 1984) then redraws each
ship among the others. docs/belief.md explains both.
"""

from __future__ import annotations

import numpy as np

from game.players.belief.exact import fleet_weights, list_fleets
from game.players.belief.messages import Evidence
from game.players.belief.tables import Bytes, Floats, Indices, Singles

LOOKAHEAD = 0.9
"""The exponent of the free weight of ships not yet drawn: 0 ignores it, 1 counts it in full."""
_BELOW_ONE = np.float32(1 - 1e-6)
"""Keeps a float32 point below the end of its range: rounding could otherwise lift it onto the end,
where it would select a placement of weight 0."""
_DEAD_END = 1e-30
"""What a fleet keeps of its weight for each ship or hit that found no placement. Not 0, so that
knowledge which contradicts itself still leaves some belief."""
_MASK_BITS = 62
"""So many hits fit into a mask of 64 bits with a sign; more of them share bits, which is rare."""


def affordable(particles: int, work: int, *, full_work: int, fewest: int) -> int:
    """How many of the `particles` to draw: fewer where each has more than `full_work` to do."""
    return max(min(fewest, particles), particles * full_work // max(work, full_work))


class Sampler:
    """Many fleets, the particles, each drawn with the product of its placements' weights.

    A set of placements is a row of bits (see `PlacementTables`). The weight of the placements in a
    byte is looked up by the byte's value, so that running sums over a few bytes find the byte of a
    drawn placement, and sums over eight bits the bit.

    Every draw comes from `random`, so its order is part of the result: the same match must get the
    same answers again, and so no draw may be added, dropped or moved.
    """

    def __init__(self, evidence: Evidence, random: np.random.Generator, particles: int) -> None:
        """No particle has a ship yet."""
        tables = evidence.tables
        self.tables, self.counts, self.hits = tables, evidence.counts, evidence.hits
        self.placement_weights = evidence.placement_weights
        self.random, self.particles = random, particles
        self.fleets = np.zeros((0, particles), np.intp)
        """Shape (ships, particles): placements, `no_ship` where none was found or needed."""
        self.log_weights = np.zeros(particles)
        """Shape (particles,): logarithms of the importance weights."""
        self.left = np.tile(np.array(self.counts), (particles, 1))
        """Shape (particles, kinds): how many ships of each kind are still to be drawn."""
        self.kind_of = np.append(tables.kind, -1)
        """Shape (placements + 1,): -1 for `no_ship`."""
        self.bit_weights = np.append(self.placement_weights, 0.0)[tables.bit_placements]
        """Shape (bytes * 8,)."""
        self.byte_weights = self.bit_weights.reshape(-1, 8).astype(np.float32)
        """Shape (bytes, 8). Single precision halves the memory that draws go through."""
        self.byte_sums = _subset_sums(self.byte_weights).ravel()
        """Shape (bytes * 256,): at 256 * byte + value the weight of the bits set in the value."""
        possible = np.packbits(self.bit_weights > 0)
        self.free = np.tile(possible, (particles, 1))
        """Shape (particles, bytes): the placements that are still open to each fleet."""
        masks = tables.covers[:, list(self.hits)] @ (1 << np.arange(len(self.hits)) % _MASK_BITS)
        distinct, self.hit_group = np.unique(masks, return_inverse=True)
        """Shape (placements + 1,): equal for placements that cover the same open hits."""
        self.group_bits = possible & np.packbits(
            distinct[:, None] == masks[tables.bit_placements][None], axis=1
        )
        """Shape (groups, bytes): the possible placements of each group."""

    def sample(self) -> Indices:
        """Draws all fleets from nothing; returns them, shape (ships, particles).

        Apart from dead ends, each is as likely as its product of placement weights says.
        """
        if self.hits and not self._cover_hits_jointly():
            self._cover_hits()
        self._place_rest()
        if self.log_weights.any():
            self._resample(np.zeros(self.particles))
        return self.fleets

    def gibbs_sweep(self, kinds: Indices, sweeps: int = 1) -> Floats:
        """Draws every ship anew among the others; a ship on open hits stays on just these.

        `kinds` has shape (ships, particles): the kind that each ship is drawn from, -1 for none.
        Returns for each placement, shape (placements + 1,), the number of fleets expected to have
        a ship there. Each draw adds not just the placement drawn, but all it might have drawn, by
        their shares: the Rao-Blackwell estimate (Gelfand and Smith, 1990), which has less error.
        """
        value_weights = np.zeros(self.tables.byte_starts[-1] * 256)
        for _ in range(sweeps):
            # What the ships after each one leave open; those before it change as the sweep goes.
            after = [np.full_like(self.free, 255)]
            for ship in self.fleets[:0:-1]:
                after.append(after[-1] & self._compatible(ship))
            before = np.full_like(self.free, 255)
            for ship, ship_kinds in zip(self.fleets, kinds, strict=True):
                same_hits = self.group_bits.take(self.hit_group[ship], axis=0)
                free = before & after.pop() & same_hits
                for kind in range(len(self.counts)):
                    who = np.flatnonzero(ship_kinds == kind)
                    if not len(who):
                        continue
                    used = self._bytes_of(kind)
                    drawn, total, looked_up = self._draw(free[who, used[0] : used[-1] + 1], used)
                    # Noted by byte value, and shared out to placements once at the end. Where the
                    # total is 0 no bit is set, so whatever is noted goes to no placement.
                    share = np.tile(1 / np.maximum(total, 1e-300), len(used))
                    value_weights += np.bincount(looked_up.ravel(), share, len(value_weights))
                    ship[who] = np.where(total > 0, drawn, ship[who])
                before &= self._compatible(ship)
        by_bit = (value_weights.reshape(-1, 256, 1) * _BITS).sum(axis=1)
        weights = np.zeros(self.tables.no_ship + 1)
        np.add.at(weights, self.tables.bit_placements, by_bit.ravel() * self.bit_weights)
        return weights / sweeps

    def swap_hits(self, row_kinds: Indices, kinds: tuple[int, int]) -> None:
        """Lets two ships of different kinds in each fleet exchange the hits that they lie on.

        Gibbs sampling alone never changes which length lies on a hit. Each of the two ships is
        drawn anew on the other's hits, and the fleet changes with the probability of Metropolis
        and Hastings (1970): the weight that the draws had to choose from, over the weight that the
        draws back would have. `row_kinds` has shape (ships,): each row of `fleets` is of one kind.
        """
        everyone = np.arange(self.particles)
        rows = [
            self.random.choice(np.flatnonzero(row_kinds == kind), self.particles) for kind in kinds
        ]
        groups = [self.hit_group[self.fleets[row, everyone]] for row in rows]
        who = np.flatnonzero(groups[0] != groups[1])
        if not len(who):
            return
        open_bits = self._open_without(rows[0][who], rows[1][who], who)
        first_group, second_group = groups[0][who], groups[1][who]
        # The second ship is drawn beside the new first one, and back again beside the old one.
        first, forward = self._propose(kinds[0], open_bits, second_group)
        beside_new = open_bits & self._compatible(first)
        second, total = self._propose(kinds[1], beside_new, first_group)
        forward = forward * total
        beside_old = open_bits & self._compatible(self.fleets[rows[0][who], who])
        backward = self._total(kinds[0], open_bits, first_group)
        backward = backward * self._total(kinds[1], beside_old, second_group)
        accepted = (self.random.random(len(who)) * backward < forward) & (forward > 0)
        who = who[accepted]
        self.fleets[rows[0][who], who] = first[accepted]
        self.fleets[rows[1][who], who] = second[accepted]

    def systematic(self, weights: Floats) -> Indices:
        """Systematic resampling (Kitagawa, 1996): shape (particles,), indices into `weights`.

        One random number shifts a comb of evenly spaced points over the running sums. So each
        index occurs as often as its weight says, to within one.
        """
        ends = weights.cumsum()
        points = (np.arange(self.particles) + self.random.random()) / self.particles
        # Rounding may lift the last point onto the end of the last range.
        chosen: Indices = np.minimum(np.searchsorted(ends, points * ends[-1]), len(ends) - 1)
        return chosen

    def _cover_hits_jointly(self) -> bool:
        """Draws the ships on open hits from a list of all ways to cover them, if it is short."""
        listed = list_fleets(
            self.tables, self.placement_weights, self.counts, self.hits, is_whole=False
        )
        if listed is None or not len(listed):
            return False
        weights = fleet_weights(self.placement_weights, listed)
        kinds = range(len(self.counts))
        taken = np.column_stack([(self.kind_of[listed] == kind).sum(axis=1) for kind in kinds])
        for kind, count in enumerate(self.counts):
            # Ships of one length can be exchanged: count the ways to choose them in order, as
            # drawing one ship after another does.
            orders = np.append(1, np.arange(count, 0, -1)).cumprod()
            weights *= orders[taken[:, kind]]
        if not weights.any():
            return False
        free = np.tile(self.free[:1], (len(listed), 1))
        for ship in listed.T:
            free &= self._compatible(ship)
        left = self.left[:1] - taken
        lookahead = self._lookahead(free, left)
        # The list is in order; shuffled, a particle's index tells nothing of its ships.
        order = self.random.permutation(self.particles)
        chosen = self.systematic(weights * np.exp(lookahead - lookahead.max()))[order]
        self.fleets = listed[chosen].T
        self.free, self.left = free[chosen], left[chosen]
        self.log_weights = lookahead.max() - lookahead[chosen]
        return True

    def _cover_hits(self) -> None:
        """Draws a ship for each open hit that has none, the hit with the fewest choices first."""
        covers = self.tables.covers[self.tables.bit_placements] & (self.bit_weights > 0)[:, None]
        allowed = np.array([np.packbits(covers[:, hit]) for hit in self.hits])
        for at in sorted(range(len(self.hits)), key=lambda at: int(_ONES[allowed[at]].sum())):
            who = np.flatnonzero(~self.tables.covers[self.fleets, self.hits[at]].any(axis=0))
            if len(who):
                used = np.flatnonzero(allowed[at])
                kind = np.searchsorted(self.tables.byte_starts, used, side="right") - 1
                bits = self.free[who[:, None], used[None]] & allowed[at][used]
                # Any of the ships left of a kind may be the one: each counts as a choice.
                choices = self.left[who[:, None], kind[None]]
                self._place_ship(bits, used, who, choices)

    def _place_rest(self) -> None:
        """Draws the ships that are left, the longest first: they have the fewest choices."""
        for kind, count in enumerate(self.counts):
            used = self._bytes_of(kind)
            for rest in range(count, 0, -1):
                who = np.flatnonzero(self.left[:, kind] >= rest)
                if len(who):
                    self._place_ship(self.free[who, used[0] : used[-1] + 1], used, who)

    def _place_ship(
        self, bits: Bytes, used: Indices, who: Indices, choices: Indices | None = None
    ) -> None:
        """Draws one ship for each of the particles `who`; see `_draw` for `bits` and the rest."""
        ship, total, _ = self._draw(bits, used, choices)
        # A draw in proportion to weight is no fair draw of whole fleets: a fleet that had more to
        # choose from is drawn too seldom, and its importance weight makes up for it.
        self.log_weights[who] += np.log(np.where(total > 0, total, _DEAD_END))
        placed = np.full(self.particles, self.tables.no_ship)
        placed[who] = ship
        self.fleets = np.append(self.fleets, placed[None], axis=0)
        new = who[ship < self.tables.no_ship]
        self.left[new, self.kind_of[placed[new]]] -= 1
        self.free &= self._compatible(placed)
        lookahead = self._lookahead(self.free, self.left)
        weights = self._relative_weights(lookahead)
        # Resample when the effective sample size is below half of the particles.
        if weights.sum() ** 2 < 0.5 * self.particles * (weights**2).sum():
            self._resample(lookahead)

    def _lookahead(self, free: Bytes, left: Indices) -> Floats:
        """The logarithm of the weight that each fleet is likely still to gain: shape (fleets,).

        Each ship left will multiply the weight by that of its placements free by then. `free` has
        shape (fleets, bytes) and is what is free now: a guess at it that ranks fleets well.
        """
        logs = np.zeros(len(free))
        for kind in range(len(self.counts)):
            if left[:, kind].any():
                used = self._bytes_of(kind)
                total = self.byte_sums.take(free[:, used] + used * 256).sum(axis=1)
                logs += left[:, kind] * np.log(np.maximum(total, _DEAD_END))
        return LOOKAHEAD * logs

    def _relative_weights(self, lookahead: Floats) -> Floats:
        """The weights with what lies ahead, the greatest 1, so that no exponential overflows."""
        logs = self.log_weights + lookahead
        weights: Floats = np.exp(logs - logs.max())
        return weights

    def _resample(self, lookahead: Floats) -> None:
        """Repeats heavy particles and drops light ones, by weight and by what lies ahead.

        Afterwards each weighs less by as much as it was preferred for what lies ahead.
        """
        chosen = self.systematic(self._relative_weights(lookahead))
        self.free, self.left = self.free[chosen], self.left[chosen]
        self.fleets = self.fleets[:, chosen]
        self.log_weights = lookahead.max() - lookahead[chosen]

    def _draw(
        self, bits: Bytes, used: Indices, choices: Indices | None = None
    ) -> tuple[Indices, Floats, Indices]:
        """Draws one placement from each row of bits, in proportion to its weight.

        `bits` has shape (rows, bytes used), `used` the indices of these bytes, and `choices`, of
        the shape of `bits`, by how much to multiply a byte's weight. Returns the placements,
        `no_ship` for an empty row, and the weight of each row, both of shape (rows,); and where in
        `byte_sums` the bytes were looked up, shape (bytes used, rows).
        """
        count = len(bits)
        # Bytes down, rows across: running sums then go along contiguous memory.
        looked_up = bits.T + (used * 256)[:, None]
        if not bits.size:
            return np.full(count, self.tables.no_ship), np.zeros(count), looked_up
        ends = self.byte_sums.take(looked_up)
        if choices is not None:
            ends *= choices.T.astype(np.float32)
        _running_sums(ends)
        total = ends[-1]
        # Stratified: one point in each of `count` equal parts of the range, the parts in random
        # order. Each point by itself is uniform, and all of them together are more even.
        points = (self.random.permutation(count) + self.random.random(count)) / count
        points = (points * _BELOW_ONE).astype(np.float32) * total
        which = np.minimum((ends <= points).sum(axis=0), len(used) - 1)
        who = np.arange(count)
        # What is left of the point is its place within the byte.
        points -= np.where(which > 0, ends[which - 1, who], np.float32(0))
        if choices is not None:
            points /= np.maximum(choices[who, which], 1).astype(np.float32)
        byte = used[which]
        inner = (_BITS[bits[who, which]] * self.byte_weights[byte]).T.copy()
        _running_sums(inner)
        # The subtraction rounds, so the point may lie past the sum of the byte's bits.
        bit = np.minimum((inner <= np.minimum(points, inner[-1] * _BELOW_ONE)).sum(axis=0), 7)
        placements = self.tables.bit_placements[byte * 8 + bit]
        return np.where(total > 0, placements, self.tables.no_ship), total.astype(float), looked_up

    def _propose(self, kind: int, open_bits: Bytes, group: Indices) -> tuple[Indices, Floats]:
        """A ship of that kind on just the hits of each row's group; and the rows' weights."""
        used = self._bytes_of(kind)
        drawn, total, _ = self._draw(self._group_free(used, open_bits, group), used)
        return drawn, total

    def _total(self, kind: int, open_bits: Bytes, group: Indices) -> Floats:
        """The weight of the placements that `_propose` would draw from: shape (rows,)."""
        used = self._bytes_of(kind)
        looked_up = self._group_free(used, open_bits, group).T + (used * 256)[:, None]
        total: Floats = self.byte_sums.take(looked_up).sum(axis=0, dtype=float)
        return total

    def _group_free(self, used: Indices, open_bits: Bytes, group: Indices) -> Bytes:
        return open_bits[:, used[0] : used[-1] + 1] & self.group_bits[:, used].take(group, axis=0)

    def _open_without(self, first: Indices, second: Indices, who: Indices) -> Bytes:
        """What the fleets `who` leave open without their ships in these two rows."""
        open_bits = np.full((len(who), self.free.shape[1]), 255, np.uint8)
        for row, ship in enumerate(self.fleets):
            is_out = (first == row) | (second == row)
            open_bits &= self._compatible(np.where(is_out, self.tables.no_ship, ship[who]))
        return open_bits

    def _compatible(self, ship: Indices) -> Bytes:
        """For each placement the placements that other ships may have: shape (len(ship), bytes)."""
        return self.tables.compatible.take(ship, axis=0)

    def _bytes_of(self, kind: int) -> Indices:
        return np.arange(self.tables.byte_starts[kind], self.tables.byte_starts[kind + 1])


def _running_sums(rows: Singles) -> None:
    """Running sums down the columns, in place. NumPy's cumsum is slower: it goes by columns."""
    for at in range(1, len(rows)):
        rows[at] += rows[at - 1]


def _subset_sums(weights: Singles) -> Singles:
    """For each row of eight weights the sum of every subset, shape (rows, 256), by byte value."""
    sums = np.zeros((len(weights), 1), np.float32)
    # From the last weight, the lowest bit, to the first: as np.packbits puts them into a byte.
    for at in range(7, -1, -1):
        sums = np.concatenate([sums, sums + weights[:, at : at + 1]], axis=1)
    return sums


_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
"""Shape (256, 8): the bits of each byte value, the highest first."""
_ONES = _BITS.sum(axis=1)
"""Shape (256,): how many bits are set in each byte value."""
