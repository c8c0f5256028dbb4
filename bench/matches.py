"""Matches to measure with: their beginnings, persons who play them, and the persons' clicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, pairwise
from typing import NamedTuple

from game.engine.actions import STAY, Action, Fire, Steer
from game.engine.chance import SEED_BYTES, Chance
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches import referee
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Setup
from game.matches.tokens import seal_match
from game.players.minds import MINDS

RANDOM = MINDS["random"]
QUICK = "bonn-easy"
"""A quick mind, for measurements of the site."""


def begun(setup: Setup, number: int = 0) -> SavedMatch:
    """A match before its first shot, decided by its number; a person's fleet is random."""
    seed, rules = number.to_bytes(SEED_BYTES, "big"), setup.ruleset
    fleet = referee.deploy(RANDOM, rules, Side.FIRST, seed) if rules.fleet_of(Side.FIRST) else ()
    return begin(setup, seed, first=fleet)


def at_random(match: Match, chance: Chance) -> Action:
    """The action of a person who fires and moves at random."""
    seen = observe(match, Side.FIRST)
    steer = RANDOM.steer(seen, chance) if seen.may_move else STAY
    return Fire(RANDOM.aim(seen, chance)) if steer == STAY else steer


def patiently(match: Match, chance: Chance) -> Fire:
    """The action of a person who makes a match long: fires at water if possible, never moves."""
    ships = {cell for ship in match.placements(Side.SECOND) for cell in ship.cells}
    targets = sorted(set(match.ruleset.board.cells) - match.spent(Side.SECOND))
    return Fire(chance.choice([cell for cell in targets if cell not in ships] or targets))


PERSONS: dict[str, Callable[[Match, Chance], Action]] = {
    "random": at_random,
    "patient": patiently,
}


def played(saved: SavedMatch, person: str = "random") -> Iterator[SavedMatch]:
    """The match before each action of its person, and at last at its end."""
    saved = saved.with_minds_played()
    while saved.match.outcome is None:
        yield saved
        chance = Chance(saved.match.seed, person, saved.match.ply)
        action = PERSONS[person](saved.match, chance)
        saved = replace(saved, match=saved.match.act(action)).with_minds_played()
    yield saved


class Click(NamedTuple):
    """A person's action as a browser sends it."""

    kind: str
    """`bonn shot`, `bonn move` or `milton shot`."""
    path: str
    fields: dict[str, str]


def clicks(preset: str, first: int = 0, step: int = 1) -> Iterator[Click]:
    """Yields the clicks in match after match against a quick mind, of a person who acts at random.

    Matches have the numbers `first`, `first + step` and so on.
    """
    row = PRESETS[preset]
    for number in count(first, step):
        saved = begun(Setup(row.ruleset, (None, QUICK), preset=row), number)
        for before, after in pairwise(played(saved)):
            # The rules put a Stay before the first shot of a turn without a move.
            action = next(one for one in after.match.actions[before.match.ply :] if one != STAY)
            kind = f"{preset} {'shot' if isinstance(action, Fire) else 'move'}"
            path = f"/en/play/{seal_match(before)}/"
            yield Click(kind, path, form_of(before.match, action))


def form_of(match: Match, action: Action) -> dict[str, str]:
    """The fields by which a page sends an action of its person."""
    if isinstance(action, Steer):
        return {"steer": f"{action.ship}-{action.course.value}"}
    if isinstance(action, Fire):
        return {"cell": match.ruleset.board.name(action.cell)}
    raise TypeError(f"no form sends {action!r}")
