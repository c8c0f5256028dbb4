"""The public handles of pages, by which robots play."""

from __future__ import annotations

import re

import pytest

from tests.support.device import Device
from tests.support.matches import address, firing_late, lost, replay_address
from tests.support.page import Page

BOTH = pytest.mark.parametrize("language", ["en", "de"])
CELLS = [f"{letter}{row}" for row in range(1, 11) for letter in "ABCDEFGHIJ"]
ENDED = {"sea", "ship", "water", "hit", "sunk"}


def see_whole_boards(page: Page, language: str) -> None:
    """Sees that both boards have every cell, each once, in reading order."""
    assert (page.status, page.language) == (200, language)
    for board in page.seen.boards.values():
        assert list(board) == CELLS


@BOTH
def test_the_placing_page_names_its_cells_its_fleet_and_its_actions(
    client: Device, language: str
) -> None:
    client.open(f"/{language}/new/bonn/?opponent=random")
    empty = client.page.seen
    see_whole_boards(client.page, language)
    assert (empty.phase, empty.turn, empty.outcome, empty.ships) == ("placing", 0, None, ())
    assert list(empty.boards) == ["own"]
    assert set(empty.own.values()) == {"sea"}
    assert {"random", "clear", "start"} <= set(client.page.values("action"))

    def act(action: str, *ships: str) -> None:
        client.send({"ship": ships, "action": action})

    act("random", "C4h3")
    part = client.page.seen
    see_whole_boards(client.page, language)
    assert len(part.ships) == 10
    assert "C4h3" in part.ships
    assert all(re.fullmatch(r"[A-J]([1-9]|10)[hv][2-5]", ship) for ship in part.ships)
    assert list(part.own.values()).count("ship") == 30
    assert [part.own[name] for name in ("C4", "D4", "E4", "F4")] == [*["ship"] * 3, "sea"]
    act("random", *part.ships)
    assert set(client.page.seen.ships) != set(part.ships)
    act("clear", *part.ships)
    assert client.page.seen.ships == ()
    act("start", *part.ships)
    assert (client.page.seen.phase, client.page.seen.turn) == ("firing", 0)
    assert client.page.seen.own == part.own
    assert "/play/" in client.where


def test_a_running_match_keeps_to_the_vocabulary(client: Device) -> None:
    saved = firing_late()
    pages = {code: client.get(address(saved, code)) for code in ("en", "de")}
    for language, page in pages.items():
        see_whole_boards(page, language)
        seen = page.seen
        assert (seen.phase, seen.turn, seen.outcome) == ("firing", saved.match.turn, None)
        assert list(seen.boards) == ["enemy", "own"]
        assert {"unknown", "water"} <= {*seen.enemy.values()} <= {"unknown", "water", "hit", "sunk"}
        assert {"sea", "ship", "water"} <= {*seen.own.values()} <= ENDED
        assert page.values("cell") == CELLS
        assert page.values("steer")
        assert all(re.fullmatch(r"(\d|10)-(fore|aft)", value) for value in page.values("steer"))
    assert pages["en"].seen == pages["de"].seen
    assert sorted(pages["en"].values("steer")) == sorted(pages["de"].values("steer"))


@BOTH
def test_an_ended_match_names_its_outcome_and_shows_the_ships(
    client: Device, language: str
) -> None:
    over = client.get(address(lost(), language))
    last = client.get(f"{replay_address(lost(), language)}?step=9999")
    for page in (over, last):
        see_whole_boards(page, language)
        assert (page.seen.phase, page.seen.outcome) == ("over", "lost")
        assert "ship" in page.seen.enemy.values()
        assert {*page.seen.enemy.values(), *page.seen.own.values()} <= ENDED
        assert page.values("cell") == page.values("steer") == []
    assert last.seen == over.seen
