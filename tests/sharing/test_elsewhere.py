"""Continuing on another device: the address of a match to copy, and as a QR code."""

import pytest

from tests.support import in_both_languages
from tests.support.codes import scanned
from tests.support.device import HTMX, Device
from tests.support.matches import address, opening, played, with_setup

pytestmark = pytest.mark.usefixtures("public_host")


@in_both_languages
def test_the_address_of_a_match_is_to_be_copied_and_to_be_scanned(
    client: Device, language: str
) -> None:
    where = address(played(opening(), 9), language)
    html = client.get(where.replace("/play/", "/elsewhere/"))
    text = html.first(r'class="to-copy" readonly value="([^"]*)"')
    assert text == f"http://play.example.org{where}"
    assert scanned(html) == text
    assert where in html.links, "the way back"
    assert 'name="robots" content="noindex"' in html
    assert (html.headers["Cache-Control"], html.headers["X-Robots-Tag"]) == ("no-store", "noindex")


def test_the_panel_is_fetched_only_when_it_is_opened(client: Device) -> None:
    html = client.get(address(opening()))
    link = html.first(r'id="act-elsewhere" href="([^"]+)" hx-get="" hx-target="#panel"')
    assert "shape-rendering" not in html
    part = client.get(html.where + link, headers=HTMX, follow=True)
    assert "<html" not in part
    assert scanned(part).endswith(html.where)


def test_where_two_persons_play_it_shows_no_board_and_leads_to_the_curtain(client: Device) -> None:
    saved = played(opening(), 9)
    shared = with_setup(saved, minds=(None, None))
    html = client.get(address(shared, page="elsewhere"))
    text = html.first(r'class="to-copy" readonly value="([^"]*)"')
    there = client.get(text.removeprefix("http://play.example.org"))
    assert 'data-phase="handover"' in there
    assert not html.has_board
    assert not there.has_board
