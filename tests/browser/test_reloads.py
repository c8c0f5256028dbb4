"""Games on a small sea, reloaded again and again; `make fuzz` plays twenty whole ones each way."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from playwright.sync_api import Page

from game.engine.chance import SEED_BYTES
from game.engine.presets import BONN
from tests.support import times
from tests.support.browser import OpenPage, answered, loaded, look
from tests.support.browser_matches import deployed, play_address

pytestmark = pytest.mark.fuzz

SMALL = replace(BONN, columns=6, rows=6, fleet=(3, 2), moving=False)


def reload(page: Page) -> None:
    """Loads the page anew, and sees the same match."""
    before = look(page)
    page.reload()
    assert look(page) == before


@pytest.mark.parametrize("script", [True, pytest.param(False, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", range(times(1, 20, 100)))
def test_a_game_that_is_reloaded_at_any_turn_goes_on(
    open_page: OpenPage, script: bool, game: int
) -> None:
    chance = random.Random(f"reloads/{game}")
    wait = answered if script else loaded
    page = open_page(play_address(deployed(SMALL, game.to_bytes(SEED_BYTES, "big"))), script=script)
    turns = 0
    while look(page).outcome is None and turns < times(8, 100, 100):
        if turns == 0 or chance.random() < 0.2:
            reload(page)
        buttons = page.locator("button[name=cell]:not([aria-disabled])")
        with wait(page):
            buttons.nth(chance.randrange(buttons.count())).click()
        turns += 1
    reload(page)
    assert turns > 3
