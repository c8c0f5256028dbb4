"""What a token of the deduction game holds: a match, its searcher, and whether heat is shown.

01 | searcher u8 | flags u8 | the match's record
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from game.deduction import codec, referee
from game.deduction.match import Match, Mode, Result
from game.deduction.presets import MEANS
from game.deduction.rules import Cells, Rules
from game.deduction.searchers import SEARCHERS, Searcher
from game.engine.chance import SEED_BYTES, Chance
from game.engine.codec import BadEncoding, Reader
from game.matches import keyring

VERSION = 1
_CODES = {"easy": 1, "middle": 2, "strong": 3}
"""The searchers' codes in tokens, never changed."""
_NAMES = {code: name for name, code in _CODES.items()}
_HEAT = 1


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match, the computer's searcher, and whether heat is shown."""

    match: Match
    searcher: str
    heat: bool = False

    @property
    def mind(self) -> Searcher:
        """The computer's searcher."""
        return SEARCHERS[self.searcher]

    @property
    def mean(self) -> float | None:
        """The searcher's mean number of guesses with these rules, or None if not measured."""
        return MEANS.get(self.match.rules, {}).get(self.searcher)

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


def seal_match(saved: SavedMatch) -> str:
    """The token of a saved match; twin of unseal_match."""
    head = bytes((VERSION, _CODES[saved.searcher], _HEAT * saved.heat))
    return keyring.seal(keyring.Purpose.DEDUCTION, head + codec.encode(saved.match))


def unseal_match(token: str) -> SavedMatch:
    """The saved match in a token, every guess judged again; raises BadToken."""
    reader = Reader(keyring.unseal(keyring.Purpose.DEDUCTION, token))
    try:
        version, searcher, flags = (reader.number() for _ in range(3))
        if version != VERSION or searcher not in _NAMES or flags & ~_HEAT:
            raise BadEncoding("not a saved match")
        saved = SavedMatch(codec.decode(reader), _NAMES[searcher], bool(flags & _HEAT))
        if saved.match.is_reply_due:
            raise BadEncoding("a race between two guesses")
    except BadEncoding as error:
        raise keyring.BadToken("not a token") from error
    return saved
