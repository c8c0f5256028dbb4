"""The belief: how likely each fleet of the enemy is after all that was seen; see BELIEF.md.

>>> belief = believe(knowledge_of(seen), chance)                           # doctest: +SKIP
>>> belief.cells[board.parse("B7")]  # the chance that an unsunk ship lies there now
0.43
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from game.engine.chance import Chance
from game.engine.geometry import Board, Cell
from game.engine.observation import Observation, Result, Shot
from game.engine.rules import Placement, Ruleset, Way, all_placements, steered

PARTICLES = 1024
"""How many fleets are drawn on a board of 10 by 10; fewer where there are more places."""
MOST_LISTED = 2048
"""So many fleets at most are listed one by one; where there are more, they are drawn."""
SWEEPS = 1
STIRS = 0.5
"""How often an enemy that may steer does."""
_LEAST = 1e-9
"""What a drawn fleet keeps of its weight for each ship or hit that found no place."""
_BLOCK = 12
_GRAIN = float(1 << 22)

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.intp]
Flags: TypeAlias = npt.NDArray[np.bool_]
Kernel: TypeAlias = Callable[[Floats], Floats]


class Knowledge(NamedTuple):
    """What one side knows of the other's waters."""

    rules: Ruleset
    shots: tuple[Shot, ...]
    left: tuple[int, ...]
    """The lengths of the ships afloat."""
    turn: int
    """The half-turn for which is asked."""
    offset: int
    """0 for the side that begins, and 1 for the other."""

    def moves(self, turn: int) -> int:
        """How often the ships could be steered before a half-turn of the one who fires."""
        return (turn + self.offset) // 2 if self.rules.moving else 0


def knowledge_of(seen: Observation) -> Knowledge:
    """What the observer knows of the enemy."""
    offset = int(seen.side is not seen.ruleset.begins)
    return Knowledge(seen.ruleset, seen.shots, seen.enemy_left, seen.turn, offset)


def knowledge_about(seen: Observation) -> Knowledge:
    """What the enemy will know of the observer's fleet in its next half-turn."""
    offset = int(seen.side is seen.ruleset.begins)
    left = tuple(ship.placement.length for ship in seen.ships if ship.is_afloat)
    return Knowledge(seen.ruleset, seen.incoming, left, seen.turn + 1, offset)


class Sea(NamedTuple):
    """All places of the ships of a fleet on a board, numbered from 0, longest first."""

    lengths: tuple[int, ...]
    """The lengths that occur, longest first."""
    placements: tuple[Placement, ...]
    number: dict[Placement, int]
    kind: Indices
    """For each place the index of its length in `lengths`."""
    length: Indices
    covers: Flags
    """Place by cell: whether the ship lies on it; one row more, for no ship."""
    through: tuple[Indices, ...]
    """For each cell the places through it."""
    clash: Flags
    """Place by place: whether two ships may not lie so at the same time."""
    near: Flags
    """Place by cell: where no other ship may lie."""
    step: Indices
    """Fore and aft by place: where the move leads, or the number of places past the edge."""
    ways: Floats
    """For each place, how many ways don't lead over the edge."""


@lru_cache(maxsize=8)
def sea_of(board: Board, lengths: tuple[int, ...], touching: bool) -> Sea:
    """The places of ships of these different lengths."""
    placements = tuple(one for length in lengths for one in all_placements(board, length))
    number = {one: at for at, one in enumerate(placements)}
    count = len(placements)
    covers, near = np.zeros((2, count + 1, board.size), bool)
    for at, one in enumerate(placements):
        covers[at, list(one.cells)] = True
        space = one.mask if touching else one.halo
        near[at, [cell for cell in board.cells if space >> cell & 1]] = True
    # Small whole numbers: the products are exact in whatever order they are summed up.
    clash = near[:-1].astype(np.float32) @ covers[:-1].astype(np.float32).T > 0
    step = np.full((2, count), count)
    for at, one in enumerate(placements):
        for way, side in enumerate(Way):
            target = steered(board, one, side)
            if target is not None and one.length > 1 or target in number:
                step[way, at] = number[target]  # type: ignore[index]
    return Sea(
        lengths=lengths,
        placements=placements,
        number=number,
        kind=np.array([lengths.index(one.length) for one in placements]),
        length=np.array([one.length for one in placements]),
        covers=covers,
        through=tuple(np.flatnonzero(covers[:-1, cell]) for cell in board.cells),
        clash=clash,
        near=near[:-1],
        step=step,
        ways=(step < count).sum(axis=0).astype(float),
    )


# --- what the shots have told, ship by ship ---


class Told(NamedTuple):
    """The shots in the light of the wrecks: which hits are open, and when what was in the way."""

    hits: tuple[int, ...]
    """The shots, by number, that hit ships still afloat."""
    wrecks: tuple[tuple[int, int, int], ...]
    """Place, number of the first shot that hit it, and of the one that sank it."""


def tell(knowledge: Knowledge, sea: Sea) -> Told:
    """Which hits belong to which wreck, and which are open."""
    newest: dict[Cell, int] = {}
    wrecks = []
    for at, shot in enumerate(knowledge.shots):
        if shot.result is Result.WATER:
            newest.pop(shot.cell, None)
            continue
        newest[shot.cell] = at
        if shot.result is Result.SUNK:
            wreck = shot.wreck or _wreck(knowledge, newest, shot.cell)
            first = min(newest.pop(cell, at) for cell in wreck.cells)
            newest.pop(shot.cell, None)
            if wreck in sea.number:
                wrecks.append((sea.number[wreck], first, at))
    return Told(tuple(sorted(newest.values())), tuple(wrecks))


def _wreck(knowledge: Knowledge, hits: dict[Cell, int], cell: Cell) -> Placement:
    """The longest ship of the fleet through the cell that all lies on open hits."""
    lengths = sorted({1, *knowledge.rules.fleet}, reverse=True)
    return next(
        one
        for length in lengths
        for one in all_placements(knowledge.rules.board, length)
        if cell in one.cells and all(each in hits for each in one.cells)
    )


def odds(knowledge: Knowledge, sea: Sea, told: Told) -> Floats:
    """For each place how well a ship there, seen by itself, explains what was seen.

    The forward messages of BELIEF.md: `adrift` for ships never hit, which may have moved, and
    `pinned` for those that a shot has hit.
    """
    rules = knowledge.rules
    adrift, pinned = np.ones(len(sea.kind)), np.zeros(len(sea.kind))
    is_open = set(told.hits)
    first_of = {first: place for place, first, _ in told.wrecks}
    last_of = {last: place for place, _, last in told.wrecks}
    standing: list[int] = []
    open_cells: list[Cell] = []
    barred = np.zeros(len(sea.kind), bool)
    moves = 0
    movable: Sequence[int] = rules.fleet
    kernel = _kernel(sea, adrift, barred, movable)
    for at, shot in enumerate(knowledge.shots):
        while moves < knowledge.moves(shot.turn):
            adrift = kernel(adrift)
            moves += 1
        through = sea.through[shot.cell]
        if at in is_open:
            pinned[through] += adrift[through]
            open_cells.append(shot.cell)
        else:
            pinned[through] = 0.0
        adrift[through] = 0.0
        if at in first_of:
            standing.append(first_of[at])
        if at in first_of or at in is_open:
            barred = _barred(sea, standing, open_cells)
            adrift[barred] = 0.0
            movable = _movable(knowledge, told, at, sea)
            kernel = _kernel(sea, adrift, barred, movable)
        for place in standing:
            pinned[sea.clash[place]] = 0.0
        if at in last_of and rules.moving:
            standing.remove(last_of[at])
            barred = _barred(sea, standing, open_cells)
            kernel = _kernel(sea, adrift, barred, movable)
    while moves < knowledge.moves(knowledge.turn):
        adrift = kernel(adrift)
        moves += 1
    if open_cells:
        hits = np.zeros(rules.board.size, bool)
        hits[open_cells] = True
        inside = (sea.covers[:-1] & hits).sum(axis=1)
        beside = (sea.near & hits).sum(axis=1)
        pinned[(inside == sea.length) | (inside < beside)] = 0.0
    worth = adrift + pinned
    top = worth.max()
    return worth / top if top > 0 else worth


def _barred(sea: Sea, standing: Sequence[int], open_cells: Sequence[Cell]) -> Flags:
    barred = sea.near[:, open_cells].any(axis=1)
    for place in standing:
        barred |= sea.clash[place]
    return barred


def _movable(knowledge: Knowledge, told: Told, upto: int, sea: Sea) -> tuple[int, ...]:
    """The lengths of the ships not hit up to a shot; which ones were is guessed at."""
    left = list(knowledge.rules.fleet)
    for place, first, _ in told.wrecks:
        if first <= upto and int(sea.length[place]) in left:
            left.remove(int(sea.length[place]))
    board = knowledge.rules.board
    groups: list[set[Cell]] = []
    for at in told.hits:
        cell = knowledge.shots[at].cell
        if at <= upto:
            joined = [group for group in groups if any(_is_near(board, cell, c) for c in group)]
            groups = [group for group in groups if group not in joined]
            groups.append({cell}.union(*joined))
    for _ in groups[: len(left) - 1]:
        left.pop(len(left) // 2)
    return tuple(left)


def _is_near(board: Board, one: Cell, other: Cell) -> bool:
    same = board.column(one) == board.column(other) or board.row(one) == board.row(other)
    return same and board.distance(one, other) <= 2


def _kernel(sea: Sea, adrift: Floats, barred: Flags, movable: Sequence[int]) -> Kernel:
    """How ships that are adrift pass one of the enemy's turns among those known to stand still."""
    count = len(sea.kind)
    closed = np.append(barred, True)
    ways = (~closed[sea.step]).sum(axis=0)
    kinds = len(sea.lengths)
    mass = np.bincount(sea.kind, weights=adrift, minlength=kinds)
    mean = np.bincount(sea.kind, weights=adrift * ways, minlength=kinds) / np.maximum(mass, 1e-300)
    all_ways = sum(mean[sea.lengths.index(length)] for length in movable)
    rate = STIRS / np.maximum(np.maximum(all_ways - mean[sea.kind], 0.0) + ways, 1.0)
    stay = 1.0 - rate * ways
    going = np.zeros(count + 1)

    def kernel(adrift: Floats) -> Floats:
        np.multiply(adrift, rate, out=going[:count])
        # A step fore is undone by one aft, so what comes in is found by the same table.
        after: Floats = adrift * stay + going[sea.step[0]] + going[sea.step[1]]
        after[barred] = 0.0
        return after

    return kernel


def _sea(rules: Ruleset) -> Sea:
    return sea_of(rules.board, tuple(sorted(set(rules.fleet), reverse=True)), rules.touching)


# --- whole fleets ---


@dataclass(frozen=True, eq=False)
class Belief:
    """Weighted fleets of the ships afloat, and what follows for each cell."""

    sea: Sea
    fleets: Indices
    """Ship by fleet: the number of its place; the number of places for a ship without one."""
    weights: Floats
    """Of each fleet; whole numbers, so that sums of them are exact in any order."""
    places: Floats
    """For each place the weight of all fleets with a ship there."""
    hits: tuple[Cell, ...]
    """The open hits."""
    is_exact: bool
    """Whether these are all fleets there can be."""

    @property
    def cells(self) -> Floats:
        """For each cell the chance that an unsunk enemy ship lies there now."""
        chances = (self.places[:, None] * self.sea.covers).sum(axis=0) / self.weights.sum()
        chances[list(self.hits)] = 1.0
        return np.minimum(chances, 1.0)

    def lies(self) -> Flags:
        """Fleet by cell: whether a ship lies there."""
        lies = self.sea.covers[self.fleets[0]]
        for ship in self.fleets[1:]:
            lies |= self.sea.covers[ship]
        return lies


def generator(chance: Chance) -> np.random.Generator:
    """NumPy's source of chance, decided by this one."""
    return np.random.Generator(np.random.Philox(key=chance.bits(128)))


def believe(knowledge: Knowledge, chance: Chance, particles: int = PARTICLES) -> Belief:
    """The belief after what is known, drawn with the help of chance where it can't be listed."""
    sea = _sea(knowledge.rules)
    told = tell(knowledge, sea)
    worth = odds(knowledge, sea, told)
    hits = tuple(knowledge.shots[at].cell for at in told.hits)
    counts = [knowledge.left.count(length) for length in sea.lengths]
    if not sum(counts):
        nowhere = np.zeros(len(sea.kind) + 1)
        return Belief(sea, np.full((1, 1), len(sea.kind)), np.ones(1), nowhere, hits, True)
    listed = _list(sea, worth, counts, hits)
    if listed is not None:
        return listed
    return _sample(sea, worth, counts, hits, generator(chance), particles)


def _list(sea: Sea, worth: Floats, counts: Sequence[int], hits: Sequence[Cell]) -> Belief | None:
    """All fleets, each once; None where there are too many, or none."""
    none = len(sea.kind)
    fleets = np.zeros((1, 0), np.intp)
    left = np.array([counts])
    free = (worth > 0)[None]
    weights = np.ones(1)
    for hit in hits:
        covered = sea.covers[fleets, hit].any(axis=1)
        options = sea.through[hit]
        may = free[:, options] & (left[:, sea.kind[options]] > 0) & ~covered[:, None]
        at, which = np.nonzero(may)
        if len(at) + covered.sum() > MOST_LISTED:
            return None
        stay = np.flatnonzero(covered)
        at, which = (
            np.concatenate([at, stay]),
            np.concatenate([options[which], np.full(len(stay), none)]),
        )
        fleets = np.column_stack([fleets[at], which])
        left, free, weights = left[at], free[at], weights[at]
        new = np.flatnonzero(which < none)
        left[new, sea.kind[which[new]]] -= 1
        weights[new] *= worth[which[new]]
        free[new] &= ~sea.clash[which[new]]
    for kind in range(len(counts)):
        own = np.flatnonzero((sea.kind == kind) & (worth > 0))
        for _ in range(counts[kind]):
            ready = left[:, kind] > 0
            if not ready.any():
                break
            at, which = np.nonzero(free[:, own] & ready[:, None])
            stay = np.flatnonzero(~ready)
            if len(at) + len(stay) > MOST_LISTED:
                return None
            which = own[which]
            at, which = (
                np.concatenate([at, stay]),
                np.concatenate([which, np.full(len(stay), none)]),
            )
            fleets = np.column_stack([fleets[at], which])
            left, free, weights = left[at], free[at], weights[at]
            new = np.flatnonzero(which < none)
            left[new, kind] -= 1
            weights[new] *= worth[which[new]]
            # Of ships of one length the later ones come later in the list: each fleet once.
            free[new] &= ~sea.clash[which[new]]
            free[new[:, None], own[None]] &= own[None] > which[new][:, None]
    if not len(fleets) or weights.max() <= 0:
        return None
    weights = np.ceil(weights * (_GRAIN / weights.max()))
    places = np.bincount(
        fleets.ravel(), weights=np.repeat(weights, fleets.shape[1]), minlength=none + 1
    )
    return Belief(sea, fleets.T, weights, places, tuple(hits), True)


def _sample(
    sea: Sea,
    worth: Floats,
    counts: Sequence[int],
    hits: Sequence[Cell],
    random: np.random.Generator,
    particles: int,
) -> Belief:
    """Fleets drawn ship by ship and then stirred, all of the same weight."""
    some = np.flatnonzero(worth > 0)
    swarm = _Swarm(sea, some, worth[some], counts, particles, random)
    swarm.cover(hits)
    swarm.fill()
    swarm.resample()
    places = swarm.stir(hits)
    fleets = np.append(some, len(worth))[np.array(swarm.fleets)]
    whole = np.zeros(len(worth) + 1)
    whole[some] = places / SWEEPS
    return Belief(sea, fleets, np.ones(particles), whole, tuple(hits), False)


class _Swarm:
    """Many fleets, the particles, that are drawn at the same time. Places are those of `some`."""

    def __init__(
        self,
        sea: Sea,
        some: Indices,
        worth: Floats,
        counts: Sequence[int],
        particles: int,
        random: np.random.Generator,
    ) -> None:
        self.worth, self.counts, self.particles, self.random = worth, counts, particles, random
        self.kinds = sea.kind[some]
        self.covers = np.append(sea.covers[some], sea.covers[-1:], axis=0)
        clash = sea.clash[np.ix_(some, some)]
        # One column more, for a ship without a place.
        self.clash = np.append(clash, np.zeros((len(some), 1), bool), axis=1)
        self.open = ~self.clash
        self.none = len(some)
        self.free = np.ones((len(some), particles), bool)
        self.left = np.tile(np.array(counts)[:, None], particles)
        self.logs = np.zeros(particles)
        self.fleets: list[Indices] = []
        self.kind_of: list[int] = []

    def cover(self, hits: Sequence[Cell]) -> None:
        """Draws a ship for each open hit that has none, the most constrained first."""
        choices = {hit: np.flatnonzero(self.covers[:-1, hit]) for hit in hits}
        for hit in sorted(hits, key=lambda cell: len(choices[cell])):
            rows = choices[hit]
            covered = np.zeros(self.particles, bool)
            for ship in self.fleets:
                covered |= self.covers[ship, hit]
            who = np.flatnonzero(~covered)
            if len(rows) and len(who):
                mass = self.free[np.ix_(rows, who)] * self.left[np.ix_(self.kinds[rows], who)]
                self.settle(rows, mass * self.worth[rows][:, None], who)
            else:
                self.logs[who] += np.log(_LEAST)

    def fill(self) -> None:
        """Draws the ships that are left, the longest first."""
        for kind in range(len(self.counts)):
            rows = np.flatnonzero(self.kinds == kind)
            for rest in range(self.counts[kind], 0, -1):
                who = np.flatnonzero(self.left[kind] >= rest)
                if len(who) and len(rows):
                    part = self.free[rows[0] : rows[-1] + 1]
                    if len(who) < self.particles:
                        part = part[:, who]
                    self.settle(rows, part * self.worth[rows][:, None], who)
                else:
                    self.logs[who] += np.log(_LEAST)

    def settle(self, rows: Indices, mass: Floats, who: Indices) -> None:
        """Draws a ship in one of the places `rows` for each of the particles `who`."""
        pick, total = _draw(mass, self.random)
        dead = total <= 0
        self.logs[who] += np.log(np.where(dead, _LEAST, total))
        ship = np.full(self.particles, self.none)
        ship[who] = np.where(dead, self.none, rows[pick])
        self.fleets.append(ship)
        alive = who[~dead] if dead.any() else who
        self.left[self.kinds[ship[alive]], alive] -= 1
        np.logical_and(self.free, self.open.take(ship, axis=1), out=self.free)
        weights = np.exp(self.logs - self.logs.max())
        if weights.sum() ** 2 < 0.5 * self.particles * (weights**2).sum():
            self.resample()

    def resample(self) -> None:
        """Gives every particle the same weight: heavy ones are repeated, light ones left out."""
        if not self.logs.any():
            return
        weights = np.exp(self.logs - self.logs.max())
        ends = weights.cumsum()
        points = (np.arange(self.particles) + self.random.random()) / self.particles
        chosen = np.minimum(np.searchsorted(ends, points * ends[-1]), self.particles - 1)
        self.free = self.free[:, chosen]
        self.left = self.left[:, chosen]
        self.fleets = [ship[chosen] for ship in self.fleets]
        self.logs = np.zeros(self.particles)

    def stir(self, hits: Sequence[Cell]) -> Floats:
        """Draws every ship anew among the others (Gibbs); returns the mean chance of each place."""
        places = np.zeros(self.none)
        sign = np.append(self.covers[:, list(hits)] @ (1 << np.arange(len(hits))), 0)
        blocked = np.zeros((self.none, self.particles), np.uint8)
        kinds = np.append(self.kinds, -1)
        fleets = np.array(self.fleets)
        for ship in fleets:
            blocked += self.clash.take(ship, axis=1)
        for at, ship in [(at, ship) for _ in range(SWEEPS) for at, ship in enumerate(fleets)]:
            blocked -= self.clash.take(ship, axis=1)
            for kind in range(len(self.counts)):
                who = np.flatnonzero(kinds[ship] == kind)
                if not len(who):
                    continue
                rows = np.flatnonzero(self.kinds == kind)
                part = blocked[rows[0] : rows[-1] + 1]
                if len(who) < self.particles:
                    part = part[:, who]
                may = part == 0
                if len(hits):
                    may &= sign[rows][:, None] == sign[ship[who]]
                mass = may * self.worth[rows][:, None]
                pick, total = _draw(mass, self.random)
                places[rows] += (mass / np.maximum(total, 1e-300)).sum(axis=1)
                ship[who] = np.where(total > 0, rows[pick], ship[who])
            blocked += self.clash.take(ship, axis=1)
        self.fleets = list(fleets)
        return places


def _draw(mass: Floats, random: np.random.Generator) -> tuple[Indices, Floats]:
    """For each column a row by its mass, and the column's whole mass.

    Block by block and then within the block, which spares sums over all rows.
    """
    rows, columns = mass.shape
    blocks = -(-rows // _BLOCK)
    if rows % _BLOCK:
        mass = np.concatenate([mass, np.zeros((blocks * _BLOCK - rows, columns))])
    cube = mass.reshape(blocks, _BLOCK, columns)
    sums = cube.sum(axis=1)
    ends = sums.cumsum(axis=0)
    total = ends[-1]
    # One point in each of as many equal parts: as likely as independent ones, and more even.
    points = (random.permutation(columns) + random.random(columns)) / columns
    aim = points * total * (1 - 1e-9)
    block = np.minimum((ends <= aim).sum(axis=0), blocks - 1)
    who = np.arange(columns)
    aim -= ends[block, who] - sums[block, who]
    inner = cube[block, :, who].cumsum(axis=1)
    within = np.minimum((inner <= aim[:, None]).sum(axis=1), _BLOCK - 1)
    pick = np.minimum(block * _BLOCK + within, rows - 1)
    return pick, total
