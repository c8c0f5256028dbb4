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
from game.puzzles.progress import DAY_KIND, SHOTS, right_of
from game.views.answers import path_if_any
from game.views.cookies import results_of
from game.views.five import five_of
from game.views.places import DayGame, DayMark, DayState


def _five_begun(request: HttpRequest, chain: Chain, day: date) -> int:
    return five_of(results_of(request), chain, day).answered


def _five_state(ended: DayResult | None, begun: int) -> DayState:
    if ended is None:
        so_far = _("%(count)s of %(of)s") % {"count": begun, "of": SHOTS}
        return DayState(so_far if begun else pgettext("game", "not yet"))
    right = right_of(ended)
    said = _("%(right)s of %(count)s right") % {"right": right, "count": SHOTS}
    return DayState(said, is_done=True, is_found=right == SHOTS)


def _five_mark(day: DayResult) -> DayMark:
    right = right_of(day)
    said = _("Five shots: %(right)s of %(count)s right") % {"right": right, "count": SHOTS}
    says = joined(said, _("with help") if day.is_helped else "", between=", ")
    return DayMark(right, "five", f"{says}.")


def _five_legend() -> Sequence[tuple[str, str]]:
    return [("five", _("right answers of five shots"))]


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


def games() -> list[DayGame]:
    """Those that the site has: puzzles may be switched off."""
    return [game for game in _GAMES if path_if_any(game.view)]


_GAMES = [
    DayGame(
        DAY_KIND, "puzzles", "act-five", 2, lambda: _("Five shots"),
        _five_begun, _five_state, _five_mark, _five_legend,
    ),
    DayGame(
        deduction.DAY_KIND, "deduction_daily", "act-deduction-daily", 3, lambda: _("Deduction"),
        _guesses, _deduction_state, _deduction_mark, _deduction_legend,
    ),
]  # fmt: skip
