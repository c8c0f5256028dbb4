"""A first match explains itself: a sentence at each first time, and one offer of sound."""

from dataclasses import replace

import pytest

from game.engine.actions import Fire
from game.matches.saved import SavedMatch
from tests.support.device import Device
from tests.support.matches import STILL, address, begun, enemy_water, lost
from tests.support.page import Page

TAUGHT = {
    "place": "Choose a ship, then its place, or press Random.",
    "fire": "Your turn. Fire, or move a ship first.",
    "hit": "You fire again. Try the cells beside J6.",
    "move": "Before firing, you may move one ship one cell, but not a hit one.",
}


def fired(client: Device, where: str, cell: str = "") -> Page:
    """The page after a shot at a cell, or at water."""
    return client.post(where, {"cell": cell or enemy_water(where)}, follow=True)


def after(saved: SavedMatch, name: str) -> SavedMatch:
    return replace(saved, match=saved.match.act(Fire(saved.match.ruleset.board.parse(name))))


# --- sentences; the offer of sound ---


def test_each_first_time_is_told_what_to_do_and_no_second_one(client: Device) -> None:
    placing = client.get("/en/new/bonn/")
    assert placing.says == TAUGHT["place"]
    html = client.post(placing.form, {"action": "random"}, follow=True)
    cleared = client.post(html.where, {"action": "clear"}, follow=True)
    assert TAUGHT["place"] not in html + cleared
    html = client.post(html.where, {"action": "start", "ship": html.ships}, follow=True)
    assert TAUGHT["fire"] in html.says

    html = fired(client, address(begun()), "J6")
    assert html.says == f"You: J6, hit. {TAUGHT['hit']}"
    html = fired(client, html.where, "J7")
    assert html.says == "You: J7, hit."
    html = fired(client, html.where)
    assert html.says.endswith(TAUGHT["move"])
    html = fired(client, html.where)
    assert not [said for said in TAUGHT.values() if said in html]
    assert client.preferred["onboarded"] == "15"


@pytest.mark.parametrize(("language", "told"), [("en", "five turns ago"), ("de", "fünf Zügen")])
def test_the_first_age_of_a_match_is_explained_once(
    client: Device, language: str, told: str
) -> None:
    saved, explained = lost(), []
    for stage in saved.match.stages():
        if stage.outcome is None and not stage.side and stage.turn < 20:
            page = client.get(address(replace(saved, match=stage), language))
            assert len(page.all(r'id="ages" aria-hidden="true">')) == page.says.count(told)
            explained += [stage.turn] * page.says.count(told)
    assert set(explained) == {10}, "that of the first shot, which was water"


def test_sound_is_offered_from_the_first_hit_for_two_turns(client: Device) -> None:
    where = address(begun(STILL, minds=(None, "random")))
    assert "act-sound" not in client.get(where)
    html = fired(client, where, "J6")
    offered = ["act-sound" in html]
    for _turn in range(3):
        html = fired(client, html.where)
        offered.append("act-sound" in html)
    assert offered == [True, True, False, False]
    assert client.preferred["sound_prompt"] == "gone"


def test_sound_is_offered_to_nobody_who_has_it_or_has_answered(client: Device) -> None:
    where = address(after(begun(STILL), "J6"))
    html = client.get(where)
    [chip] = [line for line in html.split("<button") if 'id="act-sound"' in line]
    assert "hidden" in chip.split(">")[0], "without a script it would do nothing"
    for kept in ({"sound": "on"}, {"sound_prompt": "gone"}):
        client.prefer(**kept)
        assert "act-sound" not in client.get(where)
