"""A match of the deduction game with what its token holds beside it, and the token itself."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date

from game.engine.chance import SEED_BYTES, Chance
from game.engine.codec import Reader, encode_flags
from game.engine.geometry import Cell
from game.features.deduction.match import (
    Match,
    Mode,
    Phase,
    Result,
    Search,
    anywhere,
    begin_match,
    play_out,
    reply,
    reply_if_due,
)
from game.features.deduction.rules import MEANS, MELBOURNE, Cells, Rules
from game.features.deduction.searchers import SEARCHERS, Searcher
from game.matches.keyring import Sealed

PURPOSE = "deduction"
DAY_SEARCHER = "strong"
"""The searcher that plays the same place as the person in a match of a day."""


@dataclass(frozen=True, slots=True)
class DeductionGame:
    """A match with its searcher, heat and day.

    `was_helped` marks a match of a day in which heat was shown or the player went back.
    """

    match: Match
    searcher: str
    heat: bool = False
    day: date | None = None
    was_helped: bool = False
    started_hour: int | None = None
    """When the match began, in whole hours since 1970 in UTC, if a site began it."""

    @property
    def _searcher(self) -> Searcher:
        return SEARCHERS[self.searcher]

    @property
    def mean(self) -> float | None:
        """The searcher's mean number of guesses with these rules, or None if not measured."""
        return MEANS.get(self.match.rules, {}).get(self.searcher)

    @property
    def par(self) -> int | None:
        """How many guesses the searcher needs for the place of the day; None before the end.

        It is told what a person is told, and its chance comes from the match's seed.
        """
        search = self.match.mine
        if self.day is None or search is None or self.match.phase is not Phase.OVER:
            return None
        alone = begin_match(search.rules, Mode.HIDE, self.match.seed).hide(search.place)
        return play_out(alone, self._searcher).turn

    @property
    def result(self) -> Result | None:
        """How it ended for the person, or None.

        Hiders are nearly always found, so they win if it takes longer than the mean.
        """
        match = self.match
        if match.mode is not Mode.HIDE or match.result is None or not self.mean:
            return match.result
        longer = match.turn - round(self.mean)
        return Result.WON if longer > 0 else Result.LOST if longer < 0 else Result.DRAW

    @property
    def is_helped(self) -> bool:
        """Whether a match of a day counts as searched with help."""
        return self.day is not None and (self.heat or self.was_helped)

    def with_heat(self, *, is_shown: bool) -> DeductionGame:
        return replace(self, heat=is_shown, was_helped=self.is_helped)

    @property
    def day_key(self) -> tuple[date, bytes] | None:
        """Its day, and the seed; None in a match of no day."""
        return None if self.day is None else (self.day, self.match.seed)

    @property
    def history(self) -> tuple[object, ...]:
        """The person's guesses, and at the end that they gave up, as that shows the ships too."""
        guesses = self.match.mine.guesses if self.match.mine else ()
        return (*guesses, "given up") if self.match.is_given_up else guesses

    def marked_as(self, other: DeductionGame, *, went_back: bool = False) -> DeductionGame:
        """The saved match with the mark for help if another state of it has one, or went back."""
        return replace(self, was_helped=self.was_helped or other.is_helped or went_back)

    def hide(self, place: Cells | None) -> DeductionGame:
        """The saved match after the person has hidden; for None the seed decides the place."""
        if place is None:
            chance = Chance(self.match.seed, "hide", 0)
            place = anywhere(self.match.rules, chance)
        return replace(self, match=self.match.hide(place))

    def guess(self, cells: Cells) -> DeductionGame:
        """The saved match after the person's guess and, in a race, the computer's."""
        return replace(self, match=reply_if_due(self.match.guess(cells), self._searcher))

    def watch(self, *, to_the_end: bool) -> DeductionGame:
        """The saved match after the computer's next guess, or after all its guesses."""
        match = reply(self.match, self._searcher)
        return replace(self, match=play_out(match, self._searcher) if to_the_end else match)


def begin(rules: Rules, mode: Mode, searcher: str, hour: int | None = None) -> DeductionGame:
    """A new match with a random seed; `hour` is its `started_hour`."""
    match = begin_match(rules, mode, os.urandom(SEED_BYTES))
    return DeductionGame(match, searcher, heat=mode is Mode.HIDE, started_hour=hour)


def begin_daily(day: date, seed: bytes, hour: int | None = None) -> DeductionGame:
    """A new match of a day: the person searches, and the day's seed decides the place."""
    match = begin_match(MELBOURNE, Mode.SEARCH, seed)
    return DeductionGame(match, DAY_SEARCHER, day=day, started_hour=hour)


# --- its bytes: what both sides know decides their number, so it reveals nothing ---


_MODES = (Mode.SEARCH, Mode.HIDE, Mode.RACE)
_NAMES = ("easy", "middle", "strong")
_NOWHERE = b"\xff"
"""Each cell of a place not yet chosen."""


def _encode(saved: DeductionGame) -> bytes:
    match, rules = saved.match, saved.match.rules
    content = []
    for search in (match.mine, match.theirs):
        place, guesses = (search.place, search.guesses) if search else (_NOWHERE * rules.ships, ())
        content += [bytes(place), bytes((len(guesses),)), *map(bytes, guesses)]
    return b"".join((
        encode_flags(saved.heat, saved.was_helped, match.is_given_up),
        (saved.day.toordinal() if saved.day else 0).to_bytes(4, "big"),
        (saved.started_hour or 0).to_bytes(4, "big"),
        bytes((_NAMES.index(saved.searcher), _MODES.index(match.mode))),
        bytes((rules.columns, rules.rows, rules.ships)), match.seed, *content,
    ))  # fmt: skip


def _decode(content: bytes) -> DeductionGame:
    reader = Reader(content)
    heat, was_helped, is_given_up = reader.flags(3)
    day, hour = reader.number(4), reader.number(4)
    searcher, mode = _NAMES[reader.number()], _MODES[reader.number()]
    rules = Rules(reader.number(), reader.number(), reader.number())
    seed = reader.take(SEED_BYTES)

    def cells() -> bytes:
        return reader.take(rules.ships)

    def search() -> Search | None:
        place, guesses = cells(), [cells() for _ in range(reader.number())]
        if place == _NOWHERE * rules.ships:
            return None
        return Search(rules, _cells(place), tuple(map(_cells, guesses)))

    match = Match(rules, mode, seed, search(), search(), is_given_up)
    date_of = date.fromordinal(day) if day else None
    return DeductionGame(match, searcher, heat, date_of, was_helped, hour or None)


def _cells(content: bytes) -> Cells:
    return tuple(map(Cell, content))


_SEALED = Sealed(PURPOSE, _encode, _decode)
seal_match, unseal_match = _SEALED.seal, _SEALED.unseal
