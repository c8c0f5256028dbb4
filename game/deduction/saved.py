"""What a token of the deduction game holds: a match, its searcher, and whether heat is shown.

01 | searcher u8 | flags u8 | the match's record
02 | searcher u8 | flags u8 | day u24 | the record                a match of a day
03 | searcher u8 | flags u8 | day u24 | hour u32 | the record     either, which tells when it began

A day is counted from 1, 1 January of the year 1, and 0 in a match of no day; an hour from
1970-01-01T00:00Z. Versions 1 and 2 are of matches begun before there were hours, or in the
terminal. Flags: 1 heat is shown, 2 a match of a day was helped.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import date

from game.deduction import codec, referee
from game.deduction.match import Match, Mode, Phase, Result
from game.deduction.presets import MEANS
from game.deduction.rules import MELBOURNE, Cells, Rules
from game.deduction.searchers import SEARCHERS, Searcher
from game.engine.chance import SEED_BYTES, Chance
from game.engine.codec import BadEncoding, Reader
from game.matches import keyring

VERSION, DAY_VERSION, HOUR_VERSION = 1, 2, 3
DAY_SEARCHER = "strong"
"""The searcher that plays the same place as the person in a match of a day."""
_CODES = {"easy": 1, "middle": 2, "strong": 3}
"""The searchers' codes in tokens, never changed."""
_NAMES = {code: name for name, code in _CODES.items()}
_HEAT, _HELPED = 1, 2
_DAY_BYTES, _HOUR_BYTES = 3, 4


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match, the computer's searcher, whether heat is shown, and the day whose match it is.

    Help in a match of a day stays marked in `was_helped`: heat, and guesses at older addresses.
    """

    match: Match
    searcher: str
    heat: bool = False
    day: date | None = None
    was_helped: bool = False
    started_hour: int | None = None
    """When the match began, in whole hours since 1970 in UTC; None where none is told."""

    def __post_init__(self) -> None:
        """Raises ValueError if a match of a day isn't the person's search by the usual rules.

        So does a mark in a match of no day.
        """
        is_daily = self.match.mode is Mode.SEARCH and self.match.rules == MELBOURNE
        if self.day is not None and not is_daily:
            raise ValueError(f"no match of a day: {self.match.mode}, {self.match.rules}")
        if self.was_helped and self.day is None:
            raise ValueError("a mark in a match of no day")

    @property
    def mind(self) -> Searcher:
        """The computer's searcher."""
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
        alone = referee.begin(search.rules, Mode.HIDE, self.match.seed).hide(search.place)
        return referee.play_out(alone, self.mind).turn

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

    def with_heat(self, *, is_shown: bool) -> SavedMatch:
        """The saved match with heat shown or not."""
        return replace(self, heat=is_shown, was_helped=self.is_helped)

    @property
    def day_key(self) -> tuple[str, bytes] | None:
        """The date of its day, and the seed; None in a match of no day."""
        return None if self.day is None else (self.day.isoformat(), self.match.seed)

    @property
    def course(self) -> tuple[object, ...]:
        """The person's guesses, and at the end that they gave up, as that shows the ships too."""
        guesses = self.match.mine.guesses if self.match.mine else ()
        return (*guesses, "given up") if self.match.is_given_up else guesses

    def marked_as(self, other: SavedMatch, *, went_back: bool = False) -> SavedMatch:
        """The saved match with the mark for help if another state of it has one, or went back."""
        return replace(self, was_helped=self.was_helped or other.is_helped or went_back)

    def hide(self, place: Cells | None) -> SavedMatch:
        """The saved match after the person has hidden; for None the seed decides the place."""
        if place is None:
            chance = Chance(self.match.seed, "hide", 0)
            place = referee.anywhere(self.match.rules, chance)
        return replace(self, match=self.match.hide(place))

    def guess(self, cells: Cells) -> SavedMatch:
        """The saved match after the person's guess and, in a race, the computer's."""
        return replace(self, match=referee.play_minds(self.match.guess(cells), self.mind))

    def watch(self, *, to_the_end: bool) -> SavedMatch:
        """The saved match after the computer's next guess, or after all its guesses."""
        match = referee.reply(self.match, self.mind)
        return replace(self, match=referee.play_out(match, self.mind) if to_the_end else match)


def begin(rules: Rules, mode: Mode, searcher: str) -> SavedMatch:
    """A new match with a random seed."""
    return SavedMatch(
        referee.begin(rules, mode, os.urandom(SEED_BYTES)), searcher, mode is Mode.HIDE
    )


def begin_daily(day: date, seed: bytes) -> SavedMatch:
    """A new match of a day: the person searches, and the day's seed decides the place."""
    return SavedMatch(referee.begin(MELBOURNE, Mode.SEARCH, seed), DAY_SEARCHER, day=day)


def seal_match(saved: SavedMatch) -> str:
    """The token of a saved match; twin of unseal_match."""
    version = VERSION if saved.day is None else DAY_VERSION
    version = version if saved.started_hour is None else HOUR_VERSION
    flags = _HEAT * saved.heat | _HELPED * saved.was_helped
    head = bytes((version, _CODES[saved.searcher], flags))
    if version != VERSION:
        ordinal = saved.day.toordinal() if saved.day is not None else 0
        head += ordinal.to_bytes(_DAY_BYTES, "big")
    if saved.started_hour is not None:
        head += saved.started_hour.to_bytes(_HOUR_BYTES, "big")
    return keyring.seal(keyring.Purpose.DEDUCTION, head + codec.encode(saved.match))


def unseal_match(token: str) -> SavedMatch:
    """The saved match in a token, every guess judged again; raises BadToken."""
    reader = Reader(keyring.unseal(keyring.Purpose.DEDUCTION, token))
    try:
        version, searcher, flags = (reader.number() for _ in range(3))
        known = _HEAT | _HELPED
        if not VERSION <= version <= HOUR_VERSION or searcher not in _NAMES or flags & ~known:
            raise BadEncoding("not a saved match")
        ordinal = reader.number(_DAY_BYTES) if version != VERSION else 0
        day = date.fromordinal(ordinal) if ordinal or version == DAY_VERSION else None
        started_hour = reader.number(_HOUR_BYTES) if version == HOUR_VERSION else None
        match, heat, was_helped = codec.decode(reader), bool(flags & _HEAT), bool(flags & _HELPED)
        saved = SavedMatch(match, _NAMES[searcher], heat, day, was_helped, started_hour)
        if saved.match.is_reply_due:
            raise BadEncoding("a race between two guesses")
    except ValueError as error:  # a BadEncoding, a day that isn't in the calendar, a foreign mark
        raise keyring.BadToken("not a token") from error
    return saved
