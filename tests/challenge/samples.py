"""Challenges for tests: made of matches of each preset, taken up page by page, and samples."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from django.urls import reverse

from bench.matches import begun
from bench.requests import Request
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.challenge.model import Challenge, Score, challenge_of, take_up
from game.features.challenge.parts import seal_challenge, unseal_challenge
from game.matches import daily
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import LONGEST_NAME, Day, Setup, solo
from game.matches.tokens import seal_match
from tests.support import golden as golden_samples
from tests.support.device import Device
from tests.support.matches import DAY, address, not_yet_hit, played, saved_at, sea, sea_sunk, won


def ended(preset: str, number: int = 0, *, alone: bool = False, mind: str = "random") -> SavedMatch:
    """A match of a preset that a person has played at random to its end."""
    found = PRESETS[preset]
    setup = Setup(found.ruleset, (None, mind), found)
    saved = begun(solo(found.ruleset, found) if alone else setup, number)
    return played(saved.with_minds_played(), 10_000)


def made(saved: SavedMatch, name: str = "Anna") -> Challenge:
    return challenge_of(saved.setup, saved.match, name)


def link(challenge: Challenge, language: str = "en") -> str:
    """The address of a challenge in a language."""
    return f"/{language}/challenge/{seal_challenge(challenge)}/"


def accepted(client: Device, where: str) -> str:
    """Where a challenge leads once it is accepted, with a fleet of the player's if it needs one."""
    where = client.pressed(where, {"action": "accept"})
    return client.pressed(where, {"action": "quick"}) if "/place/" in where else where


def to_the_end(client: Device, where: str) -> str:
    """Where a match is once its whole hidden fleet is hit, cell by cell, as far as it goes."""
    while (saved := saved_at(where)).match.outcome is None:
        form = {"action": "go on"}
        if not saved.is_minds_turn:
            form = {"cell": saved.match.ruleset.board.name(not_yet_hit(saved)[0])}
        where = client.pressed(where, form)
    return where


def sent(client: Device, where: str, name: str) -> tuple[str, str]:
    """The sentence and the path of the link that the panel of an ended match makes."""
    html = client.get(where)
    where = html.attribute('id="act-challenge" href')
    panel = client.post(where, {"name": name})
    said = panel.first(r'class="to-send">(.*?)</p>')
    return said, re.sub(r"^https?://[^/]+", "", panel.attribute("readonly value"))


# --- what the tests of all pages, tokens and requests find here ---


def taken_up() -> SavedMatch:
    """A match that takes up the challenge of a sea, after some shots."""
    saved = sea()
    return replace(saved, setup=replace(saved.setup, day=None), parts=(made(sea_sunk()),))


LONGEST = "W" * LONGEST_NAME
"""A name as wide as a name can be."""
PAGES = {
    "challenge": lambda: link(made(sea_sunk())),
    "challenge, taken up": taken_up,
    "challenge, over": lambda: address(replace(sea_sunk(), parts=(made(sea_sunk()),))),
    "challenge, sent": lambda: f"/en/challenge/{seal_match(won())}/send/",
}
ENDS: list[tuple[Callable[[], SavedMatch], list[str]]] = [
    (lambda: replace(sea_sunk(), parts=(made(sea_sunk(), LONGEST),)), [])
]
"""Ends of matches, and what the card shows in every window."""
PATHS = ("challenge/T/", "challenge/T/send/")
ONLY_ITS_OWN = ("challenge",)
"""Pages whose addresses are sent without a language."""
PANELS = [lambda: f"/en/challenge/{seal_match(won())}/send/"]
"""Addresses that answer htmx with a part of a page."""


def _in_terminal() -> tuple[str, str, list[str]]:
    saved = ended("milton", alone=True)
    hits = sum(shot.result.value != "water" for shot in saved.match.shots[:30])
    lines = "".join(f"{column}{row}\n" for row in range(1, 4) for column in "abcdefghij")
    return link(made(saved), "")[1:], lines, ["Turn 31.", f"Anna: {hits} hits by now."]


TERMINAL = [_in_terminal]
"""A path that the terminal loads, what is typed there, and what it says."""
GOLDEN_FORMS = {"challenge": (seal_challenge, unseal_challenge)}


def golden() -> dict[str, Any]:
    """Three links: of a match against a computer, of one sent back, and of today's sea."""
    short, ask = PRESETS["short"], PRESETS["ask"]
    against = golden_samples.match_of(short.ruleset, 40, seed=bytes(range(16))).resign(Side.FIRST)
    alone = golden_samples.solo(ask.ruleset, ask, hints=True)
    milton = PRESETS["milton"]
    of_day = golden_samples.solo(daily.sea_rules(milton.ruleset), milton)
    of_day = replace(of_day, day=Day(DAY.date, 1, bytes(range(32))))
    score = Score("Anna", 31, True, ("hints", "back"), is_known=True)
    setup = golden_samples.Setup(short.ruleset, (None, "sailor"), short)
    first = challenge_of(setup, against, "Änne")
    sunk = golden_samples.sunk_match
    return {
        "challenge": first,
        "challenge, sent back": challenge_of(
            alone, sunk(alone.ruleset), "Ben", was_known=True, answers=score
        ),
        "challenge, of today's sea": challenge_of(of_day, sunk(of_day.ruleset)),
        "taken up": take_up(replace(first, is_known=True), against.fleets[0], 494_000),
        "draft, for a challenge": Draft(first.for_friend, against.fleets[0][:2], parts=(first,)),
    }


def joined(saved: SavedMatch) -> SavedMatch:
    """The match as one that takes up the challenge of one like it, given up there."""
    return replace(saved, parts=(made(saved.resigned(Side.FIRST)),))


def requests(saved: SavedMatch) -> Iterator[Request]:
    """What can be asked for of an ended match's challenge."""
    sent = seal_challenge(challenge_of(saved.setup, saved.match))
    yield Request("send", "Bonn", reverse("send", args=[seal_match(saved)]))
    for name in ("any_challenge", "challenge"):
        yield Request(name, "Bonn", reverse(name, args=[sent]))
    where = reverse("challenge", args=[sent])
    yield Request("challenge", "Bonn, accept", where, {"action": "accept"})
