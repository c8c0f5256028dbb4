"""What the deduction game adds to pages: its addresses, its cards, and a game of the day."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from django.urls import path, reverse
from django.utils.translation import gettext as _

from game.display.words import plural
from game.features.deduction import views, words
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.matches.setup import Setup
from game.views.days import search_mark, search_state
from game.views.places import DayGame, DayMark, DayState, Places


def _title() -> str:
    return _("Deduction")


def _begun(request: HttpRequest, chain: Chain, day: date) -> int:
    kept = views.KEPT_DAYS.read(request, views.daily_key(chain, day))
    return kept.match.turn if kept else 0


def _state(ended: DayResult | None, begun: int) -> DayState:
    return search_state(ended, begun, words.guesses)


def _mark(ended: DayResult) -> DayMark:
    counted = plural("Deduction: %(count)s guess", "Deduction: %(count)s guesses", ended.shots)
    return search_mark(ended, "guesses", counted)


def _new_match_link(request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
    found = request.resolver_match
    is_own = found is not None and str(found.url_name).startswith("deduction")
    return (reverse("deduction"), _("A new match")) if is_own else None


ROW = Places(
    addresses=[
        path("deduction/", views.home, name="deduction"),
        path("deduction/daily/", views.daily_match, name="deduction_daily"),
        path("deduction/play/<str:token>/", views.play, name="deduction_play"),
        path("deduction/review/<str:token>/", views.judge, name="deduction_review"),
    ],
    public=("deduction",),
    new_match_link=_new_match_link,
    games={views.GAME: _title},
    cookies=(views.KEPT_DAYS.prefix,),
    always={
        "card": "deduction/_card.html",
        "rule": "deduction/_rule.html",
        "stored": "deduction/_stored.html",
    },
    day=DayGame(
        kind=views.DAY_KIND,
        view="deduction_daily",
        id="act-deduction-daily",
        order=3,
        title=_title,
        noun=lambda: _("a deduction"),
        begun=_begun,
        state=_state,
        mark=_mark,
        legend=lambda: [("guesses", _("guesses of a deduction"))],
    ),
    resume={"deduction_play": views.lead_back},
)
