"""The most expensive requests at every address of the site, which `bench.worst` measures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse

from bench.matches import begun, played
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.feature import features
from game.matches import tokens
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.web.forms import parse_setup
from game.web.middleware import JSON_PAGES

OWN = {
    "full board": "columns=10&rows=12&n8=12&n7=1&n1=17&touching=anywhere&again=on&turns=none"
    "&begins=computer",
    "15 by 15": "columns=15&rows=15&n5=2&n4=2&n3=5&n2=6&moving=on&again=on&turns=none",
    "salvos": "columns=15&rows=15&n2=30&touching=anywhere&again=on&salvo=on&moving=off&turns=none"
    "&begins=computer",
}
"""Own rules that are expensive, as the setup page sends them: ships that fill the board, so that
each shot of the computer hits and fires again, the largest board, and thirty guns."""
PUBLIC = (
    "home", "games", "rules", "about", "thinking", "site_card",
    "manifest", "robots", "sitemap", "front_door", "security",
)  # fmt: skip


class Request(NamedTuple):
    """A request that a visitor can make."""

    name: str
    """The name of the address."""
    what: str
    path: str
    form: dict[str, Any] | None = None
    """The fields that are sent; None for a GET."""
    leads_on: bool = False
    """Whether answers lead to the next part of what was asked."""
    accept: str = "text/html,*/*"


@cache
def own_rules() -> dict[str, Ruleset]:
    return {
        name: parse_setup(PRESETS["own"], QueryDict(fields).dict()).ruleset
        for name, fields in OWN.items()
    }


def _large() -> Ruleset:
    return own_rules()["15 by 15"]


def expensive_requests() -> Iterator[Request]:
    """Yields at least one request for each address, those that could be expensive, also in JSON."""
    for request in _in_html():
        yield request
        if JSON_PAGES.match(f"/{request.path.removeprefix(settings.PATH)}"):
            yield request._replace(what=f"{request.what}, JSON", accept="application/json")


def _in_html() -> Iterator[Request]:
    for name in PUBLIC:
        yield Request(name, "GET", reverse(name))
    yield Request("continue", "to nothing", reverse("continue"))
    yield Request("settings", "GET", _at("settings", ""))
    yield from _before_a_match()
    for what in LATE:
        yield from _during(what, late(what))
        yield from _afterwards(what, late(what).resigned(Side.FIRST))
    for requests in of_features("requests"):
        yield from requests(late("Bonn").resigned(Side.FIRST))
    yield Request("watch", "Bonn", _at("watch", "bonn"), {"mind1": "admiral", "mind2": "admiral"})
    watched = begun(Setup(_large(), ("admiral", "admiral")))
    yield _click("watched, 15 by 15", watched, "go on")
    searched = begun(solo(_large(), PRESETS["own"]))
    yield _click("par", searched.resigned(Side.FIRST), "par")
    over = tokens.seal_match(late("Bonn").resigned(Side.FIRST))
    yield Request("play", "forget", _at("play", over), {"action": "forget"})


def _before_a_match() -> Iterator[Request]:
    for preset in ("bonn", "own"):
        yield Request("setup", preset, _at("setup", preset))
    for what, fields in OWN.items():
        where = f"{_at('new', 'own')}?{fields}&opponent=admiral"
        yield Request("new", what, where)
        for action in ("random", "quick"):
            yield Request("new", f"{what}, {action}", where, {"action": action})
        setup = Setup(own_rules()[what], (None, "admiral"), preset=PRESETS["own"])
        place = _at("place", tokens.seal_draft(Draft(setup)))
        yield Request("place", f"{what}, quick", place, {"action": "quick"})
        replied = begun(setup).play_ai_batch()
        if replied.is_minds_turn:
            yield _click(f"{what}, go on", replied, "go on")


def _during(what: str, saved: SavedMatch) -> Iterator[Request]:
    where = _at("play", tokens.seal_match(saved))
    coached = _at(
        "play", tokens.seal_match(replace(saved, setup=saved.setup.with_help(coach=True)))
    )
    seen = observe(saved.match, Side.FIRST)
    shot = {"cell": seen.board.name(seen.targets[0])}
    yield Request("play", f"{what}, a shot", where, shot)
    yield Request("play", f"{what}, hints", where, {"hints": "on"})
    yield Request("play", f"{what}, coach", where, {"coach": "on"})
    yield Request("play", f"{what}, a shot, coach", coached, shot)
    yield Request("play", f"{what}, GET with coach", coached)
    yield Request("lead_on", what, f"{where}elsewhere/")
    for action in ("resign", "resign-yes", "anew", "show"):
        yield Request("play", f"{what}, {action}", where, {"action": action})


def _afterwards(what: str, saved: SavedMatch) -> Iterator[Request]:
    token, shared = tokens.seal_match(saved), tokens.seal_replay(saved)
    for name in ("replay", "record"):
        yield Request(name, what, _at(name, token), leads_on=True)
    yield Request("replay", f"{what}, a step in fog", f"{_at('replay', token)}?step=40&fog=on")
    yield Request("public_replay", what, _at("public_replay", shared))


def of_features(name: str) -> Iterator[Any]:
    """The functions of that name which features bring in the samples of their tests."""
    for feature in features():
        if find_spec(found := f"tests.{feature.label}.samples"):
            yield from filter(None, [getattr(import_module(found), name, None)])


def _at(name: str, *words: str) -> str:
    return reverse(name, args=words)


def _click(what: str, saved: SavedMatch, action: str) -> Request:
    """An action whose answers lead on until it is done."""
    where = _at("play", tokens.seal_match(saved))
    return Request("play", what, where, {"action": action}, leads_on=True)


def _begun(rules: Ruleset, mind: str) -> SavedMatch:
    return begun(Setup(rules, (None, mind)))


LATE = "Bonn", "15 by 15"


@cache
def late(what: str) -> SavedMatch:
    """One of LATE: against the admiral, and its person fires at water for as long as there is any.

    The random player plays for the admiral, which would take minutes.
    """
    rules = BONN if what == "Bonn" else own_rules()[what]
    states = played(_begun(rules, "random"), "patient")
    *_, last = (one.match for one in states if one.match.outcome is None)
    return SavedMatch(Setup(rules, (None, "admiral")), last)
