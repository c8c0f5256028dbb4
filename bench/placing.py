"""What the admiral's placing costs to a shooter who knows it.

python -m bench placing --seas five-apart --games 1000

`Shooter(rules).shots(fleets)` takes all fleets for equally likely, and
`Shooter(rules, weigher(rules, weights_for(rules))).shots(fleets)` knows how the admiral places.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from bench.progress import say, track
from bench.samples import Sample, check_games
from bench.seas import SEAS
from game.engine.actions import Result, Shot
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.rules import Ruleset, Side
from game.players.belief.belief import believe
from game.players.belief.tables import (
    Flags,
    Floats,
    Indices,
    Knowledge,
    PlacementTables,
    tables_for,
)
from game.players.placing import (
    TraitWeights,
    hidden_fleet,
    log_weights,
    traits,
    uniform_belief,
    weights_for,
    whole_fleets,
)

LogWeights: TypeAlias = Callable[[Indices], Floats]
"""For fleets, shape (fleets, ships), how likely each is, as logarithms up to a constant."""

UNIFORM_FLEETS, UNIFORM_AFLOAT = 100_000, 30_000
"""The sizes of the samples of uniform fleets, at the start and for each set of ships afloat."""
FEW = 24
"""New fleets are drawn if the effective number of fleets is smaller."""
_DRAWN_AT_ONCE = 4096
_PARTICLES = 256
"""The number of fleets that the belief draws if too few uniform fleets agree."""


class _Node(NamedTuple):
    """A position that some games have reached, and the fleets that are possible in it."""

    games: Indices
    """Shape (games,)."""
    shots: tuple[Shot, ...]
    left: tuple[int, ...]
    """The lengths of the ships afloat."""
    fleets: Indices
    """Shape (fleets, ships afloat): fleets that agree with the shots."""
    weights: Floats
    """Shape (fleets,): the weight of each fleet."""
    is_listed: bool
    """Whether `fleets` has all fleets that agree, and not only a sample."""


class Shooter:
    """Fires at the cell that most likely has a ship, given the weights of the possible fleets.

    This is the greedy answer to a placing. Ships stay, and each sinking tells its wreck.
    """

    def __init__(self, rules: Ruleset, known: LogWeights | None = None) -> None:
        """`known` gives the probability of fleets; without it all are equally likely."""
        self.rules = _solo_rules(rules)
        self.tables, self.known = _tables(self.rules), known
        self.covers = self.tables.covers.astype(float)

    def shots(self, hidden: Indices) -> Indices:
        """For each hidden fleet, shape (fleets, ships), the shots until it is sunk."""
        counts = np.zeros(len(hidden), np.intp)
        for game, shots in track(self._ends(hidden), "games", len(hidden)):
            counts[game] = shots
        return counts

    def _ends(self, hidden: Indices) -> Iterator[tuple[int, int]]:
        """The index of each hidden fleet and its shots, as soon as it is sunk.

        The games are played as one tree: those with the same results so far share a position.
        """
        fleets = uniform_fleets(self.rules)
        start = _Node(np.arange(len(hidden)), (), self.rules.fleet, fleets, np.ones(0), False)
        nodes = [self._weighed(start, fleets, is_listed=False)]
        while nodes:
            node = self._refilled(nodes.pop())
            for after in self._fire(node, hidden):
                if after.left:
                    nodes.append(after)
                else:
                    yield from ((int(game), len(after.shots)) for game in after.games)

    def _fire(self, node: _Node, hidden: Indices) -> Iterator[_Node]:
        """The positions after a shot at the likeliest target, one for each result."""
        tables, target = self.tables, self._target(node)
        covering = tables.placements_at[target]
        spent = _flags(tables, [*(shot.cell for shot in node.shots), target])
        is_sunk = np.zeros(tables.no_ship + 1, bool)
        is_sunk[covering] = ~(tables.covers[covering] & ~spent).any(axis=1)
        on = tables.covers[:, target]
        lies, covered = on[hidden[node.games]], on[node.fleets]
        met = np.where(lies.any(axis=1), hidden[node.games, lies.argmax(axis=1)], tables.no_ship)
        is_hit = covered.any(axis=1)
        would_sink = (covered & is_sunk[node.fleets]).any(axis=1)
        water: Flags = np.asarray(met == tables.no_ship)
        hit: Flags = np.asarray(~water & ~is_sunk[met])
        if water.any():
            yield self._after(node, target, Result.WATER, water, np.asarray(~is_hit))
        if hit.any():
            yield self._after(node, target, Result.HIT, hit, np.asarray(is_hit & ~would_sink))
        for wreck in np.unique(met[is_sunk[met]]):
            agree = (node.fleets == wreck).any(axis=1)
            yield self._after(node, target, Result.SUNK, met == wreck, agree, wreck)

    def _after(
        self,
        node: _Node,
        target: Cell,
        result: Result,
        games: Flags,
        agree: Flags,
        wreck: int | None = None,
    ) -> _Node:
        ship = None if wreck is None else self.tables.placements[wreck]
        at, left, fleets = len(node.shots), list(node.left), node.fleets[agree]
        if ship is not None:
            left.remove(ship.length)
            fleets = fleets[fleets != wreck].reshape(len(fleets), len(left))
        shots = (*node.shots, Shot(at, at, Side.FIRST, target, result, ship))
        return _Node(
            node.games[games], shots, tuple(left), fleets, node.weights[agree], node.is_listed
        )

    def _target(self, node: _Node) -> Cell:
        weights = np.repeat(node.weights, len(node.left))
        cells = np.bincount(node.fleets.ravel(), weights, len(self.covers)) @ self.covers
        cells[[shot.cell for shot in node.shots]] = -1
        return Cell(int(cells.argmax()))

    def _refilled(self, node: _Node) -> _Node:
        """The node, with newly drawn fleets if too few of its fleets are left."""
        if _effective(node.weights) >= FEW or (node.is_listed and len(node.fleets)):
            return node
        afloat = replace(self.rules, fleet=node.left)
        fleets = agreeing(afloat, uniform_fleets(afloat, UNIFORM_AFLOAT), node.shots)
        node = self._weighed(node, _renumbering(afloat, self.rules)[fleets], is_listed=False)
        if _effective(node.weights) >= FEW:
            return node
        knowledge = Knowledge(self.rules, node.shots, node.left, len(node.shots), 0)
        belief = believe(knowledge, _chance("belief", len(node.shots)), _PARTICLES)
        fleets = belief.fleets.T
        is_ship = fleets < self.tables.no_ship
        fleets = fleets[is_ship.sum(axis=1) == len(node.left)]
        fleets = fleets[fleets < self.tables.no_ship].reshape(-1, len(node.left))
        return self._weighed(node, fleets, is_listed=belief.is_listed)

    def _weighed(self, node: _Node, fleets: Indices, *, is_listed: bool) -> _Node:
        """The node with these fleets, each weighted by its probability together with the wrecks."""
        weights = np.ones(len(fleets))
        if self.known is not None and len(fleets):
            sunk = [self.tables.index_of[shot.wreck] for shot in node.shots if shot.wreck]
            logs = self.known(
                np.column_stack([fleets, np.tile(sunk, (len(fleets), 1))]).astype(int)
            )
            weights = np.exp(logs - logs.max())
        return node._replace(fleets=fleets, weights=weights, is_listed=is_listed)


def agreeing(rules: Ruleset, fleets: Indices, shots: Sequence[Shot]) -> Indices:
    """The fleets, shape (fleets, ships), that agree with all shots if ships stay.

    The rules have the ships afloat; the shots tell each wreck.
    """
    tables = _tables(rules)
    wrecks = [shot.wreck for shot in shots if shot.wreck is not None]
    closed = 0
    for wreck in wrecks:
        closed |= wreck.mask if rules.touching else wreck.halo
    hits = [
        shot.cell
        for shot in shots
        if shot.result is not Result.WATER
        and not any(wreck.mask >> shot.cell & 1 for wreck in wrecks)
    ]
    water = [shot.cell for shot in shots if shot.result is Result.WATER]
    water += [cell for cell in rules.board.cells if closed >> cell & 1]
    is_wrong: Flags = np.asarray(tables.covers[:, water].any(axis=1))
    # A ship whose cells are all hit would have sunk.
    is_wrong[:-1] |= ~(tables.covers[:-1] & ~_flags(tables, hits)).any(axis=1)
    fleets = fleets[~is_wrong[fleets].any(axis=1)]
    for hit in hits:
        fleets = fleets[tables.covers[fleets, hit].any(axis=1)]
    return fleets


@cache
def uniform_fleets(rules: Ruleset, count: int = UNIFORM_FLEETS, seed: int = 0) -> Indices:
    """At least `count` equally likely fleets, or all there are if they can be listed.

    The shape is (fleets, ships).
    """
    parts: list[Indices] = []
    while sum(map(len, parts)) < count:
        belief = uniform_belief(rules, _chance(f"even/{seed}", len(parts)), _DRAWN_AT_ONCE)
        parts.append(whole_fleets(belief).astype(np.int16))
        if belief.is_listed:
            break
    return np.concatenate(parts)


def own_fleets(rules: Ruleset, count: int, seed: int) -> Indices:
    """Fleets as the admiral deploys them: shape (fleets, ships)."""
    tables = _tables(rules)
    fleets = [hidden_fleet(rules, _chance(f"own/{seed}", number)) for number in range(count)]
    return np.array([[tables.index_of[ship] for ship in fleet] for fleet in fleets])


def weigher(rules: Ruleset, weights: TraitWeights) -> LogWeights:
    """A function that weights fleets by their traits."""
    opening = uniform_belief(rules, _chance("opening", 0), _DRAWN_AT_ONCE)
    among = traits(opening, uniform_fleets(rules))
    return lambda fleets: log_weights(weights, traits(opening, fleets), among)


class Measure(NamedTuple):
    """The shots that uniform fleets and the admiral's fleets cost."""

    uniform: Sample
    """Uniform fleets, against a shooter who takes all fleets for equally likely."""
    naive: Sample
    """The admiral's fleets, against the same shooter."""
    knowing: Sample
    """The admiral's fleets, against a shooter who knows how they are placed."""


def measure(rules: Ruleset, *, games: int, seed: int) -> Measure:
    """What the admiral's placing costs to shooters; ships are taken to stay."""
    rules = _solo_rules(rules)
    own = own_fleets(rules, games, seed)
    uniform = uniform_fleets(rules, games, seed + 1)[:games]
    naive, knowing = Shooter(rules), Shooter(rules, weigher(rules, weights_for(rules)))
    runs = ((naive, uniform), (naive, own), (knowing, own))
    return Measure(
        *(
            Sample(tuple(shooter.shots(hidden).astype(float).tolist()))
            for shooter, hidden in track(runs, "shooters")
        )
    )


def _solo_rules(rules: Ruleset) -> Ruleset:
    """The rules of a solo game in which ships stay."""
    return replace(
        rules, moving=False, salvo=False, named=False, again=False, turns=None, begins=Side.FIRST
    )


def _effective(weights: Floats) -> float:
    """The effective sample size (Kish, *Survey Sampling*, 1965)."""
    total = float(weights.sum())
    return total and total**2 / float((weights**2).sum())


def _flags(tables: PlacementTables, cells: Sequence[Cell]) -> Flags:
    flags = np.zeros(tables.board.size, bool)
    flags[list(cells)] = True
    return flags


@cache
def _tables(rules: Ruleset) -> PlacementTables:
    """The tables, cached for each of the dozens of sets of ships afloat."""
    return tables_for(rules)


@cache
def _renumbering(afloat: Ruleset, whole: Ruleset) -> Indices:
    """The index of each placement of the ships afloat among those of the whole fleet."""
    index_of = _tables(whole).index_of
    return np.array([index_of[one] for one in _tables(afloat).placements])


def _chance(label: str, number: int) -> Chance:
    return Chance(bytes(SEED_BYTES), f"placing/{label}", number)


# --- the command ---

STILL = [name for name, rules in SEAS.items() if not rules.moving]


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--seas", nargs="+", choices=STILL, default=STILL)
    add("--games", type=int, default=1000, help="in each sea")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    check_games(options.games)
    for name in track(options.seas, "seas"):
        found = measure(SEAS[name], games=options.games, seed=options.seed)
        say(
            f"{name}, {options.games} games: uniform fleets {found.uniform}, the admiral's "
            f"{found.naive}, to a shooter who knows them {found.knowing}"
        )
