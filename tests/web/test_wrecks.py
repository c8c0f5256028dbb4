"""Where ships move, the page asks before a shot at a wreck: it is legal, but mostly a slip."""

from dataclasses import replace

import pytest

from game.engine.actions import Fire
from game.engine.presets import BONN
from game.matches.saved import SavedMatch
from tests.support import duels
from tests.support.device import HTMX, Device
from tests.support.matches import SEED, STILL, address, begun

QUESTION, YOUNG = "Fire at the wreck? A ship may cross it now.", "None can be there"
FORM = {"cell": "3c", "wreck": "ask"}


def fired(saved: SavedMatch, names: str) -> SavedMatch:
    for name in names.split():
        saved = saved.acted(Fire(saved.match.ruleset.board.parse(name)))
    return saved.with_minds_played()


@pytest.mark.parametrize("more", [{}, {"typed": "on"}])
def test_a_form_with_the_field_asks_each_time_and_either_answer_goes_on(
    client: Device, more: dict[str, str]
) -> None:
    where = address(fired(begun(), "C3 D3"))
    shown = client.see(where)
    assert shown.count('<input type="hidden" name="wreck" value="ask">') == 2
    for _reload in range(2):
        asked = client.post(where, {**FORM, **more})
        assert f"{QUESTION} {YOUNG}" in asked
        assert asked.seen == shown.seen
    assert asked.values("cell").count("C3") == 2
    assert client.post(where, {"action": "show"}).seen == shown.seen
    later = client.pressed(where, {"cell": "C3"})
    assert client.see(later).game["data-turn"] == "2"
    asked = client.post(later, FORM)
    assert QUESTION in asked
    assert YOUNG not in asked
    assert client.post(where, {**FORM, "cell": "E4"}).status == 303
    assert client.post(where, {**FORM, "cell": "Z9"}).status == 422


def test_a_script_with_cookies_is_asked_once_a_match(client: Device) -> None:
    matches = [address(fired(begun(seed=SEED[n:] + SEED[:n]), "C3 D3")) for n in range(9)]
    for where in matches:
        assert QUESTION in client.post(where, FORM, headers=HTMX)
        assert client.see(where).count('name="wreck" value="asked"') == 2
        assert QUESTION not in client.post(where, FORM, headers=HTMX)
        assert QUESTION in client.post(where, FORM)
    assert len(client.cookies["wrecks"].value) < 50
    client.cookies.clear()
    assert QUESTION in client.post(where, FORM, headers=HTMX)


def test_a_salvo_asks_while_it_is_aimed_and_still_ships_never(client: Device) -> None:
    saved = fired(
        begun(replace(BONN, again=False, salvo=True, turns=75)), "C3 D3 E4 J4 I4 G4 A6 E6 A5 G3"
    )
    saved = fired(saved, "E5")
    assert QUESTION in client.post(address(saved), FORM)
    assert client.post(address(fired(saved, "C3")), FORM).status == 422
    still = address(fired(begun(STILL), "C3 D3"))
    assert 'name="wreck"' not in client.see(still)
    assert client.post(still, FORM).status == 422


def test_at_two_devices_asking_is_no_step_and_stores_nothing() -> None:
    one, other = duels.opposed()
    match = one.duel.match
    assert match is not None
    wreck = [
        match.ruleset.board.name(cell) for cell in match.placements(match.side.opponent)[9].cells
    ]
    for name in wreck:
        one.send({"cell": name})
    stored, step = duels.remembered(), one.duel
    one.send({"cell": wreck[0], "wreck": "ask"}, **HTMX)
    assert QUESTION in one.page
    assert QUESTION not in other.open()
    one.press("show")
    assert (duels.remembered(), one.duel) == (stored, step)
    one.send({"cell": wreck[0]})
    assert one.duel.step > step.step
