"""The mark of a version on every answer."""

import re

import pytest

from game.web.versions import HEADER, own_mark
from tests.support.device import HTMX, Device
from tests.support.features import brought
from tests.support.matches import address, opening


@pytest.mark.parametrize(
    ("where", "status"),
    [("/en/", 200), ("/", 302), ("/en/play/no/", 400), ("/en/nowhere/", 404), ("/healthz", 200),
     ("/wait/x/", 404), ("/static/game/icon.svg", 200), ("/robots.txt", 200)],
)  # fmt: skip
def test_every_answer_has_the_mark(client: Device, where: str, status: int) -> None:
    got = client.get(where)
    assert (got.status, got.headers[HEADER]) == (status, own_mark())
    assert re.fullmatch("[0-9a-f]{8}", own_mark())


def test_a_part_of_a_page_has_it_at_its_root(client: Device) -> None:
    pages = [
        address(opening()),
        *(panel() for panels in brought("PANELS").values() for panel in panels),
    ]  # fmt: skip
    for where in pages:
        root = re.match(r"\s*<(?:section|article)[^>]+>", client.get(where, headers=HTMX))
        assert root, where
        assert root[0].count(f'data-version="{own_mark()}"') == 1, where
