"""The pages of a match that goes on, which are asked for most: from a view's context to text.

Of such a page little changes from one action to the next, so it is cast in a mould.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.utils.safestring import SafeString

from game.context_processors import site
from game.display.boards import BoardView
from game.display.text_view import TextView
from game.engine.observation import Phase
from game.matches.setup import Setup, Tally
from game.templatetags.waters import board, drawn, status_line
from game.views.rendering import SLOT, cast, cast_each

LIVE = (Phase.FIRING.value, Phase.MOVING.value)
"""The phases of a match that goes on."""

_TEXTS = (
    "turn", "player", "tally_line", "turn_line", "opponent_line", "rule_line", "coach_line",
    "commitment", "shots", "typed", "token",
)  # fmt: skip


def live_page(request: HttpRequest, template: str, context: dict[str, Any]) -> SafeString:
    """The template's text for the context of a match that goes on."""
    setup: Setup = context["setup"]
    token: str = context["token"]
    poured = {name: _text(context.get(name)) for name in _TEXTS}
    poured |= {
        "enemy": _board(context["enemy"], "grid", setup),
        "own": _board(context["own"], "table", setup),
        "enemy_fleet": drawn("game/_fleet.html", context["enemy_fleet"]),
        "own_fleet": drawn("game/_fleet.html", context["own_fleet"]),
        "status_line": status_line(context["status"], context["is_refused"]),
        "report": text_view_html(context["report"], setup),
    }
    slot = f"{SLOT}token{SLOT}"
    fixed = {
        name: value.replace(token, slot) if type(value) is str else value
        for name, value in {**site(request), **context}.items()
        if name not in poured and name != "status"
    }
    fixed["setup"] = replace(setup, names=("", ""), tally=Tally())
    return cast(template, fixed, poured)


def text_view_html(text_view: TextView, setup: Setup) -> SafeString:
    """The text view's report."""
    rows = [{"number": str(row.number), "marks": row.marks} for row in text_view.rows]
    ships = [{"ship": ship} for ship in text_view.ships]
    texts = {
        "last": text_view.last, "to_find": text_view.to_find, "open_hits": text_view.open_hits,
        "rows": cast_each("game/_row.html", {}, rows), "afloat": text_view.afloat,
        "ships": cast_each("game/_ship.html", {}, ships),
    }  # fmt: skip
    return cast("game/_report.html", {"moving": setup.ruleset.moving}, texts)


def _board(view: BoardView, role: str, setup: Setup) -> SafeString:
    return board(view, role, view.kind, setup.preset.has_radar)


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)
