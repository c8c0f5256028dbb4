"""The page of a review, and the check whether the computer played fair."""

import re
from dataclasses import replace
from math import inf

import pytest

from game.display.words import signed
from game.engine.actions import Result
from game.engine.geometry import Cell
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.features.review.model import Account, Review, review, review_of
from game.features.review.words import review_view
from game.matches.cell_chances import JudgedShot, cell_chances
from game.matches.saved import SavedMatch
from tests.support.boards import play
from tests.support.device import HTMX, Device
from tests.support.matches import (
    address,
    ended_against,
    opening,
    played,
    saved_at,
    searching,
)
from tests.support.page import Page

SMALL = Ruleset(columns=8, rows=8, fleet=(4, 3, 2, 2), turns=40)
RULES = {
    "bonn": BONN,
    "small": SMALL,
    "salvo": replace(SMALL, salvo=True, again=False, moving=False, turns=None),
}


def over(name: str = "small", *, number: int = 2) -> SavedMatch:
    return ended_against("recruit", RULES[name], number)


def page(client: Device, saved: SavedMatch, query: str = "", language: str = "en") -> Page:
    return client.see(address(saved, page="review", language=language) + query)


def shots(saved: SavedMatch, side: Side = Side.FIRST) -> list[int]:
    """The plies of a side's shots."""
    return [shot.ply for shot in saved.match.shots if shot.side is side]


# --- the review ---


@pytest.mark.parametrize("name", ["small", "salvo"])
def test_an_ended_match_has_a_review(client: Device, name: str) -> None:
    for side in Side:
        query = f"?side={side.name.lower()}"
        html = page(client, over(name), query)
        assert html.attribute("data-phase") == "over"
        assert html.attribute("data-outcome") in ("won", "lost", "draw")
        assert html.count('data-board="enemy"') == 1
        rows = html.all(rf'<th scope="row"><a href="\{query}&')
        assert len(rows) == len(shots(over(name), side))
        is_theirs = "The waters as the computer knew them" in html
        assert is_theirs is (side is Side.SECOND)
        curves = " ".join(html.all(r'class="curve[^>]+ d="([^"]+)"'))
        for point in html.all(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="7"'):
            assert " ".join(point) in curves


def test_a_review_names_the_best_question_of_each_turn_and_what_was_asked(client: Device) -> None:
    begun = opening(PRESETS["ask"].ruleset)
    match = play(begun.match, "A1:H5? A1 B1:B1? A1 B2 A2 C3 A3")
    saved = replace(begun, match=match).resigned(Side.FIRST)
    best = r"Best question: [A-H][1-8](?: to [A-H][1-8])?, yes in (4[5-9]|5[0-5]) of 100 fleets\."
    for step in ("", "?step=0", "?step=1"):
        html = page(client, saved, step)
        asked = r"Asked before it: Is a ship in A1 to H5\? Yes\. 9\d of 100 fleets say yes\. "
        assert re.search(asked + best, html.says), html.says
        assert '<b id="box-best" class="is-no is-best"' in html
    assert html.first(r'<a\s+href="([^"]*)">A1 to H5: yes</a>').endswith("&step=1#enemy-title")
    unasked = page(client, saved, "?step=4").says
    assert "Asked" not in unasked
    assert re.search(best, unasked)
    theirs = page(client, saved, "?side=second&step=3")
    assert "Asked before it: Is a ship at B1? " in theirs.says
    for query in (f"?step={match.ply}", "?step=3"):
        assert "question" not in page(client, saved, query).says


@pytest.mark.parametrize(
    "saved", [opening(mind="recruit"), searching().with_par(inf)], ids=["two", "alone"]
)
def test_a_match_that_goes_on_has_no_review(client: Device, saved: SavedMatch) -> None:
    saved = played(saved, 9)
    got = client.get(address(saved, page="review"))
    assert (got.status, saved_at(got.location)) == (302, saved)
    assert got.location.startswith("/en/play/")
    assert "/review/" not in client.get(address(saved))
    with pytest.raises(ValueError, match="no review before the outcome"):
        review_view(saved.setup, saved.match, review_of(()), Side.FIRST, 0)


def test_the_end_and_the_recap_lead_to_the_review_and_it_leads_back(client: Device) -> None:
    for name in ("play", "replay"):
        html = client.get(address(over(), page=name))
        client.see(html.first(r'id="act-review" href="([^"]+)"'))
    for found in page(client, over()).all(r'href="(/en/(?:play|replay|record|place)/[^"?]+)'):
        client.see(found)


def test_every_step_shows_the_waters_as_they_were_known_with_their_chances(client: Device) -> None:
    saved = over()
    for step in (0, shots(saved)[10], shots(saved)[10] + 1, saved.match.ply):
        html = page(client, saved, f"?step={step}")
        seen = observe(saved.match.at(step), Side.FIRST)
        states = {seen.board.name(c): mark.known.value for c, mark in seen.marks.items()}
        wrecks = [shot.wreck.cells for shot in seen.shots if shot.wreck]
        states |= {seen.board.name(cell): "sunk" for cells in wrecks for cell in cells}
        assert html.cells("enemy") == {
            seen.board.name(cell): states.get(seen.board.name(cell), "unknown")
            for cell in seen.board.cells
        }
        shown = dict(re.findall(r'data-cell="(\w+)"[^>]*><span class="heat"[^>]*>(\d+)<', html))
        heard = dict(re.findall(r'<span class="sr-only">([A-J]\d+),[^<]*chance (\d+)%', html))
        view = cell_chances(seen)
        chances = {
            seen.board.name(cell): str(round(100 * float(view.cells[cell])))
            for cell in seen.targets
            if seen.enemy_left
        }
        best = {seen.board.name(cell) for cell, _ in view.ranked(seen.targets)}
        fired = {seen.board.name(shot.cell) for shot in saved.match.shots
                 if shot.ply == step and shot.side is Side.FIRST}  # fmt: skip
        assert heard == chances, "screen readers hear every chance"
        assert shown == {
            name: chance
            for name, chance in chances.items()
            if name in best | fired and chance != "0"
        }
        discs = set(re.findall(r'data-cell="(\w+)"[^>]* heat-\d+', html))
        assert discs <= chances.keys()
        assert len(discs) > len(shown) or not chances
        assert html.attribute("data-turn") == str(saved.match.at(step).turn)


def test_a_shot_and_the_best_cell_are_marked_on_the_board_and_named(client: Device) -> None:
    saved = over()
    judged = next(
        shot for shot in review(saved.match).accounts[0].shots
        if shot.search is None and shot.difference > 0.01
    )  # fmt: skip
    html = page(client, saved, f"?step={judged.ply}")
    board = saved.match.ruleset.board
    assert re.search(rf'data-cell="{board.name(judged.cell)}"[^>]*tag-chosen', html)
    assert re.search(rf'data-cell="{board.name(judged.best)}"[^>]*tag-best', html)
    assert f"{board.name(judged.cell)}: {judged.result.value}" in html.says
    assert f"The best was {board.name(judged.best)} with" in html.says


def test_each_shot_is_a_link_away_and_htmx_gets_the_game_and_its_address(client: Device) -> None:
    saved = over()
    plies = shots(saved)
    html = page(client, saved, f"?step={plies[3]}")
    wheres = {"first": plies[0], "back": plies[2], "on": plies[4], "last": plies[-1]}
    for name, ply in wheres.items():
        link = html.first(rf'id="step-{name}" href="([^"]+)"')
        assert link.endswith(f"?side=first&step={ply}")
        client.see(link)
    assert 'name="step" type="range"' in html
    assert 'class="no-script"' in html
    got = client.get(link, headers=HTMX)
    assert got.headers["HX-Replace-Url"] == link
    assert "<html" not in got
    assert 'id="game"' in got


# --- fair play ---


def test_check_this_game_makes_every_decision_again(client: Device) -> None:
    html = page(client, over())
    assert "data-fair=" not in html
    assert '<details class="proof" id="check">' in html
    assert html.search(r'<details class="fair" id="fair"\s+data-commitment')
    html = page(client, over(), html.first(r'id="act-check" href="([^"#]+)#check"'))
    assert '<details class="proof" id="check" open>' in html
    assert html.attribute("data-fair") == "yes"
    decisions = sum(side is Side.SECOND for side in over().match.sides)
    assert f"{decisions} decisions were made again" in html


@pytest.mark.parametrize(
    ("mine", "theirs", "said"),
    [
        (2.4, 0.1, "You had more luck than the computer."),
        (-1.0, -3.0, "You were unlucky, the computer even more so."),
        (1.4, 3.0, "You were lucky, the computer even more so."),
        (0.2, 1.5, "The computer had more luck."),
        (-1.5, 0.0, "Luck was against you."),
        (1.4, 1.0, "Luck favoured neither side."),
    ],
)
def test_the_review_says_of_luck_what_its_figures_say(
    mine: float, theirs: float, said: str
) -> None:
    saved = over()

    def account(side: Side, luck: float) -> Account:
        result, chance = (Result.HIT, 1 - luck / 4) if luck > 0 else (Result.WATER, -luck / 4)
        ply, cell = shots(saved, side)[0], Cell(0)
        return Account((JudgedShot(ply, 0, side, cell, result, chance, cell, chance, None),) * 4)

    found = Review((account(Side.FIRST, mine), account(Side.SECOND, theirs)), ())
    view = review_view(saved.setup, saved.match, found, Side.FIRST, saved.match.ply)
    assert said in view["summary"]
    assert view["sheets"][0]["luck"] == signed(mine)


@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_the_check_finds_that_the_hider_was_fair(client: Device, preset: str) -> None:
    over = played(searching(preset), 8).resigned(Side.FIRST)
    html = client.see(address(over, page="review") + "?check=on")
    assert html.attribute("data-fair") == "yes"
    assert "nothing to check" not in html
    cheat = replace(over, match=replace(over.match, seed=bytes([9]) * 16))
    html = client.see(address(cheat, page="review") + "?check=on")
    assert html.attribute("data-fair") == "no"
