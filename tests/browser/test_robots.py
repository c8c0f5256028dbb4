"""The public handles of pages, read by a robot that knows nothing else."""

from __future__ import annotations

import re
from itertools import cycle

import pytest

from tests.support.browser_matches import (
    is_firing_late,
    is_over,
    play_address,
    played,
    replay_address,
)
from tests.support.device import Robot
from tests.support.page import Page, Seen

BOTH = pytest.mark.parametrize("language", ["en", "de"])
CELLS = [f"{letter}{row}" for row in range(1, 11) for letter in "ABCDEFGHIJ"]
OPEN = {"unknown", "water"}
"""The states of cells that may be fired at in a match whose ships move."""
ENEMY_LIVE = {"unknown", "water", "hit", "sunk"}
OWN = {"sea", "ship", "water", "hit", "sunk"}


def see_whole_boards(answer: Page) -> None:
    """Sees that both boards have every cell, each once, in reading order."""
    for board in answer.seen.boards.values():
        assert list(board) == CELLS


# --- placing ---


@BOTH
def test_the_placing_page_names_its_cells_its_fleet_and_its_actions(
    robot: Robot, language: str
) -> None:
    empty = robot.get(f"/{language}/new/bonn/?opponent=random")
    assert (empty.status, empty.language) == (200, language)
    assert (empty.seen.phase, empty.seen.turn, empty.seen.outcome) == ("placing", 0, None)
    assert empty.seen.ships == ()
    assert list(empty.seen.boards) == ["own"]
    see_whole_boards(empty)
    assert set(empty.seen.own.values()) == {"sea"}
    assert set(empty.values("action")) >= {"random", "clear", "start"}

    part = robot.act(empty.where, [("ship", "C4h3"), ("action", "random")])
    assert part.language == language
    assert len(part.seen.ships) == 10
    assert "C4h3" in part.seen.ships
    for ship in part.seen.ships:
        assert re.fullmatch(r"[A-J]([1-9]|10)[hv][2-5]", ship)
    assert list(part.seen.own.values()).count("ship") == 30
    assert set(part.seen.own.values()) == {"sea", "ship"}
    assert [part.seen.own[name] for name in ("C4", "D4", "E4", "F4")] == [*["ship"] * 3, "sea"]

    other = robot.act(part.where, [*fleet_of(part.seen), ("action", "random")])
    assert len(other.seen.ships) == 10
    assert set(other.seen.ships) != set(part.seen.ships)

    clear = robot.act(part.where, [*fleet_of(part.seen), ("action", "clear")])
    assert clear.seen.ships == ()
    start = robot.act(part.where, [*fleet_of(part.seen), ("action", "start")])
    assert (start.seen.phase, start.seen.turn) == ("firing", 0)
    assert start.seen.own == part.seen.own
    assert "/play/" in start.where


def fleet_of(seen: Seen) -> list[tuple[str, str]]:
    """The hidden fields that name the fleet so far."""
    return [("ship", ship) for ship in seen.ships]


def test_the_first_screen_and_the_other_presets_are_where_they_are_said_to_be(robot: Robot) -> None:
    for language in ("en", "de"):
        home = robot.get(f"/{language}/")
        assert (home.status, home.language) == (200, language)
        assert robot.get(f"/{language}/new/bonn/").seen.phase == "placing"
    assert robot.get("/en/new/atlantis/").status == 404
    assert robot.get("/en/new/bonn/?opponent=nobody").status == 200


# --- a match ---


@BOTH
def test_a_running_match_keeps_to_the_vocabulary(robot: Robot, language: str) -> None:
    saved = played(is_firing_late)
    page = robot.get(play_address(saved, language))
    assert (page.status, page.language) == (200, language)
    assert page.seen.phase == "firing"
    assert (page.seen.turn, page.seen.outcome) == (saved.match.turn, None)
    assert list(page.seen.boards) == ["enemy", "own"]
    see_whole_boards(page)
    assert {"unknown", "water"} <= set(page.seen.enemy.values()) <= ENEMY_LIVE
    assert {"sea", "ship", "water"} <= set(page.seen.own.values()) <= OWN
    assert page.values("cell") == CELLS
    assert page.values("steer")
    for value in page.values("steer"):
        assert re.fullmatch(r"(\d|10)-(fore|aft)", value)
    other = {"en": "de", "de": "en"}[language]
    there = robot.get(page.where.replace(f"/{language}/", f"/{other}/"))
    assert there.language == other
    assert there.seen == page.seen
    assert set(page.values("steer")) == set(there.values("steer"))


@BOTH
def test_an_ended_match_names_its_outcome_and_shows_the_ships(robot: Robot, language: str) -> None:
    for address in (play_address, replay_address):
        page = robot.get(address(played(is_over), language))
        assert (page.status, page.language) == (200, language)
        assert (page.seen.phase, page.seen.outcome) == ("over", "lost")
        see_whole_boards(page)
        assert set(page.seen.enemy.values()) <= OWN
        assert set(page.seen.own.values()) <= OWN
        assert page.values("cell") == page.values("steer") == []
    last = robot.get(f"{replay_address(played(is_over), language)}?step=9999")
    assert "ship" in last.seen.enemy.values()
    assert last.seen == robot.get(play_address(played(is_over), language)).seen


def test_a_robot_plays_a_match_to_its_end_by_the_promised_handles_alone(robot: Robot) -> None:
    page = robot.get("/de/new/bonn/?opponent=bonn-easy")
    page = robot.act(page.where, {"action": "random"})
    page = robot.act(page.where, [*fleet_of(page.seen), ("action", "start")])
    turn, cells = -1, cycle(CELLS)
    for _ in range(600):
        if page.seen.phase == "over":
            break
        assert page.seen.turn >= turn
        turn = page.seen.turn
        steers = page.values("steer")
        if steers and turn % 3 == 0:
            page = robot.act(page.where, {"steer": steers[-1]})
            assert (page.seen.phase, page.seen.turn) == ("firing", turn)
            assert page.values("steer") == []
        open_cells = {name for name, state in page.seen.enemy.items() if state in OPEN}
        page = robot.act(page.where, {"cell": next(cell for cell in cells if cell in open_cells)})
    assert page.seen.outcome in {"won", "lost", "draw"}
    assert page.seen.turn <= 150


# --- how it answers ---
