"""The calendar of days: what a browser keeps of the games of each day."""

import calendar
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.dateformat import format as date_text
from django.utils.translation import gettext as _

from game.display.names import short_day_name
from game.matches import daily
from game.matches.day_results import DayResult
from game.views.hooks import day_games

WEEKS = 5
"""The weeks of the calendar, unless a month is asked for."""
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


def calendar_view(
    days: Sequence[DayResult], now: datetime, *, first: date, month: date | None = None
) -> dict[str, Any]:
    """Returns the calendar; `month` is any day of the month to show, if not the last weeks.

    `first` is the date of the first games. Those of the days from then on that no clock shows any
    more may be played late. Today is that of UTC, and a script marks the player's: weeks that
    begin in another time zone are there, but hidden.
    """
    today, open_days = now.date(), daily.open_days(now)
    games = {game.kind: game for game in sorted(day_games(), key=lambda game: game.kind)}
    past = next((game.past for game in games.values() if game.past), "")
    earliest = min([first, *(day.date for day in days)])

    def square(day: date) -> dict[str, Any]:
        results = {result.kind: result for result in days if result.date == day}
        is_past = past and first <= day < open_days[0]
        return {
            "date": day,
            "name": short_day_name(day),
            "is_shown": day >= earliest if month is None else day.month == month.month,
            "is_today": day == today,
            "past": reverse(past, args=[day.isoformat()]) if is_past else "",
            "marks": [
                (games[kind].mark(results[kind]), results[kind])
                for kind in games
                if kind in results
            ],
        }

    if month is not None:
        weeks = calendar.Calendar().monthdatescalendar(month.year, month.month)
        begin, title = month.replace(day=1), date_text(month, "F Y")
        shown = month.replace(day=calendar.monthrange(month.year, month.month)[1])
        later = _link(shown + _DAY) if shown < today else {"name": _("The last five weeks")}
    else:
        shown = max([today, *(day.date for day in days)])
        begin = max(_monday(shown) - (WEEKS - 1) * _WEEK, _monday(min(earliest, today)))
        count = (_monday(max(shown, open_days[-1] + _DAY)) - begin) // _WEEK + 1
        weeks = [[begin + _WEEK * week + _DAY * day for day in range(7)] for week in range(count)]
        title, later = _("The last five weeks"), None
    return {
        "title": title,
        "weekdays": [date_text(day, "D") for day in weeks[0]],
        "weeks": [
            {"begins": week[0], "is_ahead": week[0] > shown, "days": list(map(square, week))}
            for week in weeks
        ],
        "is_of_weeks": month is None,
        "open": " ".join(day.isoformat() for day in open_days),
        "has_past": bool(past) and first < open_days[0],
        "has_results": bool(days),
        "legend": [key for game in games.values() for key in game.legend()],
        "earlier": _link(begin - _DAY) if earliest < begin else None,
        "later": later,
    }


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


def _link(day: date) -> dict[str, str]:
    return {"query": f"?month={day:%Y-%m}", "name": date_text(day, "F Y")}
