"""Today's games as the home page shows them: `31 shots`, `3 of 5 right` or `not yet`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import short_day_name
from game.display.words import plural
from game.matches.day_results import DayResult
from game.matches.logbook import Kind
from game.puzzles.progress import SHOTS, right_of


class DayCard(NamedTuple):
    """A game of the day, and what this browser has done in it."""

    view: str
    id: str
    title: str
    state: str
    is_done: bool
    is_found: bool
    """Whether the fleet was found, or all of the five shots were right."""


ORDER = (Kind.SEA, Kind.FIVE, Kind.DEDUCTION)
AFTER_SEA = ORDER[1:]


class DayGame(NamedTuple):
    """A game of the day, with the name of its view and the id of its link."""

    view: str
    id: str
    title: str


def day_game(kind: int) -> DayGame:
    games: dict[int, DayGame] = {
        Kind.SEA: DayGame("daily", "act-daily", _("Today’s sea")),
        Kind.FIVE: DayGame("puzzles", "act-five", _("Five shots")),
        Kind.DEDUCTION: DayGame("deduction_daily", "act-deduction-daily", _("Deduction")),
    }
    return games[kind]


def day_card(kind: int, ended: DayResult | None, begun: int) -> DayCard:
    """Returns the card of a game; `begun` is the number of shots or guesses in an open match."""
    where = day_game(kind)
    if ended is None:
        so_far = _("%(count)s of %(of)s") if kind == Kind.FIVE else _("%(count)s so far")
        state = so_far % {"count": begun, "of": SHOTS} if begun else pgettext("game", "not yet")
        return DayCard(*where, state, is_done=False, is_found=False)
    if not ended.is_sunk:
        return DayCard(*where, pgettext("fleet", "not found"), is_done=True, is_found=False)
    is_found = kind != Kind.FIVE or right_of(ended) == SHOTS
    return DayCard(*where, _result(kind, ended), is_done=True, is_found=is_found)


def _result(kind: int, ended: DayResult) -> str:
    if kind == Kind.FIVE:
        words = {"right": right_of(ended), "count": SHOTS}
        return _("%(right)s of %(count)s right") % words
    if kind == Kind.SEA:
        return plural("%(count)s shot", "%(count)s shots", ended.shots)
    return plural("%(count)s guess", "%(count)s guesses", ended.shots)


def today_view(day: date, cards: Sequence[DayCard], streak: int) -> dict[str, Any]:
    in_a_row = days_in_a_row(streak)
    return {"day": day, "date": short_day_name(day), "cards": cards, "streak": in_a_row}


def days_in_a_row(count: int) -> str:
    """Returns `3 days in a row`; empty for fewer than two."""
    said = plural("%(count)s day in a row", "%(count)s days in a row", count)
    return said if count > 1 else ""
