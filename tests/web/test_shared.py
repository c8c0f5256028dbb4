"""Two players at one device: an address shows no board, and no answer shows the wrong one."""

import pytest

from game.matches.tokens import unseal_draft
from tests.support.device import HTMX, Device
from tests.support.matches import enemy_water, saved_at, waters
from tests.support.page import token_in

START = "/en/new/{}/?players=2&name1=Anna&name2=Ben"


def begun(client: Device, preset: str = "bonn") -> str:
    """The address of a match of two whose fleets are placed at random."""
    where = client.pressed(START.format(preset), {"action": "quick"})
    assert "/place/" in where
    return client.pressed(where, {"action": "quick"})


def test_the_second_places_behind_a_curtain_and_never_sees_the_firsts_ships(client: Device) -> None:
    first = client.post(START.format("bonn"), {"action": "random"}).location
    placed = unseal_draft(token_in(first)).placed
    assert client.get(first).ships == [str(ship) for ship in placed]
    curtain = client.get(first)
    assert curtain.game["data-phase"] == "handover"
    assert not curtain.has_board
    assert "<bdi>Anna</bdi>, it is your turn" in curtain
    shown = client.post(first, {"action": "show"})
    assert shown.ships == [str(ship) for ship in placed]
    assert "Anna: place your fleet" in shown

    second = client.post(first, {"action": "start", "ship": shown.ships}).location
    curtain = client.get(second)
    assert "<bdi>Ben</bdi>, it is your turn" in curtain
    assert not curtain.has_board
    shown = client.post(second, {"action": "show"})
    assert shown.ships == []
    assert not [ship for ship in placed if str(ship) in shown.without_tokens]
    assert "ship" not in shown.cells("own").values()

    play = client.post(second, {"action": "quick"}).location
    saved = saved_at(play)
    assert saved.match.fleets[0] == unseal_draft(token_in(second)).first
    assert saved.setup.is_shared


def test_the_address_shows_the_curtain_and_the_answer_to_its_button_the_waters(
    client: Device,
) -> None:
    where = begun(client)
    saved = saved_at(where)
    for headers in ({}, HTMX):
        html = client.get(where, headers=headers)
        assert html.game["data-phase"] == "handover"
        assert not html.has_board
        html = client.post(where, {"action": "show"}, headers=headers)
        assert html.status == 200
        assert html.game["data-phase"] == "firing"
        own = {name for name, state in html.cells("own").items() if state == "ship"}
        board = saved.match.ruleset.board
        assert own == {board.name(c) for ship in saved.match.fleets[0] for c in ship.cells}
        assert set(html.cells("enemy").values()) == {"unknown"}
        refused = client.post(where, {"cell": "Z9"}, headers=headers)
        assert (refused.status, refused.game["data-phase"]) == (422, "firing")


def test_whoever_goes_on_with_a_turn_sees_no_curtain_in_between(client: Device) -> None:
    where = begun(client)
    saved = saved_at(where)
    hit = saved.match.ruleset.board.name(saved.match.fleets[1][0].cells[0])
    answer = client.post(where, {"cell": hit}, headers=HTMX)
    assert answer.game["data-phase"] == "firing"
    without_script = client.post(where, {"cell": hit}).location
    phases = [client.get(without_script).game["data-phase"] for _request in range(2)]
    assert phases == ["firing", "handover"], "the redirect shows the boards once"
    water = enemy_water(where)
    answer = client.post(answer.headers["HX-Replace-Url"], {"cell": water}, headers=HTMX)
    assert answer.game["data-phase"] == "handover"
    over = client.post(without_script, {"cell": water}).location
    assert client.get(over).game["data-phase"] == "handover"


@pytest.mark.parametrize("preset", ["cmu", pytest.param("salvo", marks=pytest.mark.long)])
def test_no_answer_to_one_holds_a_ship_of_the_other(client: Device, preset: str) -> None:
    """A whole match without a script: every page on the way is searched."""
    where = begun(client, preset)
    seen, before = 0, None
    for _ in range(500):
        saved = saved_at(where)
        match = saved.match
        if match.outcome is None and match.side is before:  # whoever goes on sees it once
            open_page = client.get(where)
            assert open_page.game["data-phase"] == "firing"
            assert "ship" not in open_page.cells("enemy").values()
        curtain = client.get(where)
        if match.outcome is not None:
            break
        assert not curtain.has_board
        side = before = match.side
        html = client.post(where, {"action": "show"})
        board = match.ruleset.board
        mine = {board.name(c) for ship in match.placements(side) for c in ship.cells}
        shown = {name for name, state in html.cells("own").items() if state in ("ship", "hit")}
        assert shown <= mine
        assert "ship" not in html.cells("enemy").values()
        seen += 1
        ships = match.placements(side.opponent)
        left = [c for it in ships for c in it.cells if c not in match.spent(side.opponent)]
        miss = seen % 3 and preset != "salvo"
        fields = {"cell": waters(match, side.opponent)[0] if miss else board.name(left[0])}
        where = client.pressed(where, fields)
    assert match.outcome is not None
    assert seen > 5
    winner = match.outcome.winner
    expected = "draw" if winner is None else winner.name.lower()
    assert f'data-outcome="{expected}"' in curtain
    assert "Anna’s waters" in curtain
    assert "Ben’s waters" in curtain
    assert 'id="act-again"' in curtain
    replay = client.get(where.replace("/play/", "/replay/"))
    assert "<b>Anna:</b>" in replay
    assert "<b>Ben:</b>" in replay


def test_names_are_cut_cleaned_and_escaped(client: Device) -> None:
    names = {"name1": "<b>Eve</b>\n\t x", "name2": "y" * 99}
    where = client.post("/en/new/cmu/?players=2", {"action": "quick", **names}).location
    setup = unseal_draft(token_in(where)).setup
    assert setup.person_names == ("<b>Eve</b> x", "y" * 20)
    where = client.post(where, {"action": "quick"}).location
    html = client.get(where)
    assert "<bdi>&lt;b&gt;Eve&lt;/b&gt; x</bdi>, it is your turn" in html
    assert "<b>Eve" not in html
    nameless = client.pressed("/de/new/milton/?players=2", {"action": "quick"})
    assert "<bdi>Spieler 2</bdi>, du bist dran" in client.get(nameless)
