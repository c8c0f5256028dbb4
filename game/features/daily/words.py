"""Today's sea in words: `31 shots` or `not yet` on its card, its mark in the calendar."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.words import joined, plural
from game.matches.day_results import DayResult
from game.views.places import DayMark, DayState


def state(ended: DayResult | None, begun: int) -> DayState:
    if ended is None:
        so_far = _("%(count)s so far") % {"count": begun}
        return DayState(so_far if begun else pgettext("game", "not yet"))
    if not ended.is_sunk:
        return DayState(pgettext("fleet", "not found"), is_done=True)
    shots = plural("%(count)s shot", "%(count)s shots", ended.shots)
    return DayState(shots, is_done=True, is_found=True)


def mark(ended: DayResult) -> DayMark:
    said = joined(
        plural("Sea: %(count)s shot", "Sea: %(count)s shots", ended.shots),
        _("par %(par)s") % {"par": ended.par} if ended.par else _("par not worked out"),
        "" if ended.is_sunk else _("not all found"),
        _("with help") if ended.is_helped else "",
        between=", ",
    )
    return DayMark(ended.shots, f"sea is-{ended.grade}", f"{said}.")


def legend() -> Sequence[tuple[str, str]]:
    return [
        ("sea is-par", _("par or better")),
        ("sea is-over", _("over par")),
        ("sea is-lost", _("not all found")),
    ]


def days_in_a_row(count: int) -> str:
    """Returns `3 days in a row`; empty for fewer than two."""
    said = plural("%(count)s day in a row", "%(count)s days in a row", count)
    return said if count > 1 else ""
