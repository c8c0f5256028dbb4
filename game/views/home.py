"""The home page, the page of all games, and the page of today's."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from game.deduction import views as deduction
from game.display.logbook import logbook_view
from game.display.names import preset_cards
from game.display.today import ORDER, day_card, today_view
from game.display.unfinished import FRIEND
from game.engine.presets import OWN
from game.matches import daily
from game.matches.daily import Chain
from game.matches.logbook import Kind
from game.matches.logged import days_in_a_row
from game.ops import match_store
from game.responses import SwitchedOff
from game.views import cookies, places, play
from game.views.answers import HtmxRequest, bad_token, see_other
from game.views.daily import KEPT_SEAS, day_of
from game.views.days import asked_day, chain_or_404
from game.views.demo import chart
from game.views.five import five_of
from game.views.preferences import preferences_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the match to go on with, one to start at once, and today's games."""
    found = cookies.unfinished(request)
    can_meet = match_store.is_on() and places.two_devices()
    if found is not None and found.opponent == FRIEND and not can_meet:
        found = None
    joined = places.home(request)
    context = {
        "features": {name: it.view for name, it in joined.items()},
        "styles": [style for it in joined.values() for style in it.styles],
        "scripts": [script for it in joined.values() for script in it.scripts],
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


_GONE = (400, 403, 410)
"""The status of a match that doesn't open any more, or not in this browser."""
_LEAD_BACK = {"play": play.lead_back, "deduction_play": deduction.lead_back}


@require_http_methods(["GET", "HEAD", "POST"])
def go_on(request: HtmxRequest) -> HttpResponse:
    """Redirects to the unfinished match; a form removes it from the home page."""
    view, token = cookies.unfinished_place(request)
    if request.method == "POST":
        response = see_other(reverse("home"))
    elif not view:
        response = redirect(reverse("home"))
    else:
        lead_back = (_LEAD_BACK | places.resume()).get(view)
        try:
            response = lead_back(request, token) if lead_back else bad_token(request)
        except SwitchedOff:  # a feature that needs what the site no longer has
            response = bad_token(request)
        if response.status_code not in _GONE:
            return response
    cookies.drop_unfinished(response)
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
        book = cookies.kept_book(request)
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
    book = cookies.kept_book(request)
    ended = book.of_day(day)
    begun = _begun(request, chain, day)
    cards = [day_card(kind, ended.get(kind), begun[kind]) for kind in ORDER]
    return {"today": today_view(day, cards, days_in_a_row(book))}


def _begun(request: HttpRequest, chain: Chain, day: date) -> dict[Kind, int]:
    """How often this browser has fired or guessed in the matches of a day that it keeps."""
    sea = KEPT_SEAS.read(request, day_of(chain, day))
    guesses = deduction.KEPT_DAYS.read(request, deduction.daily_key(chain, day))
    return {
        Kind.SEA: len(sea.match.shots) if sea else 0,
        Kind.FIVE: five_of(cookies.results_of(request), chain, day).answered,
        Kind.DEDUCTION: guesses.match.turn if guesses else 0,
    }
