"""Challenges for tests: made of matches of each preset, and taken up page by page."""

import re

from bench.matches import begun
from game.engine.presets import PRESETS
from game.matches.challenge import Challenge, challenge_of
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_challenge
from tests.support.device import Device
from tests.support.matches import not_yet_hit, played, saved_at


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
