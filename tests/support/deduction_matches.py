"""Matches of the deduction game made without playing."""

from __future__ import annotations

from dataclasses import replace

from game.deduction import referee
from game.deduction.match import Mode, Search
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, seal_match

PLACE = "B1 C3 H4"


def saved(mode: Mode, *guesses: str, heat: bool = False) -> SavedMatch:
    """A match whose ships lie at PLACE, and in which so much was guessed."""
    match = referee.begin(MELBOURNE, mode, bytes(range(16)))
    if match.mine:
        match = replace(match, mine=Search(MELBOURNE, MELBOURNE.parse(PLACE)))
    found = SavedMatch(match, "strong", heat)
    if mode is not Mode.SEARCH:
        found = found.hide(MELBOURNE.parse("A1 D2 G4"))
    for guess in guesses:
        found = found.guess(MELBOURNE.parse(guess))
    return found


def address(it: SavedMatch, language: str = "en", page: str = "play") -> str:
    """Where a match is played."""
    return f"/{language}/deduction/{page}/{seal_match(it)}/"


def hiding() -> SavedMatch:
    """A race in which the person has still to hide."""
    return SavedMatch(referee.begin(MELBOURNE, Mode.RACE, bytes(16)), "strong")


def watching() -> SavedMatch:
    """A match in which the computer has guessed twice."""
    found = saved(Mode.HIDE, heat=True).watch(to_the_end=False)
    return found.watch(to_the_end=False)


def over() -> SavedMatch:
    """A race that was won with the third guess, or not."""
    return saved(Mode.RACE, "E1 E2 E3", "A1 H1 A3", PLACE)
