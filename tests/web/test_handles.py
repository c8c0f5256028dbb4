"""The public handles of pages, by which robots play."""

import re
from collections.abc import Callable

import pytest

from tests.support.device import Device
from tests.support.matches import MINE, address, firing_late, lost, place_address, replay_address

CELLS = [f"{letter}{row}" for row in range(1, 11) for letter in "ABCDEFGHIJ"]
KNOWN, ENDED = {"unknown", "water", "hit", "sunk"}, {"sea", "ship", "water", "hit", "sunk"}


@pytest.mark.parametrize(
    ("where", "phase", "states"),
    [
        (lambda: place_address(MINE), "placing", {"own": {"sea", "ship"}}),
        (lambda: address(firing_late()), "firing", {"enemy": KNOWN, "own": ENDED}),
        (lambda: address(lost()), "over", {"enemy": ENDED, "own": ENDED}),
        (lambda: f"{replay_address(lost())}?step=9999", "over", {"enemy": ENDED, "own": ENDED}),
    ],
    ids=["placing", "firing", "over", "replay"],
)
def test_a_page_keeps_to_the_vocabulary(
    client: Device, where: Callable[[], str], phase: str, states: dict[str, set[str]]
) -> None:
    page = client.get(where())
    seen = page.seen
    assert (page.status, seen.phase) == (200, phase)
    assert seen.outcome == ("lost" if phase == "over" else None)
    assert list(seen.boards) == list(states)
    for name, board in seen.boards.items():
        assert list(board) == CELLS, "each once, in reading order"
        assert {*board.values()} <= states[name]
    assert "ship" in {state for board in seen.boards.values() for state in board.values()}
    assert page.values("cell") == (CELLS if phase == "firing" else [])
    assert bool(page.values("steer")) is (phase == "firing")
    assert all(re.fullmatch(r"(\d|10)-(fore|aft)", value) for value in page.values("steer"))
    assert seen.ships == (tuple(MINE.split()) if phase == "placing" else ())
    if phase == "placing":
        assert {"random", "clear", "start"} <= set(page.values("action"))
