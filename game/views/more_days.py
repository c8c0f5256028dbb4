"""The games of a day that aren't features yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.deduction import views as deduction
from game.display.words import joined, plural
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.views.places import DayGame, DayMark, DayState


def _guesses(request: HttpRequest, chain: Chain, day: date) -> int:
    kept = deduction.KEPT_DAYS.read(request, deduction.daily_key(chain, day))
    return kept.match.turn if kept else 0


def _deduction_state(ended: DayResult | None, begun: int) -> DayState:
    if ended is None:
        so_far = _("%(count)s so far") % {"count": begun}
        return DayState(so_far if begun else pgettext("game", "not yet"))
    if not ended.is_sunk:
        return DayState(pgettext("fleet", "not found"), is_done=True)
    guesses = plural("%(count)s guess", "%(count)s guesses", ended.shots)
    return DayState(guesses, is_done=True, is_found=True)


def _deduction_mark(day: DayResult) -> DayMark:
    said = joined(
        plural("Deduction: %(count)s guess", "Deduction: %(count)s guesses", day.shots),
        _("par %(par)s") % {"par": day.par} if day.par else _("par not worked out"),
        "" if day.is_sunk else _("not all found"),
        _("with help") if day.is_helped else "",
        between=", ",
    )
    return DayMark(day.shots, f"guesses is-{day.grade}", f"{said}.")


def _deduction_legend() -> Sequence[tuple[str, str]]:
    return [("guesses", _("guesses of a deduction"))]


GAMES = [
    DayGame(
        deduction.DAY_KIND, "deduction_daily", "act-deduction-daily", 3, lambda: _("Deduction"),
        _guesses, _deduction_state, _deduction_mark, _deduction_legend,
    ),
]  # fmt: skip
