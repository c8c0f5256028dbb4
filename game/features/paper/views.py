"""The page to print of a preset, of own rules, or of the rules of a match."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from game import forms
from game.display.cells import called
from game.display.names import preset_card
from game.display.rule_words import rule_line
from game.engine.geometry import Cell
from game.engine.rules import IllegalRules
from game.features.paper import sheets
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, unseal_match
from game.views import images, places
from game.views.answers import HtmxRequest, address, address_elsewhere, safe_token_view
from game.views.before import asked_fields, preset_or_404, refuse_rules

_LONGEST_DEAL = 20


@require_safe
def paper(request: HttpRequest, preset: str) -> HttpResponse:
    """The page to print of the game that the query asks for, as the page of a new match does."""
    chosen = preset_or_404(preset)
    try:
        setup = places.new_setup(request, forms.parse_setup(chosen, asked_fields(request)))
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    places.use_names(setup)
    query = request.GET.copy()
    query.pop("deal", None)
    where = f"{reverse('new', args=[preset])}?{query.urlencode()}".rstrip("?")
    return _page(request, setup, where)


@safe_token_view
def paper_of(request: HtmxRequest, token: str) -> HttpResponse:
    """The page to print of the rules of a match; it shows nothing else of it."""
    setup = unseal_match(token).setup.renewed()
    places.use_names(setup)
    return _page(request, setup, address("place", seal_draft(Draft(setup))))


def _page(request: HttpRequest, setup: Setup, where: str) -> HttpResponse:
    rules, link = setup.ruleset, address_elsewhere(request, where)
    deal = request.GET.get("deal", "")[:_LONGEST_DEAL]
    query = request.GET.copy()
    query["deal"] = token_urlsafe(6)
    context: dict[str, Any] = {
        "title": preset_card(setup.preset).title,
        "rule_line": rule_line(rules),
        "example": called(rules.board, Cell(rules.columns + 1)),
        "fleet": [(length, range(length)) for length in sorted(rules.fleet, reverse=True)],
        "sheet": sheets.empty_sheet(rules),
        "deal": deal,
        "deal_address": f"{request.path}?{query.urlencode()}",
        "dealt": list(sheets.deal(rules, deal)) if deal else [],
        "code": images.qr_code(link) if len(link) <= images.MOST_IN_CODE else "",
    }
    return render(request, "paper/paper.html", context)
