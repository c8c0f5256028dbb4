"""Challenges: a link lets a friend play the same hidden fleet, and shows nothing of it before."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bench.matches import begun
from game.engine.actions import Fire
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Side
from game.features.challenge import words
from game.features.challenge.model import Score, take_up
from game.features.challenge.parts import unseal_challenge
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_match, unseal_match
from tests.challenge.samples import accepted, ended, link, made, sent, to_the_end
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.features import needs_features
from tests.support.matches import (
    address,
    hit_all_but,
    played,
    saved_at,
    searching,
    with_setup,
)
from tests.support.worlds import told, worlds

WAYS = ("alone", "against")


@pytest.fixture
def anna() -> Device:
    return Device()


@pytest.fixture
def ben() -> Device:
    return Device()


# --- the offer ---


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("preset", ["bonn", "milton", "ask"])
def test_every_preset_is_offered_with_the_same_fleet_rules_and_seed(
    anna: Device, preset: str, way: str
) -> None:
    saved = ended(preset, alone=way == "alone")
    made_link = anna.see(address(saved)).attribute("data-challenge")
    assert made_link.startswith("http://localhost/challenge/")
    assert len(made_link) < 1000
    found = unseal_challenge(made_link.split("/")[4])
    again = take_up(found, saved.match.fleets[Side.FIRST])
    assert again.match == replace(saved.match, actions=(), resigned=None)
    assert unseal_match(seal_match(again)) == again


def test_no_challenge_is_made_of_a_match_that_goes_on_or_of_two_players(anna: Device) -> None:
    bonn = PRESETS["bonn"]
    two = begun(Setup(bonn.ruleset, ("random", "random"), bonn)).with_minds_played()
    two = with_setup(two, minds=(None, None))
    running = begun(Setup(bonn.ruleset, (None, "random"), bonn)).with_minds_played()
    for saved in (two, running):
        assert "data-challenge" not in anna.see(address(saved))
    where = address(two).replace("/play/", "/challenge/") + "send/"
    assert "to-copy" not in anna.see(where)


@pytest.mark.usefixtures("compared")
def test_a_match_too_long_for_the_address_of_a_friends_is_not_offered(anna: Device) -> None:
    size: dict[str, Any] = {"columns": 15, "rows": 15, "fleet": (1,) * 150, "touching": True}
    rules = replace(OWN.ruleset, **size, turns=600, again=False)
    saved = begun(Setup(rules, (None, "random"), OWN))
    assert "data-challenge" in anna.see(address(saved.resigned(Side.FIRST)))
    saved = played(saved, 200).resigned(Side.FIRST)
    html = anna.see(address(saved))
    assert "data-challenge" not in html
    assert "act-challenge" not in html
    assert "too long" in anna.see(address(saved).replace("/play/", "/challenge/") + "send/")


# --- what the link says; a whole challenge ---


def test_the_page_of_a_link_says_who_and_which_game_and_shows_no_cell(ben: Device) -> None:
    challenge = made(ended("milton", alone=True))
    html = ben.see(link(challenge))
    assert "Anna sank this fleet in" in html.first("<h1[^>]*>(.*?)</h1>")
    assert "Anyone who has played this link knows the fleet." in html
    assert not html.has_board
    assert "Anna sank this fleet" in html.attribute('og:title" content')
    assert html.attribute('og:description" content').startswith("Classic: ")
    assert html.attribute('og:url" content').startswith("http://localhost/challenge/")
    answer = ben.get(link(challenge).replace("/en/", "/"), headers={"accept-language": "de"})
    assert answer.location.startswith("/de/challenge/")
    german = ben.see(answer.location)
    assert german.search(r"Anna hat diese Flotte mit \d+ Schüssen versenkt\. Schaffst du es")


@in_both_languages
def test_a_cut_or_forged_link_is_refused_with_one_sentence(ben: Device, language: str) -> None:
    where = link(made(ended("cmu")), language)
    token = where.split("/")[3]
    others = (token[:-4], token[:40] + "A" * 8 + token[48:], seal_match(ended("cmu")), "x")
    for wrong in others:
        for send in (ben.get, ben.post):
            answer = send(where.replace(token, wrong))
            assert answer.status == 400
            assert answer.says.startswith(
                {"en": "It was cut off or", "de": "Er ist abgeschnitten"}[language]
            )


def straight(saved: SavedMatch) -> SavedMatch:
    """The match in which the person hits ship after ship."""
    return hit_all_but(0, saved)


def test_the_call_is_honest_about_the_result() -> None:
    found = PRESETS["milton"]
    against = begun(Setup(found.ruleset, (None, "sailor"), found))
    alone = searching()
    limited = begun(solo(replace(found.ruleset, turns=10), found))
    for saved, call in (
        (straight(against), "Anna beat the Sailor in 17 turns. Your turn."),
        (played(against, 10_000), r"Anna lost against the Sailor after \d+ turns. Can you do .+"),
        (gave_up(against, 3), "Anna gave up against the Sailor after 3 turns. Can you do better?"),
        (straight(alone), "Anna sank this fleet in 17 shots. Can you do it in fewer?"),
        (gave_up(alone, 3), "Anna gave up on this fleet after 3 shots. Can you sink it?"),
        (played(limited, 5), "Anna did not sink this fleet in 5 shots. Can you?"),
    ):
        assert re.fullmatch(call.removesuffix("?") + r"\??", words.call(made(saved)))
        nameless = words.call(made(saved, ""))
        assert re.match("(This fleet was|Won|Lost|Given up) ", nameless), nameless


def gave_up(saved: SavedMatch, actions: int) -> SavedMatch:
    return played(saved, actions).resigned(Side.FIRST)


OUTCOMES = {
    (17, 17): "17 shots, as many as Anna.", (17, 20): "17 shots, 3 fewer than Anna.",
    (18, 17): "18 shots, 1 more than Anna.", (17, 0): "17 shots, and Anna did not sink them all.",
    (0, 17): "Anna sank them all in 17 shots.", (0, 0): "Anna did not sink them all either.",
}  # fmt: skip


def with_shots(shots: int) -> SavedMatch:
    """A search alone that ends with so many shots, or is given up at once."""
    saved = searching()
    if not shots:
        return saved.resigned(Side.FIRST)
    hidden = {cell for ship in saved.match.fleets[Side.SECOND] for cell in ship.cells}
    water = [cell for cell in saved.match.ruleset.board.cells if cell not in hidden]
    for cell in water[: shots - len(hidden)]:
        saved = saved.acted(Fire(cell))
    return straight(saved)


@pytest.mark.parametrize(
    ("is_solo", "is_won", "said"),
    [
        (True, True, "7 shots"),
        (True, False, "not sunk in 7 shots"),
        (False, True, "won in 7 turns"),
        (False, False, "not won after 7 turns"),
    ],
)
def test_a_result_says_how_long_it_took(is_solo: bool, is_won: bool, said: str) -> None:
    score = Score("", 7, is_won, ("hints",))
    assert words.result(score, is_solo=is_solo) == f"Challenge: {said}, with hints"


@pytest.mark.parametrize("shots", OUTCOMES)
def test_both_results_are_compared(shots: tuple[int, int]) -> None:
    mine, theirs = map(with_shots, shots)
    assert words.compared(replace(mine, parts=(made(theirs),))) == OUTCOMES[shots]
    nameless = OUTCOMES[shots].replace("Anna", "the challenger")
    nameless = nameless[0].upper() + nameless[1:]
    assert words.compared(replace(mine, parts=(made(theirs, ""),))) == nameless


@pytest.mark.parametrize(
    ("preset", "way"),
    [("milton", "alone")],
)
def test_a_challenge_is_played_in_two_languages_and_sent_back(
    anna: Device, ben: Device, preset: str, way: str
) -> None:
    saved = ended(preset, alone=way == "alone")
    _, path = sent(anna, address(saved), "Anna")
    where = accepted(ben, f"/de{path}")
    html = ben.see(where)
    shots = len([one for one in saved.match.shots if one.side is Side.FIRST])
    assert html.attribute("data-challenger-shots") == str(shots)
    assert html.attribute("data-pace") == "0"
    assert "/film/" not in html
    where = to_the_end(ben, where)
    html = ben.see(where)
    assert saved_at(where).match.fleets[1] == saved.match.fleets[1]
    compared = html.first(r'class="compared"[^>]*>(.*?)</p>')
    assert "Anna" in compared
    assert "Auf diesem Gerät war es der erste Versuch." in compared
    replay = ben.see(html.attribute('id="act-challenger" href'))
    assert 'data-phase="over"' in replay
    said, back = sent(ben, where, "Ben")
    assert re.match(r"Ben: .*erster Versuch auf diesem Gerät\. Anna: ", said)
    html = anna.see(f"/en{back}")
    assert "Ben has taken up the challenge of Anna." in html
    assert 'id="act-challenger"' in html  # Anna has made the challenge in this browser
    following = anna.get(html.attribute('id="act-next" href'), follow=True)
    assert following.attribute("data-phase") in ("placing", "firing")
    third = Device().see(f"/en{back}")
    assert 'id="act-challenger"' not in third
    assert 'id="act-accept"' in third


def test_pace_counts_the_challengers_hits_after_as_many_shots(ben: Device) -> None:
    saved = ended("milton", alone=True)
    where, hits = accepted(ben, link(made(saved))), 0
    for cell, shot in zip(
        PRESETS["milton"].ruleset.board.cells, saved.match.shots[:11], strict=False
    ):
        where = ben.pressed(where, {"cell": PRESETS["milton"].ruleset.board.name(cell)})
        hits += shot.result.value != "water"
        html = ben.see(where)
        assert html.attribute("data-pace") == str(hits)
        assert f"Anna: {hits} hit" in html


# --- what a browser remembers; today's sea; links stay the same ---


def test_a_challenge_opened_before_is_marked(ben: Device) -> None:
    where = link(made(ended("cmu", alone=True)))
    assert "before on this device" not in ben.see(where)
    first = to_the_end(ben, accepted(ben, where))
    assert "This was the first try on this device." in ben.see(first)
    assert "You have opened it before on this device" in ben.see(where)
    second = to_the_end(ben, accepted(ben, where))
    assert "Opened before on this device." in ben.see(second)
    assert "opened before on this device" in sent(ben, second, "Ben")[0]
    other = Device()
    begun = accepted(other, where)
    assert "This was the first try on this device." in ben.see(to_the_end(ben, begun))
    shots = [saved_at(other.pressed(begun, {"cell": cell})) for cell in ("A1", "C3")]
    assert [saved.setup.assists.used for saved in shots] == [(), ("back",)]


def test_who_makes_a_challenge_is_asked_for_a_name_once_and_has_opened_it(anna: Device) -> None:
    where = address(ended("cmu", alone=True))
    said, path = sent(anna, where, "Anna")
    assert said.startswith("Anna ")
    assert "You have opened it before on this device" in anna.see(f"/en{path}")
    link_of = anna.see(where).attribute("data-challenge")
    assert unseal_challenge(link_of.split("/")[4]).name == "Anna"


@needs_features("daily")
@pytest.mark.usefixtures("chain_file")
def test_a_challenge_of_todays_sea_leads_there_while_the_day_is_open(
    anna: Device, ben: Device, clock: list[datetime]
) -> None:
    where = to_the_end(anna, anna.get("/en/daily/").location)
    _, path = sent(anna, where, "Anna")
    assert "This is today’s sea: Start leads to it." in ben.see(f"/en{path}")
    answer = ben.post(f"/en{path}", {"action": "accept"})
    assert answer.location == f"/en/daily/?day={clock[0].date()}"
    clock[0] = clock[0].replace(tzinfo=UTC) + 4 * (datetime(2026, 1, 2) - datetime(2026, 1, 1))
    assert "today’s sea" not in ben.see(f"/en{path}").split("<main")[1]
    begun = saved_at(accepted(ben, f"/en{path}"))
    assert begun.setup.day is None
    assert begun.match.fleets == saved_at(where).match.fleets


# --- two worlds ---


def test_the_pages_before_a_challenge_begins_are_the_same_over_another_fleet() -> None:
    for name in ("alone", "named"):
        for pair in worlds(name)[:5]:
            found = set[tuple[str, str]]()
            for client, saved in zip((Device(), Device()), pair, strict=True):
                where = link(made(saved.resigned(Side.FIRST)))
                page, accepted = client.see(where), client.post(where, {"action": "accept"})
                found.add((told(page), told(accepted) + told(client.get(accepted.location))))
            assert len(found) == 1


# --- in JSON ---
