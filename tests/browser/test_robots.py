"""What pages promise to robots, asked for by one that knows nothing but those promises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from game.engine.match import Match
from tests.support.browser_matches import (
    EMPTY,
    MINE,
    STILL,
    a_move_from_a_draw,
    begun,
    enemy_ships,
    enemy_water,
    is_firing_late,
    is_moving_late,
    is_over,
    place_address,
    play_address,
    played,
    recap_address,
)
from tests.support.robot import HTMX, Answer, Robot, Seen

BOTH = pytest.mark.parametrize("language", ["en", "de"])
CELLS = [f"{letter}{row}" for row in range(1, 11) for letter in "ABCDEFGHIJ"]
OPEN = {"unknown", "water"}
"""The states of cells that may be fired at in a match whose ships move."""
ENEMY_LIVE = {"unknown", "water", "hit", "sunk"}
OWN = {"sea", "ship", "water", "hit", "sunk"}


def see_whole_boards(answer: Answer) -> None:
    """Sees that both boards have every cell, each once, in reading order."""
    for board in answer.seen.boards.values():
        assert list(board) == CELLS


def see_one_sentence(answer: Answer) -> None:
    """Sees that there is one sentence, in the language of the page."""
    assert re.fullmatch(r"[A-ZÄÖÜ0-9][^.!]+[.!]", answer.says), answer.says


# --- placing ---


@BOTH
def test_the_placing_page_names_its_cells_its_fleet_and_its_actions(
    robot: Robot, language: str
) -> None:
    empty = robot.get(f"/{language}/new/bonn/?opponent=random")
    assert (empty.status, empty.language) == (200, language)
    assert (empty.seen.phase, empty.seen.turn, empty.seen.outcome) == ("placing", 0, None)
    assert empty.seen.ships == ()
    assert list(empty.seen.boards) == ["own"]
    see_whole_boards(empty)
    assert set(empty.seen.own.values()) == {"sea"}
    assert set(empty.values("action")) >= {"random", "clear", "start"}

    part = robot.act(empty.path, [("ship", "C4h3"), ("action", "random")])
    assert part.language == language
    assert len(part.seen.ships) == 10
    assert "C4h3" in part.seen.ships
    for ship in part.seen.ships:
        assert re.fullmatch(r"[A-J]([1-9]|10)[hv][2-5]", ship)
    assert list(part.seen.own.values()).count("ship") == 30
    assert set(part.seen.own.values()) == {"sea", "ship"}
    assert [part.seen.own[name] for name in ("C4", "D4", "E4", "F4")] == [*["ship"] * 3, "sea"]

    other = robot.act(part.path, [*fleet_of(part.seen), ("action", "random")])
    assert len(other.seen.ships) == 10
    assert set(other.seen.ships) != set(part.seen.ships)

    clear = robot.act(part.path, [*fleet_of(part.seen), ("action", "clear")])
    assert clear.seen.ships == ()
    start = robot.act(part.path, [*fleet_of(part.seen), ("action", "start")])
    assert (start.seen.phase, start.seen.turn) == ("firing", 0)
    assert start.seen.own == part.seen.own
    assert "/play/" in start.path


def fleet_of(seen: Seen) -> list[tuple[str, str]]:
    """The hidden fields that name the fleet so far."""
    return [("ship", ship) for ship in seen.ships]


def test_the_first_screen_and_the_other_presets_are_where_they_are_said_to_be(robot: Robot) -> None:
    for language in ("en", "de"):
        home = robot.get(f"/{language}/")
        assert (home.status, home.language) == (200, language)
        assert f"/{language}/new/bonn/" in home.links
    assert robot.get("/en/new/atlantis/").status == 404
    assert robot.get("/en/new/bonn/?opponent=nobody").status == 200


# --- a match ---


@BOTH
@pytest.mark.parametrize("reached", [is_firing_late, is_moving_late], ids=["firing", "moving"])
def test_a_running_match_keeps_to_the_vocabulary(
    robot: Robot, language: str, reached: Callable[[Match], bool]
) -> None:
    saved = played(reached)
    page = robot.get(play_address(saved, language))
    assert (page.status, page.language) == (200, language)
    assert page.seen.phase == reached.__name__.split("_")[1]
    assert (page.seen.turn, page.seen.outcome) == (saved.match.turn, None)
    assert list(page.seen.boards) == ["enemy", "own"]
    see_whole_boards(page)
    assert {"unknown", "water"} <= set(page.seen.enemy.values()) <= ENEMY_LIVE
    assert {"sea", "ship", "water"} <= set(page.seen.own.values()) <= OWN
    if page.seen.phase == "firing":
        assert page.values("cell") == CELLS
        assert page.values("steer") == []
    else:
        assert page.values("cell") == []
        assert set(page.values("steer")) > {"stay"}
        for value in page.values("steer"):
            assert re.fullmatch(r"(\d|10)-(fore|aft)|stay", value)
    other = {"en": "de", "de": "en"}[language]
    there = robot.get(page.path.replace(f"/{language}/", f"/{other}/"))
    assert there.language == other
    assert there.seen == page.seen
    assert set(page.values("steer")) == set(there.values("steer"))


@BOTH
def test_an_ended_match_names_its_outcome_and_shows_the_ships(robot: Robot, language: str) -> None:
    for address in (play_address, recap_address):
        page = robot.get(address(played(is_over), language))
        assert (page.status, page.language) == (200, language)
        assert (page.seen.phase, page.seen.outcome) == ("over", "lost")
        see_whole_boards(page)
        assert set(page.seen.enemy.values()) <= ENEMY_LIVE | {"ship"}
        assert set(page.seen.own.values()) <= OWN
        assert page.values("cell") == page.values("steer") == []
    last = robot.get(f"{recap_address(played(is_over), language)}?step=9999")
    assert "ship" in last.seen.enemy.values()
    assert last.seen == robot.get(play_address(played(is_over), language)).seen


def test_a_match_that_no_side_wins_is_a_draw(robot: Robot) -> None:
    page = robot.get(play_address(a_move_from_a_draw()))
    assert (page.seen.phase, page.seen.turn) == ("moving", 74)
    over = robot.act(page.path, {"steer": "stay"})
    assert (over.seen.phase, over.seen.turn, over.seen.outcome) == ("over", 75, "draw")


def test_the_turn_counts_half_turns_and_stands_still_while_hits_fire_again(robot: Robot) -> None:
    page = robot.get(play_address(begun(STILL, minds=(None, "random"))))
    turns = [page.seen.turn]
    for state in ("hit", "hit", "water", "hit", "water", "water"):
        cell = enemy_ships(page.path)[0] if state == "hit" else enemy_water(page.path)
        page = robot.act(page.path, {"cell": cell})
        assert page.seen.enemy[cell] == state
        turns.append(page.seen.turn)
    assert turns == [0, 0, 0, 2, 2, 4, 6]


def test_every_move_that_is_offered_moves_its_ship_by_one_cell(robot: Robot) -> None:
    saved = begun()
    page = robot.act(play_address(saved), {"cell": EMPTY[0]})
    assert (page.seen.phase, page.seen.turn) == ("moving", 0)
    assert set(page.seen.own.values()) == {"sea", "ship"}
    own = {name for name, state in page.seen.own.items() if state == "ship"}
    offered = page.values("steer")
    assert len(offered) == 17
    for value in offered:
        after = robot.act(page.path, {"steer": value})
        assert (after.seen.phase, after.seen.turn) in {("firing", 2), ("moving", 2)}
        now = {name for name, state in after.seen.own.items() if state in ("ship", "hit", "sunk")}
        assert len(own - now) == len(now - own) == (0 if value == "stay" else 1), value


def test_a_robot_plays_a_match_to_its_end_by_the_promised_handles_alone(robot: Robot) -> None:
    page = robot.get("/de/new/bonn/?opponent=bonn-easy")
    page = robot.act(page.path, {"action": "random"})
    page = robot.act(page.path, [*fleet_of(page.seen), ("action", "start")])
    turn, cells = -1, cycle(CELLS)
    for _ in range(600):
        if page.seen.phase == "over":
            break
        assert page.seen.turn >= turn
        turn = page.seen.turn
        if page.seen.phase == "moving":
            page = robot.act(page.path, {"steer": page.values("steer")[-1]})
        else:
            open_cells = {name for name, state in page.seen.enemy.items() if state in OPEN}
            page = robot.act(
                page.path, {"cell": next(cell for cell in cells if cell in open_cells)}
            )
    assert page.seen.outcome in {"won", "lost", "draw"}
    assert page.seen.turn <= 150


# --- how it answers ---


@BOTH
def test_a_plain_form_is_answered_by_a_redirect_and_htmx_by_a_fragment_with_its_address(
    robot: Robot, language: str
) -> None:
    address = play_address(begun(), language)
    for path, fields in (
        (address, {"cell": "E5"}),
        (address, {"hints": "on"}),
        (place_address("", language), {"action": "random"}),
        (place_address(MINE, language), [*fleet_of_text(MINE), ("action", "start")]),
    ):
        plain = robot.post(path, fields)
        assert plain.status == 303
        assert plain.headers["Location"].startswith(f"/{language}/")

        swapped = robot.post(path, fields, headers=HTMX)
        assert swapped.status == 200
        assert swapped.text.lstrip().startswith('<section id="game"')
        assert "<html" not in swapped.text
        assert "HX-Request" in swapped.headers["Vary"]
        new = swapped.headers["HX-Replace-Url"]
        assert new.startswith(f"/{language}/")
        assert swapped.headers["HX-Push-Url"] is None
        there = robot.get(new)
        assert there.seen == swapped.seen
        assert there.says == swapped.says
        if "random" not in str(fields) and "start" not in str(fields):  # where nothing is by chance
            assert there.seen == robot.get(plain.headers["Location"]).seen


def fleet_of_text(text: str) -> list[tuple[str, str]]:
    """The hidden fields of a fleet that is written in one line."""
    return [("ship", ship) for ship in text.split()]


def refusals(language: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Addresses and the illegal actions that are sent there."""
    firing = played(is_firing_late)
    hit = begun(STILL).match.fire(begun(STILL).match.ruleset.board.parse("C1"))
    spent = begun(STILL).__class__(begun(STILL).setup, hit)
    yield play_address(spent, language), [("cell", "C1")]
    for cell in ("Z99", "A11", "K1", "a1", "", "A1; DROP TABLE"):
        yield play_address(firing, language), [("cell", cell)]
    yield play_address(firing, language), [("steer", "stay")]
    yield play_address(firing, language), []
    for steer in ("99-fore", "0-sideways", "fore", "-1-aft", "٣-fore"):
        yield play_address(played(is_moving_late), language), [("steer", steer)]
    yield play_address(played(is_moving_late), language), [("cell", "A1")]
    yield play_address(played(is_over), language), [("cell", "A1")]
    part = [("ship", "B2h5")]
    placing = place_address("B2h5", language)
    yield placing, [*part, ("action", "start")]
    yield placing, [*part, ("pick", "4"), ("place", "B3")]
    yield placing, [*part, ("pick", "4"), ("place", "Z9")]
    yield placing, [*part, ("ship", "B2h5")]
    yield placing, [*part, ("ship", "D8h2"), ("ship", "E8v2"), ("action", "random")]
    yield placing, [("ship", "H2h5"), ("action", "random")]
    yield placing, [("ship", "nonsense"), ("action", "start")]


@BOTH
def test_an_illegal_action_is_refused_in_one_sentence_and_changes_nothing(
    robot: Robot, language: str
) -> None:
    sentences = set()
    for path, fields in refusals(language):
        before = robot.get(path)
        for headers in ({}, HTMX):
            refused = robot.post(path, fields, headers=headers)
            assert refused.status == 422, (path, fields)
            assert refused.seen == before.seen, fields
            see_one_sentence(refused)
            assert refused.says != before.says or ("action", "start") in fields
            sentences.add(refused.says)
        assert robot.get(refused.headers["HX-Replace-Url"]).seen == before.seen
    assert len(sentences) > 8


@BOTH
def test_a_token_that_is_not_one_of_ours_is_answered_by_a_page_that_offers_a_new_game(
    robot: Robot, language: str
) -> None:
    good = play_address(begun(), language)
    token = good.split("/")[3]
    flipped = token[:60] + ("A" if token[60] != "A" else "B") + token[61:]
    draft = place_address("", language).split("/")[3]
    bad = {
        "cut": token[:-4], "cut by one": token[:-1], "forged": flipped, "foreign": draft,
        "of an unknown version": "Ag" + token[2:],
        "of an unknown key": token[:4] + "AAAA" + token[8:],
        "longer": token + "AAAA", "no token": "hello", "very long": "A" * 4000, "umlauts": "%C3%A4",
    }  # fmt: skip
    for kind, text in bad.items():
        for page in ("play", "place", "replay"):
            if page == "place" and kind == "foreign":
                continue  # there it is at home
            path = f"/{language}/{page}/{text}/"
            answers = [robot.get(path)]
            if page != "replay":
                answers += [robot.post(path, {"cell": "A1"}, headers=more) for more in ({}, HTMX)]
            for answer in answers:
                assert answer.status == 400, (kind, page)
                assert answer.language == language
                assert f"/{language}/new/bonn/" in answer.links
                assert answer.says
                assert answer.headers["Cache-Control"] == "no-store"


def test_the_recap_of_a_running_match_shows_nothing_but_leads_back_to_it(robot: Robot) -> None:
    saved = played(is_firing_late)
    answer = robot.get(recap_address(saved))
    assert answer.status == 302
    assert "/play/" in answer.headers["Location"]
    assert "data-cell" not in answer.text


def test_the_same_address_and_the_same_action_always_give_the_same_answer(robot: Robot) -> None:
    path = play_address(begun())
    first = robot.act(path, {"cell": EMPTY[0]})
    answers = [robot.act(first.path, {"steer": "stay"}) for _ in range(3)]
    assert answers[0].seen == answers[1].seen == answers[2].seen
    assert answers[0].says == answers[1].says == answers[2].says


def test_hints_mark_what_is_impossible_only_while_they_are_switched_on(robot: Robot) -> None:
    saved = begun(STILL)
    page = robot.act(play_address(saved), {"cell": "C1"})
    page = robot.act(page.path, {"cell": "D1"})
    assert "impossible" not in page.seen.enemy.values()
    hinted = robot.act(page.path, {"hints": "on"})
    found = {name for name, state in hinted.seen.enemy.items() if state == "impossible"}
    assert found == {"B1", "E1", "B2", "C2", "D2", "E2"}
    assert robot.act(hinted.path, {"hints": "off"}).seen == page.seen
