"""The belief compared with counts of all fleets, and with fleets that were really there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from bench.selfplay import game_seed, play_solo
from game.engine.actions import Result, Shot
from game.engine.chance import Chance
from game.engine.fleets import Course, Placement, all_placements, steered
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import BONN, FIVE_APART, FIVE_TOUCHING
from game.engine.rules import Ruleset, Side
from game.players.belief import exact, tables
from game.players.belief.belief import Belief, believe
from game.players.belief.tables import Floats, Knowledge, knowledge_of, read_sinkings
from game.players.belief.tracker import START, proceed
from game.players.originals.random_player import RandomPlayer
from game.players.sinkings import lengths_left, settled
from tests.support.boards import PLAIN
from tests.support.small_boards import SMALL, chance, game

Ship = tuple[Placement, frozenset[Cell], int]
"""Where it lies, where it was hit, and its index in the fleet."""
State = tuple[Ship, ...]


# --- all fleets and all moves, counted one by one ---


def counted_out(known: Knowledge) -> Floats:
    """For each cell the chance of a ship afloat there."""
    states: dict[State, float] = {(): 1.0}
    for ship, length in enumerate(known.rules.fleet):
        states = {
            (*state, (one, frozenset(), ship)): 1.0
            for state in states
            for one in all_placements(known.rules.board, length)
            if fits(known.rules, one, state)
        }
    moves = 0
    for shot in known.shots:
        while moves < known.moves(shot.turn):
            states, moves = moved(known.rules, states), moves + 1
        told: dict[State, float] = {}
        for state, share in states.items():
            after = fired(known.rules, state, shot)
            if after is not None:
                told[after] = told.get(after, 0.0) + share
        states = told
    while moves < known.moves(known.turn):
        states, moves = moved(known.rules, states), moves + 1
    chances = np.zeros(known.rules.board.size)
    total = sum(states.values())
    for state, share in states.items():
        for lies, _, _ in state:
            chances[list(lies.cells)] += share / total
    return chances


def fits(rules: Ruleset, one: Placement, others: State) -> bool:
    space = one.mask if rules.touching else one.halo
    return not any(space & other.mask for other, _, _ in others)


def moved(rules: Ruleset, states: dict[State, float]) -> dict[State, float]:
    after: dict[State, float] = {}
    for state, share in states.items():
        options = [
            (*state[:at], (target, hits, name), *state[at + 1 :])
            for at, (ship, hits, name) in enumerate(state)
            for course in Course
            if not hits
            and (target := steered(rules.board, ship, course)) is not None
            and fits(rules, target, state[:at] + state[at + 1 :])
        ]
        after[state] = after.get(state, 0.0) + share * (0.5 if options else 1.0)
        for option in options:
            after[option] = after.get(option, 0.0) + share * 0.5 / len(options)
    return after


def fired(rules: Ruleset, state: State, shot: Shot) -> State | None:
    """The state after a shot, or None where its result would have been another."""
    for at, (ship, hits, name) in enumerate(state):
        if shot.cell in ship.cells:
            if shot.ship != (name if rules.named else None):
                return None
            hits = hits | {shot.cell}
            if len(hits) == ship.length:
                is_told = shot.result is Result.SUNK and shot.wreck in (None, ship)
                return state[:at] + state[at + 1 :] if is_told else None
            if shot.result is not Result.HIT:
                return None
            return (*state[:at], (ship, hits, name), *state[at + 1 :])
    return state if shot.result is Result.WATER else None


# --- it is right ---


@pytest.mark.parametrize("name", SMALL)
def test_it_is_exact_where_all_fleets_can_be_listed(name: str) -> None:
    for number in range(2):
        for seen in game(SMALL[name], number):
            if seen.turn > 20:
                break
            known = knowledge_of(seen)
            held = believe(known, chance(number))
            assert held.is_listed
            assert held.cells == pytest.approx(counted_out(known), abs=1e-4)


@pytest.mark.parametrize("name", ["named", "named, moving", "named, moving twins"])
def test_no_hint_marks_a_cell_where_a_ship_may_lie(name: str) -> None:
    marked = 0
    for number in range(3):
        for seen in list(game(SMALL[name], number))[2:12]:
            impossible = seen.impossible()
            assert not counted_out(knowledge_of(seen))[list(impossible)].any()
            unnamed = replace(seen, ruleset=replace(seen.ruleset, named=False))
            assert impossible >= unnamed.impossible()
            marked += len(impossible - unnamed.impossible())
    assert marked


@pytest.mark.parametrize("listed", [0, 12], ids=["nothing listed", "ships on hits listed"])
def test_what_is_drawn_is_right_to_its_sampling_error(
    listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", listed)
    exact.fleet_graph.cache_clear()
    squares = {64: [], 1024: []}  # type: dict[int, list[float]]
    for name in ("apart", "touching", "single cells", "named"):
        for seen in list(game(SMALL[name], 3))[:12:2]:
            known = knowledge_of(seen)
            truth = counted_out(known)
            for particles, errors in squares.items():
                held = believe(known, chance(particles), particles)
                if held.is_listed:
                    continue
                errors.extend((held.cells - truth) ** 2)
    few, many = (float(np.sqrt(np.mean(squares[count]))) for count in squares)
    exact.fleet_graph.cache_clear()
    assert many < 0.5 / np.sqrt(1024)
    assert 2 < few / many < 8  # sixteen times as many fleets: about a quarter of the error


def test_where_ships_move_the_messages_alone_come_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "filter_fleets", lambda *_: None)
    errors: list[float] = []
    for name in ("moving", "moving, touching", "moving, again", "named, moving"):
        for seen in list(game(SMALL[name], 3))[:12]:
            known = knowledge_of(seen)
            errors.extend(believe(known, chance(1)).cells - counted_out(known))
    assert np.sqrt(np.mean(np.square(errors))) < 0.05


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
        assert held.cells == pytest.approx(counted_out(known), abs=1e-4)
        compared += 1
    assert compared > 5


@pytest.mark.parametrize("listed", [0, 6], ids=["nothing listed", "ships on hits listed"])
def test_readings_are_drawn_as_often_as_they_are_likely(
    listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", listed)
    errors: list[float] = []
    for known in ambiguous_moments(SMALL["crowded"], range(40)):
        held = believe(known, chance(1), 1024)
        if not held.is_listed and len(errors) < 12 * known.rules.board.size:
            errors.extend(held.cells - counted_out(known))
    assert len(errors) > 100
    assert np.sqrt(np.mean(np.square(errors))) < 0.01


def test_along_a_match_no_fleet_with_an_ambiguous_wreck_is_carried_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact, "MOST_LISTED", 0)
    for known in islice(ambiguous_moments(SMALL["crowded"], range(12)), 0, 30, 6):
        before = known._replace(shots=known.shots[:1], left=known.rules.fleet)
        state, _ = proceed(START, before, chance(1))
        after_it, view = proceed(state, known, chance(2))
        assert after_it is START
        assert view.cells == pytest.approx(counted_out(known), abs=0.06)


def test_where_ships_move_the_readings_are_weighed_about_right() -> None:
    rules = replace(SMALL["crowded"], moving=True)
    known = list(islice(ambiguous_moments(rules, range(60)), 0, 144, 6))
    truth = np.array([counted_out(one) for one in known])
    held, longest = (
        np.array([believe(one, chance(1)).cells for one in each])
        for each in (known, map(one_way, known))
    )
    error, other = (np.sqrt(np.mean((cells - truth) ** 2)) for cells in (held, longest))
    assert error < 0.1
    assert error < other / 2, "to take the longest ship for the wreck is worse"


def one_way(known: Knowledge) -> Knowledge:
    """The same, with the longest ship that it may have been for each wreck."""
    shots = known.shots
    while options := read_sinkings(known)[1]:
        at, ships = next(iter(options.items()))
        shots = (*shots[:at], shots[at]._replace(wreck=ships[0]), *shots[at + 1 :])
        shots = settled(known.rules, shots)
        known = known._replace(shots=shots, left=lengths_left(known.rules, shots))
    return known


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


@pytest.mark.parametrize("games", [12, pytest.param(120, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SEAS)
def test_its_chances_come_true(name: str, games: int) -> None:
    slopes = [slope(SEAS[name], number) for number in range(games)]
    error = np.std(slopes, ddof=1) / np.sqrt(len(slopes))
    assert abs(np.mean(slopes)) < 4 * error


# --- what it must know ---


def after(rules: Ruleset, *shots: tuple[str, Result, str | None], turn: int = 0) -> Knowledge:
    """Knowledge from cells, results and wrecks such as `A1h2`, one shot a turn."""
    board = rules.board
    told = tuple(
        Shot(
            ply=at,
            turn=2 * at,
            side=Side.FIRST,
            cell=board.parse(cell),
            result=result,
            wreck=None
            if wreck is None
            else next(
                one
                for length in set(rules.fleet)
                for one in all_placements(board, length)
                if str(one) == wreck
            ),
        )
        for at, (cell, result, wreck) in enumerate(shots)
    )
    left = list(rules.fleet)
    for shot in told:
        if shot.wreck is not None:
            left.remove(shot.wreck.length)
    return Knowledge(rules, told, tuple(left), turn or 2 * len(told), 0)


WATER, HIT, SUNK = Result.WATER, Result.HIT, Result.SUNK


def at(held: Belief, cell: str) -> float:
    return float(held.cells[held.tables.board.parse(cell)])


def test_a_wreck_that_is_not_told_is_found() -> None:
    known = after(FIVE, ("C3", HIT, None), ("D3", HIT, None), ("E3", SUNK, None))
    known = known._replace(left=(5, 4, 3, 2))
    told = after(FIVE, ("C3", HIT, None), ("D3", HIT, None), ("E3", SUNK, "C3h3"))
    assert believe(known, chance(1)).cells == pytest.approx(believe(told, chance(1)).cells)


ABSURD: dict[str, list[tuple[str, Result, str | None]]] = {
    "hits that touch": [("C3", HIT, None), ("D4", HIT, None)],
    "a ship that is too long": [(f"{column}1", HIT, None) for column in "ABCDEFG"],
    "hits all over": [(f"{c}{r}", HIT, None) for c in "ABCDEFGHIJ" for r in range(1, 11)],
    "water all over": [(f"{c}{r}", WATER, None) for c in "ABCDEFGHIJ" for r in range(1, 11)],
    "a wreck without hits": [("C3", SUNK, None)],
    "wrecks that touch": [("A1", SUNK, "A1h2"), ("C2", SUNK, "C2v3"), ("A3", SUNK, "A3h3")],
    "one cell hit twice": [("C3", HIT, None), ("C3", HIT, None)],
    "water where a hit was": [("C3", HIT, None), ("C3", WATER, None)],
}


@pytest.mark.parametrize("name", ABSURD)
@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("rules", [FIVE, BONN], ids=["five", "bonn"])
def test_absurd_knowledge_gives_some_belief(name: str, moving: bool, rules: Ruleset) -> None:
    held = believe(after(replace(rules, moving=moving), *ABSURD[name]), chance(1))
    assert np.all((held.cells >= 0) & (held.cells <= 1))


def test_absurd_knowledge_on_a_small_board_gives_some_belief() -> None:
    for rules in SMALL.values():
        shots = [(f"{column}{row}", HIT, None) for column in "ABCD" for row in range(1, 5)]
        assert np.all(np.isfinite(believe(after(rules, *shots), chance(1)).cells))


# --- it is the same for the same knowledge ---


def test_it_follows_from_its_arguments_alone_whatever_is_kept() -> None:
    seens = [*list(game(SMALL["moving"], 1))[:6], *list(game(BONN, 1))[:9:4]]
    warm = [believe(knowledge_of(seen), chance(5)).cells.tolist() for seen in seens]
    for seen, before in reversed(list(zip(seens, warm, strict=True))):
        tables.small_tables.cache_clear()
        exact.fleet_graph.cache_clear()
        assert believe(knowledge_of(seen), chance(5)).cells.tolist() == before


def test_tables_of_large_boards_do_not_drive_out_those_of_presets() -> None:
    kept = tables.tables_for(BONN)
    large = [Ruleset(columns=15, rows=rows, fleet=(3,), **PLAIN) for rows in range(7, 15)]
    first = tables.tables_for(large[0])
    for rules in large[1:]:
        tables.tables_for(rules)
    assert tables.tables_for(BONN) is kept
    assert tables.tables_for(large[-1]) is tables.tables_for(large[-1])
    assert tables.tables_for(large[0]) is not first


def test_the_enemy_has_moved_before_each_turn_but_the_first() -> None:
    for begins, turns in ((Side.FIRST, {0: 0, 2: 1, 8: 4}), (Side.SECOND, {1: 1, 3: 2, 9: 5})):
        seen = Observation.opening(replace(BONN, begins=begins), Side.FIRST)
        assert {turn: knowledge_of(seen).moves(turn) for turn in turns} == turns
