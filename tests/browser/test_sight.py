"""The states of cells without colours, and in the colours that a player has forced."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import combinations
from typing import Literal

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page

from game.matches.saved import SavedMatch
from tests.support.browser import OpenPage, cell, look
from tests.support.browser_matches import STILL, begun, play_address

SIZE = 30
"""Pixels that a cell is wide in comparisons."""
LEAST = 0.04
"""What part of two cells must differ at least for them to be told apart by shape."""


def picture(page: Page, name: str) -> Image.Image:
    """A cell of the enemy's waters in shades of grey, its own shades spread from black to white.

    So that of two evenly coloured cells, one light and one dark, nothing is left to tell apart.
    """
    shot = Image.open(io.BytesIO(cell(page, "enemy", name).screenshot())).convert("L")
    shot = shot.resize((SIZE, SIZE)).crop((2, 2, SIZE - 2, SIZE - 2))
    levels = [level for level, count in enumerate(shot.histogram()) if count]
    low, high = levels[0], levels[-1]
    spread = max(high - low, 40)  # no noise is made a shape
    return shot.point(lambda level: (level - low) * 255 // spread)


def difference(one: Image.Image, other: Image.Image) -> float:
    """What part of the pixels differ clearly."""
    apart = ImageChops.difference(one, other).histogram()
    return sum(apart[90:]) / sum(apart)


def with_all_states() -> SavedMatch:
    """A match with a cell of each state, none of which was fired at last."""
    saved = begun(STILL)
    board = saved.match.ruleset.board
    for name in ("A10", "J6", "I1", "J1", "H7"):
        match = saved.match.fire(board.parse(name))
        saved = replace(saved, match=match).with_minds_played()
    return saved


@pytest.mark.parametrize("colours", ["achromatopsia", "forced"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_states_of_a_cell_are_told_apart_by_their_shapes(
    open_page: OpenPage, scheme: Literal["light", "dark"], colours: str
) -> None:
    page = open_page(scheme=scheme, fresh=True)
    if colours == "forced":
        page.emulate_media(forced_colors="active", color_scheme=scheme, reduced_motion="reduce")
    page.goto(play_address(with_all_states()))
    if colours == "achromatopsia":
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": colours})
    states = {name: look(page).enemy[name] for name in ("A10", "J6", "I1", "E5")}
    assert sorted(states.values()) == ["hit", "sunk", "unknown", "water"]
    seen = {state: picture(page, name) for name, state in states.items()}
    for one, other in combinations(seen, 2):
        assert difference(seen[one], seen[other]) > LEAST, (one, other)
