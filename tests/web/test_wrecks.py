"""Where ships move, a shot at a wreck is legal but usually a mistake, so the page asks first."""

from dataclasses import replace

from game.engine.presets import BONN
from game.views.wrecks import ASKED
from tests.support.device import HTMX, Device
from tests.support.matches import SEED, STILL, address, begun, fired

QUESTION, YOUNG = "Fire at the wreck? A ship may cross it now.", "None can be there"
FORM = {"cell": "3c", "wreck": "ask"}


def test_a_form_with_the_field_asks_each_time_and_either_answer_goes_on(client: Device) -> None:
    where = address(fired("C3 D3"))
    shown = client.see(where)
    assert shown.count('<input type="hidden" class="by-page" name="wreck" value="ask">') == 2
    for _reload in range(2):
        asked = client.post(where, FORM)
        assert f"{QUESTION} {YOUNG}" in asked
        assert asked.seen == shown.seen
    assert asked.values("cell").count("C3") == 2
    assert client.post(where, {"action": "show"}).seen == shown.seen
    later = client.post(client.pressed(where, {"cell": "C3"}), FORM)
    assert QUESTION in later
    assert YOUNG not in later
    assert later.seen.turn == 2
    assert client.post(where, {**FORM, "cell": "E4"}).status == 303
    assert client.post(where, {**FORM, "cell": "Z9"}).status == 422


def test_a_script_with_cookies_is_asked_once_a_match(client: Device) -> None:
    for number in range(9):
        where = address(fired("C3 D3", begun(seed=SEED[number:] + SEED[:number])))
        for is_asked in (True, False):
            assert (QUESTION in client.post(where, FORM, headers=HTMX)) is is_asked
            assert client.see(where).count('name="wreck" value="asked"') == 2
    assert len(ASKED.value(client.cookies[ASKED.name].value)) == 5


def test_a_salvo_asks_while_it_is_aimed_and_still_ships_never(client: Device) -> None:
    salvo = begun(replace(BONN, again=False, salvo=True, turns=75))
    saved = fired("C3 D3 E4 J4 I4 G4 A6 E6 A5 G3 E5", salvo)
    assert QUESTION in client.post(address(saved), FORM)
    for refused in (fired("C3", saved), fired("C3 D3", begun(STILL))):
        assert client.post(address(refused), FORM).status == 422
