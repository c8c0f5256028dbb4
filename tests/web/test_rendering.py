"""Quick rendering prints what Django prints, to the byte, and a slot's text is only text."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from game.deduction.saved import seal_match as seal_search
from game.engine.presets import PRESETS
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, Tally
from game.views import rendering
from game.views.rendering import Slot
from tests.support.deduction import MATCHES
from tests.support.device import Device
from tests.support.matches import (
    address,
    draft_address,
    ended,
    opening,
    played,
    public_replay_address,
)

QUICK, QUICK_PAGE = rendering.render_cached, rendering.render_page


def compared(template: str, values: Mapping[str, Hashable]) -> SafeString:
    """Returns the text of quick rendering; fails if Django alone renders another."""
    token = str(values.get("token", ""))
    plain = {
        name: value.replace(rendering.placeholder("token"), token) if type(value) is str else value
        for name, value in values.items()
    }
    quick = QUICK(template, values)
    assert QUICK_PAGE(template, values).decode() == quick
    assert quick == render_to_string(template, plain)
    return quick


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Compares all that is rendered, and collects the names of the templates."""
    names: set[str] = set()

    def noted(template: str, values: Mapping[str, Hashable]) -> SafeString:
        names.add(template)
        return compared(template, values)

    monkeypatch.setattr(rendering, "render_cached", noted)
    monkeypatch.setattr(rendering, "render_page", lambda *given: noted(*given).encode())
    return names


def matches() -> Iterator[SavedMatch]:
    """Matches that differ in everything that a page depends on."""
    for name in ("bonn", "uppsala", "salvo"):
        preset = PRESETS[name]
        for plies in (0, 2, 45):
            one = played(opening(preset.ruleset, number=plies), plies)
            setup = replace(one.setup, preset=preset)
            yield replace(one, setup=setup)
            yield replace(one, setup=setup.switched(hints=True, coach=True))
            yield replace(one, setup=replace(setup, tally=Tally((plies, 1), 2)))
            for names in (("", ""), ("Ada & <Bo>", "\0turn\0")):
                yield replace(one, setup=replace(setup, minds=(None, None), names=names))


LOOKS: list[Any] = [
    {}, {"cookie": "preferences=theme:dark.aim_first:on.sound:on"}, {"hx-request": "true"},
]  # fmt: skip


def test_a_match_that_goes_on_is_rendered_as_django_renders_it(
    client: Device, rendered: set[str]
) -> None:
    for saved, language in zip(matches(), cycle(("en", "de")), strict=False):
        where = address(saved, language=language)
        for headers in LOOKS:
            assert client.get(where, headers=headers).status == 200
            shown = client.post(where, {"action": "show"}, headers=headers)
            assert shown.status == 200
            rows = shown.all(r'<th role="rowheader" scope="row">(\d+)</th>')
            assert rows == [str(row + 1) for row in range(saved.match.ruleset.rows)] * 2
        assert client.post(where, {"cell": "Z<9>", "typed": "on"}, headers=headers).status == 422
    assert {"game/page.html", "game/fragment.html", "game/_report.html"} <= rendered


@pytest.mark.deep
def test_every_other_page_is_rendered_as_django_renders_it(
    client: Device, rendered: set[str]
) -> None:
    over, bonn = ended(number=3), PRESETS["bonn"]
    searches = MATCHES["search"], replace(MATCHES["search"], heat=True)
    pages = ["", "rules/", "about/", "thinking/", "settings/", "deduction/"]
    pages += [f"{page}/{name}/" for page in ("setup", "new") for name in PRESETS]
    pages += [f"deduction/play/{seal_search(search)}/" for search in searches]
    wheres = [f"/{language}/{page}" for language, page in zip(cycle(("en", "de")), pages)]
    wheres.append(draft_address(Draft(Setup(bonn.ruleset, preset=bonn)).filled()))
    wheres.append(f"{public_replay_address(over, 'de')}?step=20")
    wheres += [address(over, page=page) for page in ("play", "replay", "review", "share")]
    for where in wheres:
        client.see(where)
    assert {"game/_status.html", "game/_board.html"} <= rendered


@pytest.mark.parametrize(
    ("status", "printed"),
    [
        (Slot('<i>Ada\'s</i> & "Bo"'), "&lt;i&gt;Ada&#x27;s&lt;/i&gt; &amp; &quot;Bo&quot;"),
        (SafeString("<b>B7</b>"), "<b>B7</b>"),
        (Slot(rendering.placeholder("status")), rendering.placeholder("status")),
    ],
)
def test_a_slot_is_escaped_unless_it_is_safe_and_is_never_taken_for_another(
    status: str, printed: str
) -> None:
    values = {"is_refused": True, "is_long": False, "status": status}
    said = compared("game/_status.html", values)
    assert said.strip() == f'<span class="refused">{printed}</span>'
