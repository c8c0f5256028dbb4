"""Ships, fleets and rulesets."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from game.engine.chance import Chance
from game.engine.fleets import (
    DoesNotFit,
    IllegalFleet,
    NotAPlacement,
    OffBoard,
    Placement,
    ShipsOverlap,
    ShipsTouch,
    WrongShips,
    all_placements,
    blocked_by,
    check_part,
    complete,
    make_fleet,
    missing,
    parse_placement,
    place,
)
from game.engine.geometry import Board, Direction
from game.engine.presets import BONN
from game.engine.rules import IllegalRules, Ruleset, Side, Touching
from tests.support import naive
from tests.support.boards import PLAIN, SEED, cells, draw_cells, fleet, panel, rules

SEA = Board(5, 4)


def ships(text: str, board: Board = SEA) -> list[Placement]:
    return [parse_placement(board, word) for word in text.split()]


# --- placements ---


@pytest.mark.parametrize(
    ("text", "ship", "halo"),
    [
        ("B2h3", "..... .aaa. ..... .....", "***** ***** ***** ....."),
        ("C1v2", "..a.. ..a.. ..... .....", ".***. .***. .***. ....."),
        ("A1h1", "a.... ..... ..... .....", "**... **... ..... ....."),
        ("E1v4", "....a ....a ....a ....a", "...** ...** ...** ...**"),
        ("D4h2", "..... ..... ..... ...aa", "..... ..... ..*** ..***"),
    ],
)
def test_a_placement_is_written_as_bow_direction_and_length(
    text: str, ship: str, halo: str
) -> None:
    (placement,) = ships(text)
    assert str(placement) == placement.text == text
    assert (placement,) == fleet(panel(ship))
    assert placement.mask == sum(1 << cell for cell in cells(panel(ship), "a"))
    assert placement.halo == sum(1 << cell for cell in cells(panel(halo)))
    assert placement.bow == placement.cells[0] == SEA.parse(text[:2])


@pytest.mark.parametrize("text", ["B2v1", "B2h1"])
def test_a_ship_of_one_cell_has_one_spelling(text: str) -> None:
    (ship,) = ships(text)
    assert str(ship) == "B2h1"
    assert {place(SEA, ship.bow, way, 1) for way in Direction} == {ship}


@pytest.mark.parametrize("text", ["C1h4", "D4h3", "A2v4", "E4v2", "A1h8", "A1v8"])
def test_a_ship_over_the_edge_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(OffBoard, match=rf"^off the board: {text}$"):
        ships(text)


NO_PLACEMENTS = (
    "|C4|C4h|C4h0|C4h9|C4h10|C4d3|C4H3|c4h3|C04h3|C4h3 | C4h3|C4h3\n|4Ch3|C4h٣|K1h3|A11v2|P1h1"
)


@pytest.mark.parametrize("text", NO_PLACEMENTS.split("|"))
def test_text_that_is_no_placement_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotAPlacement) as refusal:
        parse_placement(BONN.board, text)
    assert str(refusal.value) == f"not a placement: {text!r}"


@pytest.mark.parametrize(
    ("columns", "rows", "length"),
    [(4, 4, 1), (4, 4, 4), (4, 4, 5), (5, 4, 2), (4, 15, 8), (15, 4, 8), (10, 10, 5), (7, 9, 3)],
)
def test_all_placements_are_all_the_places_once_each(columns: int, rows: int, length: int) -> None:
    board = Board(columns, rows)
    found = all_placements(board, length)
    spots = [frozenset((board.column(c), board.row(c)) for c in ship.cells) for ship in found]
    assert Counter(spots) == Counter(naive.places(columns, rows, length))
    assert [parse_placement(board, str(ship)) for ship in found] == list(found)
    texts = [(ship.direction is Direction.DOWN, ship.bow) for ship in found]
    assert texts == sorted(texts), "not those across row by row and then those down"


# --- fleets ---

LAID = """
    aaa..
    .....
    bb..c
    ....c
"""
RULES = rules(LAID)


def test_a_fleet_may_be_given_in_any_order_and_comes_in_the_rulesets() -> None:
    for given in permutations(fleet(LAID)):
        three, *twos = make_fleet(RULES, given)
        assert three == fleet(LAID)[0]
        assert [ship for ship in given if ship.length == 2] == twos


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("A1h3 D2v2", ShipsTouch, "touching: D2v2 and A1h3"),
        ("A1h3 E3v2 C4h2", ShipsTouch, "touching: C4h2 and E3v2"),
        ("A2h3 C1v2", ShipsOverlap, "on the same cell: C1v2 and A2h3"),
        ("A1h3 A3h2", WrongShips, "missing ships of length: 2"),
        ("", WrongShips, "missing ships of length: 3, 2, 2"),
        ("A1h3 A3h2 E3v2 E1h1", WrongShips, "one too many of length 1: E1h1"),
        ("A1h3 A3h2 E3v2 C3h2", WrongShips, "one too many of length 2: C3h2"),
        ("A1h3 A1h3", WrongShips, "one too many of length 3: A1h3"),
        ("A1h4", WrongShips, "one too many of length 4: A1h4"),
    ],
)
def test_ships_that_make_no_fleet_are_refused_and_so_is_a_part_but_for_what_is_missing(
    text: str, error: type[IllegalFleet], why: str
) -> None:
    with pytest.raises(error, match=f"^{why}$"):
        make_fleet(RULES, ships(text))
    if why.startswith("missing"):
        check_part(RULES, ships(text))
        return
    with pytest.raises(error, match=f"^{why}$"):
        check_part(RULES, ships(text))
    with pytest.raises(error, match=f"^{why}$"):
        complete(RULES, ships(text), Chance(SEED, "deploy", 0))


def test_a_ship_of_another_board_is_refused() -> None:
    for text in ("D4h3", "A9h2", "J10v1"):
        (stray,) = ships(text, Board(12, 12))
        with pytest.raises(NotAPlacement, match=f"^not a place on this board: {text[:-2]}"):
            check_part(Ruleset(columns=5, rows=4, fleet=(3, 2, 1), **PLAIN), [stray])


def test_missing_tells_the_lengths_still_to_be_placed_in_the_fleets_order() -> None:
    three, two, other = fleet(LAID)
    assert missing(RULES, ()) == (3, 2, 2)
    assert missing(RULES, (two,)) == missing(RULES, (other,)) == (3, 2)
    assert missing(RULES, (other, three, two)) == ()


@pytest.mark.parametrize(
    ("touching", "free"),
    [
        (True, "...** ***** ..**. ****."),
        (Touching.CORNERS, "....* ...*. ..... ..*.."),
        (False, "....* ..... ..... ....."),
    ],
)
def test_a_ship_blocks_its_own_cells_and_those_where_others_would_touch_it(
    touching: Touching | bool, free: str
) -> None:
    blocked = blocked_by(replace(RULES, touching=touching), fleet(LAID))
    unblocked = (cell for cell in SEA.cells if not blocked >> cell & 1)
    assert draw_cells(SEA, unblocked) == panel(free)


# --- completing a fleet by chance ---


def test_a_completed_fleet_is_legal_keeps_what_was_placed_and_follows_from_its_chance() -> None:
    placed = ships("B2h3 G5v2", BONN.board)
    made = [complete(BONN, placed, Chance(SEED, "deploy", ply)) for ply in (*range(20), 0)]
    assert made[0] == made.pop() != made[1]
    for one in made:
        assert set(placed) <= set(one)
        assert make_fleet(BONN, one) == one


@pytest.mark.parametrize(
    ("laid", "touching"),
    [
        ("aaaa bbbb cccc dddd", True),
        ("aabb ccdd eeff gghh iijj", True),
        ("aaaa. ..... bbb.d ..... ccc.e", False),
    ],
)
def test_a_fleet_with_little_room_is_found_by_going_back(laid: str, touching: bool) -> None:
    ruleset = rules(panel(laid), touching=touching)
    for ply in range(20):
        made = complete(ruleset, (), Chance(SEED, "deploy", ply))
        assert make_fleet(ruleset, made) == made


def test_what_is_placed_so_that_the_rest_fits_nowhere_is_refused() -> None:
    ruleset = Ruleset(columns=4, rows=4, fleet=(4, 2, 2), **PLAIN)
    with pytest.raises(DoesNotFit, match=r"^no place found for ships of length: 4$"):
        complete(ruleset, ships("B2h2 A4h2", ruleset.board), Chance(SEED, "deploy", 0))
    assert complete(ruleset, (), Chance(SEED, "deploy", 0))


# --- rulesets ---


@pytest.mark.parametrize(("turns", "countdown"), [(150, 40), (75, 20), (30, 8), (999, 40)])
def test_the_countdown_is_as_long_a_part_of_a_match_as_at_bonn_and_never_longer(
    turns: int, countdown: int
) -> None:
    assert replace(BONN, moving=False, turns=turns).countdown == countdown
    assert replace(BONN, moving=False, turns=None).countdown == 0


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"columns": 3}, "not a board side from 4 to 15: 3"),
        ({"rows": 16}, "not a board side from 4 to 15: 16"),
        ({"fleet": ()}, "not a fleet of 1 to 225 ships: 0 ships"),
        ({"fleet": (1,) * 226}, "not a fleet of 1 to 225 ships: 226 ships"),
        ({"fleet": (3, 0)}, "not a length from 1 to 8: 0"),
        ({"fleet": (9,)}, "not a length from 1 to 8: 9"),
        ({"columns": 5, "rows": 7, "fleet": (8,)}, "longer than the board: 8"),
        ({"columns": 4, "rows": 4, "fleet": (4,) * 3}, "the fleet needs 5 cells more than there"),
        ({"columns": 4, "rows": 4, "fleet": (4,) * 5, "touching": True},
         "the fleet needs 4 cells more than there are"),
        ({"turns": 0}, "not a number of turns from 1 to 1998: 0"),
        ({"turns": 1999, "moving": False}, "not a number of turns from 1 to 1998: 1999"),
        ({"turns": 999}, "too long to be kept in an address: 999 turns"),
        ({"moving": False, "questions": 16}, "not 0 to 15 questions: 16"),
        ({"moving": False, "questions": -1}, "not 0 to 15 questions: -1"),
        ({"questions": 1}, "questions need ships that lie still"),
        ({"moving": False, "salvo": True, "questions": 1}, "questions need ships that lie still"),
        ({"columns": 15, "rows": 15, "fleet": (2,) * 24, "salvo": True, "turns": None},
         "too many shots in a turn to be kept in an address"),
        ({"solo": True, "begins": Side.SECOND}, "who searches alone begins"),
    ],
)  # fmt: skip
def test_a_ruleset_that_can_not_be_played_is_refused_with_the_reason(
    wrong: dict[str, Any], why: str
) -> None:
    with pytest.raises(IllegalRules, match=f"^{why}"):
        Ruleset(**wrong)


@pytest.mark.parametrize(
    ("switches", "actions"),
    [
        ({"columns": 8, "rows": 4, "fleet": (8,)}, 316),
        ({"columns": 4, "rows": 4, "fleet": (4, 4)}, 316),
        ({"columns": 4, "rows": 4, "fleet": (4,) * 4, "touching": True}, 332),
        ({"columns": 4, "rows": 4, "fleet": (1,)}, 302),
        ({"columns": 15, "rows": 15, "fleet": (1,) * 225, "touching": True, "moving": False}, 450),
        ({"turns": 1}, 62),
        ({"turns": 999, "moving": False}, 200),
        ({"turns": None, "moving": False, "questions": 15}, 230),
        ({"turns": 60, "solo": True}, 90),
        ({"turns": 60, "solo": True, "moving": False, "questions": 2}, 62),
        ({"turns": None, "solo": True, "moving": False}, 100),
    ],
)
def test_a_ruleset_at_the_edge_of_what_can_be_played_is_taken(
    switches: dict[str, Any], actions: int
) -> None:
    assert Ruleset(**switches).most_actions == actions
