"""Every preset and the player's own rules: they are offered, played, kept and refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.display import options
from game.engine.actions import Stay
from game.engine.presets import BONN, PRESETS
from game.engine.rules import AtLimit, IllegalRules, Ruleset, Side
from game.forms import parse_setup, rules_from_fields
from game.matches.referee import most_at_once
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, Tally
from game.matches.tokens import unseal_draft, unseal_match
from game.players.minds import MINDS
from game.players.registry import RANK_NAMES
from tests.support.device import Device
from tests.support.matches import address, ended, opening

GAMES = [name for name in PRESETS if name != "own"]


def saved_of(answer: Any) -> SavedMatch:
    return unseal_match(answer.location.split("/")[3])


def draft_of(answer: Any) -> Any:
    return unseal_draft(answer.location.split("/")[3])


# --- the gallery ---


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_preset_is_offered_with_a_name_of_its_own_and_a_sentence(
    client: Device, language: str
) -> None:
    html = client.get(f"/{language}/games/")
    titles = set()
    for name in PRESETS:
        page = client.get(f"/{language}/setup/{name}/")
        title = page.first(r"<h1>([^<]+?)\s*<")
        assert title in html
        assert len(page.first(r'<p class="lead">([^<]+)</p>')) > 20
        assert 'class="drawing"' in page
        titles.add(title)
    assert len(titles) == len(PRESETS)


def test_the_presets_are_played_as_their_documents_say() -> None:
    five = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
    touching = replace(five, touching=True)
    cmu = replace(touching, fleet=(3, 3, 3, 3, 3), turns=100, at_limit=AtLimit.DRAW)
    documented = {
        "bonn": Ruleset(),
        "short": Ruleset(8, 8, (4, 3, 3, 2, 2), turns=2 * 40),
        "bonn-still": Ruleset(moving=False),
        "uppsala": five,
        "camlship": touching,
        "cmu": cmu,
        "milton": replace(touching, named=True),
        "pencil": replace(five, fleet=(4, 3, 3, 2, 2, 2, 1, 1, 1, 1), again=True),
        "salvo": replace(touching, salvo=True),
        "own": Ruleset(),
    }
    assert {name: PRESETS[name].ruleset for name in documented} == documented


def test_the_strength_slider_names_a_mind_for_every_step() -> None:
    for preset in PRESETS.values():
        assert preset.opponent in MINDS
        for strength, name in enumerate(RANK_NAMES, 1):
            assert parse_setup(preset, {"strength": str(strength)}).opponent == name
        assert parse_setup(preset, {"strength": "9"}).opponent == preset.opponent
        assert parse_setup(preset, {"opponent": "uppsala", "strength": "1"}).opponent == "uppsala"
    assert set(RANK_NAMES) <= MINDS.keys()


# --- placing cell by cell ---


def clicked(client: Device, where: str, *names: str) -> str:
    for name in names:
        answer = client.post(where, {"place": name})
        assert answer.status == 303, answer
        where = answer.location
    return where


def test_three_cells_in_any_order_place_a_ship_of_three(client: Device) -> None:
    where = clicked(client, "/en/new/cmu/", "C4", "E4")
    html = client.get(where)
    assert html.ships == []
    assert 'data-cell="C4" data-state="sea" class=" is-tried"' in html
    assert html.says == "Choose 1 cell in a line for the next ship."
    html = client.get(clicked(client, where, "C4", "D4"))
    assert html.ships == ["C4h3"]
    assert html.says == "Choose 3 cells in a line for the next ship."


@pytest.mark.parametrize(
    ("third", "why"),
    [
        ("F4", "Choose cells side by side, in one line."),
        ("D5", "Choose cells side by side, in one line."),
        ("E4", "Two ships cannot lie on the same cell."),
    ],
)
def test_an_illegal_third_cell_explains_itself_and_clears_the_try(
    client: Device, third: str, why: str
) -> None:
    where = clicked(client, "/en/new/cmu/", "E3", "E4", "E5", "C4", "D4")
    before = client.get(where)
    html = client.post(where, {"place": third, "ship": "E3v3"})
    assert html.status == 422
    assert html.says == why
    assert html.cells("own") == before.cells("own")
    assert "is-tried" not in html


# --- one's own rules ---

OWN_RULES = {"columns": "7", "rows": "8", "n4": "1", "n3": "2", "n1": "3", "touching": "on",
             "again": "off", "moving": "off", "salvo": "on", "turns": "30",
             "at_limit": "draw", "named": "on"}  # fmt: skip


def test_composed_rules_are_played_and_have_an_address_of_their_own(client: Device) -> None:
    html = client.get("/en/new/own/", OWN_RULES)
    assert len(html.cells("own")) == 56
    shared = html.first(r'href="(/en/new/own/\?[^"]+)"')
    rules = Ruleset(
        7, 8, (4, 3, 3, 1, 1, 1), True, False, False, 60, AtLimit.DRAW, True, named=True
    )  # fmt: skip
    for where in ("/en/new/own/?" + "&".join(f"{k}={v}" for k, v in OWN_RULES.items()), shared):
        assert saved_of(client.post(where, {"action": "quick"})).match.ruleset == rules


FLEET = st.lists(st.integers(1, 8), min_size=1, max_size=8)
SWITCHES = {name: st.booleans() for name in ("touching", "again", "moving", "salvo", "named")}


@given(
    st.fixed_dictionaries(SWITCHES), st.integers(6, 15), st.integers(6, 15), FLEET,
    st.none() | st.sampled_from(range(2, 301, 2)), st.sampled_from(AtLimit),
)  # fmt: skip
@settings(max_examples=60)
def test_the_address_of_rules_is_read_as_the_same_rules(
    switches: Any, columns: int, rows: int, fleet: Any, turns: Any, at_limit: Any
) -> None:
    try:
        chosen = replace(
            BONN, columns=columns, rows=rows, fleet=tuple(sorted(fleet, reverse=True)),
            turns=turns, at_limit=at_limit, **switches,
        )  # fmt: skip
        rules = rules_from_fields(chosen, {})
        query = options.rules_query(rules)
        fields = dict(part.split("=") for part in query.split("&"))
        assert rules_from_fields(BONN, fields) == rules
    except IllegalRules:
        return


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"columns": "6", "rows": "6"}, "does not fit: it needs at least 31 more cells"),
        ({"columns": "5"}, "A board has 6 to 15 columns and 6 to 15 rows."),
        ({"columns": "16"}, "A board has 6 to 15 columns and 6 to 15 rows."),
        ({"n5": "0"}, "A fleet has 1 to 30 ships of 1 to 8 cells."),
        ({"n8": "1", "columns": "7", "rows": "7"}, "A ship is longer than the board."),
        ({"n3": "25"}, "does not fit: "),
        ({"n1": "31"}, "A fleet has 1 to 30 ships"),
        ({"turns": "0"}, "The limit is 1 to 999 turns for each player."),
        ({"turns": "999"}, "could outgrow its address"),
        # Room enough by the bound, and yet no arrangement: three ships of eight need six rows.
        ({"columns": "8", "rows": "6", "n8": "3", "n2": "3"}, "more cells"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_the_reason(
    client: Device, fields: dict[str, str], why: str
) -> None:
    for method in (client.get, client.post):
        html = method("/en/new/own/", {**fields, "action": "quick"})
        assert html.status == 422
        assert why in html.says
        for name, value in fields.items():
            assert f'name="{name}" value="{value}"' in html, "what was asked for is still there"
    assert client.get("/de/new/own/", fields).status == 422


FIELDS = ["columns", "rows", "size", "fleet", "turns", *(f"n{length}" for length in range(1, 9))]
BOARD_SIZES = "A board has 6 to 15 columns and 6 to 15 rows."
FLEETS = "A fleet has 1 to 30 ships of 1 to 8 cells."
TURNS = "The limit is 1 to 999 turns for each player."
REASONS = {"fleet": FLEETS, "n": FLEETS, "turns": TURNS}


JUNK = ["abc", "-1", "1e3", "٣", "1000", "9" * 20, "6.5", "7x", "<b>"]


@pytest.mark.parametrize("field", FIELDS)
def test_numbers_that_are_none_are_refused_with_the_reason(client: Device, field: str) -> None:
    why = REASONS.get(field.rstrip("12345678"), BOARD_SIZES)
    for preset, junk in (*(("own", junk) for junk in JUNK), ("bonn", "7x"), ("cmu", "<b>")):
        answer = client.get(f"/en/new/{preset}/", {field: junk})
        assert answer.status == 422, (preset, junk)
        assert why in answer.says, (preset, junk)


def test_where_numbers_are_refused_all_else_is_kept_as_it_was_asked_for(client: Device) -> None:
    html = client.get(
        "/en/new/cmu/", {"size": "7x", "fleet": "4-4-1", "touching": "on", "turns": "none"}
    )
    expected = {"columns": "7x", "rows": "7x", "n4": "2", "n3": "0", "n1": "1", "turns": ""}
    for name, value in expected.items():
        assert f'name="{name}" value="{value}"' in html
    assert html.search(r'name="touching" value="on"[^>]*checked')
    html = client.get("/en/new/cmu/", {"turns": "1000"})
    rules = PRESETS["cmu"].ruleset
    kept = {"columns": str(rules.columns), "rows": str(rules.rows), "turns": "1000"}
    for name, value in kept.items():
        assert f'name="{name}" value="{value}"' in html
    for length in range(1, 9):
        assert f'name="n{length}" value="{rules.fleet.count(length)}"' in html


def test_empty_numbers_and_unknown_strengths_count_as_not_given(client: Device) -> None:
    asked: dict[str, str] = dict.fromkeys(("columns", "rows", "size", "fleet", "turns"), "")
    for fields in (asked, {"strength": "x"}, {"strength": "9"}):
        answer = client.get("/en/new/own/", fields)
        assert answer.status == 200
        assert len(answer.cells("own")) == 100


def test_the_board_of_uppsala_has_the_size_that_was_chosen(client: Device) -> None:
    for size in PRESETS["uppsala"].sizes:
        html = client.get(f"/en/new/uppsala/?size={size}")
        assert len(html.cells("own")) == size * size


# --- rounds ---


def test_rounds_are_counted_and_the_loser_begins_if_that_was_chosen(client: Device) -> None:
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
        assert 'value="again">Next round' in html
        setup = unseal_draft(html.again.split("/")[3]).setup
        assert setup.tally == score
        assert setup.ruleset.begins is winner.opponent
    assert score.rounds == 4


def test_who_begins_stays_where_nothing_else_was_chosen() -> None:
    saved = ended(BONN, number=1)
    assert saved.match.outcome is not None
    assert saved.setup.next_round(saved.match.outcome).ruleset.begins is Side.FIRST


# --- watching ---


@pytest.mark.parametrize("preset", GAMES)
def test_two_minds_are_watched_in_a_recap_that_belongs_to_nobody(
    client: Device, preset: str
) -> None:
    answer = client.post(f"/en/watch/{preset}/", {"mind1": "uppsala", "mind2": "camlship"})
    assert answer.status == 303
    html = client.get(answer.location)
    assert "Uppsala against Camlship, hard" in html
    assert "data-cell" not in html
    waits, most = 0, most_at_once(PRESETS[preset].ruleset)
    while "/replay/" not in answer.location:
        # A mind takes so many actions; where no ship can move, the rules add that it stays.
        match = saved_of(answer).match
        stays = sum(isinstance(action, Stay) for action in match.actions)
        assert 0 <= match.ply - (waits + 1) * most <= stays
        answer, waits = client.post(answer.location, {"action": "go on"}), waits + 1
    saved = saved_of(answer)
    assert 0 < waits <= (saved.match.ply - 1) // most
    assert saved.setup.minds == ("uppsala", "camlship")
    assert saved.match.outcome is not None
    html = client.get(answer.location)
    assert "Waters of Uppsala" in html
    assert "Waters of Camlship, hard" in html
    assert "<b>You:" not in html
    assert html.attribute("data-outcome") in ("first", "second", "draw")
    assert client.get(answer.location.replace("replay", "play")).status == 200


def test_a_watched_match_is_another_each_time(client: Device) -> None:
    asked = [
        client.post("/en/watch/milton/", {"mind1": "random", "mind2": "random"}) for _ in range(2)
    ]
    assert saved_of(asked[0]).match.seed != saved_of(asked[1]).match.seed
    assert "Drifter 1 against" in client.get(asked[0].location)


def test_watching_by_get_leads_to_the_choice_and_no_page_knows_an_unknown_game(
    client: Device,
) -> None:
    assert client.get("/en/watch/bonn/").location == "/en/setup/bonn/"
    for page in ("watch", "setup", "new"):
        assert client.get(f"/en/{page}/nowhere/").status == 404
    assert client.post("/en/watch/own/", {"columns": "5"}).status == 422


def test_the_radar_turns_while_a_match_lasts_and_lies_over_nothing_that_comes_after(
    client: Device,
) -> None:
    uppsala = PRESETS["uppsala"]
    setup = Setup(uppsala.ruleset, (None, "random"), preset=uppsala)
    first = replace(opening(uppsala.ruleset), setup=setup)
    assert 'class="radar"' in client.get(address(first))
    over = replace(ended(uppsala.ruleset), setup=setup)
    for page in ("play", "replay", "review"):
        html = client.get(address(over, page=page), follow=True)
        assert "data-board" in html
        assert 'class="radar"' not in html
