"""The other player at another device: names, presence, nudges, leaving, and ending a match."""

import re

import pytest

from game.features.duel import models, presence
from tests.duel.duels import (
    Clock,
    Seat,
    begun,
    end,
    invitation,
    inviting,
    joining,
    mover,
    opposed,
    place,
    play_turn,
    reload,
    rows,
    waiter,
)
from tests.support.device import HTMX, Device


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    for module in (presence, models):
        monkeypatch.setattr(module, "time", found)
    return found


def present(preset: str = "bonn") -> tuple[Seat, Seat]:
    """The browser whose turn it is and the other one, both of which have asked for news."""
    one, other = opposed(preset)
    one.waits(), other.waits()
    return one, other


def there(device: Seat) -> str | None:
    """What the page is told of the other player while it waits."""
    found: str | None = device.get(device.wait).headers.get("Presence")
    return found


def presence_of(device: Seat) -> str:
    """`data-presence`, or an empty text."""
    found = re.search(r'data-presence="(\w+)"', device.page)
    return found[1] if found else ""


def line(device: Seat) -> str:
    return device.page.first(r'<p class="presence"[^>]*>([^<]*)</p>')


# --- names ---


def test_a_name_is_asked_once_and_shown_on_both_pages() -> None:
    first = inviting(name="Anna")
    second = joining(first)
    place(second, name="Ben")
    first.open()
    for device, own, other in ((first, "Anna", "Ben"), (second, "Ben", "Anna")):
        assert device.page.attribute("data-name") == own
        assert device.page.attribute("data-opponent-name") == other
        assert other in device.page.first("<title>(.*?)</title>")
    waiting = waiter(first, second)
    assert waiting.page.attribute("data-opponent-name") in waiting.page.says
    first.open("/en/new/milton/?opponent=friend")
    assert first.page.attribute('name="name" value') == "Anna"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("<b>&'\"{{", "&lt;b&gt;&amp;&#x27;&quot;{{"),
        ("A\u202egnu\u2066", "Agnu"),
        ("  a\nb\tÄ\0c\x1b", "a b Äc"),
        ("n" * 30, "n" * 20),
        ("{minutes} %(name)s", "{minutes} %(name)s"),
    ],
)
def test_a_name_is_text_everywhere(typed: str, kept: str) -> None:
    first = inviting(name=typed)
    assert f">{kept} invites you" in Seat().open(invitation(first))
    second = joining(first)
    place(second)
    first.open()
    for device in (first, second):
        assert "<b>&" not in device.page
        assert not re.search("[\u202a-\u202e\u2066\u2067\0\x1b]", device.page)
    assert f'data-opponent-name="{kept}"' in second.page
    # A script compares it with innerHTML, in which quotes are as they are.
    quoted = kept.replace("&#x27;", "'").replace("&quot;", '"')
    assert f"<bdi>{quoted}</bdi>" in second.page.first(r'data-here="([^"]*)"')


# --- presence ---


@pytest.mark.parametrize(("says", "seconds"), [("", 120), ("visible", 40), ("hidden 0", 120)])
def test_a_page_counts_as_there_for_a_while(clock: Clock, says: str, seconds: int) -> None:
    acts, waits = opposed("milton")
    clock.now += presence.EVERY
    ask(waits)
    ask(acts, says)
    reload(acts, waits)
    assert (presence_of(acts), presence_of(waits)) == ("waiting", "aiming")
    clock.now += seconds - 1
    assert there(waits) == "here"
    if says == "hidden 0":
        ask(acts, "hidden 119")
    clock.now += 1
    assert there(waits) != "here"
    waits.open()
    assert presence_of(waits) == "away"
    clock.now += 20 * 60
    assert there(waits) == "away 10"
    ask(acts, says and "visible")
    assert there(waits) == "here"


def ask(device: Seat, says: str = "") -> None:
    device.get(device.wait, headers={"presence": says})


def test_a_closed_page_counts_as_away_after_a_moment(clock: Clock) -> None:
    one, other = opposed()
    ask(other, "visible")
    assert other.request("POST", other.wait, headers={"origin": "https://other.test"}).status == 403
    for is_open_elsewhere in (True, False):
        clock.now += 1
        assert other.request("POST", other.wait).status == 204
        clock.now += 11
        assert there(one) == "here", "a page that is loaded again asks until then"
        if is_open_elsewhere:
            ask(other, "visible")
        clock.now += 2
    one.open()
    assert (there(one), line(one)) == ("away 0", "Your opponent is away")
    ask(other, "hidden 0")
    assert there(one) == "here"
    one.press("nudge")
    assert one.status == 200


def test_a_stranger_records_nothing_and_is_told_nothing() -> None:
    """A link that was forwarded names the duel, and has no key of a seat."""
    one, other = present()
    before, client = rows(), Device()
    duel_id = one.where.split("/")[3]
    for where in (f"/wait/{duel_id}/{'a' * 22}/0/", f"/wait/{duel_id}/{'a' * 22}/placing/"):
        got = client.get(where)
        assert (got.status, "Presence" in got.headers) == (404, False)
    assert client.get(one.where).status == 403
    assert client.get(other.wait.replace(duel_id, "A" * 12)).status == 200, "it leads to nothing"
    assert rows() == before


def test_presence_can_be_switched_off(clock: Clock) -> None:
    one, other = begun()
    other.prefer(presence="off")
    other.open()
    assert other.wait.endswith("hide")
    clock.now += presence.EVERY
    other.waits()
    assert there(one) is None
    one.open()
    assert presence_of(one) == ""
    clock.now += presence.VISIBLE + presence.ABANDONED
    assert there(one) == "away 10"


def test_who_places_ships_is_shown_to() -> None:
    first = inviting()
    second = joining(first)
    assert second.get(second.page.attribute("data-present")).status == 204
    first.open()
    assert (presence_of(first), line(first)) == ("placing", "Your opponent is placing ships")


def over() -> tuple[Seat, Seat]:
    """The pages of both players after a match."""
    one, other = present()
    play_turn(one, other)
    end(one, other)
    return one, other


# --- nudges ---


def test_a_nudge_is_told_once_and_refused_within_a_minute(clock: Clock) -> None:
    one, other = present("milton")
    one.press("nudge", **HTMX)
    assert (one.status, one.page.says) == (
        200,
        "You have nudged your opponent. Choose a cell to fire at.",
    )
    got = other.get(other.wait)
    assert (got.status, got.headers["Call"]) == (204, str(int(clock.now) * 8))
    one.press("nudge")
    assert one.status == 422
    assert one.page.says.startswith("You have nudged your opponent already")
    one.press("ouch")
    assert (one.status, one.page.says) == (422, "Wait a moment before you react again.")
    clock.now += presence.CALL_EVERY
    one.press("ouch")
    assert one.page.says.startswith("You: “Ouch!” ")
    assert other.get(other.wait).headers["Call"] == str(int(clock.now) * 8 + 2)
    other.open()
    assert other.page.says.startswith("Your opponent: “Ouch!” ")
    clock.now += presence.NUDGE_EVERY
    assert "Call" not in other.get(other.wait).headers
    one.press("nudge")
    assert one.status == 200


@pytest.mark.parametrize("name", ["", "Ben"])
def test_without_a_script_both_pages_tell_a_nudge(clock: Clock, name: str) -> None:
    first = inviting()
    second = joining(first)
    place(second, name=name)
    first.open()
    acts, waits = mover(first, second), waiter(first, second)
    acts.waits(), waits.waits()
    acts.open()
    before = acts.page.says
    first.press("nudge")
    assert first.page.says.startswith(f"You have nudged {name or 'your opponent'}. ")
    first.get(first.wait)
    second.press("nudge")
    first.open()
    assert first.page.says.startswith(f"{name or 'Your opponent'} nudges you! ")
    first.open(**HTMX)
    assert "nudges you" not in first.page.says, "the script has told it"
    clock.now += presence.NUDGE_EVERY
    acts.open()
    assert acts.page.says == before


def test_who_is_away_is_not_nudged_but_reminded(clock: Clock) -> None:
    one, other = begun()
    other.waits()
    clock.now += presence.SILENT + presence.EVERY
    one.press("nudge")
    assert one.status == 422
    assert '<summary class="button" data-remind>Remind</summary>' in one.page
    link = one.page.first(r'value="(http://localhost/invite/[^"]+)"')
    other.open(link.removeprefix("http://localhost").replace("/invite/", "/en/invite/"))
    assert (other.page.status, other.seat) == (200, "second")


# --- leaving ---


def test_an_invitation_can_be_withdrawn_until_a_friend_joins() -> None:
    first = inviting()
    link = invitation(first)
    first.press("withdraw")
    assert first.page.says == "You have withdrawn the invitation."
    first.open(link)
    assert (first.status, first.page.says) == (303, "You have withdrawn the invitation.")
    friend = Seat().open(link)
    assert (friend.status, friend.says) == (410, "This invitation has been withdrawn.")
    second = inviting()
    joining(second)
    second.press("withdraw")
    assert second.status in (409, 422)


def test_the_inviter_changes_the_fleet_while_nobody_has_joined() -> None:
    first = inviting()
    link, laid = invitation(first), first.duel.fleets[0]
    first.press("change")
    assert first.phase == "placing"
    assert first.page.ships == [str(ship) for ship in laid]
    second = Seat()
    second.open(link)
    second.press("join", link)
    place(second)
    place(first)
    assert {first.state.match is not None, second.state.match is not None} == {True}


@pytest.mark.parametrize("leaves", ["first", "second"])
def test_to_leave_a_match_gives_it_up_and_ends_the_rematches(leaves: str) -> None:
    devices = begun()
    goes, stays = sorted(devices, key=lambda device: device.seat != leaves)
    goes.press("leave")
    stays.open()
    for device, word in ((goes, "lost"), (stays, "won")):
        assert device.page.attribute("data-outcome") == word
        assert device.page.attribute("data-reason") == "resigned"
    assert presence_of(stays) == "left"
    assert line(stays) == "Your opponent has left the match"
    assert 'class="presence"' not in goes.page, "who has left is told of nobody"
    assert 'value="rematch"' not in stays.page
    assert stays.waits() == 204


@pytest.mark.parametrize("offers", [True, False])
def test_nobody_offers_a_rematch_to_a_player_who_has_left(offers: bool) -> None:
    one, other = over()
    one.press("rematch")
    stays, goes = (one, other) if offers else (other, one)
    goes.press("leave")
    stays.open()
    assert presence_of(stays) == "left"
    assert "ematch" not in stays.page.says


def test_who_waits_for_a_friend_to_place_is_told_that_they_left() -> None:
    first = inviting()
    second = joining(first)
    second.press("leave")
    assert "You have left the match." in second.page
    first.follow()
    assert "Your opponent has left the match." in first.page
    assert "?opponent=friend" in first.page


def test_a_match_is_ended_without_a_winner_after_ten_minutes(clock: Clock) -> None:
    acts, waits = present("milton")
    clock.now += presence.VISIBLE + presence.ABANDONED - 1
    waits.waits()
    waits.press("abandon")
    assert (waits.status, waits.phase) == (422, "waiting")
    clock.now += 1
    waits.press("abandon")
    acts.open()
    for device in (acts, waits):
        assert device.page.attribute("data-outcome") == "draw"
        assert device.page.attribute("data-reason") == "abandoned"
    assert acts.state == waits.state
    assert acts.send({"cell": "A1"}).status == 422
