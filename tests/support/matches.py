"""Matches and addresses for the tests of pages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import StringIO
from unittest.mock import patch

from django.core.management import call_command

from bench.matches import at_random, begun
from game.engine.chance import Chance
from game.engine.fleets import complete
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Pair, Ruleset, Side
from game.matches import referee
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_match, unseal_match
from game.players.minds import MINDS

HALF_BONN = replace(BONN, turns=75)
"""Bonn's rules in matches of half the length, which takes the tests half the time."""


def opening(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match before its first shot, decided by its number."""
    saved = begun(Setup(rules, (None, "random")), number)
    return replace(saved, setup=replace(saved.setup, minds=(None, mind))).with_minds_played()


def searching(preset: str = "milton", *, number: int = 0, hints: bool = False) -> SavedMatch:
    """A preset's search alone before its first shot, decided by its number."""
    return begun(solo(PRESETS[preset].ruleset, PRESETS[preset], hints=hints), number)


def played(saved: SavedMatch, actions: int) -> SavedMatch:
    """The saved match after the person has acted at random that often."""
    for number in range(actions):
        match = saved.match
        if match.outcome is not None:
            break
        action = at_random(match, Chance(bytes(16), "person", number))
        saved = replace(saved, match=match.act(action)).with_minds_played()
    return saved


def at_turn(saved: SavedMatch, actions: int) -> SavedMatch:
    """The same, and on to the beginning of a turn in which the person may move a ship."""
    saved = played(saved, actions)
    while not observe(saved.match, Side.FIRST).may_move:
        assert saved.match.outcome is None
        saved = played(saved, 1)
    return saved


def ended(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match played to its end."""
    return played(opening(rules, number=number, mind=mind), 10_000)


@cache
def fought(rules: Ruleset, names: Pair[str | None], number: int = 1) -> Match:
    """A whole match between two minds; a person's part is played at random."""
    seed = number.to_bytes(16, "big")
    first, second = (MINDS[name or "random"] for name in names)
    fleets = (
        referee.deploy(first, rules, Side.FIRST, seed),
        referee.deploy(second, rules, Side.SECOND, seed),
    )
    return referee.play_minds(Match(rules, fleets, seed), (first, second))


@cache
def ended_against(mind: str, rules: Ruleset, number: int) -> SavedMatch:
    """An ended match against a mind that has placed its own fleet."""
    seed = number.to_bytes(16, "big")
    mine = complete(rules, (), Chance(seed, "person", 0))
    theirs = referee.deploy(MINDS[mind], rules, Side.SECOND, seed)
    saved = SavedMatch(Setup(rules, (None, mind)), Match(rules, (mine, theirs), seed))
    return played(saved.with_minds_played(), 10_000)


def verified(record: str, *options: str) -> str:
    """What `manage.py verify` says of a record; raises CommandError where it refuses one."""
    said = StringIO()
    with patch("sys.stdin", StringIO(record)):
        call_command("verify", "-", *options, stdout=said)
    return said.getvalue()


def address(saved: SavedMatch, language: str = "en", *, page: str = "play") -> str:
    """Where a saved match is played."""
    return f"/{language}/{page}/{seal_match(saved)}/"


def saved_at(where: str) -> SavedMatch:
    """The match in an address."""
    return unseal_match(where.split("/")[3])
