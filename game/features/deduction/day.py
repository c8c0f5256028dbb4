"""The deduction among the games of a day."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest
from django.utils.translation import gettext as _

from game.display.words import plural
from game.feature import DayGame, DayMark, DayState
from game.features.deduction import views, words
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.views.days import search_mark, search_state


def _begun(request: HttpRequest, chain: Chain, day: date) -> int:
    kept = views.KEPT_DAYS.read(request, views.daily_key(chain, day))
    return kept.match.turn if kept else 0


def _state(ended: DayResult | None, begun: int) -> DayState:
    return search_state(ended, begun, words.guesses)


def _mark(ended: DayResult) -> DayMark:
    counted = plural("Deduction: %(count)s guess", "Deduction: %(count)s guesses", ended.shots)
    return search_mark(ended, "guesses", counted)


DAY_GAME = DayGame(
    kind=views.DAY_KIND,
    view="deduction_daily",
    id="act-deduction-daily",
    order=3,
    title=lambda: _("Deduction"),
    noun=lambda: _("a deduction"),
    begun=_begun,
    state=_state,
    mark=_mark,
    legend=lambda: [("guesses", _("guesses of a deduction"))],
)
