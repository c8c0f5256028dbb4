"""The day's five puzzles: where a browser is with them, and their result."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.words import joined
from game.engine.position import Position
from game.feature import DayGame, DayMark, DayState
from game.features.puzzles import pool, progress
from game.features.puzzles.progress import SHOTS, Five
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.matches.results import Results
from game.views.cookies import keep_results, results_of


class Place(NamedTuple):
    """A puzzle's place among a day's five."""

    day: date
    chain: Chain
    names: tuple[str, ...]
    number: int
    """The number of the puzzle, from 0."""
    five: Five
    is_begun: bool

    def answered(self, verdict: str) -> Place:
        return self._replace(five=self.five.answer(self.number, verdict))

    def kept_in(self, results: Results) -> Results:
        return progress.with_five(results, self.day, self.chain.first_link, self.five)


def five_of(results: Results, chain: Chain, day: date) -> Five:
    """How far the browser is with the five of a day."""
    return progress.five_of_day(results, day, chain.first_link) or Five()


def place_of(results: Results, name: str) -> Place | None:
    """Where a puzzle is among the five of an open day; a day that was begun comes first."""
    places = []
    for chain, day in pool.open_days():
        names = pool.names_of(chain, day)
        if name in names:
            begun = progress.five_of_day(results, day, chain.first_link)
            number, is_begun = names.index(name), begun is not None
            places.append(Place(day, chain, names, number, begun or Five(), is_begun))
    return min(places, key=lambda place: not place.is_begun, default=None)


def mark_helped(request: HttpRequest, response: HttpResponse, position: Position) -> None:
    """Marks the five that are under way in this browser: the hit calculator was opened.

    It may show the position of a puzzle that the browser has answered, without effect.
    """
    results = results_of(request)
    for chain, day in pool.open_days():
        five = progress.five_of_day(results, day, chain.first_link)
        if five is None or five.first_open is None:
            continue
        puzzles = zip(map(pool.find, pool.names_of(chain, day)), five.verdicts, strict=True)
        if all(one is None or not said or one.position != position for one, said in puzzles):
            results = progress.with_five(
                results, day, chain.first_link, replace(five, is_helped=True)
            )
    keep_results(request, response, results)


def _state(ended: DayResult | None, answered: int) -> DayState:
    if ended is not None:
        right = progress.right_of(ended)
        said = _("%(right)s of %(count)s right") % {"right": right, "count": SHOTS}
        return DayState(said, is_done=True, is_found=right == SHOTS)
    if not answered:
        return DayState(pgettext("game", "new"))
    return DayState(_("%(count)s of %(of)s") % {"count": answered, "of": SHOTS})


def _mark(ended: DayResult) -> DayMark:
    right = progress.right_of(ended)
    said = _("Five shots: %(right)s of %(count)s right") % {"right": right, "count": SHOTS}
    says = joined(said, _("with help") if ended.is_helped else "", between=", ")
    return DayMark(right, "five", f"{says}.")


def day_game() -> DayGame:
    return DayGame(
        kind=progress.DAY_KIND,
        view="puzzles",
        id="act-five",
        order=2,
        title=lambda: _("Five shots"),
        noun=lambda: _("five puzzles"),
        begun=lambda request, chain, day: five_of(results_of(request), chain, day).answered,
        state=_state,
        mark=_mark,
        legend=lambda: [("five", _("right answers of five shots"))],
    )
