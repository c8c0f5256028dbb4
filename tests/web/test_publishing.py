"""What devices, messengers and robots are told about the site."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.urls import reverse

from game.engine.presets import PRESETS
from game.feature import features
from tests.support.device import Device
from tests.support.features import brought
from tests.support.matches import address, opening, played
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("public_host")

SINGLE = ["", "games/", "rules/", "about/", "thinking/"]
SINGLE += [page for pages in brought("PUBLIC").values() for page in pages]
LISTED = [*SINGLE, *(f"setup/{name}/" for name in PRESETS)]


# --- devices; messengers ---


@pytest.mark.parametrize(("language", "name"), [("en", "Battleship"), ("de", "Schiffe versenken")])
def test_a_device_installs_the_site_in_the_language_of_the_page(
    client: Device, language: str, name: str
) -> None:
    html = client.get(f"/{language}/")
    where = html.first(r'rel="manifest" href="([^"]+)"')
    answer = client.get(where, headers={"accept-language": "fr"})
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert not answer.cookies
    found = answer.json()
    assert (found["name"], found["lang"], found["start_url"]) == (name, language, f"/{language}/")
    assert (found["scope"], found["display"]) == ("/", "standalone")
    assert html.attribute('name="description" content') == found["description"]
    assert f'name="theme-color" content="{found["theme_color"]}"' in html


# --- robots ---


def alternates(html: Page) -> tuple[Any, ...]:
    """The addresses of a page by language, and its own."""
    links = html.all(r'<link rel="alternate" hreflang="([^"]+)"\s+href="([^"]+)">')
    assert len(dict(links)) == len(links)
    return dict(links), html.all(r'<link rel="canonical" href="([^"]+)">')


@pytest.mark.parametrize("page", ["", "rules/", "setup/bonn/"])
def test_a_page_that_may_be_listed_names_itself_and_its_other_languages_both_ways(
    client: Device, page: str
) -> None:
    base = "http://play.example.org"
    expected = {code: f"{base}/{code}/{page}" for code in site_settings.LANGUAGE_TABLE}
    said = set()
    for language in ("en", "de"):
        html = client.get(f"/{language}/{page}?n5=1")
        found, canonical = alternates(html)
        assert found == expected | {"x-default": f"{base}/en/{page}" if page else f"{base}/"}
        assert canonical == [expected[language]]
        assert "noindex" not in html
        assert "X-Robots-Tag" not in html.headers
        assert f'property="og:url" content="{expected[language]}"' in html
        assert f'property="og:image" content="{base}/{language}/card.png"' in html
        if page:
            said.add(html.attribute('name="description" content'))
            assert html.attribute('property="og:description" content') in said
    assert len(said) == (2 if page else 0), "each language has its own"


def test_a_page_with_a_game_is_not_to_be_listed_but_for_the_empty_sea_of_a_preset(
    client: Device,
) -> None:
    saved, empty = played(opening(), 3), "/en/new/bonn/"
    for where in (f"{empty}?opponent=admiral", address(saved)):
        answer = client.get(where)
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert 'name="robots" content="noindex"' in answer
        assert alternates(answer) == ({}, [])
    html = client.get(empty)
    assert "X-Robots-Tag" not in html.headers
    assert "noindex" not in html
    assert alternates(html)[1] == [f"http://play.example.org{empty}"]


def test_security_txt_says_whom_to_tell_where_a_setting_does(client: Device, settings: Any) -> None:
    assert client.get("/.well-known/security.txt").status == 404
    settings.CONTACT = "mailto:ops@example.org"
    told = dict(line.split(": ") for line in client.get("/.well-known/security.txt").splitlines())
    assert told["Contact"] == settings.CONTACT
    until = datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)
    assert timedelta(30) < until < timedelta(365)
    assert told["Canonical"] == "http://play.example.org/.well-known/security.txt"


def test_robots_may_ask_for_all_but_countless_pages_and_find_those_to_be_listed(
    client: Device,
) -> None:
    told = client.get("/robots.txt")
    closed = set(re.findall("Disallow: (.*)", told))
    names = [name for feature in features() for name in feature.countless]
    assert {reverse(name) for name in names} <= closed
    assert {path.replace("/en/", "/de/") for path in closed} <= closed
    [sitemap] = re.findall("Sitemap: http://play.example.org(/.*)", told)
    listed = [f"/{code}/{page}" for code in site_settings.LANGUAGE_TABLE for page in LISTED]
    assert client.get(sitemap).split() == [f"http://play.example.org{it}" for it in listed]
