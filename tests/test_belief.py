"""The belief compared with counts of all fleets, and with fleets that were really there."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from bench.selfplay import game_seed, play_solo
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import BONN, FIVE_APART, FIVE_TOUCHING
from game.engine.rules import Ruleset, Side
from game.players.belief import exact, tables
from game.players.belief.belief import believe
from game.players.belief.tables import Floats, Knowledge, knowledge_of, read_sinkings
from game.players.originals.random_player import RandomPlayer
from game.players.sinkings import lengths_left, settled
from tests.support.boards import PLAIN
from tests.support.small_boards import SMALL, chance, counted_cells, game, knowing

# --- it is right ---


def early(name: str, number: int = 3) -> list[Observation]:
    """The first twelve moments of a game, or fewer."""
    return list(islice(game(SMALL[name], number), 12))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_it_is_exact_where_all_fleets_can_be_listed(name: str, step: int) -> None:
    for number, seen in enumerate(early(name, step)[::step]):
        known = knowledge_of(seen)
        held = believe(known, chance(number))
        assert held.is_listed
        assert held.cells == pytest.approx(counted_cells(known), abs=1e-4)


@pytest.mark.parametrize("name", ["named", "named, moving", "named, moving twins"])
def test_no_hint_marks_a_cell_where_a_ship_may_lie(name: str) -> None:
    marked = 0
    for number in range(2):
        for seen in early(name, number)[2:]:
            impossible = seen.impossible()
            assert not counted_cells(knowledge_of(seen))[list(impossible)].any()
            unnamed = replace(seen, ruleset=replace(seen.ruleset, named=False))
            assert impossible >= unnamed.impossible()
            marked += len(impossible - unnamed.impossible())
    assert marked


@pytest.fixture
def most_listed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lists fewer fleets than usual."""
    exact.fleet_graph.cache_clear()
    monkeypatch.setattr(exact, "MOST_LISTED", request.param)
    yield
    exact.fleet_graph.cache_clear()


def rms(errors: list[float]) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


nothing_or_some = pytest.mark.parametrize(
    "most_listed", [0, 12], ids=["nothing listed", "ships on hits listed"], indirect=True
)


@nothing_or_some
@pytest.mark.usefixtures("most_listed")
def test_what_is_drawn_is_right_to_its_sampling_error() -> None:
    errors: dict[int, list[float]] = {64: [], 1024: []}
    for name in ("apart", "touching", "single cells", "named"):
        for known in map(knowledge_of, early(name)[::2]):
            for particles, found in errors.items():
                held = believe(known, chance(particles), particles)
                if not held.is_listed:
                    found.extend(held.cells - counted_cells(known))
    few, many = map(rms, errors.values())
    assert many < 0.5 / np.sqrt(1024)
    assert 2 < few / many < 8  # sixteen times as many fleets: about a quarter of the error


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_where_ships_move_the_messages_alone_come_close(
    step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "filter_fleets", lambda *_: None)
    errors: list[float] = []
    for name in ("moving", "moving, touching", "moving, again", "named, moving"):
        for known in map(knowledge_of, early(name)[::step]):
            errors.extend(believe(known, chance(1)).cells - counted_cells(known))
    assert rms(errors) < 0.05


# --- where wrecks aren't told ---


def untold(seen: Observation) -> Knowledge:
    """What is known by someone whom no sinking tells where the ship lay."""
    known = knowledge_of(seen)
    shots = settled(known.rules, tuple(shot._replace(wreck=None) for shot in known.shots))
    return known._replace(shots=shots, left=lengths_left(known.rules, shots))


def ambiguous_moments(rules: Ruleset, numbers: range) -> Iterator[Knowledge]:
    """What is known at the moments of such games when some sinking has several readings."""
    for number in numbers:
        for seen in game(rules, number):
            known = untold(seen)
            if read_sinkings(known)[1]:
                yield known


@pytest.mark.parametrize("name", ["touching", "crowded"])
def test_where_ships_stay_every_reading_of_a_sinking_counts(name: str) -> None:
    compared = 0
    for known in islice(ambiguous_moments(SMALL[name], range(12)), 0, 40, 4):
        held = believe(known, chance(1))
        assert held.is_listed
        assert held.cells == pytest.approx(counted_cells(known), abs=1e-4)
        compared += 1
    assert compared > 5


FIVE = Ruleset(fleet=(5, 4, 3, 3, 2), **PLAIN)


class Witness(RandomPlayer):
    """Fires now well, now badly, and sometimes notes what it believes of every cell."""

    def __init__(self) -> None:
        self.noted: list[tuple[int, Floats]] = []

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        if len(seen.shots) % 8 == 0:
            self.noted.append((seen.turn, believe(knowledge_of(seen), chance).cells))
        if chance.below(2):
            return chance.choice(seen.targets)
        cells = self.noted[-1][1]
        return max(seen.targets, key=lambda cell: cells[cell])


def slope(rules: Ruleset, number: int) -> float:
    """How much more often than believed ships lie in likelier cells of a game: 0 is expected."""
    witness = Witness()
    match = play_solo(witness, rules, game_seed(3, number))
    first = {shot.turn: shot.ply for shot in reversed(match.shots)}
    slopes = []
    for turn, cells in witness.noted:
        then = match.at(first[turn])
        afloat = (
            ship
            for at, ship in enumerate(then.placements(Side.SECOND))
            if then.is_afloat(Side.SECOND, at)
        )
        ships = np.zeros(len(cells))
        ships[[cell for ship in afloat for cell in ship.cells]] = 1
        slopes.append(float((ships - cells) @ cells))
    return float(np.mean(slopes))


SEAS = {
    "bonn-moving": BONN,
    "bonn-still": replace(BONN, moving=False),
    "five-apart": FIVE_APART,
    "five-touching": FIVE_TOUCHING,
}


@pytest.mark.parametrize(
    "games",
    [4, pytest.param(120, marks=pytest.mark.long)],
)
@pytest.mark.parametrize("name", SEAS)
def test_its_chances_come_true(name: str, games: int) -> None:
    slopes = [slope(SEAS[name], number) for number in range(games)]
    error = np.std(slopes, ddof=1) / np.sqrt(len(slopes))
    assert abs(np.mean(slopes)) < 4 * error


# --- what it must know; it is the same for the same knowledge ---


def test_a_wreck_that_is_not_told_is_found() -> None:
    known = knowing(FIVE, "C3 hit, D3 hit, E3 sunk")._replace(left=(5, 4, 3, 2))
    same = knowing(FIVE, "C3 hit, D3 hit, E3 sunk C3h3")
    assert believe(known, chance(1)).cells == pytest.approx(believe(same, chance(1)).cells)


ALL_OVER = [f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)]
ABSURD = {
    "hits that touch": "C3 hit, D4 hit",
    "a ship that is too long": ", ".join(f"{column}1 hit" for column in "ABCDEFG"),
    "hits all over": ", ".join(f"{cell} hit" for cell in ALL_OVER),
    "water all over": ", ".join(f"{cell} water" for cell in ALL_OVER),
    "a wreck without hits": "C3 sunk",
    "wrecks that touch": "A1 sunk A1h2, C2 sunk C2v3, A3 sunk A3h3",
    "one cell hit twice": "C3 hit, C3 hit",
    "water where a hit was": "C3 hit, C3 water",
}


@pytest.mark.parametrize("name", ABSURD)
@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("rules", [FIVE, BONN], ids=["five", "bonn"])
def test_absurd_knowledge_gives_some_belief(name: str, moving: bool, rules: Ruleset) -> None:
    held = believe(knowing(replace(rules, moving=moving), ABSURD[name]), chance(1))
    assert np.all((held.cells >= 0) & (held.cells <= 1))


def test_it_follows_from_its_arguments_alone_whatever_is_kept() -> None:
    seens = [*list(game(SMALL["moving"], 1))[:6], *list(game(BONN, 1))[:9:4]]
    warm = [believe(knowledge_of(seen), chance(5)).cells.tolist() for seen in seens]
    for seen, before in reversed(list(zip(seens, warm, strict=True))):
        tables.small_tables.cache_clear()
        exact.fleet_graph.cache_clear()
        assert believe(knowledge_of(seen), chance(5)).cells.tolist() == before


def test_the_enemy_has_moved_before_each_turn_but_the_first() -> None:
    for begins, turns in ((Side.FIRST, {0: 0, 2: 1, 8: 4}), (Side.SECOND, {1: 1, 3: 2, 9: 5})):
        seen = Observation.opening(replace(BONN, begins=begins), Side.FIRST)
        assert {turn: knowledge_of(seen).moves(turn) for turn in turns} == turns
