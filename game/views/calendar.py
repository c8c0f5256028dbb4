"""The calendar of days: what a browser keeps of the games of each day."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils.dateformat import format as date_text
from django.utils.translation import gettext as _

from game.display.names import short_day_name
from game.matches.day_results import DayResult
from game.views.hooks import day_games

WEEKS = 5
"""The weeks of the calendar, unless a month is asked for."""
_DAY = timedelta(days=1)


def calendar_view(
    days: Sequence[DayResult], today: date, *, oldest_open: date, first: date,
    month: date | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Returns the calendar; `month` is any day of the month to show, if not the last weeks.

    `oldest_open` is the oldest date that a clock somewhere shows, and `first` that of the first
    games: those of the days between may be played late.
    """
    games = {game.kind: game for game in sorted(day_games(), key=lambda game: game.kind)}
    past = next((game.past for game in games.values() if game.past), "")

    def square(day: date) -> dict[str, Any]:
        found = {result.kind: result for result in days if result.date == day}
        is_past = past and first <= day < oldest_open
        return {
            "date": day,
            "name": short_day_name(day),
            "is_shown": month is None or day.month == month.month,
            "is_today": day == today,
            "past": reverse(past, args=[day.isoformat()]) if is_past else "",
            "marks": [
                (games[kind].mark(found[kind]), found[kind]) for kind in games if kind in found
            ],
        }

    if month is not None:
        weeks = calendar.Calendar().monthdatescalendar(month.year, month.month)
        begin, title = month.replace(day=1), date_text(month, "F Y")
        last = begin.replace(day=calendar.monthrange(month.year, month.month)[1])
        later = _link(last + _DAY) if last < today else {"name": _("The last five weeks")}
    else:
        last = max([today, *(day.date for day in days)])
        begin = last - _DAY * (last.weekday() + 7 * (WEEKS - 1))
        weeks = [[begin + _DAY * (7 * week + day) for day in range(7)] for week in range(WEEKS)]
        title, later = _("The last five weeks"), None
    earliest = min([first, *(day.date for day in days)])
    return {
        "title": title,
        "weekdays": [date_text(day, "D") for day in weeks[0]],
        "weeks": [list(map(square, week)) for week in weeks],
        "legend": [key for game in games.values() for key in game.legend()],
        "earlier": _link(begin - _DAY) if earliest < begin else None,
        "later": later,
    }


def _link(day: date) -> dict[str, str]:
    return {"query": f"?month={day:%Y-%m}", "name": date_text(day, "F Y")}
