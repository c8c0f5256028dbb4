"""The game's region names what the last shots did, for motion, sounds and vibration."""

from game.display.match_history import new_shots, shots_told
from game.display.match_view import new_shots_of
from game.engine.actions import Fire
from game.engine.match import Match
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from tests.support.device import HTMX, Device
from tests.support.matches import STILL, address, begun
from tests.support.page import Page


def told(html: Page) -> dict[str, str]:
    """The effects at the game's region."""
    return {who: html.game[f"data-{who}"] for who in ("you", "foe") if f"data-{who}" in html.game}


def shots(html: Page) -> str | None:
    """The last shots at the game's region."""
    return html.game.get("data-shots")


def fired(saved: SavedMatch, *names: str) -> Match:
    """The match after these cells were fired at, by whoever's turn it was."""
    match = saved.match
    for name in names:
        match = match.act(Fire(match.ruleset.board.parse(name)))
    return match


def effects_after(match: Match, side: Side) -> dict[str, str]:
    found = new_shots_of(match.ruleset.board, *new_shots(match, side)).handles
    return {who: str(found[who]) for who in ("you", "foe") if who in found}


def test_the_cue_of_a_shot_is_what_it_met_and_of_a_reply_its_gravest_shot() -> None:
    still = begun(STILL)
    assert effects_after(still.match, Side.FIRST) == {}
    assert effects_after(fired(still, "D1"), Side.FIRST) == {"you": "hit"}
    assert effects_after(fired(still, "D1", "C1"), Side.FIRST) == {"you": "sunk"}
    answered = fired(still, "E5", "J3", "J4", "J2")  # water, then two hits and water
    assert effects_after(answered, Side.FIRST) == {"you": "water", "foe": "hit"}
    assert [len(shots) for shots in new_shots(answered, Side.FIRST)] == [1, 3]
    assert effects_after(answered, Side.SECOND) == {"you": "water"}


def test_the_shots_are_told_in_order_each_with_its_board() -> None:
    match = fired(begun(STILL), "E5", "J3", "E6", "F6", "A1")
    told = shots_told(match.ruleset.board, *new_shots(match, Side.FIRST))
    assert told == "enemy:E5:water own:J3:hit own:E6:hit own:F6:sunk own:A1:water"
    assert shots_told(match.ruleset.board, (), ()) == ""


def test_page_and_fragment_say_the_same_and_a_switch_or_a_refusal_says_nothing(
    client: Device,
) -> None:
    where = address(begun(STILL))
    plain = client.get(client.post(where, {"cell": "D1"}).location)
    swapped = client.post(where, {"cell": "D1"}, headers=HTMX)
    assert told(plain) == told(swapped) == {"you": "hit"}
    assert shots(plain) == shots(swapped) == "enemy:D1:hit"
    now = swapped.headers["HX-Replace-Url"]
    for fields in ({"hints": "on"}, {"coach": "on"}, {"cell": "D1"}, {"cell": "Z9"}):
        html = client.post(now, fields, headers=HTMX)
        assert (told(html), shots(html)) == ({}, None)
