"""A match: whose turn it is, what a shot meets, how ships move, and how it ends."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from game.engine.actions import (
    STAY,
    Action,
    CellSpent,
    CourseBlocked,
    Fire,
    IllegalAction,
    MatchOver,
    NoSuchShip,
    NotFiring,
    NotMoving,
    Outcome,
    Phase,
    Reason,
    ShipHit,
    Steer,
)
from game.engine.fleets import (
    Course,
    IllegalFleet,
    ShipsOverlap,
    ShipsTouch,
    WrongShips,
    parse_placement,
)
from game.engine.geometry import Cell, NotACell
from game.engine.match import Match
from game.engine.rules import AtLimit, Side
from tests.support.boards import (
    SEED,
    action,
    fleets,
    panel,
    picture,
    play,
    rules,
    show,
    side_by_side,
    start,
    waters,
)

FIRST, SECOND = Side


def results(match: Match) -> list[str]:
    return [shot.result.value for shot in match.shots]


def state(match: Match) -> tuple[Side, Phase, int]:
    return match.side, match.phase, match.turn


def steers(match: Match, script: str) -> tuple[Action, ...]:
    return tuple(action(match.ruleset.board, text) for text in script.split())


def alike(rows: str) -> str:
    return side_by_side(rows, rows)


# --- beginning ---

STILL = """
    aaa..  .....
    .....  .bb..
    ...b.  .....
    ...b.  .aaa.
"""


@pytest.mark.parametrize("begins", Side)
def test_the_side_that_the_ruleset_names_begins(begins: Side) -> None:
    match = start(STILL, begins=begins)
    assert state(match) == (begins, Phase.FIRING, 0)
    assert (match.ply, match.outcome, match.shots, match.aimed) == (0, None, (), ())
    match = play(match, "A1")
    assert match.shots[0].side is begins
    assert state(match) == (begins.opponent, Phase.FIRING, 1)


def test_a_fleet_that_the_rules_forbid_is_refused_on_either_side() -> None:
    ruleset, (first, second) = rules(STILL), fleets(STILL)
    beside, across = (parse_placement(ruleset.board, text) for text in ("D2v2", "C1v2"))
    for wrong, error in [
        ((first[0], beside), ShipsTouch),
        ((first[0], across), ShipsOverlap),
        (first[:1], WrongShips),
        ((*first, first[0]), WrongShips),
        (first[::-1], IllegalFleet),
    ]:
        with pytest.raises(error):
            Match(ruleset, (wrong, second), SEED)
        with pytest.raises(error):
            Match(ruleset, (second, wrong), SEED)


def test_touching_ships_are_taken_where_touching_is_allowed() -> None:
    laid = """
        aaa.  a...
        bb..  ab..
        ....  ab..
        ....  ....
    """
    with pytest.raises(ShipsTouch):
        start(laid, touching=False)
    assert show(start(laid, touching=True)) == picture(laid)


@pytest.mark.parametrize("length", [0, 15, 17])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^not a seed of 16 bytes: {length} bytes$"):
        start(STILL, seed=bytes(length))


# --- firing ---


def test_a_shot_meets_water_or_hits_or_sinks() -> None:
    match = play(start(STILL), "A1 A1 B2 A2 C2 A3 C3")
    assert show(match) == picture("""
        Aaa..  ~....
        ~....  .##..
        ~..b.  ..~..
        ...b.  .aaa.
    """)
    assert results(match) == ["water", "hit", "hit", "water", "sunk", "water", "water"]
    assert [str(shot.wreck) for shot in match.shots if shot.wreck] == ["B2h2"]
    assert [(shot.ply, shot.turn) for shot in match.shots] == [(n, n) for n in range(7)]
    assert [match.afloat(side) for side in Side] == [2, 1]
    assert [match.is_afloat(SECOND, ship) for ship in (0, 1)] == [True, False]


def test_without_again_every_shot_ends_the_turn() -> None:
    match = start(STILL, again=False)
    for turn, shot in enumerate(["B4", "A1", "C4", "B1", "D4", "E4"]):
        assert state(match) == (Side(turn % 2), Phase.FIRING, turn)
        match = play(match, shot)
    assert results(match) == ["hit", "hit", "hit", "hit", "sunk", "water"]


def test_with_again_a_hit_or_a_sinking_fires_again_and_water_does_not() -> None:
    match = start(STILL, again=True)
    for shot in ("B4", "C4", "D4", "A1"):
        assert state(match) == (FIRST, Phase.FIRING, 0)
        match = play(match, shot)
    assert results(match) == ["hit", "hit", "sunk", "water"]
    assert state(match) == (SECOND, Phase.FIRING, 1)
    assert match.sides == (FIRST,) * 4


def test_the_last_ply_of_a_side_is_that_of_its_last_action() -> None:
    match = start(STILL, again=True)
    assert [match.last_ply(side) for side in Side] == [-1, -1]
    match = play(match, "B4 C4 A1 E4")
    assert match.sides == (FIRST, FIRST, FIRST, SECOND)
    assert [match.last_ply(side) for side in Side] == [2, 3]


def test_each_side_fires_at_the_others_waters_alone() -> None:
    match = play(start(STILL), "A1 A1")
    assert match.spent(FIRST) == match.spent(SECOND) == {Cell(0)}
    assert results(match) == ["water", "hit"]


@pytest.mark.parametrize("begins", Side)
def test_whoever_sinks_the_last_ship_wins_at_once(begins: Side) -> None:
    laid = alike("..... .bb.. ..... .aaa.")
    match = start(laid, again=True, moving=True, turns=9, begins=begins)
    match = play(match, "B4 C4 D4 B2")
    assert match.outcome is None
    match = play(match, "C2")
    assert match.outcome == Outcome(begins, Reason.ALL_SUNK)
    assert (match.phase, match.ply, match.shots_left) == (Phase.OVER, 5, 0)
    assert match.afloat(begins.opponent) == 0
    whole, sunk = "..... .bb.. ..... .aaa.", "..... .##.. ..... .###."
    assert show(match) == (
        side_by_side(whole, sunk) if begins is FIRST else side_by_side(sunk, whole)
    )


# --- salvo ---

SALVO = """
    a.b.c  a.b.c
    a.b.c  a.b.c
    .....  .....
    .....  .....
"""


def test_in_a_salvo_nothing_is_told_before_the_last_shot_is_aimed() -> None:
    match = start(SALVO, salvo=True)
    assert match.shots_left == 3
    match = play(match, "A1 D4")
    assert (match.shots, match.shots_left) == ((), 1)
    assert match.aimed == (Cell(0), Cell(18))
    assert state(match) == (FIRST, Phase.FIRING, 0)
    assert match.hits(SECOND) == frozenset()
    assert show(match) == picture(SALVO)
    match = play(match, "A2")
    assert results(match) == ["hit", "water", "sunk"]
    assert [shot.ply for shot in match.shots] == [0, 1, 2]
    assert match.aimed == ()
    assert state(match) == (SECOND, Phase.FIRING, 1)


def test_a_salvo_has_a_shot_for_each_own_ship_afloat() -> None:
    match = play(start(SALVO, salvo=True), "A1 A2 C1")
    assert match.shots_left == 2, "one of three ships is sunk"
    match = play(match, "D1 D2")
    assert match.shots_left == 3
    match = play(match, "C2 D1 D2")
    assert match.shots_left == 1
    assert show(match) == picture("""
        a.b~c  #.#~c
        a.b~c  #.#~c
        .....  .....
        .....  .....
    """)


def test_without_salvo_there_is_one_shot_whatever_is_afloat() -> None:
    match = start(SALVO, salvo=False)
    assert match.shots_left == 1
    assert play(match, "A1").side is SECOND


def test_a_salvo_is_never_larger_than_the_waters_left_to_fire_at() -> None:
    match = start(alike("ab.. .... .... ...c"), salvo=True, touching=True)
    for volley, answer in [
        ("A1 B1 C1", "A2"),  # sinks two of three, so that one shot answers
        ("D1 A2 B2", "B2"),
        ("C2 D2 A3", "C2"),
        ("B3 C3 D3", "D2"),
        ("A4 B4 C4", "A3"),
    ]:
        match = play(match, f"{volley} {answer}")
    assert (match.afloat(FIRST), match.shots_left) == (3, 1)
    assert play(match, "D4").outcome == Outcome(FIRST, Reason.ALL_SUNK)


def test_with_salvo_and_again_one_hit_among_the_volley_earns_another_volley() -> None:
    match = play(start(SALVO, salvo=True, again=True), "D4 A1 D3")
    assert (state(match), match.shots_left) == ((FIRST, Phase.FIRING, 0), 3)
    match = play(match, "B1 B2 B3")
    assert (state(match), match.shots_left) == ((SECOND, Phase.FIRING, 1), 3)


def test_with_salvo_alone_a_volley_of_hits_ends_the_turn() -> None:
    match = play(start(SALVO, salvo=True, again=False), "A1 C1 E1")
    assert results(match) == ["hit"] * 3
    assert state(match) == (SECOND, Phase.FIRING, 1)


def test_the_salvo_that_wins_is_told_whole() -> None:
    match = play(start(alike("a.b. .... .... ...."), salvo=True), "A1 D4 D4 C1 D1")
    assert match.outcome == Outcome(FIRST, Reason.ALL_SUNK)
    assert results(match) == ["sunk", "water", "water", "sunk", "water"]


# --- moving ---

FLEET = """
    .aa..  .....
    .....  .aa..
    ..b..  ....b
    ..b..  ....b
"""


def at_sea(text: str = FLEET, **switches: Any) -> Match:
    return start(text, **{"moving": True, "turns": 40, **switches})


def test_after_firing_a_ship_may_be_moved_by_one_cell_and_the_turn_ends() -> None:
    match = play(at_sea(), "A1")
    assert (state(match), match.shots_left) == ((FIRST, Phase.MOVING, 0), 0)
    match = play(match, "a<")
    assert state(match) == (SECOND, Phase.FIRING, 1)
    assert match.sides == (FIRST, FIRST)
    assert show(match) == picture("""
        aa...  ~....
        .....  .aa..
        ..b..  ....b
        ..b..  ....b
    """)
    assert show(play(match, "C1 b< B2")) == picture("""
        aa~..  ~....
        .....  .Aa.b
        ..b..  ....b
        ..b..  .....
    """)


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        (".... .aa. .... ....", "a<", ".... aa.. .... ...."),
        (".... .aa. .... ....", "a>", ".... ..aa .... ...."),
        (".... .a.. .a.. ....", "a<", ".a.. .a.. .... ...."),
        (".... .a.. .a.. ....", "a>", ".... .... .a.. .a.."),
        (".... .a.. .... ....", "a<", ".... a... .... ...."),
        (".... .a.. .a.. ....", "stay", ".... .a.. .a.. ...."),
    ],
)
def test_fore_is_towards_a_or_1_aft_is_away_and_whoever_likes_stays(
    before: str, move: str, after: str
) -> None:
    match = play(at_sea(alike(before)), f"D4 {move}")
    assert waters(match, FIRST) == panel(after)
    assert waters(match, SECOND) == panel(f"{before[:-4]}...~")


@pytest.mark.parametrize("again", [True, False])
def test_the_move_comes_after_the_last_shot_of_the_turn(again: bool) -> None:
    match = play(at_sea(again=again), "B2")
    assert state(match) == (FIRST, Phase.FIRING if again else Phase.MOVING, 0)
    match = play(match, "E2 stay" if again else "stay")
    assert state(match) == (SECOND, Phase.FIRING, 1)


def test_with_salvo_the_move_comes_after_the_whole_volley() -> None:
    match = play(at_sea(salvo=True), "A1")
    assert state(match) == (FIRST, Phase.FIRING, 0)
    assert state(play(match, "A2")) == (FIRST, Phase.MOVING, 0)


def test_where_ships_do_not_move_no_move_is_asked_for() -> None:
    match = play(start(FLEET, moving=False), "A1")
    assert state(match) == (SECOND, Phase.FIRING, 1)
    assert match.steers(FIRST) == match.steers(SECOND) == ()


def test_a_salvo_holds_a_ship_in_place_only_once_it_is_told() -> None:
    both = (Steer(0, Course.FORE), Steer(1, Course.FORE))
    match = play(at_sea(salvo=True), "B2")
    assert match.steers(SECOND) == both
    match = play(match, "A1")
    assert match.steers(SECOND) == both[1:]


@pytest.mark.parametrize(
    ("touching", "laid", "moves"),
    [
        (False, "aa.bb ..... ..... .....", ""),
        (False, "aa... ..... ..b.. ..b..", "a>"),
        (False, "aa... ..... b.... b....", "a>"),
        (False, "..... aa... ...b. ...b.", "b<"),
        (False, "..... aa... ..... ..bb.", "a> b< b>"),
        (False, "aaaaa ..... bbbb. .....", "b>"),
        (False, "a.... ..... b.... .....", "a> b>"),  # a single cell lies across
        (True, "aa.bb ..... ..... .....", "a> b<"),
        (True, "aabb. ..... ..... .....", "b>"),
        (True, "aa... ..... b.... b....", "a> b<"),
        (True, "aa... b.... b.... .....", "a> b>"),
        (True, "a.... b.... ..... .....", "a> b>"),
    ],
)
def test_the_new_place_must_be_legal_beside_every_ship_afloat(
    touching: bool, laid: str, moves: str
) -> None:
    match = at_sea(alike(laid), touching=touching)
    legal = steers(match, moves)
    assert match.steers(FIRST) == match.steers(SECOND) == legal
    match = play(match, "E4")
    if not legal:
        assert state(match) == (SECOND, Phase.FIRING, 1), "there is nothing to decide"
        return
    for steer in (Steer(ship, course) for ship in (0, 1) for course in Course):
        if steer in legal:
            assert state(match.act(steer)) == (SECOND, Phase.FIRING, 1)
        else:
            with pytest.raises(
                CourseBlocked, match=r"^(over the edge of the board|too near another)"
            ):
                match.act(steer)


@pytest.mark.parametrize(("touching", "beside_a_wounded_one"), [(True, "b< c<"), (False, "c<")])
def test_a_sunk_ship_is_gone_and_others_may_cross_it(
    touching: bool, beside_a_wounded_one: str
) -> None:
    match = play(at_sea(alike("aa... ..... b...c b...c"), touching=touching), "A1 stay D1")
    assert match.steers(SECOND) == steers(match, beside_a_wounded_one)
    match = play(match, "stay B1 stay D1")
    assert match.steers(SECOND) == steers(match, "b< c<")
    match = play(match, "b< D1 stay D1 b< A1")
    assert show(match) == picture("""
        aa.~.  B#.~.
        .....  b....
        b...c  ....c
        b...c  ....c
    """)
    assert results(match)[-1] == "hit"


def test_a_shot_at_a_sunk_ship_is_water_where_ships_move() -> None:
    match = play(at_sea(again=True), "B2 C2 B2 stay A4 stay C2")
    assert results(match) == ["hit", "sunk", "water", "water", "water"]
    assert show(match) == picture("""
        .aa..  .....
        .....  .##..
        ..b..  ....b
        ~.b..  ....b
    """)


# --- where no ship can move ---

WEDGED = """
    aaaa.  a....
    .....  a....
    .....  a....
    .....  a....
"""


def test_where_no_ship_can_move_that_step_is_skipped_by_itself() -> None:
    match = play(at_sea(WEDGED), "E4")
    assert state(match) == (FIRST, Phase.MOVING, 0), "the first side may go aft"
    match = play(match, "stay E4")
    assert state(match) == (FIRST, Phase.FIRING, 2), "the second side has no room"
    assert match.actions[2:] == (Fire(Cell(19)), STAY)
    assert match.sides == (FIRST, FIRST, SECOND, SECOND)


def test_a_fleet_that_is_hit_all_over_is_not_asked_for_a_move() -> None:
    match = play(at_sea(alike(".... .aa. .... .bb.")), "B2 stay D1")
    assert state(match) == (SECOND, Phase.MOVING, 1)
    match = play(match, "stay B4 stay D1")
    assert state(match) == (FIRST, Phase.FIRING, 4)


# --- refusals ---

REFUSALS = [
    # switches, the actions so far, the one that is refused, and how
    ({}, "A1 E1", "A1", CellSpent, "nothing new to learn there: A1"),
    ({}, "B2 E1", "B2", CellSpent, "nothing new to learn there: B2"),
    ({"again": True}, "B2", "B2", CellSpent, "nothing new to learn there: B2"),
    ({"again": True}, "B2 C2", "B2", CellSpent, "nothing new to learn there: B2"),
    ({"salvo": True}, "A1", "A1", CellSpent, "nothing new to learn there: A1"),
    ({"salvo": True, "moving": True}, "A1", "A1", CellSpent, "nothing new to learn there: A1"),
    ({"moving": True}, "B2 stay A1 stay", "B2", CellSpent, "nothing new to learn there: B2"),
    ({}, "", "a<", NotMoving, "no ship is to be moved now"),
    ({}, "A1", "stay", NotMoving, "no ship is to be moved now"),
    ({"moving": True}, "", "a<", NotMoving, "no ship is to be moved now"),
    ({"moving": True}, "", "stay", NotMoving, "no ship is to be moved now"),
    ({"moving": True, "salvo": True}, "A1", "a<", NotMoving, "no ship is to be moved now"),
    ({"moving": True, "again": True}, "B2", "stay", NotMoving, "no ship is to be moved now"),
    ({"moving": True}, "A1", "A2", NotFiring, "a ship is to be moved now: A2"),
    ({"moving": True}, "A1", "c<", NoSuchShip, "no such ship: 2"),
    ({"moving": True}, "B2 stay A1", "a<", ShipHit, "a ship that was hit can't move: 0"),
    ({"moving": True, "again": True}, "B2 C2 A1 stay A1", "a<", ShipHit,
     "a ship that was hit can't move: 0"),
    ({"moving": True}, "A1", "b>", CourseBlocked, "over the edge of the board: 1-aft"),
    ({"moving": True}, "A1", "b<", CourseBlocked, "too near another ship: 1-fore"),
    ({"turns": 1}, "A1", "A1", MatchOver, "the match is over"),
    ({"turns": 1, "moving": True}, "A1 stay", "stay", MatchOver, "the match is over"),
    ({"turns": 1, "moving": True}, "A1 stay", "a<", MatchOver, "the match is over"),
    ({"again": True}, "B2 C2 E3 E4", "A1", MatchOver, "the match is over"),
]  # fmt: skip


@pytest.mark.parametrize(("switches", "script", "refused", "error", "message"), REFUSALS)
def test_an_illegal_action_is_refused_for_the_rule_it_breaks(
    switches: dict[str, Any], script: str, refused: str, error: type[IllegalAction], message: str
) -> None:
    match = play(start(FLEET, **{"turns": 40, **switches}), script)
    illegal = action(match.ruleset.board, refused)
    before = show(match), state(match), match.shots, match.aimed
    with pytest.raises(IllegalAction) as refusal:
        match.act(illegal)
    assert type(refusal.value) is error
    assert str(refusal.value).startswith(message)
    assert (show(match), state(match), match.shots, match.aimed) == before
    with pytest.raises(error):
        Match(match.ruleset, match.fleets, SEED, (*match.actions, illegal))


def test_each_rule_that_an_action_can_break_is_among_the_refusals_above() -> None:
    of_the_rules = {
        error for error in IllegalAction.__subclasses__() if error.__module__.startswith("game.eng")
    }
    assert {error for *_, error, _ in REFUSALS} == of_the_rules


@pytest.mark.parametrize("cell", [-1, 20, 10_000])
@pytest.mark.parametrize("moving", [True, False])
def test_a_shot_off_the_board_is_refused(cell: int, moving: bool) -> None:
    with pytest.raises(NotACell, match=f"^not a cell of the board: {cell}$"):
        start(FLEET, moving=moving, turns=9).fire(Cell(cell))


@pytest.mark.parametrize("ship", [-1, 2, 255])
def test_a_ship_that_the_fleet_does_not_have_can_not_move(ship: int) -> None:
    with pytest.raises(NoSuchShip, match=f"^no such ship: {ship}$"):
        play(at_sea(), "A1").steer(ship, Course.AFT)


def test_where_ships_move_water_may_be_fired_at_again_and_so_may_a_wreck() -> None:
    match = play(at_sea(), "A1 stay A4 stay")
    assert match.spent(SECOND) == frozenset()
    match = play(match, "A1 stay A4 stay B2 stay A4 stay")
    assert match.spent(SECOND) == {match.ruleset.board.parse("B2")}
    match = play(match, "C2 stay A4 stay")
    assert match.spent(SECOND) == frozenset(), "the ship has sunk"


# --- the end ---

ROOMY = alike("aa... ..... b.... b.... .....")


@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("begins", Side)
def test_the_limit_counts_half_turns_and_not_shots(again: bool, moving: bool, begins: Side) -> None:
    match = start(ROOMY, turns=3, again=again, moving=moving, begins=begins)
    for turn, hit in enumerate(["A1", "A1", "B1"]):
        assert (match.outcome, match.turn) == (None, turn)
        if again:
            match = play(match, hit)
            assert (match.outcome, match.turn) == (None, turn)
        match = play(match, f"E{turn + 1} stay" if moving else f"E{turn + 1}")
    assert (match.phase, match.turn) == (Phase.OVER, 3)
    assert match.outcome is not None


@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize(
    ("at_limit", "script", "outcome"),
    [
        ("afloat", "E1 E1 E2 E2", Outcome(None, Reason.AS_MANY_AFLOAT)),
        ("afloat", "A1 A1 E2 E2", Outcome(None, Reason.AS_MANY_AFLOAT)),  # hits don't count
        ("afloat", "A1 E1 B1 E2", Outcome(FIRST, Reason.MORE_AFLOAT)),
        ("afloat", "E1 A1 E2 B1", Outcome(SECOND, Reason.MORE_AFLOAT)),
        ("afloat", "A1 A1 B1 B1", Outcome(None, Reason.AS_MANY_AFLOAT)),
        ("draw", "E1 E1 E2 E2", Outcome(None, Reason.LIMIT)),
        ("draw", "A1 E1 B1 E2", Outcome(None, Reason.LIMIT)),
        ("draw", "E1 A1 E2 B1", Outcome(None, Reason.LIMIT)),
    ],
)
def test_at_the_limit_more_ships_afloat_win_or_it_is_a_draw(
    at_limit: str, script: str, outcome: Outcome, moving: bool
) -> None:
    match = start(ROOMY, turns=4, moving=moving, at_limit=AtLimit(at_limit))
    script = " stay ".join(script.split()) if moving else script
    match = play(match, script)
    if moving:
        assert match.outcome is None, "after the last shot one may still move"
        match = match.stay()
    assert match.outcome == outcome


def test_sinking_the_last_ship_in_the_last_turn_wins_whatever_decides_at_the_limit() -> None:
    laid = alike("aa.. .... .... ....")
    match = play(start(laid, turns=3, at_limit=AtLimit.DRAW), "A1 D4 B1")
    assert match.outcome == Outcome(FIRST, Reason.ALL_SUNK)


def test_without_a_limit_a_match_goes_on_until_all_is_sunk() -> None:
    match = start(alike("a... .... .... ...."), turns=None)
    names = [match.ruleset.board.name(cell) for cell in match.ruleset.board.cells]
    for name in names[:0:-1]:
        match = play(match, f"{name} {name}")
        assert match.outcome is None
    assert play(match, "A1").outcome == Outcome(FIRST, Reason.ALL_SUNK)


def test_moving_ships_that_never_meet_end_at_the_limit_that_fits_a_record() -> None:
    match = start(alike("aa... ..... ....b ....b"), moving=True, salvo=True, again=True, turns=None)
    limit = match.ruleset.limit
    assert limit is not None
    for turn in range(limit):
        assert (match.turn, match.outcome) == (turn, None)
        match = play(match, "C1 D1 stay")
    assert match.outcome == Outcome(None, Reason.AS_MANY_AFLOAT)
    assert match.ply <= match.ruleset.most_actions


# --- a match is its record ---

SCRIPT = "A1 a< D1 b< B2 stay D1 stay C2 a> E1"


def test_a_match_is_frozen_and_acting_leaves_it_as_it_was() -> None:
    match = at_sea()
    after = play(match, SCRIPT)
    assert show(match) == picture(FLEET)
    assert (match.ply, match.shots) == (0, ())
    with pytest.raises(FrozenInstanceError):
        after.actions = ()  # type: ignore[misc]
    one, other = play(after, "stay A1"), play(after, "b< A2")
    assert (one.shots[-1].cell, other.shots[-1].cell) == (Cell(0), Cell(5))
    assert one.actions[: after.ply] == other.actions[: after.ply] == after.actions


def test_matches_of_the_same_record_are_equal_and_of_another_are_not() -> None:
    one, other = play(at_sea(), SCRIPT), play(at_sea(), SCRIPT)
    assert one == other
    assert hash(one) == hash(other)
    assert one == Match(one.ruleset, one.fleets, one.seed, one.actions)
    assert one != play(at_sea(), SCRIPT.removesuffix("E1") + "D1")
    assert one != play(at_sea(seed=bytes(16)), SCRIPT)
    assert one != play(at_sea(turns=41), SCRIPT)


def test_at_gives_the_match_before_the_action_of_each_ply() -> None:
    match = at_sea()
    pictures = [show(match)]
    for step in SCRIPT.split():
        match = play(match, step)
        pictures.append(show(match))
    assert [show(match.at(ply)) for ply in range(match.ply + 1)] == pictures
    assert [match.at(ply).ply for ply in range(match.ply + 1)] == list(range(match.ply + 1))
    assert match.at(match.ply) == match
    assert match.at(0) == at_sea()


def test_the_stages_of_a_match_are_the_match_at_each_ply() -> None:
    match = play(at_sea(salvo=True), "A1 B2 a< D1 D2 stay C2")
    stages = list(match.stages())
    assert stages == [match.at(ply) for ply in range(match.ply + 1)]
    for ply, stage in enumerate(stages):
        assert show(stage) == show(match.at(ply))
        assert (state(stage), stage.aimed) == (state(match.at(ply)), match.at(ply).aimed)
    assert list(at_sea().stages()) == [at_sea()]


@pytest.mark.parametrize("ply", [-1, 12, 1000])
def test_there_is_no_match_at_a_ply_before_the_first_or_past_the_end(ply: int) -> None:
    match = play(at_sea(), SCRIPT)
    assert match.ply == 11
    with pytest.raises(IndexError, match=f"^no such ply: {ply}$"):
        match.at(ply)


@pytest.mark.parametrize("cut", range(11))
def test_a_record_is_judged_action_by_action(cut: int) -> None:
    match = play(at_sea(), SCRIPT)
    lacking = match.actions[:cut] + match.actions[cut + 1 :]
    twisted: tuple[Action, ...] = (*match.actions[:cut], Fire(Cell(20)), *match.actions[cut:])
    with pytest.raises((IllegalAction, NotACell)):
        Match(match.ruleset, match.fleets, SEED, twisted)
    if cut < 10:
        with pytest.raises(IllegalAction):
            Match(match.ruleset, match.fleets, SEED, lacking)
