"""Searching alone: there is one board, nobody fires back, and par is worked out at the end."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import inf

import pytest

from game.engine.observation import observe
from game.engine.rules import Side
from game.matches import par
from game.matches.par import Par
from game.matches.saved import SavedMatch
from tests.support.device import Device
from tests.support.features import ended_pages
from tests.support.matches import address, not_yet_hit, played, saved_at, searching

LANGUAGES = {"en": "de", "de": "en"}


def begun(client: Device, preset: str, language: str = "en") -> str:
    """The address of a search that the form of the setup page began."""
    return client.get(f"/{language}/new/{preset}/?opponent=alone", follow=True).form


def other_language(where: str) -> str:
    return f"/{LANGUAGES[where[1:3]]}{where[3:]}"


def next_cell(saved: SavedMatch, *, misses: int) -> str:
    """Fires at some water first, then at the ships."""
    match, board = saved.match, saved.match.ruleset.board
    free, ships = set(board.cells) - match.spent(Side.SECOND), set(not_yet_hit(saved))
    wanted = free - ships if len(match.shots) + len(match.aimed) < misses else free & ships
    return board.name(min(wanted or free))


def play_out(client: Device, where: str, *, misses: int = 3) -> Iterator[str]:
    """The addresses of a search, from the beginning to the end of it."""
    yield where
    while saved_at(where).match.outcome is None:
        # Each shot in the other language: the address alone says which it is.
        cell = next_cell(saved_at(where), misses=misses)
        where = client.pressed(other_language(where), {"cell": cell})
        yield where


def par_at(where: str) -> Par:
    found = saved_at(where).par
    assert found is not None
    return found


def counted(client: Device, where: str) -> str:
    """The address once the admiral has finished."""
    while 'value="par"' in client.see(where):
        where = client.pressed(where, {"action": "par"})
    return where


# --- whole searches ---


@pytest.mark.parametrize("preset", ["ask"])
def test_every_preset_is_searched_to_the_end_by_plain_forms(client: Device, preset: str) -> None:
    addresses = []
    for where in play_out(client, begun(client, preset)):
        addresses.append(where)
        html = client.see(where)
        assert 'data-board="enemy"' in html
        assert 'data-board="own"' not in html
        assert saved_at(where).par is None
        if saved_at(where).match.outcome is None:
            assert html.attribute("data-phase") == "firing"
            assert not re.search(r"data-par\b|data-last-shots", html)
    see_the_end(client, counted(client, addresses[-1]))


def see_the_end(client: Device, where: str) -> None:
    saved, best = saved_at(where), par_at(where).shots
    shots = len(observe(saved.match, Side.FIRST).counted)
    for address_of_it in (where, other_language(where)):
        html = client.see(address_of_it)
        names = ("phase", "outcome", "reason", "shots", "par")
        handles = [html.game[f"data-{name}"] for name in names]
        assert handles == ["over", "won", "all-sunk", str(shots), str(best)]
        assert 'data-board="own"' not in html
    shown, board = html.cells("enemy"), saved.match.ruleset.board
    hit = {board.name(shot.cell) for shot in saved.match.shots if shot.wreck}
    assert {shown[cell] for cell in hit} == {"sunk"}


def test_giving_up_shows_the_fleet_and_counts_par(client: Device) -> None:
    where = address(played(searching(), 5))
    assert "Give up? Then the fleet is shown." in client.post(where, {"action": "resign"})
    where = client.pressed(where, {"action": "resign-yes"})
    html = client.see(where)
    assert (html.game["data-outcome"], html.game["data-reason"]) == ("lost", "resigned")
    assert "They got away" in html
    shown, board = html.cells("enemy"), saved_at(where).match.ruleset.board
    for ship in saved_at(where).match.placements(Side.SECOND):
        assert {shown[board.name(cell)] for cell in ship.cells} <= {"ship", "hit", "sunk"}
    end = counted(client, where)
    html = client.see(end)
    assert html.attribute("data-par") == str(par_at(end).shots)
    assert html.says.startswith("You gave up.")


# --- par ---


def test_par_is_worked_out_in_parts_and_is_the_same_in_one(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part has a share of processor time, here as much as some shots take."""
    ticks = count()
    saved = played(searching(), 5).resigned(Side.FIRST)
    where, parts = address(saved), 0
    monkeypatch.setattr(par, "thread_time", lambda: next(ticks) / 100)
    while 'value="par"' in (html := client.see(where)):
        assert "The admiral is still searching this sea." in html
        where = client.pressed(where, {"action": "par"})
        parts += 1
    assert parts > 1
    assert par_at(where) == saved.with_par(inf).par


# --- what the pages leave out, and what follows ---


@pytest.mark.parametrize("preset", ["bonn", "uppsala"])
def test_nothing_points_to_what_is_not_there(client: Device, preset: str) -> None:
    saved = played(searching(preset), 8)
    over = saved.resigned(Side.FIRST)
    for html in (
        client.see(address(saved)), client.see(address(saved) + "?look=own"),
        client.see(address(over)), client.see(address(over, page="replay")),
        client.see(address(over, page="replay") + "?step=3&look=own"),
        *(client.get(address(over, page=page), follow=True) for page in ended_pages()),
    ):  # fmt: skip
        assert "own-title" not in html
        assert not re.search(r'look=(own|enemy)"|class="(grab|lower)"|\blift\b', html)
        assert 'data-key="f"' not in html
        assert not re.search(r'Your fleet is|Round 1|Next round|href="[?]side=second', html)
        for name in set(re.findall(r'aria-(?:labelledby|describedby)="([^"]+)"', html)):
            for each in name.split():
                assert f'id="{each}"' in html, each


def test_another_match_is_another_sea_of_the_same_game(client: Device) -> None:
    saved = played(searching("pencil"), 5)
    where = client.pressed(address(saved), {"action": "anew"})
    fresh = saved_at(client.get(where).location)
    assert fresh.setup.is_solo
    assert fresh.setup.preset.name == "pencil"
    assert fresh.match.ply == 0
    assert fresh.match.fleets != saved.match.fleets
    html = client.see(address(saved.resigned(Side.FIRST)))
    found = saved_at(client.get(html.again).location).setup
    hour = fresh.setup.started_hour  # which may have passed
    assert replace(found, started_hour=hour) == fresh.setup
