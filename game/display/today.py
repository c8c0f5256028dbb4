"""Today's games as the home page shows them: `31 shots`, `5 so far` or `not yet`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.display.names import short_day_name
from game.matches.logbook import Day, Kind


class DayCard(NamedTuple):
    """A game of the day, and what this browser has done in it."""

    view: str
    id: str
    title: str
    state: str
    is_done: bool
    is_found: bool


def day_card(kind: Kind, ended: Day | None, begun: int) -> DayCard:
    """Returns the card of a game; `begun` is the number of shots or guesses in an open match."""
    where = (
        ("daily", "act-daily", _("Today’s sea"))
        if kind is Kind.SEA
        else ("deduction_daily", "act-deduction-daily", _("Deduction"))
    )
    if ended is None:
        state = _("%(count)s so far") % {"count": begun} if begun else pgettext("game", "not yet")
        return DayCard(*where, state, is_done=False, is_found=False)
    if not ended.is_sunk:
        return DayCard(*where, _("not all found"), is_done=True, is_found=False)
    count = ended.shots
    state = (
        ngettext("%(count)s shot", "%(count)s shots", count)
        if kind is Kind.SEA
        else ngettext("%(count)s guess", "%(count)s guesses", count)
    )
    return DayCard(*where, state % {"count": count}, is_done=True, is_found=True)


def today_view(day: date, cards: Sequence[DayCard], streak: int) -> dict[str, Any]:
    return {
        "day": day,
        "date": short_day_name(day),
        "cards": cards,
        "streak": ngettext("%(count)s day in a row", "%(count)s days in a row", streak)
        % {"count": streak}
        if streak > 1
        else "",
    }
