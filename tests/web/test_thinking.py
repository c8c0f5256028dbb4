"""The page on how the computer thinks."""

import re

import pytest

from game.matches.thinking import story
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.page import Page

NAMES = ["opening", "water", "hit", "sunk", "old"]


@pytest.fixture
def html(client: Device) -> Page:
    return client.get("/en/thinking/")


def test_each_moment_has_a_board_with_a_number_on_every_cell_to_fire_at(html: Page) -> None:
    assert re.findall(r'data-board="moment-(\w+)"', html) == NAMES
    for name in NAMES:
        board = html.split(f'data-board="moment-{name}"')[1].split("</table>")[0]
        states = html.cells(f"moment-{name}")
        assert len(states) == 100
        told = re.findall(r">([A-J]\d+), [^<]*chance (\d+)%", board)
        assert {cell for cell, state in states.items() if state == "unknown"} <= dict(told).keys()
        shown = list(map(int, re.findall(r'class="heat" aria-hidden="true">(\d+)<', board)))
        best = sorted((int(chance) for _cell, chance in told), reverse=True)[:3]
        assert sorted(shown, reverse=True)[:3] == best
        assert len(shown) <= 4, "the best three, and the one fired at"
        assert len(re.findall(r"tag-(?:chosen|both)", board)) == 1
        assert f'aria-labelledby="moment-{name}-title"' in board
        assert f'id="moment-{name}-title"' in html
        assert "<button" not in board
    assert re.search(r"water, \d+ turns ago, chance \d+%", board), "the last has old water"
    assert re.search(r'data-age="\d\d"', board)


def test_the_cell_that_is_fired_at_is_the_one_of_the_match(html: Page) -> None:
    match = story().record.match
    shots = {shot.ply: shot for shot in match.shots}
    for moment in story().moments:
        cell = match.ruleset.board.name(shots[moment.ply].cell)
        chance = round(100 * moment.view.cells[shots[moment.ply].cell])
        assert f"It fires at {cell}, chance {chance}%: {shots[moment.ply].result.value}." in html
        board = html.split(f'data-board="moment-{moment.name}"')[1].split("</table>")[0]
        row = board.split(f'data-cell="{cell}"')[1].split("</td>")[0]
        assert f">{chance}<small>%</small></span>" in row
        assert re.search(rf"{cell}, [^<]*chance {chance}%, (?:best, )?fired at", row)


@pytest.mark.parametrize("page", ["about", "rules"])
@in_both_languages
def test_about_and_rules_lead_there_and_it_leads_to_the_proof(
    client: Device, language: str, page: str
) -> None:
    where = f"/{language}/thinking/"
    assert f'href="{where}"' in client.get(f"/{language}/{page}/")
    html = client.get(where)
    assert f'href="/{language}/about/#proof"' in html
    assert f'href="/{language}/about/#source"' in html
