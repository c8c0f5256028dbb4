"""The work of a mind is bounded, and the bench asks for every address."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from bench.clock import calls_of
from bench.matches import begun, patiently, played
from bench.requests import expensive_requests
from game.engine.chance import SEED_BYTES, Chance
from game.engine.presets import PRESETS
from game.matches.setup import Setup
from game.players.minds import MINDS

MOST_CALLS = 40_000
"""Calls for one action of a mind; `python -m bench worst` measures whole replies."""

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("mind", MINDS)
@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_an_action_of_a_mind_takes_no_more_than_so_many_calls(mind: str, preset: str) -> None:
    saved = begun(Setup(PRESETS[preset].ruleset, (None, mind)))
    for before in islice(played(saved, "patient"), 6):
        action = patiently(before.match, Chance(bytes(SEED_BYTES), "patient", 0))
        after = replace(before, match=before.match.act(action))
        actions = after.with_minds_played().match.ply - after.match.ply
        assert calls_of(after.with_minds_played) <= MOST_CALLS * max(1, actions)


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLPattern):
            yield str(one.name)
        else:
            yield from names(one.url_patterns)


OF_ROWS = {"duel", "invite", "any_invite", "keep", "place_seat"}
"""The addresses of rows in a database, which `bench duel` measures."""


def test_every_address_of_the_site_is_among_the_requests() -> None:
    requested = {one.name for one in expensive_requests()}
    assert requested == set(names(get_resolver().url_patterns)) - OF_ROWS
