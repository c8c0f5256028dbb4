"""The cookie that holds a browser's seats, and what may act by it."""

from dataclasses import replace
from http.cookies import Morsel

import pytest
from django.core.management import CommandError, call_command, get_commands

from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.duel.state import NOBODY, DuelState
from game.matches.setup import Setup
from game.matches.tokens import seal_match
from game.views.cookies import CONTINUE, UNFINISHED
from game.web.seats import MOST_BROUGHT, Seats, seal_seats, seat_hash_of, unseal_seats
from tests.duel.duels import (
    Seat,
    begun,
    end,
    fire,
    invitation,
    inviting,
    joining,
    mover,
    opposed,
    place,
    play_turn,
    reload,
)
from tests.support.device import HTMX, Device
from tests.support.matches import opening

# --- seats as values ---


SETUP = Setup(PRESETS["milton"].ruleset, (None, None), remote=True)


def test_a_seat_is_held_by_its_device_and_by_whom_it_was_brought_to() -> None:
    mine, other = Seats.new(), Seats.new()
    proof = mine.own_secret("an id", Side.FIRST)
    duel = DuelState("an id", 0, 0, (seat_hash_of(proof), NOBODY), SETUP)
    brought = other.with_secret(proof)
    free = replace(other, brought=(b"", bytes(16)))
    assert [duel.side_of(seats) for seats in (mine, brought, other, free)] == [0, 0, None, None]
    assert [duel.secret_of(brought, side) for side in Side] == [proof, None]
    hashes = [seat_hash_of(mine.own_secret("an id", side)) for side in Side]
    found = [brought.secret_of("an id", side, hashes[side]) for side in Side]
    assert found == [proof, None]


def test_twenty_brought_seats_are_held_and_the_oldest_go_first() -> None:
    seats = Seats.new()
    for number in range(MOST_BROUGHT + 3):
        seats = seats.with_secret(number.to_bytes(16, "big"))
    assert len(seats.brought) == MOST_BROUGHT
    assert seats.brought[0] == (3).to_bytes(16, "big")
    again = seats.with_secret(seats.brought[0])
    assert again.brought[-1] == seats.brought[0]
    assert len(again.brought) == MOST_BROUGHT
    assert unseal_seats(seal_seats(seats)) == seats
    assert len(seal_seats(seats)) < 1000, "a cookie may have 4,096 bytes"


# --- the cookie ---


def cookie(device: Seat) -> Morsel[str]:
    name = "__Host-seats" if device.is_secure else "seats"
    others = {"language", "preferences", UNFINISHED.name, CONTINUE.name}
    assert set(device.cookies) <= {name, *others}
    return device.cookies[name]


@pytest.mark.parametrize("is_secure", [False, True])
def test_the_cookie_is_for_this_site_alone_and_no_script_reads_it(is_secure: bool) -> None:
    first, second = Seat(is_secure=is_secure), Seat(is_secure=is_secure)
    first.open("/en/new/milton/?opponent=friend")
    place(first)
    second.open(first.page.first(r'data-invite="https?://localhost([^"]+)"'))
    for device in (first, second):
        found = cookie(device)
        assert {name: value for name, value in found.items() if value != ""} == {
            "httponly": True, "samesite": "Lax", "path": "/", "max-age": 400 * 86_400,
            "expires": found["expires"], **({"secure": True} if is_secure else {}),
        }  # fmt: skip


def test_both_names_are_read_and_only_the_right_one_is_written() -> None:
    """A site that was reached without TLS before keeps its players' seats."""
    plain = inviting()
    moved = Seat(is_secure=True)
    moved.cookies["seats"] = cookie(plain).value
    moved.open(plain.where)
    assert (moved.status, moved.seat) == (200, "first")
    moved.open("/en/new/milton/?opponent=friend")
    claimed = unseal_seats(moved.cookies["__Host-seats"].value)
    assert claimed.device != unseal_seats(cookie(plain).value).device, "another host may know it"
    secure = Seat(is_secure=True)
    secure.open("/en/new/milton/?opponent=friend")
    place(secure)
    assert (secure.phase, secure.seat) == ("waiting", "first")
    both = Seat(is_secure=True)
    both.cookies["__Host-seats"] = cookie(secure).value
    both.cookies["seats"] = cookie(plain).value
    assert both.open(secure.where).status == 200, "the one that no other host can set"


def test_a_cookie_that_can_not_be_opened_is_none() -> None:
    first = inviting()
    for text in ("", "x", "AQ" + "A" * 80, seal_match(opening())):
        device = Seat()
        device.cookies["seats"] = text
        assert device.open(first.where).status == 403
        device.open("/en/new/milton/?opponent=friend")
        assert device.page.status == 200
        place(device)
        assert device.phase == "waiting"


# --- forms from elsewhere; keeping a seat ---


def forms() -> list[tuple[str, str, dict[str, str], Seat]]:
    """Every form of a seat: its name, where it goes, its fields, and a browser that may send it."""
    one, _other = opposed("milton")
    spare, ending, over = inviting(), begun()[0], begun()
    end(*over)
    friend, placing = Seat(), Seat()
    friend.open(invitation(spare))
    placing.open("/en/new/milton/?opponent=friend")
    return [
        ("fire", one.page.form, {"cell": "A1"}, one),
        ("give up", ending.page.form, {"action": "resign-yes"}, ending),
        ("rematch", over[0].page.form, {"action": "rematch"}, over[0]),
        ("join", invitation(spare), {"action": "join"}, friend),
        ("place", placing.page.form, {"action": "random"}, placing),
        ("start", placing.page.form, {"action": "quick"}, placing),
        ("new", "/en/new/friend/milton/", {"action": "random"}, placing),
        ("keep", one.keep, {}, Seat()),
    ]


FOREIGN = {
    "another site": {"origin": "https://evil.example"},
    "another site that says so": {
        "origin": "https://evil.example", "sec-fetch-site": "cross-site",
    },
    "a sandbox": {"origin": "null"},
    "another scheme": {"origin": "https://localhost"},
    "another port": {"origin": "http://localhost:8000"},
    "a sibling": {"origin": "http://localhost", "sec-fetch-site": "same-site"},
    "no address": {"origin": "http://["},
    "nothing": {},
    "a bookmark": {"sec-fetch-site": "none"},
}  # fmt: skip


def test_a_form_from_elsewhere_or_that_does_not_say_is_refused() -> None:
    for number, (name, where, fields, client) in enumerate(forms()):
        for origin, headers in (FOREIGN if number == 0 else {"nothing": {}}).items():
            got = like(client).post(where, fields, headers=headers | (HTMX if number % 2 else {}))
            assert got.status == 403, (name, origin)
            assert "seats" not in got.cookies, (name, origin)
            assert not got.has_board


def like(other: Seat) -> Device:
    """A browser with the same cookies, which says nothing of where its forms come from."""
    device = Device()
    device.cookies.update(other.cookies)
    return device


def test_a_form_of_this_site_is_taken_by_either_sign() -> None:
    signs = {"origin": "http://localhost"}, {"sec-fetch-site": "same-origin"}
    for number, (name, where, fields, client) in enumerate(forms()):
        answer = like(client).post(where, fields, headers=signs[number % 2])
        assert answer.status in (200, 303), name


def test_a_kept_seat_is_brought_by_a_press_and_by_nothing_else() -> None:
    first, second = begun()
    play_turn(first, second)
    others = Seat(language="de"), Seat()
    for seat, other in zip((first, second), others, strict=True):
        before = dict(other.cookies)
        other.open(seat.keep)
        assert other.status == 200
        assert "Whoever has this link can play in your place" in other.page
        assert f'value="http://localhost{seat.keep}"' in other.page
        assert not other.page.has_board
        assert dict(other.cookies) == before, "to look changes nothing"
        assert other.get(seat.where).status == 403
        other.send({}, seat.keep)
        assert (other.status, other.seat) == (303, seat.seat)
        assert other.duel == seat.duel
        seat.open()
        assert seat.status == 200, "both devices have it now"
    fire(mover(*others))
    reload(first, second)
    assert (first.duel, first.duel.match.ply) == (second.duel, 2)


@pytest.mark.skipif("play" not in get_commands(), reason="the command play is switched off")
def test_the_terminal_refuses_a_duel() -> None:
    first, _second = begun()
    for where in (first.page.form, joining(inviting()).page.form, first.keep):
        with pytest.raises(CommandError, match="That token holds no game"):
            call_command("play", f"http://localhost{where}", lang="en")
