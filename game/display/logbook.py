"""What the page of a logbook shows: figures, a table, a calendar of days and a small chart."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from django.utils.dateformat import format as date_text
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import in_sentence, mind_name, preset_card, short_day_name
from game.display.words import joined, plural
from game.engine.presets import PRESETS, Preset
from game.matches.day_results import DayResult as Day
from game.matches.day_results import streak
from game.matches.logbook import Cell, Count, Kind, Logbook
from game.matches.rank_proposal import proposed_rank
from game.players.registry import MIND_INFO
from game.puzzles.progress import SHOTS, right_of

WEEKS = 5
"""The weeks of the calendar, unless a month is asked for."""
MOST_POINTS = 30
"""The most days in the chart."""
WIDTH, HEIGHT = 360, 168
"""The size of the chart, in its own units."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 8, 10, 134
_DAY = timedelta(days=1)


def logbook_view(
    book: Logbook, today: date, *, oldest_open: date, first: date, month: date | None = None
) -> dict[str, Any]:
    """Returns the logbook on a day; `month` is any day of the month to show, if not the last weeks.

    `oldest_open` is the oldest date that a clock somewhere shows, and `first` that of the first
    sea: the days between can be searched late.
    """
    days, counts = book.days, book.counts
    games = [game for preset in PRESETS.values() if (game := _game(book, counts, preset))]
    seas = [day for day in days if day.kind == Kind.SEA and day.par]
    return {
        "figures": list(_figures(counts, days, oldest_open)),
        "games": games,
        "has_days": bool(days),
        "has_draws": any(row["drawn"] for game in games for row in game["rows"]),
        "calendar": _calendar(days, today, month, first, oldest_open),
        "chart": _chart(seas[-MOST_POINTS:]),
    }


def _figures(
    counts: dict[Cell, Count], days: Sequence[Day], oldest_open: date
) -> Iterator[dict[str, str]]:
    every = list(counts.values())
    games = sum(count.games for count in every)
    met = [count for cell, count in counts.items() if cell.mind]
    wins, duels = sum(count.wins for count in met), sum(count.games for count in met)
    yield _figure(_("Matches"), games, "")
    if duels:
        share = _("%(percent)s%% of %(count)s") if duels > 1 else ""
        share %= {"percent": round(100 * wins / duels), "count": duels}
        yield _figure(pgettext("matches", "Won"), wins, share)
    judged = sum(count.judged for count in every)
    if judged:
        skill = round(sum(count.skill for count in every) / judged)
        note = plural("%(count)s match", "mean of %(count)s matches", judged)
        yield _figure(_("Skill"), skill, note)
    elif games:
        yield _figure(_("Skill"), "–", _("after a review"))
    seas = [day for day in days if day.kind == Kind.SEA]
    at_par = sum(_state(day) == "par" for day in seas)
    note = _("%(count)s at par or better") % {"count": at_par} if seas else ""
    yield _figure(_("Seas of the day"), len(seas), note)
    row = streak((day.date for day in days), oldest_open)
    note = _("longest: %(count)s") % {"count": row.longest} if days else ""
    yield _figure(_("Days in a row"), row.now, note)


def _figure(name: str, value: int | str, note: str) -> dict[str, str]:
    return {"name": name, "value": str(value), "note": note}


def _game(book: Logbook, counts: dict[Cell, Count], preset: Preset) -> dict[str, Any] | None:
    opponents = [
        (0, pgettext("opponent", "Alone")),
        *((info.code, mind_name(info.name)) for info in MIND_INFO),
    ]
    rows = [
        {
            "opponent": name,
            "games": count.games,
            "won": count.wins,
            "drawn": count.draws,
            "best": count.best,
            "mean": round(count.shots / count.wins) if count.wins else None,
        }
        for code, name in opponents
        if (count := counts.get(Cell(preset.code, code)))
    ]
    if not rows:
        return None
    found, said = proposed_rank(book, preset.name), ""
    if found is not None:
        even, other = _("An even match for you: %(rank)s."), _("Worth a try: %(rank)s.")
        said = (even if found.is_even else other) % {"rank": in_sentence(mind_name(found.rank))}
    return {"title": preset_card(preset).title, "rows": rows, "proposed": said}


def _calendar(
    days: Sequence[Day], today: date, month: date | None, first: date, oldest_open: date
) -> dict[str, Any]:
    found = {(day.date, day.kind): day for day in days}
    earliest = [first, *(day.date for day in days[:1])]

    def square(day: date) -> dict[str, Any]:
        sea, deduction, five = (found.get((day, kind)) for kind in Kind)
        return {
            "date": day,
            "name": short_day_name(day),
            "is_shown": month is None or day.month == month.month,
            "is_today": day == today,
            "is_past": first <= day < oldest_open,
            "sea": sea and _result(sea),
            "deduction": deduction and _result(deduction),
            "five": five and _five(five),
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
    return {
        "title": title,
        "weekdays": [date_text(day, "D") for day in weeks[0]],
        "weeks": [list(map(square, week)) for week in weeks],
        "earlier": _link(begin - _DAY) if min(earliest) < begin else None,
        "later": later,
    }


def _link(day: date) -> dict[str, str]:
    return {"query": f"?month={day:%Y-%m}", "name": date_text(day, "F Y")}


def _state(day: Day) -> str:
    """Returns `par`, `over`, `lost`, or `open` if par was not counted."""
    if not day.is_sunk:
        return "lost"
    if not day.par:
        return "open"
    return "over" if day.shots > day.par else "par"


def _result(day: Day) -> dict[str, Any]:
    said = joined(
        plural("Sea: %(count)s shot", "Sea: %(count)s shots", day.shots)
        if day.kind == Kind.SEA
        else plural("Deduction: %(count)s guess", "Deduction: %(count)s guesses", day.shots),
        _("par %(par)s") % {"par": day.par} if day.par else _("par not worked out"),
        "" if day.is_sunk else _("not all found"),
        _("with help") if day.is_helped else "",
        between=", ",
    )
    state, is_helped = _state(day), day.is_helped
    return {"shots": day.shots, "state": state, "is_helped": is_helped, "says": f"{said}."}


def _five(day: Day) -> dict[str, Any]:
    right = right_of(day)
    said = _("Five shots: %(right)s of %(count)s right") % {"right": right, "count": SHOTS}
    says = joined(said, _("with help") if day.is_helped else "", between=", ")
    return {"right": right, "is_helped": day.is_helped, "says": f"{says}."}


def _chart(seas: Sequence[Day]) -> dict[str, Any] | None:
    if len(seas) < 2:
        return None
    numbers = [number for day in seas for number in (day.shots, day.par)]
    low, high = min(numbers) // 10 * 10, -(-max(numbers) // 10) * 10
    high = max(high, low + 20)

    def y(shots: int) -> str:
        return _number(_BOTTOM - (shots - low) / (high - low) * (_BOTTOM - _TOP))

    tick = (WIDTH - _LEFT - _RIGHT) / len(seas)
    middles = [_LEFT + (at + 0.5) * tick for at in range(len(seas))]
    step = 10 if high - low <= 40 else 20 if high - low <= 80 else 50
    # The line has a step for every day, since each day has its own par.
    corners = (
        f"{_number(x + side * tick / 2)},{y(day.par)}"
        for x, day in zip(middles, seas, strict=True)
        for side in (-1, 1)
    )
    short = pgettext("date format", "j M")
    says = _(
        "Your last %(count)s seas: %(mean)s shots on average, par %(par)s; "
        "%(good)s at par or better."
    )
    words = {
        "count": len(seas),
        "mean": round(sum(day.shots for day in seas) / len(seas)),
        "par": round(sum(day.par for day in seas) / len(seas)),
        "good": sum(_state(day) == "par" for day in seas),
    }
    return {
        "says": says % words,
        "points": [
            {"x": _number(x), "y": y(day.shots), "par": y(day.par), "state": _state(day)}
            for x, day in zip(middles, seas, strict=True)
        ],
        "levels": [
            {"y": y(shots), "shots": shots}
            for shots in range(-(-low // step) * step, high + 1, step)
        ],
        "par": " ".join(corners),
        "tick": _number(tick),
        "first": date_text(seas[0].date, short),
        "last": date_text(seas[-1].date, short),
    }


def _number(it: float) -> str:
    """Returns a number as text, since templates would write it as the language does."""
    return f"{it:.1f}"
