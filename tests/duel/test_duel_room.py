"""Duels in the match store: their room, how long they are kept, and how pages wait for steps."""

import os
import random
import sqlite3
from contextlib import closing

import pytest

from game.engine.actions import Fire
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.rules import Ruleset, Side
from game.features.duel import presence
from game.features.duel import store as duel_store
from game.features.duel.model import Duel, opened, poll_key
from game.matches.setup import Setup
from game.ops import match_store
from game.ops.logs import without_tokens
from game.ops.match_store_sqlite import ROOM
from tests.duel import duels
from tests.support.device import Device
from tests.support.match_stores import ROOMS, RedisServer, Store, empty, reserved, seconds_left
from tests.support.page import Page

ID = "AzZ09_-" * 3 + "A"
LARGEST = Ruleset(15, 15, (3,) * 16, again=False, turns=None)
"""Rules with the longest tokens that a page can ask for."""


@pytest.mark.deep
@pytest.mark.usefixtures("small")
def test_the_largest_matches_of_strangers_fit_into_the_room_that_they_have_reserved(
    either: Store,
) -> None:
    def used() -> int:
        if isinstance(either, RedisServer):
            return int(either.client.info("memory")["used_memory"])
        with closing(sqlite3.connect(either)) as file:
            [pages], [free] = (
                file.execute(f"PRAGMA {name}_count").fetchone() for name in ("page", "freelist")
            )
        return int(4096 * (pages - free))

    match_store.read(["makes-the-table"])
    before, chance = used(), random.Random(7)
    fleets = [complete(LARGEST, (), Chance(bytes(16), "fleet", side)) for side in Side]
    setup = Setup(LARGEST, (None, None), remote=True)
    found = list[Duel]()
    while match_store.has_room():
        duel = opened(setup, os.urandom(16), b"a" * 16, fleets[0], "n" * 32)
        found.append(duel_store.write(duel))
    assert len(found) == ROOMS
    for at, duel in enumerate(found):
        joined = duel_store.write(duel.joined(b"b" * 16))
        found[at] = duel_store.write(joined.placed(Side.SECOND, fleets[1], "n" * 32))
    for _turn in range(4 * ROOMS):
        at = chance.randrange(ROOMS)
        side = found[at].match.side
        moved = duel_store.decide(found[at].acted(side, found[at].match.steers(side)[0]))
        cell = chance.choice([*set(LARGEST.board.cells) - moved.match.spent(side.opponent)])
        found[at] = duel_store.write(moved.acted(side, Fire(cell)))
    for duel in found:
        duel_store.decide(duel.acted(duel.match.side, duel.match.steers(duel.match.side)[0]))
        for side in Side:
            presence.ask(poll_key(duel.id, side))
            assert presence.nudge(duel, side)
    assert ROOMS * 9_000 < used() - before < ROOMS * ROOM


@pytest.mark.usefixtures("small")
def test_a_full_store_takes_no_invitation_and_has_room_for_every_step_of_the_matches_in_it(
    either: Store,
) -> None:
    ended, _other = duels.begun()
    ended.press("resign-yes")
    empty(either)
    first, second = duels.begun()
    host, stranger, late = duels.inviting(), duels.Seat(), duels.Seat()
    late.open("/en/new/friend/milton/")
    stranger.open("/en/new/friend/milton/")
    stranger.send({"action": "random"})
    fleet = stranger.page.ships
    assert sum(map(reserved, range(2 * ROOMS))) == ROOMS - 2
    stranger.send({"action": "start", "ship": fleet})
    sentence = "There is no room for another match just now. Try again later."
    assert (stranger.status, stranger.page.says, stranger.page.ships) == (409, sentence, fleet)
    late.open("/en/new/friend/milton/")
    assert (late.status, late.page.says) == (503, sentence)
    assert late.page.headers["Retry-After"]
    ended.open()
    assert (ended.status, ended.phase) == (200, "over"), "it is seen, though it is in no store"
    ended.press("rematch")
    assert (ended.status, ended.page.says) == (503, sentence)
    friend = duels.joining(host)
    duels.place(friend)
    assert friend.phase in ("firing", "waiting"), "the invitation had reserved the room"
    while "over" not in (first.phase, second.phase):
        duels.fire(duels.mover(first, second), hits=True)
        assert 303 in (first.status, second.status)
        duels.reload(first, second)
    assert first.page.attribute("data-reason") == "all-sunk"
    duels.rematch(first, second)
    duels.play_turn(first, second)


def test_an_invitation_is_kept_for_two_days_which_the_open_page_begins_anew(either: Store) -> None:
    first = duels.inviting()
    key = f"{first.duel.id.hex()}:0"
    wait = f"wait:{first.wait.split('/')[2]}"
    two_days = 2 * 24 * 60 * 60
    assert two_days - 10 < seconds_left(either, key) <= two_days
    assert seconds_left(either, wait) <= two_days / 2
    assert first.waits() == 204
    match_store.renew(key, 100)
    match_store.forget([wait])  # as after a day
    assert seconds_left(either, key) <= 100
    assert first.waits() == 200
    first.open()
    assert first.phase == "waiting"
    assert two_days - 10 < seconds_left(either, key) <= two_days
    assert first.waits() == 204
    second = duels.joining(first)
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":1")) <= two_days
    duels.place(second)
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":2")) <= two_days
    first.open()
    duels.play_turn(first, second)
    for running in (key.replace(":0", ":3"), wait):
        assert match_store.LIFETIME - 10 < seconds_left(either, running) <= match_store.LIFETIME
    first.press("leave")
    assert two_days - 10 < seconds_left(either, key.replace(":0", ":4")) <= two_days


# --- waiting ---


def wait(client: Device, step: str = "7", name: str = ID, method: str = "GET") -> Page:
    return client.request(method, f"/wait/{name}/{step}/", headers={"host": "any.proxy"})


def test_waiting_is_told_whether_the_step_has_changed(either: Store, client: Device) -> None:
    gone = wait(client)
    match_store.put({f"wait:{ID}": "7"})
    steps = [wait(client, step) for step in ("7", "8", "07")]
    answers = [gone, *steps, wait(client, name=ID[::-1])]
    assert [answer.status for answer in answers] == [200, 204, 200, 200, 200]
    for answer in (*answers, wait(client, "x")):
        assert answer.content == b""
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not answer.cookies


@pytest.mark.parametrize(
    "path",
    [f"/wait/{ID}/", f"/wait/{ID}/x/", f"/wait/{ID}/-1/", f"/wait/{ID}/7", f"/wait/{ID}x/7/",
     f"/wait/{ID[1:]}/7/", f"/wait/{ID[1:]}./7/", f"/wait/{ID}/٧/", f"/wait/{ID}/7/7/", "/wait/",
     f"/en/wait/{ID}/7/"],
)  # fmt: skip
def test_what_is_no_address_of_waiting_is_not_found(client: Device, path: str) -> None:
    assert client.get(path).status == 404


@pytest.mark.parametrize("method", ["HEAD", "PUT", "OPTIONS"])
def test_waiting_is_only_asked_and_ended(client: Device, method: str) -> None:
    answer = wait(client, method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, POST")


def test_logs_hide_short_keys_where_the_path_is_a_word_before_tokens() -> None:
    assert without_tokens("GET /play/wait/yesThisIsTheKeyOfASeat/3/") == "GET /play/wait/…/3/"
