"""The mark of a version on every answer, and what a copy leaves to one of a newer version."""

import re

import pytest

from battleships_site import __version__
from game.matches.keyring import VERSION
from game.web.versions import HEADER, is_newer, own_mark
from tests.support.device import HTMX, Device
from tests.support.features import brought
from tests.support.matches import address, opening

MARK = re.compile(rf"\d+\.\d+\.\d+-{VERSION}-\d+-[0-9a-f]{{8}}")
NEWER, OLDER = f"{__version__}.1-5-0-0000000f", "1.0.0-5-9999999999-0000000f"


@pytest.mark.parametrize(
    ("where", "status"),
    [("/en/", 200), ("/", 302), ("/en/play/no/", 400), ("/en/nowhere/", 404), ("/healthz", 200),
     ("/wait/x/", 404), ("/static/game/icon.svg", 200), ("/robots.txt", 200)],
)  # fmt: skip
def test_every_answer_has_the_mark(client: Device, where: str, status: int) -> None:
    got = client.get(where)
    assert (got.status, MARK.fullmatch(got.headers[HEADER]) is not None) == (status, True)


def test_a_part_of_a_page_has_it_at_its_root(client: Device) -> None:
    pages = [
        address(opening()),
        *(panel() for panels in brought("PANELS").values() for panel in panels),
    ]  # fmt: skip
    for where in pages:
        root = re.match(r"\s*<(?:section|article)[^>]+>", client.get(where, headers=HTMX))
        assert root, where
        assert root[0].count(f'data-version="{own_mark()}"') == 1, where


@pytest.mark.parametrize(
    ("mark", "newer"),
    [
        (NEWER, True), (OLDER, False), ("2.10.0-0-0-0000000f", True),
        (f"{__version__}-6-0-0000000f", True), (f"{__version__}-4-0-0000000f", False),
        (f"{__version__}-5-999999999999-0000000f", True),
        ("2.0-0-0-0f", False), ("", False), ("9" * 9999, False),
        (f"9.9.9-9-9-{own_mark()[-8:]}", False),
    ],
)  # fmt: skip
def test_versions_have_an_order(client: Device, mark: str, *, newer: bool) -> None:
    assert is_newer(mark) is newer
    client.cookies["newest"] = mark
    assert client.get("/en/about/").status == (503 if newer else 200)
    del client.cookies["newest"]
    got = client.post(address(opening()), {"cell": "A1"}, headers={**HTMX, HEADER: mark})
    assert got.status == (503 if newer else 200)
