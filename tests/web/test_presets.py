"""Every preset and the player's own rules: they are offered, played, kept and refused."""

from contextlib import suppress
from dataclasses import replace
from itertools import cycle, product
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.display import choices
from game.engine.actions import Stay
from game.engine.presets import BONN, PRESETS
from game.engine.rules import AtLimit, IllegalRules, Ruleset, Side, Touching
from game.matches.referee import most_at_once
from game.matches.setup import Tally
from game.matches.tokens import unseal_draft
from game.web.forms import parse_setup, rules_from_fields
from tests.support import in_both_languages
from tests.support.device import FORM, Device
from tests.support.matches import address, ended, opening, saved_at
from tests.support.page import Page, token_in

# --- the gallery; placing cell by cell ---


@in_both_languages
def test_every_preset_is_offered_with_a_name_of_its_own_and_a_sentence(
    client: Device, language: str
) -> None:
    html, titles = client.get(f"/{language}/games/"), set()
    for name in PRESETS:
        page = client.get(f"/{language}/setup/{name}/")
        titles.add(page.first(r"<h1>([^<]+?)\s*<"))
        assert len(page.first(r'<p class="lead">([^<]+)</p>')) > 20
        assert 'class="drawing"' in page
    assert len(titles) == len(PRESETS)
    assert all(title in html for title in titles)


def test_the_presets_are_played_as_their_documents_say() -> None:
    five = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
    touching = replace(five, touching=True)
    cmu = replace(touching, fleet=(3, 3, 3, 3, 3), turns=100, at_limit=AtLimit.DRAW)
    documented = {
        "bonn": Ruleset(),
        "short": Ruleset(8, 8, (4, 3, 3, 2, 2), turns=2 * 40),
        "bonn-still": Ruleset(moving=False),
        "uppsala": replace(five, touching=Touching.CORNERS),
        "camlship": replace(touching, fleet=(6, 5, 4, 3, 2, 1), again=True, silent=True),
        "cmu": cmu,
        "milton": replace(touching, named=True),
        "pencil": replace(five, fleet=(4, 3, 3, 2, 2, 2, 1, 1, 1, 1), again=True),
        "salvo": replace(touching, salvo=True),
        "own": Ruleset(),
    }
    assert {name: PRESETS[name].ruleset for name in documented} == documented


def clicked(client: Device, cells: str, where: str = "/en/new/cmu/") -> Page:
    """The page after a click on each of the cells."""
    for cell in cells.split():
        page = client.post(where, {"place": cell}, follow=True)
        assert page.status == 200
        where = page.where
    return page


def test_three_cells_in_any_order_place_a_ship_of_three(client: Device) -> None:
    html = clicked(client, "C4 E4")
    assert html.ships == []
    assert 'data-cell="C4" data-state="sea" class=" is-tried"' in html
    assert html.says == "Choose 1 cell in a line for the next ship."
    html = clicked(client, "C4 D4", html.where)
    assert html.ships == ["C4h3"]
    assert html.says == "Choose 3 cells in a line for the next ship."


# --- one's own rules; rounds ---

OWN_RULES = (
    "/en/new/own/?columns=7&rows=8&n4=1&n3=2&n1=3&touching=anywhere&again=off&moving=off&salvo=on"
    "&turns=30&at_limit=draw&named=on"
)


def test_composed_rules_are_played_and_have_an_address_of_their_own(client: Device) -> None:
    html = client.get(OWN_RULES)
    assert len(html.cells("own")) == 56
    rules = Ruleset(
        7, 8, (4, 3, 3, 1, 1, 1), True, False, False, 60, AtLimit.DRAW, True, named=True
    )
    for where in (OWN_RULES, html.first(r'href="(/en/new/own/\?[^"]+)"')):
        assert saved_at(client.pressed(where, {"action": "quick"})).match.ruleset == rules


FLEET = st.lists(st.integers(1, 8), min_size=1, max_size=8)
SWITCHES = {name: st.booleans() for name in ("again", "moving", "salvo", "named")} | {
    "touching": st.sampled_from(Touching)
}


@given(
    st.fixed_dictionaries(SWITCHES), st.integers(6, 15), st.integers(6, 15), FLEET,
    st.none() | st.sampled_from(range(2, 301, 2)), st.sampled_from(AtLimit),
)  # fmt: skip
@settings(max_examples=60)
def test_the_address_of_rules_is_read_as_the_same_rules(
    switches: Any, columns: int, rows: int, fleet: Any, turns: Any, at_limit: Any
) -> None:
    with suppress(IllegalRules):
        chosen = replace(
            BONN, columns=columns, rows=rows, fleet=tuple(sorted(fleet, reverse=True)),
            turns=turns, at_limit=at_limit, **switches,
        )  # fmt: skip
        rules = rules_from_fields(chosen, {})
        assert rules_from_fields(BONN, dict(parse_qsl(choices.rules_query(rules)))) == rules


BOARD_SIZES = "A board has 6 to 15 columns and 6 to 15 rows."
FLEETS = "A fleet has 1 to 30 ships of 1 to 8 cells."
TURNS = "The limit is 1 to 999 turns for each player."
TOO_FULL = "This fleet does not fit: it needs at least {} more cells."


def assert_fields(html: Page, form: str) -> None:
    """Asserts that the page's form has these values."""
    for name, value in parse_qsl(form, keep_blank_values=True):
        assert f'name="{name}" value="{value}"' in html, name


@pytest.mark.parametrize(
    ("form", "why"),
    [
        *((form, BOARD_SIZES) for form in ("columns=5", "columns=16", "rows=5", "rows=16")),
        *((form, FLEETS) for form in ("n5=0", "n1=31")),
        *((form, TURNS) for form in ("turns=0", "turns=1000")),
        ("turns=999", "This match could become too long for its address: set fewer turns."),
        ("n8=1&columns=7&rows=7", "A ship is longer than the board."),
        ("columns=6&rows=6", TOO_FULL.format(31)),
        ("n3=25", TOO_FULL.format(79)),
        # Room enough by the bound, and yet no arrangement: three ships of eight need six rows.
        ("columns=8&rows=6&n8=3&n2=3", TOO_FULL.format(9)),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_the_reason(
    client: Device, form: str, why: str
) -> None:
    asked = client.get(f"/en/new/own/?{form}"), client.post("/en/new/own/", form, FORM)
    for html in asked:
        assert (html.status, html.says) == (422, why)
        assert_fields(html, form)
    assert client.get(f"/de/new/own/?{form}").status == 422


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("columns rows size", BOARD_SIZES),
        ("turns", TURNS),
        ("fleet n1 n2 n3 n4 n5 n6 n7 n8", FLEETS),
    ],
)
def test_numbers_that_are_none_are_refused_with_the_reason(
    client: Device, names: str, why: str
) -> None:
    junk = ["abc", "-1", "1e3", "٣", "1000", "9" * 20, "6.5", "7x", "<b"]
    asked = product(names.split(), ("own", "bonn", "cmu"))
    for (name, preset), text in zip(asked, cycle(junk), strict=False):
        answer = client.get(f"/en/new/{preset}/", {name: text})
        assert (answer.status, answer.says) == (422, why), (preset, name, text)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("own/?columns=&rows=&size=&fleet=&turns=", 100),
        *((f"uppsala/?size={size}", size * size) for size in PRESETS["uppsala"].sizes),
    ],
)
def test_a_board_has_the_size_that_was_chosen_and_odd_choices_count_as_none(
    client: Device, asked: str, count: int
) -> None:
    assert len(client.see(f"/en/new/{asked}").cells("own")) == count


def test_rounds_are_counted_and_the_loser_begins_only_if_that_was_chosen(client: Device) -> None:
    saved = ended(BONN, number=1)
    assert saved.match.outcome is not None
    assert saved.setup.next_round(saved.match.outcome).ruleset.begins is Side.FIRST
    setup = parse_setup(PRESETS["uppsala"], {"begins": "loser", "opponent": "random"})
    score = Tally()
    for number in range(4):
        saved = replace(opening(setup.ruleset, number=number), setup=setup).with_minds_played()
        html = client.get(address(saved))
        assert f"Round {number + 1} · You {score.wins[0]} : {score.wins[1]} Computer" in html
        saved = replace(saved, match=ended(setup.ruleset, number=number).match)
        winner = saved.match.outcome.winner
        score = score.with_round(winner)
        html = client.get(address(saved))
        assert f"You {score.wins[0]} : {score.wins[1]} Computer" in html
        assert html.search(r'value="again">\s*Next round')
        setup = unseal_draft(token_in(html.again)).setup
        assert setup.tally == score
        assert setup.ruleset.begins is winner.opponent
    assert score.rounds == 4


# --- watching ---


@pytest.mark.parametrize("preset", ["bonn", "milton"])
def test_two_minds_are_watched_in_a_recap_that_belongs_to_nobody(
    client: Device, preset: str
) -> None:
    minds = {"mind1": "uppsala", "mind2": "camlship"}
    where, other = (client.pressed(f"/en/watch/{preset}/", minds) for _ in range(2))
    assert saved_at(where).match.seed != saved_at(other).match.seed
    html = client.get(where)
    assert "Uppsala against Camlship, hard" in html
    assert "data-cell" not in html
    waits, most = 0, most_at_once(PRESETS[preset].ruleset)
    while "/replay/" not in where:
        # A mind takes so many actions; where no ship can move, the rules add that it stays.
        match = saved_at(where).match
        stays = sum(isinstance(action, Stay) for action in match.actions)
        assert 0 <= match.ply - (waits + 1) * most <= stays
        where, waits = client.pressed(where, {"action": "go on"}), waits + 1
    saved = saved_at(where)
    assert 0 < waits <= (saved.match.ply - 1) // most
    assert saved.setup.minds == ("uppsala", "camlship")
    html = client.get(where)
    assert "Uppsala’s waters" in html
    assert "Waters of Camlship, hard" in html
    assert "<b>You:" not in html
    winner = saved.match.outcome.winner
    assert html.seen.outcome == ("draw" if winner is None else ("first", "second")[winner])
    assert client.see(where.replace("replay", "play"))
