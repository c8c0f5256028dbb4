"""Has searchers act in a match. They get the rules and the answers, not the match."""

from __future__ import annotations

from game.deduction.match import Match, Mode, Phase, Search
from game.deduction.rules import Cells, Rules
from game.deduction.searchers import Evidence, Searcher
from game.engine.chance import Chance


def anywhere(rules: Rules, chance: Chance) -> Cells:
    """A hiding place, all equally likely."""
    cells = list(rules.board.cells)
    chance.shuffle(cells)
    return rules.cells(cells[: rules.ships])


def hiding_place(rules: Rules, seed: bytes) -> Cells:
    return anywhere(rules, Chance(seed, "hidden", 0))


def begin(rules: Rules, mode: Mode, seed: bytes) -> Match:
    """A match before its first guess. The seed decides where the computer hides."""
    if mode is Mode.HIDE:
        return Match(rules, mode, seed)
    return Match(rules, mode, seed, Search(rules, hiding_place(rules, seed)))


def reply(match: Match, searcher: Searcher) -> Match:
    """The match after the computer's next guess; raises what Match.answer does."""
    if match.phase is not Phase.WATCHING or match.theirs is None:
        return match.answer(())
    seen = Evidence(match.rules, match.theirs.answers)
    return match.answer(next_guess(searcher, seen, match.seed))


def next_guess(searcher: Searcher, seen: Evidence, seed: bytes) -> Cells:
    return searcher.guess(seen, Chance(seed, f"{searcher.name}/guess", len(seen.answers)))


def reply_if_due(match: Match, searcher: Searcher) -> Match:
    return reply(match, searcher) if match.is_reply_due else match


def play_out(match: Match, searcher: Searcher) -> Match:
    """The match after all guesses of the computer when it searches alone."""
    while match.phase is Phase.WATCHING:
        match = reply(match, searcher)
    return match
