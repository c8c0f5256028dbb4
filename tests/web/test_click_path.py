"""How many modules a click enters, apart from those that decide the computer's reply."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import game
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, unseal_match
from tests.support.device import HTMX, Device

MOST_MODULES = 33
REPLY = ("players/", "matches/referee.py", "engine/chance.py")
"""The modules that decide the computer's reply."""
ROOT = Path(game.__file__).parent


def water(match: Match) -> list[str]:
    """The names of the cells where the first side would hit nothing."""
    ships = {cell for ship in match.placements(Side.SECOND) for cell in ship.cells}
    board = match.ruleset.board
    return [board.name(cell) for cell in board.cells if cell not in ships]


def entered(client: Device, where: str, cell: str) -> set[str]:
    """The modules of the game whose functions a shot into water enters."""
    found = set()

    def noted(frame: FrameType, event: str, _given: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            found.add(str(path.relative_to(ROOT)))

    sys.setprofile(noted)
    try:
        answer = client.post(where, {"cell": cell}, headers=HTMX)
    finally:
        sys.setprofile(None)
    assert f"{cell}: water" in answer
    return found


def test_a_shot_into_water_enters_few_modules(client: Device) -> None:
    preset = PRESETS["bonn"]
    draft = Draft(Setup(preset.ruleset, (None, "sailor"), preset=preset)).filled().committed()
    form = {"action": "start", "ship": [str(ship) for ship in draft.placed], "half": "0" * 32}
    where = client.post(f"/en/place/{seal_draft(draft)}/", form).location
    saved = unseal_match(where.split("/")[3])
    first, second = water(saved.match)[:2]
    entered(client, where, first)  # fills the caches
    modules = {one for one in entered(client, where, second) if not one.startswith(REPLY)}
    assert len(modules) <= MOST_MODULES, sorted(modules)
