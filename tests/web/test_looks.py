"""Rules for templates, scripts and pictures that need no browser."""

import re
from pathlib import Path

from game.engine.presets import PRESETS
from game.engine.rules import Side
from tests.support.device import Device
from tests.support.matches import address, ended, opening, played

ROOT = Path(__file__).resolve().parents[2]


def test_scripts_hold_no_words_for_players() -> None:
    for script in (ROOT / "static/game").glob("*.js"):
        code = re.sub(r"//.*", "", script.read_text())
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text), text


def test_a_page_has_every_picture_that_it_draws_and_no_other_ship(client: Device) -> None:
    own = "/en/new/own/?fleet=8-7-6-5-4-3-2-1&columns=15&rows=15"
    pages = [f"/en/new/{name}/" for name in PRESETS if name != "own"]
    matches = [played(opening(PRESETS[name].ruleset), 50) for name in ("bonn", "milton", "salvo")]
    over = [address(it.resigned(Side.FIRST)) for it in matches]
    whole = ("/en/", "/en/rules/", "/en/setup/own/", "/en/thinking/", own)
    for where in (*whole, *pages, *map(address, matches), *over):
        html = client.see(where)
        found, drawn = (set(html.all(rf'{it}(ship-\w+)"')) for it in ('id="', 'href="#'))
        assert drawn <= found, where
        assert where in whole or found - drawn <= {"ship-hull"}, where


def test_a_ship_is_drawn_as_it_is_called_from_the_harbour_to_the_end(client: Device) -> None:
    called = {
        "Carrier": "carrier", "Battleship": "battleship", "Cruiser": "cruiser",
        "Submarine": "submarine", "Destroyer": "destroyer",
    }  # fmt: skip
    classic = PRESETS["milton"].ruleset
    fleet = sorted(zip("54332", called.values(), strict=True))
    html = client.see(address(opening(classic)))
    named = r'(?s)fleet-name">([A-Z][a-z]+)<.*?href="#ship-(\w+)"'
    assert re.findall(named, html) == list(called.items()) * 2
    drawn = r'(?s)data-length="(\d)" data-direction="[hv]">.*?href="#ship-(\w+)"/></svg>'
    for where in (address(ended(classic)), f"{address(ended(classic), page='replay')}?step=999"):
        assert sorted(re.findall(drawn, client.see(where))) == sorted(fleet * 2)
    placing = client.see("/en/new/milton/")
    harbour = placing.split('class="side harbour"')[1]
    assert re.findall(r'href="#ship-(\w+)"', harbour) == list(called.values())
    html = client.post("/en/new/milton/", {"action": "random"}, follow=True)
    assert sorted(re.findall(drawn, html)) == fleet
