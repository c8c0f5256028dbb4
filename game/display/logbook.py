"""What the page of a logbook shows: figures, a table, a calendar of days and a small chart."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.dateformat import format as date_text
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.display.names import in_sentence, mind_name, preset_card
from game.engine.presets import PRESETS, Preset
from game.matches.logbook import Cell, Count, Day, Kind, Logbook, proposed_rank, streak
from game.players.registry import MIND_INFO

WEEKS = 5
"""The weeks of the calendar, unless a month is asked for."""
MOST_POINTS = 30
"""The most days in the chart."""
WIDTH, HEIGHT = 360, 168
"""The size of the chart, in its own units."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 8, 10, 134
_DAY = timedelta(days=1)


class Figure(NamedTuple):
    """A number to be seen first."""

    name: str
    value: str
    note: str


class Row(NamedTuple):
    """A game against one opponent, or alone."""

    opponent: str
    games: int
    won: int
    drawn: int
    best: str
    mean: str


class GameRows(NamedTuple):
    """The rows of one game, and the sentence on the rank that suits its player, or nothing."""

    title: str
    rows: tuple[Row, ...]
    even: str


class Result(NamedTuple):
    """The result of a day in the calendar."""

    shots: int
    state: str
    """`par`, `over`, `lost`, or `open` where par was not counted."""
    is_helped: bool
    says: str


class Square(NamedTuple):
    """A day of the calendar."""

    date: date
    is_shown: bool
    """Whether it belongs to the month that is shown; weeks always do."""
    is_today: bool
    sea: Result | None
    deduction: Result | None


class Link(NamedTuple):
    """A way to other days: a query, and what they are called."""

    query: str
    name: str


class Calendar(NamedTuple):
    """Some weeks, from Monday to Sunday."""

    title: str
    weekdays: tuple[str, ...]
    weeks: tuple[tuple[Square, ...], ...]
    earlier: Link | None
    later: Link | None


class Point(NamedTuple):
    """A day in the chart, in its units: as texts, since templates write numbers as German does."""

    x: str
    y: str
    par: str
    state: str


class Level(NamedTuple):
    """A number of shots at the side of the chart."""

    y: str
    shots: int


class Chart(NamedTuple):
    """The seas of the last days against par."""

    says: str
    points: tuple[Point, ...]
    levels: tuple[Level, ...]
    par: str
    """The corners of par's line."""
    tick: str
    """The width of a day."""
    first: str
    last: str


class LogbookView(NamedTuple):
    """All that the page shows of a logbook."""

    figures: tuple[Figure, ...]
    games: tuple[GameRows, ...]
    has_draws: bool
    calendar: Calendar | None
    chart: Chart | None


def logbook_view(
    book: Logbook, today: date, *, oldest_open: date, month: date | None = None
) -> LogbookView:
    """The logbook on a day; `month` is any day of the month to show, else it is the last weeks.

    `oldest_open` is the oldest date that a clock somewhere shows.
    """
    days, counts = book.days, book.counts
    games = tuple(filter(None, (_game(book, counts, preset) for preset in PRESETS.values())))
    seas = [day for day in days if day.kind is Kind.SEA]
    return LogbookView(
        figures=tuple(_figures(counts, days, oldest_open)),
        games=games,
        has_draws=any(row.drawn for game in games for row in game.rows),
        calendar=_calendar(days, today, month) if days else None,
        chart=_chart([day for day in seas if day.par][-MOST_POINTS:]),
    )


# --- figures ---


def _figures(counts: dict[Cell, Count], days: Sequence[Day], oldest_open: date) -> list[Figure]:
    every = list(counts.values())
    games = sum(count.games for count in every)
    met = [count for cell, count in counts.items() if cell.mind]
    wins, duels = sum(count.wins for count in met), sum(count.games for count in met)
    found = []
    if games:
        found.append(Figure(_("Matches"), str(games), ""))
    if duels:
        share = _("%(percent)s%% of %(count)s") % {
            "percent": round(100 * wins / duels), "count": duels,
        }  # fmt: skip
        found.append(Figure(pgettext("matches", "Won"), str(wins), share))
    judged = sum(count.judged for count in every)
    if judged:
        skill = round(sum(count.skill for count in every) / judged)
        note = ngettext("mean of %(count)s match", "mean of %(count)s matches", judged)
        found.append(Figure(_("Skill"), str(skill), note % {"count": judged}))
    seas = [day for day in days if day.kind is Kind.SEA]
    if seas:
        at_par = sum(_state(day) == "par" for day in seas)
        note = _("%(count)s at par or better") % {"count": at_par}
        found.append(Figure(_("Seas of the day"), str(len(seas)), note))
    if days:
        row = streak((day.date for day in days), oldest_open)
        note = _("longest: %(count)s") % {"count": row.longest}
        found.append(Figure(_("Days in a row"), str(row.now), note))
    return found


# --- the table ---


def _game(book: Logbook, counts: dict[Cell, Count], preset: Preset) -> GameRows | None:
    opponents = [
        (0, pgettext("opponent", "Alone")),
        *((info.code, mind_name(info.name)) for info in MIND_INFO),
    ]
    found = ((name, counts.get(Cell(preset.code, code))) for code, name in opponents)
    rows = tuple(_row(name, count) for name, count in found if count)
    if not rows:
        return None
    rank = proposed_rank(book, preset.name)
    even = (
        _("About even for you: %(rank)s.") % {"rank": in_sentence(mind_name(rank))} if rank else ""
    )
    return GameRows(preset_card(preset).title, rows, even)


def _row(name: str, count: Count) -> Row:
    mean = str(round(count.shots / count.wins)) if count.wins else ""
    return Row(name, count.games, count.wins, count.draws, str(count.best or ""), mean)


# --- the calendar ---


def _calendar(days: Sequence[Day], today: date, month: date | None) -> Calendar:
    found = {(day.date, day.kind): day for day in days}

    def square(day: date) -> Square:
        sea, deduction = (found.get((day, kind)) for kind in Kind)
        return Square(
            day, month is None or day.month == month.month, day == today, sea and _result(sea),
            deduction and _result(deduction),
        )  # fmt: skip

    if month is not None:
        weeks = calendar.Calendar().monthdatescalendar(month.year, month.month)
        begin, title = month.replace(day=1), date_text(month, "F Y")
        last = begin.replace(day=calendar.monthrange(month.year, month.month)[1])
        later = _link(last + _DAY) if last < today else Link("", _("The last five weeks"))
    else:
        last = max([today, *(day.date for day in days)])
        begin = last - _DAY * (last.weekday() + 7 * (WEEKS - 1))
        weeks = [[begin + _DAY * (7 * week + day) for day in range(7)] for week in range(WEEKS)]
        title, later = _("The last five weeks"), None
    return Calendar(
        title,
        tuple(date_text(day, "D") for day in weeks[0]),
        tuple(tuple(map(square, week)) for week in weeks),
        _link(begin - _DAY) if days and days[0].date < begin else None,
        later,
    )


def _link(day: date) -> Link:
    return Link(f"?month={day:%Y-%m}", date_text(day, "F Y"))


def _state(day: Day) -> str:
    if not day.is_sunk:
        return "lost"
    if not day.par:
        return "open"
    return "over" if day.shots > day.par else "par"


def _result(day: Day) -> Result:
    words = {"count": day.shots, "par": day.par}
    said = [
        ngettext("Sea: %(count)s shot", "Sea: %(count)s shots", day.shots)
        if day.kind is Kind.SEA
        else ngettext("Deduction: %(count)s guess", "Deduction: %(count)s guesses", day.shots),
        _("par %(par)s") if day.par else _("par not counted"),
    ]
    if not day.is_sunk:
        said.append(_("not all found"))
    if day.is_helped:
        said.append(_("with help"))
    return Result(day.shots, _state(day), day.is_helped, ", ".join(said) % words + ".")


# --- the chart ---


def _chart(seas: Sequence[Day]) -> Chart | None:
    if len(seas) < 2:
        return None
    numbers = [number for day in seas for number in (day.shots, day.par)]
    low, high = min(numbers) // 10 * 10, -(-max(numbers) // 10) * 10
    high = max(high, low + 20)

    def y(shots: int) -> str:
        return _number(_BOTTOM - (shots - low) / (high - low) * (_BOTTOM - _TOP))

    tick = (WIDTH - _LEFT - _RIGHT) / len(seas)
    middles = [_LEFT + (at + 0.5) * tick for at in range(len(seas))]
    points = tuple(
        Point(_number(x), y(day.shots), y(day.par), _state(day))
        for x, day in zip(middles, seas, strict=True)
    )
    step = 10 if high - low <= 40 else 20 if high - low <= 80 else 50
    levels = tuple(Level(y(it), it) for it in range(-(-low // step) * step, high + 1, step))
    # A line with a step for every day, since par is another on each.
    corners = (
        f"{_number(x + side * tick / 2)},{y(day.par)}"
        for x, day in zip(middles, seas, strict=True)
        for side in (-1, 1)
    )
    ends = (date_text(day.date, pgettext("date format", "j M")) for day in (seas[0], seas[-1]))
    return Chart(_chart_says(seas), points, levels, " ".join(corners), _number(tick), *ends)


def _number(it: float) -> str:
    return f"{it:.1f}"


def _chart_says(seas: Sequence[Day]) -> str:
    return _(
        "Your last %(count)s seas: %(mean)s shots on average, par %(par)s; "
        "%(good)s at par or better."
    ) % {
        "count": len(seas),
        "mean": round(sum(day.shots for day in seas) / len(seas)),
        "par": round(sum(day.par for day in seas) / len(seas)),
        "good": sum(_state(day) == "par" for day in seas),
    }
