"""The day's five puzzles: where a browser is with them, and what marks their result."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from game.engine.position import Position
from game.matches.daily import Chain
from game.matches.results import Results
from game.puzzles import pool, progress
from game.puzzles.progress import Five
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

    @property
    def number_of_day(self) -> int:
        return self.chain.number(self.day)

    def answered(self, verdict: str) -> Place:
        return self._replace(five=self.five.answer(self.number, verdict))

    def kept_in(self, found: Results) -> Results:
        return progress.with_five(found, self.day, self.chain.first_link, self.five)


def five_of(found: Results, chain: Chain, day: date) -> Five:
    """How far the browser is with the five of a day."""
    return progress.five_of_day(found, day, chain.first_link) or Five()


def place_of(found: Results, name: str) -> Place | None:
    """Where a puzzle is among the five of an open day; a day that was begun comes first."""
    places = []
    for chain, day in pool.open_days():
        names = pool.names_of(chain, day)
        if name in names:
            begun = progress.five_of_day(found, day, chain.first_link)
            number, is_begun = names.index(name), begun is not None
            places.append(Place(day, chain, names, number, begun or Five(), is_begun))
    return min(places, key=lambda place: not place.is_begun, default=None)


def mark_five_helped(request: HttpRequest, response: HttpResponse, position: Position) -> None:
    """Marks the five that are under way in this browser: the hit calculator was opened.

    It may show the position of a puzzle that the browser has answered, without effect.
    """
    found = results_of(request)
    for chain, day in pool.open_days():
        five = progress.five_of_day(found, day, chain.first_link)
        if five is None or five.first_open is None:
            continue
        puzzles = zip(map(pool.find, pool.names_of(chain, day)), five.verdicts, strict=True)
        if all(one is None or not said or one.position != position for one, said in puzzles):
            found = progress.with_five(found, day, chain.first_link, replace(five, is_helped=True))
    keep_results(request, response, found)
