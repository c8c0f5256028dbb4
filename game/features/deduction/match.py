"""A match of the deduction game: who hides where, and the guesses so far.

There are three modes: the person searches, the person hides and the computer searches, or a race:
both search, and the one with fewer guesses wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from game.engine.actions import IllegalAction, MatchOver
from game.engine.chance import Chance
from game.features.deduction.rules import Answer, Cells, Rules
from game.features.deduction.searchers import Evidence, Searcher

MOST_GUESSES = 40
"""A search with more guesses is lost, as a token has room for no more."""


class Mode(Enum):
    SEARCH = "search"
    HIDE = "hide"
    RACE = "race"


class Phase(Enum):
    HIDING = "hiding"
    SEARCHING = "searching"
    WATCHING = "watching"
    OVER = "over"


class Result(Enum):
    """How the match ended for the person."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"


class NotSearching(IllegalAction):
    """It is not the person's turn to guess."""


class NotHiding(IllegalAction):
    """The ships are already hidden, or the person hides none."""


class NotWatching(IllegalAction):
    """It is not the computer's turn to guess."""


@dataclass(frozen=True, slots=True)
class Search:
    rules: Rules
    place: Cells
    guesses: tuple[Cells, ...] = ()

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The guesses with their feedback: what the searcher knows."""
        return tuple(
            Answer(guess, self.rules.feedback(self.place, guess)) for guess in self.guesses
        )

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.rules, self.answers)

    @property
    def last(self) -> Cells:
        """The last guess, or no cells."""
        return self.guesses[-1] if self.guesses else ()

    @property
    def is_found(self) -> bool:
        return self.last == self.place

    @property
    def is_over(self) -> bool:
        return self.is_found or len(self.guesses) == MOST_GUESSES

    def guess(self, cells: Cells) -> Search:
        """The search with one more guess."""
        return replace(self, guesses=(*self.guesses, cells))


@dataclass(frozen=True, slots=True)
class Match:
    """The record. `mine` is the person's search, `theirs` the computer's.

    `theirs` is None if the computer doesn't search, and until the person has hidden.
    """

    rules: Rules
    mode: Mode
    seed: bytes
    mine: Search | None = None
    theirs: Search | None = None
    is_given_up: bool = False

    @staticmethod
    def _made(search: Search | None) -> int:
        return 0 if search is None else len(search.guesses)

    @property
    def phase(self) -> Phase:
        if self.mode is not Mode.SEARCH and self.theirs is None:
            return Phase.HIDING
        if self.result is not None:
            return Phase.OVER
        return Phase.WATCHING if self.mode is Mode.HIDE or self.is_reply_due else Phase.SEARCHING

    @property
    def is_reply_due(self) -> bool:
        """Whether, in a race, the computer has yet to guess in this round."""
        return self.mode is Mode.RACE and self._made(self.mine) > self._made(self.theirs)

    @property
    def _is_ended(self) -> bool:
        searches = [search for search in (self.mine, self.theirs) if search is not None]
        return not self.is_reply_due and any(search.is_over for search in searches)

    @property
    def result(self) -> Result | None:
        """How it ended for the person, or None. A person who hides wins by not being found."""
        if self.is_given_up:
            return Result.LOST
        if not self._is_ended:
            return None
        was_found = self.mine is not None and self.mine.is_found
        is_found = self.theirs is not None and self.theirs.is_found
        if self.mode is Mode.RACE and was_found is is_found:
            return Result.DRAW
        is_won = not is_found if self.mode is Mode.HIDE else was_found
        return Result.WON if is_won else Result.LOST

    @property
    def turn(self) -> int:
        """The number of rounds of guesses made."""
        return max(self._made(self.mine), self._made(self.theirs))

    def hide(self, place: Cells) -> Match:
        """The match after the person has hidden the ships; raises NotHiding or NotAPlace."""
        if self.phase is not Phase.HIDING:
            raise NotHiding("nothing is to be hidden")
        return replace(self, theirs=Search(self.rules, self.rules.cells(place)))

    def guess(self, cells: Cells) -> Match:
        """The match after the person's guess; raises NotSearching, MatchOver or NotAPlace."""
        self._refuse_unless(Phase.SEARCHING, NotSearching)
        assert self.mine is not None  # noqa: S101 (by the phase)
        return replace(self, mine=self.mine.guess(self.rules.cells(cells)))

    def answer(self, cells: Cells) -> Match:
        """The match after the computer's guess; raises NotWatching, MatchOver or NotAPlace."""
        self._refuse_unless(Phase.WATCHING, NotWatching)
        assert self.theirs is not None  # noqa: S101 (by the phase)
        return replace(self, theirs=self.theirs.guess(self.rules.cells(cells)))

    def give_up(self) -> Match:
        """The match after the person has given up; raises NotSearching or MatchOver."""
        self._refuse_unless(Phase.SEARCHING, NotSearching)
        return replace(self, is_given_up=True)

    def _refuse_unless(self, phase: Phase, error: type[IllegalAction]) -> None:
        if self.phase is Phase.OVER:
            raise MatchOver("the match has ended")
        if self.phase is not phase:
            raise error(f"this is the time for {self.phase.value}")


# --- searchers act in a match: they get the rules and the answers, not the match ---


def anywhere(rules: Rules, chance: Chance) -> Cells:
    """A hiding place, all equally likely."""
    cells = list(rules.board.cells)
    chance.shuffle(cells)
    return rules.cells(cells[: rules.ships])


def hiding_place(rules: Rules, seed: bytes) -> Cells:
    return anywhere(rules, Chance(seed, "hidden", 0))


def begin_match(rules: Rules, mode: Mode, seed: bytes) -> Match:
    """A match before its first guess. The seed decides where the computer hides."""
    if mode is Mode.HIDE:
        return Match(rules, mode, seed)
    return Match(rules, mode, seed, Search(rules, hiding_place(rules, seed)))


def reply(match: Match, searcher: Searcher) -> Match:
    """The match after the computer's next guess; raises what Match.answer does."""
    if match.phase is not Phase.WATCHING or match.theirs is None:
        return match.answer(())
    return match.answer(next_guess(searcher, match.theirs.evidence, match.seed))


def next_guess(searcher: Searcher, seen: Evidence, seed: bytes) -> Cells:
    return searcher.guess(seen, Chance(seed, f"{searcher.name}/guess", len(seen.answers)))


def reply_if_due(match: Match, searcher: Searcher) -> Match:
    return reply(match, searcher) if match.is_reply_due else match


def play_out(match: Match, searcher: Searcher) -> Match:
    """The match after all guesses of the computer when it searches alone."""
    while match.phase is Phase.WATCHING:
        match = reply(match, searcher)
    return match
