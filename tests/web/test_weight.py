"""What pages weigh: the bytes that a browser gets before the first move, and with each move."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.conf import settings
from django.test import Client

from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches import duels
from game.matches.duel import opened
from game.matches.seats import Seats, holder_of
from game.matches.setup import Setup
from game.matches.tokens import seal_duel, seal_invite, seal_seats
from tests.support.matches import address, ended, opening

KILOBYTE = 1024
FIRST_LOAD = 45 * KILOBYTE
OWN_SCRIPT = 9 * KILOBYTE
STYLE = 10 * KILOBYTE
PAGE = 5 * KILOBYTE
MOST_REQUESTS = 13


def weight(name: str, packed: str = "br") -> int:
    """The bytes of a static file on the wire."""
    file = Path(settings.STATIC_ROOT) / name
    smaller = file.with_name(f"{file.name}.{packed}")
    return (smaller if smaller.exists() else file).stat().st_size


def files(html: str) -> list[str]:
    """The static files that a browser gets for a page, by name; those on demand included."""
    asked = re.findall(r'<link rel="(?:stylesheet|icon)" href="/static/([^"]+)"', html)
    asked += re.findall(r'(?:<script src|data-script)="/static/([^"]+)"', html)
    for script in [name for name in asked if name.endswith(".js")]:
        source = (Path(settings.STATIC_ROOT) / script).read_text()
        asked += [f"game/{name}" for name in re.findall(r'(?:from|import) ?"\./([^"]+)"', source)]
    for style in [name for name in asked if name.endswith(".css")]:
        source = (Path(settings.STATIC_ROOT) / style).read_text()
        asked += [f"game/{name}" for name in re.findall(r'url\("([^"#]+)', source)]
    return list(dict.fromkeys(asked))


def pages() -> dict[str, str]:
    return {
        "home": "/en/",
        "setup": "/en/setup/bonn/",
        "thinking": "/de/thinking/",
        "placing": "/de/new/bonn/",
        "playing": address(opening(BONN), language="de"),
        "the end": address(ended(BONN)),
        "recap": address(ended(BONN), page="replay"),
        "review": address(ended(BONN), page="review"),
        "deduction": "/de/deduction/",
    }


@pytest.mark.parametrize("name", pages())
def test_a_first_visit_is_light(client: Client, name: str) -> None:
    see_it_is_light(client.get(pages()[name], follow=True).content)


def test_a_match_at_two_devices_is_light(client: Client) -> None:
    """Who has invited somebody, the invitation, and the match."""
    seats, found = Seats(bytes(16)), bytes(range(16))
    first, second = (holder_of(seats.proof(found, side)) for side in Side)
    fleets = opening(BONN).match.fleets
    invited = opened(Setup(BONN, (None, None), apart=True), found, first, fleets[0], "Anna")
    duels.write(invited)
    see_it_is_light(client.get(f"/de/invite/{seal_invite(found)}/").content)
    client.cookies["seats"] = seal_seats(seats)
    see_it_is_light(client.get(f"/de/duel/{seal_duel(invited)}/").content)
    joined = duels.write(invited.joined(second))
    begun = duels.write(joined.placed(Side.SECOND, fleets[1], "Ben"))
    see_it_is_light(client.get(f"/de/duel/{seal_duel(begun)}/").content)


def see_it_is_light(html: bytes) -> None:
    asked = files(html.decode())
    scripts = [file for file in asked if file.endswith(".js")]
    own = sum(weight(file) for file in scripts if "htmx" not in file)
    styles = sum(weight(file) for file in asked if file.endswith(".css"))
    whole = len(brotli.compress(html)) + sum(weight(file) for file in asked)
    assert own <= OWN_SCRIPT
    assert styles <= STYLE
    assert whole <= FIRST_LOAD
    assert 1 + len(asked) <= MOST_REQUESTS


@pytest.mark.parametrize("preset", PRESETS)
def test_an_answer_to_a_shot_is_light(client: Client, preset: str) -> None:
    saved = opening(PRESETS[preset].ruleset)
    cell = saved.match.ruleset.board.name(next(iter(saved.match.ruleset.board.cells)))
    answer = client.post(address(saved), {"cell": cell}, headers={"hx-request": "true"})
    assert answer.status_code == 200
    assert len(gzip.compress(answer.content)) <= PAGE
