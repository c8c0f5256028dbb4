"""Pages cast in moulds say the same as pages that were never cast before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils.safestring import SafeString

from game.engine.presets import PRESETS
from game.matches.saved import SavedMatch
from game.matches.setup import Tally
from game.views import rendering
from game.views.rendering import SLOT, cast
from tests.web.matches import address, opening, played

LOOKS: dict[str, dict[str, str]] = {
    "plain": {},
    "dark, aiming first": {"cookie": "preferences=theme:dark.aim_first:on.sound:on"},
}


@pytest.fixture(autouse=True)
def no_moulds() -> None:
    rendering._mould.cache_clear()


def all_saved() -> Iterator[SavedMatch]:
    """Matches that differ in all that a page may ask about."""
    for name in ("bonn", "uppsala", "salvo"):
        preset = PRESETS[name]
        for plies in (0, 2, 45):
            one = played(opening(preset.ruleset, number=plies), plies)
            if one.match.outcome is None:
                setup = replace(one.setup, preset=preset)
                for helped in (setup, setup.switched(hints=True, coach=True)):
                    yield replace(one, setup=helped)
                yield replace(one, setup=replace(setup, tally=Tally((plies, 1), 2)))
                for names in (("", ""), ("Ada & <Bo>", "\0turn\0")):
                    yield replace(one, setup=replace(setup, minds=(None, None), names=names))


def answer(client: Client, one: str, kind: str, look: str) -> tuple[int, bytes, dict[str, str]]:
    headers: Any = {**LOOKS[look], **({"hx-request": "true"} if kind != "page" else {})}
    if kind == "refused":
        response = client.post(one, {"cell": "Z<9>", "typed": "on"}, headers=headers)
    elif kind == "shown":
        response = client.post(one, {"action": "show"}, headers=headers)
    else:
        response = client.get(one, headers=headers)
    return response.status_code, response.content, dict(response.headers)


def test_a_page_is_the_same_whatever_was_cast_before_it(client: Client) -> None:
    asked = [
        (address(one, language=language), kind, look)
        for one in all_saved()
        for language in ("en", "de")
        for kind in ("page", "part", "shown", "refused")
        for look in LOOKS
    ]
    used = [answer(client, *one) for one in asked]
    info = rendering._mould.cache_info()
    assert info.hits > 4 * info.misses, "hardly any page was cast in a mould that was there"
    for one, before in zip(asked, used, strict=True):
        rendering._mould.cache_clear()
        assert answer(client, *one) == before
    assert len({content for _status, content, _headers in used}) > len(used) / 3


def test_what_is_poured_in_is_escaped_like_in_any_template() -> None:
    fixed = {"is_refused": True, "is_long": False}
    said = cast("game/_status.html", fixed, {"status": '<i>Ada\'s</i> & "Bo"'})
    escaped = "&lt;i&gt;Ada&#x27;s&lt;/i&gt; &amp; &quot;Bo&quot;"
    assert said.strip() == f'<span class="refused">{escaped}</span>'
    safe = cast("game/_status.html", fixed, {"status": SafeString("<b>B7</b>")})
    assert safe.strip() == '<span class="refused"><b>B7</b></span>'


def test_no_text_can_be_taken_for_a_slot() -> None:
    fixed = {"is_refused": False, "is_long": False}
    said = cast("game/_status.html", fixed, {"status": f"{SLOT}status{SLOT}"})
    assert said.strip() == f"{SLOT}status{SLOT}"


def test_templates_may_ask_whether_there_is_a_text() -> None:
    texts = dict.fromkeys(("last", "to_find", "open_hits", "rows", "afloat", "ships"), "")
    nothing = cast("game/_report.html", {"moving": True}, texts)
    assert "none yet" in nothing
    told = cast("game/_report.html", {"moving": True}, {**texts, "last": "B7: hit"})
    assert "B7: hit" in told
    assert told.count("none yet") == nothing.count("none yet") - 1
