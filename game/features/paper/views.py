"""The page to print of a preset, of own rules, or of the rules of a match."""

from dataclasses import replace
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from game.display.choices import composing_fields
from game.display.names import kind_name, preset_card
from game.display.rule_words import rule_line
from game.engine.fleets import DoesNotFit
from game.engine.geometry import Cell
from game.engine.presets import Preset, is_1990
from game.engine.rules import AtLimit, IllegalRules, Ruleset, TooTight
from game.features.paper import sheets
from game.matches.draft import Draft
from game.matches.setup import Setup, Tally
from game.matches.tokens import seal_draft, unseal_match
from game.views import images
from game.views.addresses import address, address_elsewhere, path_if_any
from game.views.before import asked_setup, preset_or_404, refuse_rules
from game.views.decorators import one_at_a_time, token_view
from game.views.expiry import check_open
from game.views.requests import HtmxRequest, step_of
from game.web import forms
from game.web.spelling import cleaned

_LONGEST_DEAL = 20
NEW = "new"
"""The word that leads to a deal by a word that nobody has had."""


@require_safe
def paper(request: HttpRequest, preset: str) -> HttpResponse:
    """The page to print of the game that the query asks for, as the page of a new match does."""
    chosen = preset_or_404(preset)
    try:
        setup = asked_setup(request, chosen)
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    where = path_if_any("begin_kept_exercise", request.GET.get("exercise", ""))
    where = where or f"{reverse('new', args=[preset])}?{_asked(request, chosen)}".rstrip("?")
    return _page_or_deal(request, setup, where)


def _asked(request: HttpRequest, preset: Preset) -> str:
    """Returns the query without what the page of a new match takes for granted.

    A form sends all its fields, and a code with so many characters has small dots.
    """
    usual = composing_fields(preset.ruleset, {}) | {"begins": "you", "hints": "off"}
    usual |= {name: "0" for name in usual if name.startswith("n") and name[1:].isdigit()}
    usual |= {"opponent": preset.opponent}
    unsaid = {"deal", "fleets"}
    if request.GET.get("players") != "0":
        unsaid |= {"mind1", "mind2"}
    asked = {name: text for name, text in request.GET.items() if name not in unsaid and text}
    return urlencode({name: text for name, text in asked.items() if usual.get(name) != text})


@token_view
def paper_of(request: HtmxRequest, token: str) -> HttpResponse:
    """The page to print of the rules of a match; it shows nothing else of it."""
    saved = unseal_match(token)
    check_open(saved.setup, saved.match)
    unnamed = replace(saved.setup, person_names=("", ""), tally=Tally(), learning=None)
    setup = unnamed.for_new_match()
    return _page_or_deal(request, setup, address("place", seal_draft(Draft(setup))))


def _page_or_deal(request: HttpRequest, setup: Setup, where: str) -> HttpResponse:
    deal = cleaned(request.GET.get("deal", ""))[:_LONGEST_DEAL]
    if deal == NEW:
        query = request.GET.copy()
        query["deal"] = token_urlsafe(6)
        return redirect(f"{request.path}?{query.urlencode()}")
    return (_dealt if deal else _page)(request, setup, where, deal)


def _page(request: HttpRequest, setup: Setup, where: str, deal: str) -> HttpResponse:
    """The page of a game at that address; if no word for a deal is given, with empty sheets."""
    rules = replace(setup.ruleset, solo=False)  # on paper somebody has to draw the other fleet
    number = step_of(request.GET.get("fleets", str(sheets.DEALT)), sheets.MOST_DEALT, 1)
    try:
        dealt = sheets.deal(rules, setup.cell_names, deal, number) if deal else []
    except DoesNotFit:
        return refuse_rules(request, setup.preset, TooTight("a fleet was not dealt"))
    link = address_elsewhere(request, where)
    kept = {name: text for name, text in request.GET.items() if name not in ("deal", "fleets")}
    context: dict[str, Any] = {
        "title": setup.title or preset_card(setup.preset).title,
        "task": setup.task,
        "rules": rules,
        "cell_names": setup.cell_names,
        "rule_line": rule_line(rules),
        "is_drawn_at_limit": rules.at_limit is AtLimit.DRAW,
        "example": setup.cell_names.name(Cell(rules.columns + 1)),
        "fleet": _kinds(rules),
        "sheet": sheets.empty_sheet(setup.cell_names),
        "deal": deal,
        "kept": kept,
        "how_many": number,
        "most": sheets.MOST_DEALT,
        "dealt": dealt,
        "answers": setup.cell_names.answers,
        "code": images.qr_code(link),
    }
    return render(request, "paper/paper.html", context)


_dealt = one_at_a_time(_page)


def _kinds(rules: Ruleset) -> list[tuple[str, range, range]]:
    """Returns the name of the ships of each length, longest first, their number and length."""
    kinds = []
    for length in sorted(set(rules.fleet), reverse=True):
        name, count = kind_name(rules, length), rules.fleet.count(length)
        if rules.named and count > 1 and not is_1990(rules.fleet):
            name = f"{name} 1–{count}"
        kinds.append((name, range(count), range(length)))
    return kinds
