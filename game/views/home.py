"""The home page, the page of all games, and the page of today's."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.deduction.views import KEPT_DAYS as KEPT_DEDUCTIONS
from game.deduction.views import daily_key as deduction_key
from game.display.logbook import logbook_view
from game.display.names import preset_cards
from game.display.today import ORDER, day_card, today_view
from game.display.unfinished import FRIEND
from game.engine.presets import OWN
from game.matches import daily
from game.matches.daily import Chain
from game.matches.logbook import Kind, streak
from game.ops import match_store
from game.views.answers import HtmxRequest
from game.views.daily import KEPT_SEAS, asked_day, chain_or_404, day_of
from game.views.demo import chart
from game.views.five import five_of
from game.views.logbook import kept_book
from game.views.preferences import preferences_of
from game.views.results import results_of
from game.views.unfinished import unfinished


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the match to go on with, one to start at once, and today's games."""
    found = unfinished(request)
    if found is not None and found.opponent == FRIEND and not match_store.is_on():
        found = None
    context = {
        "preset_cards": [card for card in preset_cards() if card.preset.is_on_home],
        "unfinished": found,
        "length": preferences_of(request).length,
        "chart": chart(),
        "has_match_store": match_store.is_on(),
        **_today(request),
    }
    response = render(request, "home.html", context)
    response["Cache-Control"] = "no-store"  # going back shows what was played meanwhile, too
    return response


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The page of all games."""
    cards = [card for card in preset_cards() if card.preset is not OWN]
    return render(request, "games.html", {"preset_cards": cards})


@require_safe
def today(request: HtmxRequest) -> HttpResponse:
    """Today's games and the last weeks' results; for htmx the row of the day that it asks for."""
    chain, context = chain_or_404(), _today(request)
    if request.htmx:
        response = render(request, "_today.html", context)
    else:
        now = daily.now()
        oldest = daily.open_days(now)[0]
        book = kept_book(request)
        view = logbook_view(book, now.date(), oldest_open=oldest, first=chain.first)
        context["calendar"] = {**view["calendar"], "title": _("Past days")}
        response = render(request, "today.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _today(request: HttpRequest) -> dict[str, Any]:
    """The day's games with what this browser has done in them; empty if the site has none now."""
    chain, now = daily.chain(), daily.now()
    if chain is None:
        return {}
    open_days = chain.open_days(now)
    asked = (asked_day(request, chain), now.date(), *open_days)
    day = next((day for day in asked if day in open_days), None)
    if day is None:
        return {}
    book = kept_book(request)
    ended = {entry.kind: entry for entry in book.days if entry.date == day}
    row = streak((entry.date for entry in book.days), daily.open_days(now)[0])
    begun = _begun(request, chain, day)
    cards = [day_card(kind, ended.get(kind), begun[kind]) for kind in ORDER]
    return {"today": today_view(day, cards, row.now)}


def _begun(request: HttpRequest, chain: Chain, day: date) -> dict[Kind, int]:
    """How often this browser has fired or guessed in the matches of a day that it keeps."""
    sea = KEPT_SEAS.read(request, day_of(chain, day))
    deduction = KEPT_DEDUCTIONS.read(request, deduction_key(chain, day))
    return {
        Kind.SEA: len(sea[1].match.shots) if sea else 0,
        Kind.FIVE: five_of(results_of(request), chain, day).answered,
        Kind.DEDUCTION: deduction[1].match.turn if deduction else 0,
    }
