"""Two persons at two devices, as their two browsers and strangers see it."""

import re
from collections.abc import Callable
from functools import partial

import pytest
import segno
from django.conf import settings
from prometheus_client import REGISTRY

from game.features.duel import models
from game.matches.tokens import unseal_replay
from tests.duel.duels import (
    Seat,
    begun,
    end,
    fire,
    invitation,
    inviting,
    joining,
    move,
    mover,
    moves,
    opposed,
    place,
    play_turn,
    rematch,
    rows,
    targets,
    waiter,
)
from tests.support.device import HTMX, Device
from tests.support.features import ended_pages


def outcome(device: Seat) -> tuple[str, str]:
    return device.page.attribute("data-outcome"), device.page.attribute("data-reason")


# --- inviting and joining ---


def test_whoever_invites_places_first_then_waits_and_has_the_address_for_the_friend() -> None:
    first = Seat()
    assert "?opponent=friend" in first.open("/en/")
    first.open("/en/new/bonn/?opponent=friend")
    assert (first.status, first.where) == (302, "/en/new/friend/bonn/?opponent=friend")
    assert (first.phase, first.seat) == ("placing", "first")
    place(first)
    assert (first.status, first.phase, first.seat) == (303, "waiting", "first")
    invite = first.page.attribute("data-invite")
    path = invite.removeprefix("http://localhost")
    assert re.fullmatch(r"/invite/[\w-]{11,16}/", path)
    code = segno.make(f"https://{'h' * 60}{path}", error="l", micro=False)
    assert int(code.version) <= 5, "a code of few points, also where the host has a long name"
    assert first.page.count(invite) == 2, "in the handle, and in a field to copy it from"
    states = {board: set(first.page.cells(board).values()) for board in ("own", "seen")}
    assert states == {"own": {"sea", "ship"}, "seen": {"unknown"}}


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "", "de"),
        ("de", "en", "en"),
    ],
)
def test_an_invitation_opens_in_the_friends_language(
    accepted: str, cookie: str, language: str
) -> None:
    where = invitation(inviting()).removeprefix("/en")
    friend = Device()
    if cookie:
        friend.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    answer = friend.get(where, headers={"accept-language": accepted})
    assert (answer.status, answer.location) == (302, f"/{language}{where}")
    assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))
    html = friend.get(answer.location)
    assert f'<html lang="{language}">' in html
    assert f'content="http://localhost{where}"' in html, "what a messenger shows leads there too"


def test_an_invitation_says_who_invites_to_which_game_and_takes_nothing() -> None:
    first = inviting("bonn", name="Anna <b>")
    title = "Anna &lt;b&gt; invites you to a game of Battleship"
    for _messenger in range(3):
        html = Seat().open(invitation(first))
        assert html.status == 200
        assert f'property="og:title" content="{title}"' in html
        assert "Moving fleets: " in html.first(r'property="og:description" content="([^"]*)"')
        assert 'name="action"\n  value="join"' in html
        assert not html.has_board
    assert first.waits() == 204


def test_whoever_has_joined_is_led_from_the_invitation_to_the_same_seat() -> None:
    first = inviting()
    where = invitation(first)
    second = joining(first)
    for asked in (where.removeprefix("/en"), where):
        second.press("join", asked)
        assert (second.status, second.phase, second.seat) == (303, "placing", "second")
    place(second)
    second.open(where)
    assert second.where == first.where


def test_a_browser_that_keeps_no_cookie_does_not_take_the_seat_for_nobody() -> None:
    first = inviting()
    without = Seat()
    without.press("join", invitation(first))
    assert without.status == 403
    assert "allow cookies" in without.page.says
    assert first.duel.is_open
    assert joining(first).phase == "placing"
    without.open("/en/new/bonn/?opponent=friend")
    without.cookies.clear()
    without.press("quick")
    assert without.status == 403
    assert "Cookies must be allowed" in without.page.says


def test_a_third_browser_is_refused_everywhere_in_one_sentence_and_sees_no_board() -> None:
    first, second = begun()
    invite = invitation(inviting())
    assert Seat().open(invite).status == 200, "an open one"
    third = Seat()
    taken = first.where.replace("/duel/", "/invite/")
    for ask in (third.open, lambda at: third.press("join", at)):
        ask(taken)
        assert third.status == 403
        assert third.page.says == "Somebody has taken this seat already."
    for where in (first.where, first.page.form, second.page.form):
        for ask in (third.open, lambda at: third.send({"cell": "A1"}, at)):
            ask(where)
            assert third.status == 403
            assert third.page.says == "Only the two players can see this match until it is over."
            assert not third.page.has_board
        assert 'data-wait="' not in third.page


def test_the_inviters_own_browser_is_led_to_the_page_with_the_link_instead() -> None:
    first = inviting()
    where = invitation(first)
    for ask in (first.open, lambda at: first.press("join", at)):
        ask(where)
        assert (first.status, first.phase) == (303, "waiting")
        assert first.page.attribute("data-invite").endswith(where.removeprefix("/en"))
    assert Seat().open(where).status == 200, "nothing was taken"


def test_a_friends_fleet_is_placed_for_a_seat_that_only_its_browser_has() -> None:
    first = inviting()
    draft = joining(first).where
    for stranger in (Seat(), first):
        for answer in (stranger.open(draft), stranger.press("quick", draft)):
            assert answer.status == 403
            assert not answer.has_board


# --- the match ---


def test_each_sees_the_others_shots_and_nothing_of_the_others_fleet() -> None:
    one, other = opposed("milton")
    cell = next(targets(one.duel, hits=True))
    one.send({"cell": cell})
    assert one.page.cells("enemy")[cell] in ("hit", "sunk")
    assert other.waits() == 200
    other.follow()
    assert other.page.cells("own")[cell] in ("hit", "sunk")
    assert set(other.page.cells("enemy").values()) == {"unknown"}


def test_while_the_other_acts_no_button_fires_or_moves() -> None:
    first, second = begun("bonn")
    for _turn in range(3):
        idle = waiter(first, second)
        assert '<noscript><meta http-equiv="refresh"' in idle.page
        assert not re.search(r'<button[^>]*name="(cell|steer)"', idle.page)
        assert idle.waits() == 204
        idle.send({"cell": "A1"})
        assert (idle.status, idle.page.says) == (422, "It is not your turn.")
        assert idle.waits() == 204
        play_turn(first, second)
        assert re.search(r"static/duel/duel\.\w+\.css", first.page)


@pytest.mark.parametrize("kind", ["cell", "steer"])
def test_the_same_action_again_has_the_same_answer_before_and_after_the_next_one(kind: str) -> None:
    one, other = opposed()
    old, choices = one.page.form, {"cell": next(targets(one.duel, hits=False))}
    choices["steer"] = moves(one)[0]
    fields = {kind: choices[kind]}
    one.send(fields, old)
    after, boards = one.duel, one.page.seen.boards
    for _again in range(2):
        one.send(fields, old)
        assert (one.status, one.duel, one.page.seen.boards) == (303, after, boards)
    other.open()
    play_turn(one, other)
    one.send(fields, old)
    assert (one.status, one.duel) == (303, other.duel)


def test_an_illegal_action_answers_422_with_the_unchanged_match_and_one_sentence() -> None:
    one, other = opposed("milton")
    before = one.duel
    only_fire = "You can only fire now: a ship moves once in a turn, before the first shot."
    for fields, sentence in (
        ({"cell": "Z9"}, "That is not a cell of this board."),
        ({"steer": "0-fore"}, only_fire),
        ({"steer": "sideways"}, "That is not a move."),
        ({"coach": "on"}, "Nothing was chosen."),
    ):
        one.send(fields)
        assert (one.status, one.page.says) == (422, sentence)
        assert one.duel == before == other.state


def test_after_the_end_nothing_can_be_done_but_to_give_up_again_is_no_error() -> None:
    first, second = begun()
    end(first, second)
    first.press("resign-yes")
    assert (first.status, first.phase) == (303, "over")
    for fields in ({"action": "resign-yes"}, {"cell": "A1"}):
        second.send(fields)
        assert (second.status, second.page.says) == (422, "This match is over.")


# --- a move before the first shot of a turn ---


def test_a_move_is_the_movers_alone_until_its_shot_makes_one_step_of_both() -> None:
    one, other = opposed()
    assert 'data-may-move="yes"' in one.page
    assert 'data-may-move="yes"' not in other.page
    [before], own, hers = rows(), one.page.cells("own"), other.open()
    moved = move(one)
    assert (one.status, one.phase, one.waits(), other.waits()) == (303, "firing", 204, 204)
    assert one.page.cells("own") != own
    assert 'data-may-move="yes"' not in one.page
    assert not moves(one)
    [after] = rows()
    changed = {name for name, value in after.items() if value != before[name]}
    assert changed <= {"state", "revision", "ends"}
    assert other.open().without_tokens == hers.without_tokens
    assert "-moved" not in other.page

    fire(one, hits=True)
    assert other.waits() == 200
    assert one.duel == other.state
    assert one.duel.step == before["step"] + 1
    assert one.duel.match.actions[:-1] == moved.match.actions
    one.send({"steer": "0-fore"})
    assert one.status == 422, "after a hit nothing moves"


# --- the end ---


@pytest.mark.parametrize(("act", "by"), [(partial(fire, hits=True), mover), (move, waiter)])
def test_either_may_give_up_at_any_time(
    act: Callable[[Seat], object], by: Callable[..., Seat]
) -> None:
    one, other = opposed()
    act(one)
    then = one.duel
    gives_up, stays = (one, other) if by(one, other) is one else (other, one)
    gives_up.press("resign")
    assert (gives_up.status, "Yes, give up" in gives_up.page) == (200, True)
    gives_up.press("resign-yes")
    assert (gives_up.status, gives_up.phase) == (303, "over")
    stays.open()
    assert outcome(gives_up) == ("lost", "resigned")
    assert outcome(stays) == ("won", "resigned")
    assert gives_up.state == stays.state
    assert one.duel.match.actions[: len(then.match.actions)] == then.match.actions


def test_after_the_end_a_stranger_is_led_to_the_film_and_before_it_nowhere() -> None:
    first, second = begun()
    play_turn(first, second)
    stranger = Seat()
    assert stranger.open(first.where).status == 403
    end(first, second)
    stranger.open(first.where)
    assert (stranger.status, stranger.where.split("/")[2]) == (303, "film")
    public_replay = unseal_replay(stranger.where.split("/")[3])
    assert public_replay.match.seed == bytes(16)
    assert not re.search(r"data-(seat|wait|invite)=", stranger.page)
    film = stranger.where
    rematch(first, second)
    assert stranger.open(first.where).status == 403
    assert stranger.open(film).status == 200, "while the rematch is played, too"


def test_the_pages_after_the_match_open_for_both_and_lead_back_to_it() -> None:
    first, second = begun()
    end(first, second)
    for device in (first, second):
        for page in ended_pages():
            address = device.page.first(rf'href="(/en/{page}/[^"]+)"')
            got = device.get(address)
            assert got.status == 200
            if page == "replay":
                models.Duel.objects.update(ends=0)
                models.Duel.delete_old()
                back = device.get(got.first(r'href="(/en/play/[^"]+)"'))
                assert (back.status, back.attribute("data-phase")) == (200, "over")


def test_the_rematch_begins_once_both_have_pressed_it_after_the_end() -> None:
    first, second = begun()
    before = first.duel
    first.press("rematch")
    assert first.state == second.state == before
    end(first, second)
    first.press("rematch")
    assert (first.status, first.phase) == (303, "over")
    assert 'value="rematch"' not in first.page
    first.press("rematch")
    assert (first.status, first.phase) == (303, "over")
    assert second.waits() == 200
    second.open()
    assert second.phase == "over"
    assert 'value="rematch"' in second.page
    second.press("rematch", **HTMX)
    assert re.fullmatch(r"/en/seat/[\w-]+/", second.page.headers["HX-Redirect"])
    first.follow()
    assert first.phase == "placing"


def test_each_action_is_counted_as_what_it_is() -> None:
    def counted(kind: str) -> float:
        name, label = ("rows", "act") if kind == "made" else ("moves", "action")
        return REGISTRY.get_sample_value(f"battleship_{name}_total", {label: kind}) or 0

    before = {kind: counted(kind) for kind in ("made", "fire", "steer", "stay", "resign")}
    one, other = opposed()
    move(one)
    fire(one, hits=True)
    end(one, other)
    after = {kind: counted(kind) - before[kind] for kind in before}
    assert after == {"made": 1, "fire": 1, "steer": 1, "stay": 0, "resign": 1}
