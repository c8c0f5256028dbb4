"""On every page, quick rendering prints what Django prints, to the byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from game.deduction.saved import seal_match as seal_search
from game.display.boards import BoardOf
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, Tally
from game.matches.tokens import seal_draft, seal_replay
from game.views import rendering
from game.views.rendering import Slot
from tests.support.deduction import MATCHES
from tests.support.device import Device
from tests.support.matches import address, at_turn, ended, opening, played

Render = Callable[[str, Mapping[str, Hashable]], SafeString]
QUICK: Render = rendering.render_cached
QUICK_PAGE = rendering.render_page
QUICK_BOARD = rendering.board
SEEN: set[tuple[str | None, str, str, str]] = set()
"""The boards that have been compared already; each is compared only once."""


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


def compared_board(
    view: BoardOf[Any], cells: str, role: str = "grid", *, has_radar: bool = False
) -> SafeString:
    """Returns the board of quick rendering; fails if its cells, rendered one by one, differ."""
    quick = QUICK_BOARD(view, cells, role, has_radar=has_radar)
    drawn = (get_language(), cells, repr(view), quick)
    if drawn in SEEN:
        return quick
    SEEN.add(drawn)
    for row, shown in enumerate(view.rows):
        slots = []
        for column, cell in enumerate(shown):
            name = f"{view.letters[column]}{row + 1}"
            offered = view.arrows.get(Cell(row * view.columns + column), ())
            arrows = SafeString("".join(map(rendering.arrow, offered)))
            slots.append(rendering.cell_text(cells, cell, name, arrows))
        head = f'<tr role="row"><th role="rowheader" scope="row">{row + 1}</th>'
        assert f"{head}{''.join(slots)}</tr>\n" in quick
    return quick


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Compares all that is rendered, and counts it by template."""
    count: Counter[str] = Counter()

    def counted(template: str, values: Mapping[str, Hashable]) -> SafeString:
        count[template] += 1
        return compared(template, values)

    def counted_board(
        view: BoardOf[Any], cells: str, role: str = "grid", *, has_radar: bool = False
    ) -> SafeString:
        count[cells] += 1
        return compared_board(view, cells, role, has_radar=has_radar)

    monkeypatch.setattr(rendering, "render_cached", counted)
    monkeypatch.setattr(rendering, "render_page", lambda *given: counted(*given).encode())
    monkeypatch.setattr(rendering, "board", counted_board)
    return count


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


LOOKS: list[dict[str, str]] = [
    {}, {"cookie": "preferences=theme:dark.aim_first:on.sound:on"}, {"hx-request": "true"},
]  # fmt: skip


def test_a_match_that_goes_on_is_rendered_as_django_renders_it(
    client: Device, rendered: Counter[str]
) -> None:
    for saved, language in zip(matches(), cycle(("en", "de")), strict=False):
        where = address(saved, language=language)
        for look in LOOKS:
            headers: Any = look
            assert client.get(where, headers=headers).status == 200
        shown = client.post(where, {"action": "show"}, headers=headers)
        assert shown.status == 200
        refused = client.post(where, {"cell": "Z<9>", "typed": "on"}, headers=headers)
        assert refused.status == 422
    assert min(rendered["game/page.html"], rendered["game/fragment.html"]) > 50
    assert min(rendered["cells/enemy.html"], rendered["cells/own.html"]) > 150
    assert rendered["game/_report.html"] > 150


@pytest.mark.deep
def test_every_other_page_is_rendered_as_django_renders_it(
    client: Device, rendered: Counter[str]
) -> None:
    over = ended(number=3)
    search = MATCHES["search"]
    draft = Draft(Setup(PRESETS["bonn"].ruleset, preset=PRESETS["bonn"])).filled()
    pages = [
        "", "rules/", "about/", "thinking/", "settings/", "deduction/",
        *(f"setup/{name}/" for name in PRESETS), *(f"new/{name}/" for name in PRESETS),
        f"place/{seal_draft(draft)}/", f"film/{seal_replay(over)}/?step=20",
        f"deduction/play/{seal_search(search)}/",
        f"deduction/play/{seal_search(replace(search, heat=True))}/",
    ]  # fmt: skip
    for page, language in zip(pages, cycle(("en", "de")), strict=False):
        assert client.get(f"/{language}/{page}").status == 200, page
    for page, language in zip(("play", "replay", "review", "share"), ("de", "en") * 2, strict=True):
        client.see(address(over, language=language, page=page))
    assert rendered["cells/placing.html"] > len(PRESETS)
    assert rendered["cells/searched.html"] == 2
    assert rendered["cells/enemy.html"] >= 4
    assert rendered["game/_status.html"] > 10


def test_matches_alike_share_a_page_whenever_they_began_and_whoever_plays(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    bonn = PRESETS["bonn"]

    def ask(number: int, mind: str, began: int) -> None:
        one = at_turn(opening(bonn.ruleset, number=number, mind=mind), 3)
        setup = replace(one.setup, preset=bonn, started_hour=began)
        assert client.get(address(replace(one, setup=setup))).status == 200

    ask(2, "random", 480_000)
    drawn: list[str] = []

    def counted(template: str, *rest: Any) -> Any:
        drawn.append(template)
        return render_to_string(template, *rest)

    monkeypatch.setattr(rendering, "render_to_string", counted)
    ask(2, "bonn-easy", 480_123)
    assert "game/page.html" not in drawn
    client.cookies["preferences"] = "theme:dark"
    ask(2, "bonn-easy", 480_123)
    assert "game/page.html" in drawn


# --- the comparison can fail, and slots are safe ---


def templates(**slots: str) -> list[dict[str, Any]]:
    """Settings of an engine that knows just these templates."""
    (engine,) = site_settings.TEMPLATES
    loader = ("django.template.loaders.locmem.Loader", slots)
    options = {**engine["OPTIONS"], "loaders": [loader]}
    return [{**engine, "OPTIONS": options}]


@pytest.mark.parametrize(
    ("planted", "is_seen"),
    [
        ("{{ turn }}", False), ("{% if turn %}{{ turn }}{% endif %}", False),
        ("{{ turn|add:1 }}", True), ("{{ turn|length }}", True),
        ("{% if turn == '7' %}seven{% endif %}", True),
    ],
)  # fmt: skip
def test_a_template_that_does_more_with_a_text_than_print_it_is_seen(
    settings: Any, planted: str, is_seen: bool
) -> None:
    settings.TEMPLATES = templates(planted=planted)
    if is_seen:
        with pytest.raises(AssertionError):
            compared("planted", {"turn": Slot("7")})
    else:
        assert compared("planted", {"turn": Slot("7")}) == "7"


def test_slots_are_escaped_like_in_any_template() -> None:
    values = {"is_refused": True, "is_long": False}
    said = compared("game/_status.html", {**values, "status": Slot('<i>Ada\'s</i> & "Bo"')})
    escaped = "&lt;i&gt;Ada&#x27;s&lt;/i&gt; &amp; &quot;Bo&quot;"
    assert said.strip() == f'<span class="refused">{escaped}</span>'
    safe = compared("game/_status.html", {**values, "status": SafeString("<b>B7</b>")})
    assert safe.strip() == '<span class="refused"><b>B7</b></span>'


def test_no_slot_can_be_taken_for_the_place_of_another() -> None:
    status = rendering.placeholder("status")
    values = {"is_refused": False, "is_long": False, "status": Slot(status)}
    assert compared("game/_status.html", values).strip() == status
