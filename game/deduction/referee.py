"""Where a match meets a searcher. A searcher gets the sea and the answers, and never the match."""

from __future__ import annotations

from game.deduction.match import Match, Mode, Phase, Search
from game.deduction.rules import Cells, Rules
from game.deduction.searchers import Evidence, Searcher
from game.engine.chance import Chance


def anywhere(rules: Rules, chance: Chance) -> Cells:
    """A hiding place, each as likely."""
    cells = list(rules.board.cells)
    chance.shuffle(cells)
    return rules.cells(cells[: rules.ships])


def hiding_place(rules: Rules, seed: bytes) -> Cells:
    """Where the computer hides in a match of that seed."""
    return anywhere(rules, Chance(seed, "hidden", 0))


def begin(rules: Rules, mode: Mode, seed: bytes) -> Match:
    """A match before its first guess. Where the computer hides, its place is fixed by the seed."""
    if mode is Mode.HIDE:
        return Match(rules, mode, seed)
    return Match(rules, mode, seed, Search(rules, hiding_place(rules, seed)))


def reply(match: Match, searcher: Searcher) -> Match:
    """The match after the computer's next guess; raises what Match.answer does."""
    if match.phase is not Phase.WATCHING or match.theirs is None:
        return match.answer(())
    answers = match.theirs.answers
    chance = Chance(match.seed, f"{searcher.name}/guess", len(answers))
    return match.answer(searcher.guess(Evidence(match.rules, answers), chance))


def play_minds(match: Match, searcher: Searcher) -> Match:
    """The match after the reply that a race owes to the person's guess."""
    return reply(match, searcher) if match.is_reply_due else match


def play_out(match: Match, searcher: Searcher) -> Match:
    """The match after all guesses of the computer, where it searches alone."""
    while match.phase is Phase.WATCHING:
        match = reply(match, searcher)
    return match
