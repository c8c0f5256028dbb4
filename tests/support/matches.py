"""Matches and addresses for the tests of pages."""

from __future__ import annotations

from dataclasses import replace

from game.engine.actions import Phase
from game.engine.chance import Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.saved import Par, SavedMatch, begin, start_par
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_match, unseal_match
from game.players.minds import MINDS

RANDOM = MINDS["random"]
HALF_BONN = replace(BONN, turns=75)
"""Bonn's rules in matches of half the length, which takes the tests half the time."""


def opening(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match before its first shot, decided by its number."""
    seed = number.to_bytes(16, "big")
    first, second = (
        referee.deploy(RANDOM, rules, side, seed) if rules.fleet_of(side) else () for side in Side
    )
    match = Match(rules, (first, second), seed)
    par = Par(start_par(match)) if rules.solo else None
    return SavedMatch(Setup(rules, (None, mind)), match, par).with_minds_played()


def searching(preset: str = "milton", *, number: int = 0, hints: bool = False) -> SavedMatch:
    """A preset's search alone before its first shot, decided by its number."""
    setup = solo(PRESETS[preset].ruleset, PRESETS[preset], hints=hints)
    return begin(setup, number.to_bytes(16, "big"))


def played(saved: SavedMatch, plies: int, *, until: Phase | None = None) -> SavedMatch:
    """The saved match after the person has acted at random that often, or until a phase comes."""
    for number in range(plies):
        match = saved.match
        if match.outcome is not None or match.phase is until:
            break
        seen, chance = observe(match, Side.FIRST), Chance(bytes(16), "person", number)
        if match.phase is Phase.MOVING:
            match = match.act(RANDOM.steer(seen, chance))
        else:
            match = match.fire(RANDOM.aim(seen, chance))
        saved = replace(saved, match=match).with_minds_played()
    return saved


def ended(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match played to its end."""
    return played(opening(rules, number=number, mind=mind), 10_000)


def address(saved: SavedMatch, *, language: str = "en", page: str = "play") -> str:
    """Where a saved match is played."""
    return f"/{language}/{page}/{seal_match(saved)}/"


def saved_at(where: str) -> SavedMatch:
    """The match in an address."""
    return unseal_match(where.split("/")[3])
