"""The shots that are left, compared with games played against every possible fleet."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from game.engine.fleets import Placement
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.rules import Side
from game.players.admiral import ADMIRAL
from game.players.belief.belief import Belief, believe
from game.players.belief.endgame import shots_left
from game.players.belief.tables import knowledge_of, read_sinkings
from game.players.sinkings import settled
from tests.support.boards import aims
from tests.support.small_boards import SMALL, chance, game

Fleet = tuple[Placement, ...]
STILL = ("apart", "touching", "single cells", "named")


def listed(seen: Observation) -> Belief:
    belief = believe(knowledge_of(seen), chance(0))
    assert belief.is_listed
    return belief


class Told(NamedTuple):
    """What the rules tell with a hit."""

    named: bool = False
    wrecks: bool = True

    def of(self, fleet: Fleet, spent: frozenset[Cell], target: Cell) -> object:
        """What a shot at the target tells: nothing, that a ship went down, or that one was hit.

        A name tells the ship's length, and at which cells it was hit before.
        """
        for ship in fleet:
            if target in ship.cells:
                if set(ship.cells) <= spent | {target}:
                    return ship if self.wrecks else "sunk"
                return (ship.length, spent & set(ship.cells)) if self.named else "hit"
        return None


def shots(
    true: Fleet, fleets: list[Fleet], spent: frozenset[Cell], target: Cell, told: Told
) -> int:
    """How many shots sink the true fleet: at the target, and then where most fleets have a ship."""
    count = 0
    while True:
        seen = told.of(true, spent, target)
        fleets = [fleet for fleet in fleets if told.of(fleet, spent, target) == seen]
        spent, count = spent | {target}, count + 1
        if all(set(ship.cells) <= spent for ship in true):
            return count
        lies = [cell for fleet in fleets for ship in fleet for cell in ship.cells]
        target = max(set(lies) - spent, key=lambda cell: (lies.count(cell), cell))


def compare(seen: Observation, told: Told, most: int = 60) -> int:
    """Compares the means of some targets with those of all games; returns how many."""
    belief = listed(seen)
    places, no_ship = belief.tables.placements, belief.tables.no_ship
    fleets = [tuple(places[at] for at in fleet if at < no_ship) for fleet in belief.fleets.T]
    if not 1 < len(fleets) <= most:
        return 0
    targets = [cell for cell in seen.targets if belief.cells[cell] > 0][:4]
    left = shots_left(belief, seen.spent, targets, is_named=told.named, has_wrecks=told.wrecks)
    for target, mean in zip(targets, left, strict=True):
        played = [shots(true, fleets, seen.spent, target, told) for true in fleets]
        assert mean == pytest.approx(np.mean(played))
    return len(targets)


@pytest.mark.parametrize("name", STILL)
def test_the_mean_is_that_of_games_against_every_fleet(name: str) -> None:
    compared = 0
    for number in range(4):
        for seen in list(game(SMALL[name], number))[2::3]:
            compared += compare(seen, Told(named=seen.ruleset.named))
    assert compared >= 8


def test_the_mean_is_that_of_games_in_which_no_sinking_tells_the_wreck() -> None:
    compared = 0
    for number in range(12):
        for seen in game(SMALL["crowded"], number):
            shots_told = tuple(shot._replace(wreck=None) for shot in seen.shots)
            untold = replace(seen, shots=settled(seen.ruleset, shots_told))
            if read_sinkings(knowledge_of(untold))[1]:
                compared += compare(untold, Told(wrecks=False), most=40)
    assert compared >= 8


def test_among_the_last_fleets_each_match_has_a_taste_of_its_own() -> None:
    rules = replace(SMALL["apart"], columns=8, rows=8, fleet=(2,))
    seen = Observation.opening(rules, Side.FIRST)
    assert believe(knowledge_of(seen), chance(0)).is_listed
    assert len(set(aims(ADMIRAL, seen, 20))) > 8


def test_a_long_end_on_a_large_board_is_counted_too() -> None:
    """A path through the shots is as long as there are cells, and each has a call of its own."""
    rules = replace(SMALL["touching"], columns=15, rows=15, fleet=(8,) * 20 + (2,))
    one = next(iter(game(rules, 1)))
    tables = believe(knowledge_of(one), chance(0)).tables
    ships, taken = list[int](), 0
    for number, ship in enumerate(tables.placements):
        if ship.length == 8 and len(ships) < 20 and not ship.mask & taken:
            ships, taken = [*ships, number], taken | ship.mask
    twos = [
        number
        for number, ship in enumerate(tables.placements)
        if ship.length == 2 and not ship.mask & taken
    ]
    fleets = np.array([[*ships, two] for two in twos]).T
    nowhere = np.zeros(225)
    belief = Belief(nowhere, nowhere, tables, fleets, np.ones(len(twos)), is_listed=True)
    (left,) = shots_left(belief, (), tables.placements[ships[0]].cells[:1])
    assert 162 <= left <= 225
