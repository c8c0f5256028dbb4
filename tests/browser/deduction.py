"""Matches of the deduction game made without playing."""

from __future__ import annotations

from dataclasses import replace

from game.deduction import referee
from game.deduction.match import Search, Way
from game.deduction.rules import MELBOURNE
from game.deduction.sitting import Sitting, seal_sitting

PLACE = "B1 C3 H4"


def sitting(way: Way, *guesses: str, heat: bool = False) -> Sitting:
    """A match whose ships lie at PLACE, and in which so much was guessed."""
    match = referee.begin(MELBOURNE, way, bytes(range(16)))
    if match.mine:
        match = replace(match, mine=Search(MELBOURNE, MELBOURNE.parse(PLACE)))
    found = Sitting(match, "strong", heat)
    if way is not Way.SEARCH:
        found = found.hide(MELBOURNE.parse("A1 D2 G4"))
    for guess in guesses:
        found = found.guess(MELBOURNE.parse(guess))
    return found


def address(it: Sitting, language: str = "en", page: str = "play") -> str:
    """Where a match is played."""
    return f"/{language}/deduction/{page}/{seal_sitting(it)}/"


def hiding() -> Sitting:
    """A race in which the person has still to hide."""
    return Sitting(referee.begin(MELBOURNE, Way.RACE, bytes(16)), "strong")


def watching() -> Sitting:
    """A match in which the computer has guessed twice."""
    found = sitting(Way.HIDE, heat=True).watch(to_the_end=False)
    return found.watch(to_the_end=False)


def over() -> Sitting:
    """A race that was won with the third guess, or not."""
    return sitting(Way.RACE, "E1 E2 E3", "A1 H1 A3", PLACE)
