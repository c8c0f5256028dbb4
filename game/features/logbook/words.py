"""What the page of a logbook shows: figures, a table and a small chart."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from django.utils.dateformat import format as date_text
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import in_sentence, mind_name, preset_card
from game.display.words import plural
from game.engine.presets import PRESETS, Preset
from game.features.logbook.model import Cell, Count, Logbook
from game.features.logbook.rank import proposed_rank
from game.matches.day_results import SEA, streak
from game.matches.day_results import DayResult as Day
from game.players.registry import MIND_INFO
from game.views.addresses import path_if_any
from game.views.hooks import day_games

MOST_POINTS = 30
"""The most days in the chart."""
WIDTH, HEIGHT = 360, 168
"""The size of the chart, in its own units."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 8, 10, 134


def logbook_view(book: Logbook, oldest_open: date) -> dict[str, Any]:
    """Returns the logbook; `oldest_open` is the oldest date that a clock somewhere shows."""
    days, counts = book.days, book.counts
    games = [game for preset in PRESETS.values() if (game := _game(book, counts, preset))]
    seas = [day for day in days if day.kind == SEA and day.par]
    return {
        "figures": list(_figures(counts, days, oldest_open)),
        "games": games,
        "has_days": bool(days),
        "has_draws": any(row["drawn"] for game in games for row in game["rows"]),
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
        note = plural("%(count)s match", "average of %(count)s matches", judged)
        yield _figure(_("Skill"), skill, note)
    elif games and path_if_any("review", "token"):
        yield _figure(_("Skill"), "–", _("after a review"))
    seas, kinds = [day for day in days if day.kind == SEA], {game.kind for game in day_games()}
    if seas or SEA in kinds:
        at_par = sum(day.grade == "par" for day in seas)
        note = _("%(count)s at par or better") % {"count": at_par} if seas else ""
        yield _figure(_("Seas of the day"), len(seas), note)
    if days or kinds:
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
    proposed, said = proposed_rank(book, preset.name), ""
    if proposed is not None:
        even, other = _("An even match for you: %(rank)s."), _("Worth a try: %(rank)s.")
        said = (even if proposed.is_even else other) % {
            "rank": in_sentence(mind_name(proposed.rank))
        }
    return {"title": preset_card(preset).title, "rows": rows, "proposed": said}


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
        "good": sum(day.grade == "par" for day in seas),
    }
    return {
        "says": says % words,
        "points": [
            {"x": _number(x), "y": y(day.shots), "par": y(day.par), "state": day.grade}
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


def _number(number: float) -> str:
    """Returns a number as text, since templates would write it as the language does."""
    return f"{number:.1f}"
