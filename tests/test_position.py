"""Positions: their texts, and their chances against counting."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.display.refusals import refusal
from game.engine.fleets import Placement, all_placements
from game.engine.position import (
    NotAMark,
    NotAShip,
    Position,
    WithoutResult,
    fields_of,
    parse_fields,
    still,
    typed,
)
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Touching
from game.players.belief.position_chances import Contradiction, PositionChances, look
from tests.support.small_boards import every_set_of_ships

CLASSIC = still(PRESETS["milton"].ruleset)
APART = still(PRESETS["uppsala"].ruleset)


def small(fleet: tuple[int, ...], side: int = 6, *, touching: Touching | bool = False) -> Ruleset:
    rules = Ruleset(columns=side, rows=side, fleet=fleet, touching=touching)
    return still(rules)


def position_chances(position: Position) -> PositionChances:
    found = look(position)
    assert isinstance(found, PositionChances)
    return found


# --- the texts ---


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any marks on a sea, even contradictory ones."""
    rules = draw(st.sampled_from([CLASSIC, APART, small((3, 2, 1)), small((8, 8), 15)]))
    cells = st.sampled_from(list(rules.board.cells))
    lengths = st.sampled_from(sorted(set(rules.fleet)))
    made = Position(rules)
    for cell in draw(st.lists(cells, max_size=4)):
        made = made.with_water([cell])
    for cell in draw(st.lists(cells, max_size=4)):
        made = made.with_hits({cell: draw(st.one_of(st.just(0), lengths))})
    for length in draw(st.lists(lengths, max_size=2)):
        made = made.with_wreck(draw(st.sampled_from(all_placements(rules.board, length))))
    for cell in draw(st.lists(cells, max_size=2)):
        made = made.with_sinking(cell, draw(lengths))
    return made


@given(positions())
def test_the_address_and_the_typed_line_hold_the_whole_position(made: Position) -> None:
    assert parse_fields(made.rules, fields_of(made)) == (made, ())
    line = ", ".join(f"{text} {field}" for field, text in fields_of(made).items())
    assert typed(Position(made.rules), line) == made


@pytest.mark.parametrize(
    "line",
    [
        "A1 water  B7 hit  D4h3 sunk  sunk 3 at E9",
        "a1 Wasser, b7 Treffer; D4h3 versenkt. Versenkt 3 bei E9",
        "water A1 hit B7 sunk D4-F4 3@E9",
        "A1 miss, B7 hit, F4–D4 sunk, sunk 3 E9",
    ],
)
def test_a_line_is_understood_in_both_languages_and_orders(line: str) -> None:
    fields = {"water": "A1", "hit": "B7", "sunk": "D4h3 3@E9"}
    assert fields_of(typed(Position(CLASSIC), line)) == fields


def test_a_later_mark_replaces_an_earlier_one_and_clear_removes_it() -> None:
    known = typed(Position(CLASSIC), "A1 B1 water D4h3 sunk")
    assert fields_of(typed(known, "A1 C1-4 hit, E4 clear")) == {"water": "B1", "hit": "A1 C1-4"}


@pytest.mark.parametrize(
    ("lines", "error", "says"),
    [
        ("A1|3 sunk", WithoutResult, "What is at "),
        (
            "Z9 water|K1 hit|hello|J1h3 sunk|C3-9 hit|3@|3@E5@F6|² at A1",
            NotAMark,
            "That can’t be marked on this sea: ",
        ),
        ("A1-C3 sunk|A1 sunk|sunk 7 at A1", NotAShip, "No ship of this fleet can lie there: "),
    ],
)
def test_a_line_that_marks_nothing_is_refused(lines: str, error: type[NotAMark], says: str) -> None:
    for line in lines.split("|"):
        with pytest.raises(error) as refused:
            typed(Position(CLASSIC), line)
        assert type(refused.value) is error, line
        assert refusal(refused.value).startswith(says)


def test_words_of_an_address_that_mark_nothing_are_handed_back() -> None:
    fields = {"water": "A1 a2 K1", "hit": "B2-9 B3", "sunk": "D4h7 3@Z1 D4h3"}
    known, unread = parse_fields(CLASSIC, fields)
    assert fields_of(known) == {"water": "A1", "hit": "B3", "sunk": "D4h3"}
    assert unread == ("a2", "K1", "B2-9", "D4h7", "3@Z1")


# --- the chances, against counting ---


def counted(position: Position) -> tuple[int, list[float]]:
    """The number of fleets that agree, and the chance of each cell, by trying all fleets."""
    hits, sinkings = dict(position.hits), dict(position.sinkings)
    shown, wrecks = {*hits, *sinkings}, set(position.wrecks)

    def fits(fleet: frozenset[Placement]) -> bool:
        lengths = {cell: ship.length for ship in fleet for cell in ship.cells}
        if not wrecks <= fleet or lengths.keys() & position.water:
            return False
        if any(length not in (0, lengths.get(cell)) for cell, length in (hits | sinkings).items()):
            return False
        others = [set(ship.cells) for ship in fleet - wrecks]
        return shown <= lengths.keys() and all(
            len(ship & sinkings.keys()) == (ship <= shown) for ship in others
        )

    found = [fleet for fleet in every_set_of_ships(position.rules) if fits(fleet)]
    chances = [0.0] * position.rules.board.size
    for fleet in found:
        for ship in fleet - wrecks:
            for cell in set(ship.cells) - shown:
                chances[cell] += 1 / len(found)
    return len(found), chances


SEAS = {
    "apart": small((3, 2, 2), 5),
    "touching": small((3, 2, 2), 5, touching=True),
    "wide, corners": still(Ruleset(columns=6, rows=5, fleet=(3, 2, 2), touching=Touching.CORNERS)),
    "single cells": small((2, 1, 1), 5),
}
LINES = (
    "", "A1 B2 C3 D4 water", "C3 hit", "C3-2 hit, D5 water", "C3 hit C4 hit", "B2h2 sunk",
    "B2 hit, sunk 2 at C2", "B2 C2 D2 hit, sunk 2 at E2", "C3 hit, E5 hit, C2 water",
)  # fmt: skip


@pytest.mark.parametrize(("sea", "line"), list(product(SEAS, LINES))[::2])
def test_chances_and_the_number_of_fleets_are_those_of_counting(sea: str, line: str) -> None:
    position = typed(Position(SEAS[sea]), line)
    number, chances = counted(position)
    if not number:
        assert isinstance(look(position), Contradiction)
        return
    found = position_chances(position)
    assert (found.fleets, found.is_exact) == (number, True)
    assert found.cells.tolist() == pytest.approx(chances, abs=6e-5)


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Sets limits of the work to other values."""

    def limited(**limits: object) -> None:
        for name, value in limits.items():
            monkeypatch.setattr(f"game.players.belief.position_chances.{name}", value)
        look.cache_clear()

    yield limited
    look.cache_clear()


def test_a_sample_of_fleets_is_right_to_a_point_and_so_is_their_number(
    limit: Callable[..., None],
) -> None:
    limit(_COUNTING=0)
    for sea, line in product(SEAS, ("", "C3 hit", "C3 hit, E5 hit, C2 water")):
        position = typed(Position(SEAS[sea]), line)
        number, chances = counted(position)
        if number > 100:
            found = position_chances(position)
            assert not found.is_exact
            assert found.fleets == pytest.approx(number, rel=0.1)
            assert found.cells.tolist() == pytest.approx(chances, abs=0.02)


def test_the_classic_sea_has_its_known_number_of_fleets() -> None:
    """30,093,975,536 if the two ships of three cells are told apart."""
    assert position_chances(Position(CLASSIC)).fleets == pytest.approx(30_093_975_536 / 2, rel=0.05)
