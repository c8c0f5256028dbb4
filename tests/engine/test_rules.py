"""Ships, fleets and rulesets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from game.engine.chance import Chance
from game.engine.fleets import (
    Course,
    DoesNotFit,
    NotAPlacement,
    OffBoard,
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
    steered,
)
from game.engine.geometry import Board, Direction
from game.engine.presets import BONN, PRESETS
from game.engine.rules import MOST_ACTIONS, AtLimit, IllegalRules, Ruleset, Side
from tests.support import boards, naive
from tests.support.boards import PLAIN, SEED, draw_cells, draw_fleet, fleet, rules

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
    board = Board(5, 4)
    placement = parse_placement(board, text)
    assert str(placement) == placement.text == text
    assert draw_fleet(board, (placement,)) == boards.panel(ship)
    covered = (cell for cell in board.cells if placement.mask >> cell & 1)
    around = (cell for cell in board.cells if placement.halo >> cell & 1)
    assert draw_cells(board, covered, "a") == boards.panel(ship)
    assert draw_cells(board, around) == boards.panel(halo)
    assert placement.bow == placement.cells[0] == board.parse(text[:2])


@pytest.mark.parametrize("text", ["B2v1", "B2h1"])
def test_a_ship_of_one_cell_has_one_spelling(text: str) -> None:
    assert str(parse_placement(Board(5, 4), text)) == "B2h1"
    across, down = (place(Board(5, 4), Board(5, 4).parse("B2"), way, 1) for way in Direction)
    assert across == down


@pytest.mark.parametrize("text", ["C1h4", "D4h3", "A2v4", "E4v2", "A1h8", "A1v8"])
def test_a_ship_over_the_edge_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(OffBoard, match=rf"^off the board: {text}$"):
        parse_placement(Board(5, 4), text)


@pytest.mark.parametrize(
    "text",
    ["", "C4", "C4h", "C4h0", "C4h9", "C4h10", "C4d3", "C4H3", "c4h3", "C04h3", "C4h3 ", " C4h3",
     "C4h3\n", "4Ch3", "C4h٣", "K1h3", "A11v2", "P1h1"],
)  # fmt: skip
def test_text_that_is_no_placement_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(NotAPlacement) as refusal:
        parse_placement(Board(10, 10), text)
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


def test_a_fleet_may_be_given_in_any_order_and_comes_in_the_rulesets() -> None:
    ships = fleet(LAID)
    for given in permutations(ships):
        made = make_fleet(rules(LAID), given)
        assert made[0] == ships[0]
        assert [ship for ship in given if ship.length == 2] == list(made[1:])


def test_ships_that_touch_are_refused_and_quoted() -> None:
    drawn = boards.panel("aa... ..b.. ..b.. .....")
    ships = fleet(drawn)
    with pytest.raises(ShipsTouch, match=rf"^touching: {ships[1]} and {ships[0]}$"):
        make_fleet(rules(drawn), ships)


@pytest.mark.parametrize("touching", [True, False])
def test_ships_never_lie_on_the_same_cell(touching: bool) -> None:
    ruleset = rules("aaa.\nbb..\n....\n....", touching=touching)
    crossing = [parse_placement(ruleset.board, text) for text in ("A2h3", "C1v2")]
    with pytest.raises(ShipsOverlap, match=r"^on the same cell: C1v2 and A2h3$"):
        make_fleet(ruleset, crossing)
    with pytest.raises(ShipsOverlap):
        check_part(ruleset, crossing[::-1])


def test_a_fleet_of_other_ships_is_refused() -> None:
    ruleset, ships = rules(LAID), fleet(LAID)
    with pytest.raises(WrongShips, match=r"^missing ships of length: 2$"):
        make_fleet(ruleset, ships[:2])
    with pytest.raises(WrongShips, match=r"^missing ships of length: 3, 2, 2$"):
        make_fleet(ruleset, ())
    for too_many in ("E1h1", "E1v2", "C4h2", "A1h3"):
        with pytest.raises(WrongShips, match=f"^one too many of length [1-3]: {too_many}$"):
            make_fleet(ruleset, (*ships, parse_placement(ruleset.board, too_many)))


def test_part_of_a_fleet_is_judged_by_the_same_rules() -> None:
    ruleset, ships = rules(LAID), fleet(LAID)
    check_part(ruleset, ())
    check_part(ruleset, ships[1:])
    with pytest.raises(ShipsTouch):
        check_part(ruleset, (ships[0], parse_placement(ruleset.board, "D2v2")))
    with pytest.raises(WrongShips):
        check_part(ruleset, (parse_placement(ruleset.board, "A1h4"),))


def test_missing_tells_the_lengths_still_to_be_placed_in_the_fleets_order() -> None:
    ruleset, (three, two, other) = rules(LAID), fleet(LAID)
    assert missing(ruleset, ()) == (3, 2, 2)
    assert missing(ruleset, (two,)) == missing(ruleset, (other,)) == (3, 2)
    assert missing(ruleset, (other, three, two)) == ()


@pytest.mark.parametrize(
    ("touching", "free"),
    [(True, "...** ***** ..**. ****."), (False, "....* ..... ..... .....")],
)
def test_a_ship_blocks_its_own_cells_and_where_none_may_touch_those_around(
    touching: bool, free: str
) -> None:
    ruleset = rules(LAID, touching=touching)
    blocked = blocked_by(ruleset, fleet(LAID))
    unblocked = (cell for cell in ruleset.board.cells if not blocked >> cell & 1)
    assert draw_cells(ruleset.board, unblocked) == boards.panel(free)


# --- completing a fleet by chance ---


def test_a_completed_fleet_is_legal_and_keeps_what_was_placed() -> None:
    placed = fleet("""
        ..........
        .aaa......
        ..........
        ..........
        ......b...
        ......b...
        ..........
        ..........
        ..........
        ..........
    """)
    for ply in range(50):
        made = complete(BONN, placed, Chance(SEED, "deploy", ply))
        assert set(placed) <= set(made)
        assert make_fleet(BONN, made) == made


def test_a_completed_fleet_follows_from_its_chance() -> None:
    made = [complete(BONN, (), Chance(SEED, "deploy", ply)) for ply in (0, 0, 1)]
    assert made[0] == made[1] != made[2]


def test_a_single_ship_is_placed_everywhere_with_the_same_chance() -> None:
    ruleset = rules("aaa.\n....\n....\n....")
    counted = Counter(
        str(complete(ruleset, (), Chance(SEED, "deploy", ply))[0]) for ply in range(3200)
    )
    expected = 3200 / 16
    surprise = sum((seen - expected) ** 2 / expected for seen in counted.values())
    assert len(counted) == 16
    assert surprise < 37.70, "chi-square with 15 degrees of freedom, 0.1 %"


def test_a_fleet_that_fits_in_one_way_only_is_found() -> None:
    full = "\n".join(["aaaa", "bbbb", "cccc", "dddd"])
    ruleset = rules(full, touching=True)
    for ply in range(20):
        made = complete(ruleset, (), Chance(SEED, "deploy", ply))
        assert sum(ship.mask for ship in made) == 2**16 - 1


@pytest.mark.parametrize(
    ("laid", "touching"),
    [("aabb ccdd eeff gghh iijj", True), ("aaaa. ..... bbb.d ..... ccc.e", False)],
)
def test_a_fleet_with_little_room_is_found_by_going_back(laid: str, touching: bool) -> None:
    ruleset = rules(boards.panel(laid), touching=touching)
    for ply in range(30):
        made = complete(ruleset, (), Chance(bytes(16), "deploy", ply))
        assert make_fleet(ruleset, made) == made


def test_what_is_placed_so_that_the_rest_fits_nowhere_is_refused() -> None:
    ruleset = Ruleset(columns=4, rows=4, fleet=(4, 2, 2), **PLAIN)
    in_the_way = fleet("""
        ....
        .aa.
        ....
        bb..
    """)
    with pytest.raises(DoesNotFit, match=r"^no place found for ships of length: 4$"):
        complete(ruleset, in_the_way, Chance(SEED, "deploy", 0))
    assert complete(ruleset, (), Chance(SEED, "deploy", 0))


def test_completing_an_illegal_beginning_is_refused_for_its_own_rule() -> None:
    ruleset = rules(LAID)
    touching = [parse_placement(ruleset.board, text) for text in ("A1h2", "A2h2")]
    with pytest.raises(ShipsTouch):
        complete(ruleset, touching, Chance(SEED, "deploy", 0))


# --- steering ---


@pytest.mark.parametrize(
    ("text", "fore", "aft"),
    [("B2h3", "A2h3", "C2h3"), ("A2h3", None, "B2h3"), ("C2h3", "B2h3", None),
     ("C2v2", "C1v2", "C3v2"), ("C1v2", None, "C2v2"), ("C3v2", "C2v2", None),
     ("A1v4", None, None), ("B2h1", "A2h1", "C2h1"), ("A4h1", None, "B4h1")],
)  # fmt: skip
def test_fore_is_towards_a_or_1_along_the_ships_own_axis(
    text: str, fore: str | None, aft: str | None
) -> None:
    board = Board(5, 4)
    there = [
        steered(board, parse_placement(board, text), course) for course in (Course.FORE, Course.AFT)
    ]
    assert [ship and str(ship) for ship in there] == [fore, aft]


# --- rulesets ---


def test_bonn_is_played_as_at_bonn() -> None:
    assert PRESETS["bonn"].ruleset is BONN
    assert (BONN.columns, BONN.rows) == (10, 10)
    assert BONN.fleet == (5, 4, 4, 3, 3, 3, 2, 2, 2, 2)
    assert (BONN.touching, BONN.again, BONN.moving, BONN.salvo) == (False, True, True, False)
    assert (BONN.turns, BONN.limit, BONN.at_limit) == (150, 150, AtLimit.AFLOAT)


@pytest.mark.parametrize(("turns", "countdown"), [(150, 40), (75, 20), (30, 8), (999, 40)])
def test_the_countdown_is_as_long_a_part_of_a_match_as_at_bonn_and_never_longer(
    turns: int, countdown: int
) -> None:
    assert replace(BONN, moving=False, turns=turns).countdown == countdown
    assert replace(BONN, moving=False, turns=None).countdown == 0


@pytest.mark.parametrize("begins", Side)
def test_each_side_has_turns_of_its_own(begins: Side) -> None:
    rules, other = replace(BONN, begins=begins), begins.opponent
    assert [rules.turns_of(begins, count) for count in range(5)] == [0, 1, 1, 2, 2]
    assert [rules.turns_of(other, count) for count in range(5)] == [0, 0, 1, 1, 2]


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
        ({"turns": -1}, "not a number of turns from 1 to 1998: -1"),
        ({"turns": 1999, "moving": False}, "not a number of turns from 1 to 1998: 1999"),
        ({"turns": 999}, "too long to be kept in an address: 999 turns"),
        ({"moving": False, "questions": 16}, "not 0 to 15 questions: 16"),
        ({"moving": False, "questions": -1}, "not 0 to 15 questions: -1"),
        ({"questions": 1}, "questions need ships that lie still"),
        ({"moving": False, "salvo": True, "questions": 1}, "questions need ships that lie still"),
        ({"columns": 15, "rows": 15, "fleet": (2,) * 24, "salvo": True, "turns": None},
         "too many shots in a turn to be kept in an address"),
    ],
)  # fmt: skip
def test_a_ruleset_that_can_not_be_played_is_refused_with_the_reason(
    wrong: dict[str, Any], why: str
) -> None:
    with pytest.raises(IllegalRules, match=f"^{why}"):
        Ruleset(**wrong)


@pytest.mark.parametrize(
    "switches",
    [
        {"columns": 8, "rows": 4, "fleet": (8,)},
        {"columns": 4, "rows": 8, "fleet": (8,)},
        {"columns": 4, "rows": 4, "fleet": (4, 4)},
        {"columns": 4, "rows": 4, "fleet": (4,) * 4, "touching": True},
        {"columns": 4, "rows": 4, "fleet": (1,)},
        {"columns": 15, "rows": 15, "fleet": (1,) * 225, "touching": True, "moving": False},
        {"turns": 1},
        {"turns": 999, "moving": False},
        {"turns": None, "moving": False},
    ],
)
def test_a_ruleset_at_the_edge_of_what_can_be_played_is_taken(switches: dict[str, Any]) -> None:
    assert Ruleset(**switches).most_actions <= MOST_ACTIONS


def worst(ruleset: Ruleset, turns: int) -> int:
    """The actions of a match where every cell of every ship earns a volley more."""
    shots_each = len(ruleset.fleet) if ruleset.salvo else 1
    hits = 2 * sum(ruleset.fleet) if ruleset.again else 0
    return (turns + hits) * shots_each + turns


@pytest.mark.parametrize("salvo", [True, False])
@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("lengths", [(5, 4, 4, 3, 3, 3, 2, 2, 2, 2), (2,), (1,) * 20])
def test_moving_ships_without_a_limit_play_as_long_as_the_record_fits(
    lengths: tuple[int, ...], again: bool, salvo: bool
) -> None:
    ruleset = Ruleset(fleet=lengths, again=again, salvo=salvo, moving=True, turns=None)
    assert ruleset.limit is not None
    assert worst(ruleset, ruleset.limit) == ruleset.most_actions <= 1400
    assert ruleset.limit == 999 or worst(ruleset, ruleset.limit + 1) > 1400


def test_ships_that_stay_put_need_no_limit() -> None:
    ruleset = Ruleset(moving=False, turns=None)
    assert ruleset.limit is None
    assert ruleset.most_actions == 200, "each side fires at each cell once"


def test_a_limit_is_kept_as_it_was_set() -> None:
    assert Ruleset(moving=True, turns=60).limit == 60
    assert Ruleset(moving=False, turns=60).limit == 60
