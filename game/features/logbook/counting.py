"""What the logbook of a device counts of the matches that one person has played on it."""

from __future__ import annotations

import os

from game.engine.observation import observe
from game.features.logbook import model
from game.features.logbook.model import Cell, Ended, Logbook, mark_of
from game.features.logbook.rank import proposed_rank
from game.matches import daily
from game.matches.day_results import SEA, DayResult
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.players.registry import CODES, Proposed


def with_match(book: Logbook, saved: SavedMatch) -> Logbook:
    """Returns the logbook with a match that has ended, if one person played it here.

    If a day's par is counted later, a second call adds it.
    """
    match, setup = saved.match, saved.setup
    if not _counts(saved) or match.outcome is None:
        return book
    shots = len(observe(match, setup.person).counted)
    if not shots:  # given up before it had begun
        return book
    is_won, day, par = match.outcome.winner is setup.person, None, saved.par and saved.par.shots
    if setup.day is not None and not setup.is_late:
        result = DayResult(setup.day.date, SEA, shots, par or 0, is_won, bool(setup.assists.used))
        day = result if model.is_a_day(result) else None
    is_drawn = match.outcome.winner is None
    seed_mark = mark_of(match.seed) if setup.seed_shares else None
    ended = Ended(_mark(saved), _cell(setup), shots, is_won, is_drawn, day=day, seed_mark=seed_mark)
    book = book.with_match(ended, os.urandom(model.ID_BYTES))
    # The page may be left before par is counted, so the day was kept without it.
    return book.with_par(day) if day is not None and par else book


def with_skill(book: Logbook, saved: SavedMatch, skill: int) -> Logbook:
    """Returns the logbook with the skill in a match that it has, from 0 to 100."""
    if not _counts(saved):
        return book
    return book.with_skill(mark_of(saved.match.seed), _cell(saved.setup), skill)


def proposed(book: Logbook, saved: SavedMatch) -> Proposed | None:
    """Returns the rank that suits the player after a match that the logbook has."""
    if not _counts(saved) or saved.setup.is_solo:
        return None
    return proposed_rank(book, saved.setup.preset.name)


def _counts(saved: SavedMatch) -> bool:
    """Returns whether a logbook keeps the match: it is over, of one person, at this device."""
    setup, is_over = saved.setup, saved.match.outcome is not None
    is_single = len(setup.persons) == 1 and not setup.remote
    return is_over and is_single and daily.is_offered()


def _mark(saved: SavedMatch) -> bytes:
    """Identifies a match among those that are counted.

    If the seed has two shares, it is the server's: a player who goes back to the placing page
    after the end knows that share and could choose their own to suit. Such a match has another
    seed, so its skill isn't counted either.
    """
    seed_shares = saved.setup.seed_shares
    return mark_of(bytes.fromhex(seed_shares.server) if seed_shares else saved.match.seed)


def _cell(setup: Setup) -> Cell:
    return Cell(setup.preset.code, 0 if setup.is_solo else CODES.get(setup.opponent, 0))
