"""Pairs of matches with one public history over different enemy fleets, and their answers."""

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from django.core import signing

from game.engine.actions import Ask, IllegalAction
from game.engine.chance import Chance
from game.engine.fleets import IllegalFleet, complete
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.saved import SavedMatch
from game.matches.setup import Learning
from game.players.registry import LEARNERS, RANK_NAMES
from tests.support.features import brought
from tests.support.matches import opening, played
from tests.support.page import Page, without_tokens

STILL = replace(BONN, moving=False)
ASK = PRESETS["ask"].ruleset
CLASSIC = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
WORLDS: dict[str, tuple[Ruleset, str]] = {
    "bonn": (BONN, "bonn-medium"),
    "one shot, moving": (replace(BONN, again=False), "random"),
    "still": (STILL, "bonn-hard"),
    "classic": (CLASSIC, "bonn-medium"),
    "classic, by a belief": (CLASSIC, "commodore"),
    "touching": (replace(CLASSIC, touching=True), "bonn-easy"),
    "named": (replace(CLASSIC, touching=True, named=True), "recruit"),
    "salvo": (replace(CLASSIC, salvo=True), "random"),
    "moving salvo": (replace(BONN, salvo=True, again=False, turns=75), "random"),
    "alone": (replace(CLASSIC, solo=True), "random"),
    "alone, moving": (replace(BONN, solo=True), "random"),
    "alone, salvo": (replace(CLASSIC, solo=True, salvo=True), "random"),
    "a computer that has learnt": (replace(CLASSIC, touching=True), "commodore"),
    "questions, alone": (replace(ASK, solo=True), "random"),
    "questions, against each rank in turn": (ASK, ""),
}
JOINED: dict[str, Callable[[SavedMatch], SavedMatch]] = {}
"""What features make of the matches of worlds of their own, by the worlds' names."""
for of_feature in brought("WORLDS").values():
    WORLDS |= {name: (rules, mind) for name, (rules, mind, _join) in of_feature.items()}
    JOINED |= {name: join for name, (_rules, _mind, join) in of_feature.items()}
LEARNT = (127, -24, 35, -24, -24, -24, -24)
"""What a computer knows of somebody whose fleets lay along the edge."""
MATCHES, LATEST = 18, 40
"""How many pairs a world has, and the most actions of a person in one of them."""


def asking(one: SavedMatch, number: int) -> SavedMatch:
    """The match after the person has acted so often, with a question now and then."""
    for action in range(number):
        chance = Chance(bytes(16), f"asking {number}", action)
        if one.match.outcome is None and chance.below(3) == 0:
            with suppress(IllegalAction):
                one = one.acted(any_question(one.match.ruleset, chance))
        one = played(one, 1)
    return one


def any_question(rules: Ruleset, chance: Chance) -> Ask:
    cells = [*rules.board.cells]
    return Ask(*rules.board.corners(chance.choice(cells), chance.choice(cells)))


def twin(one: SavedMatch, number: int) -> SavedMatch | None:
    """The same public history over another enemy fleet, or None where none was found."""
    match, rules = one.match, one.match.ruleset
    enemy = match.fleets[Side.SECOND]
    seen = observe(match, Side.FIRST)
    hit = {shot.cell for shot in seen.shots if shot.result.value != "water"}
    for attempt in range(60):
        chance = Chance(bytes(16), "twin", 1000 * number + attempt)
        kept = [ship for ship in enemy if hit & set(ship.cells)]
        try:
            fleet = complete(rules, kept, chance)
            other = Match(rules, (match.fleets[0], fleet), match.seed, match.actions)
        except (IllegalFleet, IllegalAction):
            continue
        if fleet != enemy and observe(other, Side.FIRST) == seen:
            return replace(one, match=other)
    return None


@cache
def worlds(name: str, most: int = MATCHES) -> tuple[tuple[SavedMatch, SavedMatch], ...]:
    """Pairs of matches with one public history, at many of their moments."""
    rules, mind = WORLDS[name]
    found: list[tuple[SavedMatch, SavedMatch]] = []
    for number in range(LATEST * most // MATCHES):
        rank = RANK_NAMES[-number % len(RANK_NAMES)]
        one = opening(rules, number=number, mind=mind or rank)
        actions = number % LATEST
        one = asking(one, actions) if rules.questions else played(one, actions)
        if mind in LEARNERS:
            one = replace(one, setup=replace(one.setup, learning=Learning(LEARNT)))
        if number % 4 == 1:
            one = replace(one, setup=one.setup.with_help(hints=True))
        if number % 10 == 3:
            one = replace(one, setup=one.setup.with_help(coach=True))
        other = None if one.match.outcome else twin(one, number)
        joins = list(brought("joined").values())
        if other is not None and joins and name == "alone" and number % 3 == 0:
            join = joins[number // 3 % len(joins)]
            one, other = join(one), join(other)
        if other is not None and (join_all := JOINED.get(name)):
            one, other = join_all(one), join_all(other)
        if other is not None:
            found.append((one, other))
        if len(found) == most:
            break
    return tuple(found)


def told(got: Page) -> str:
    """The whole answer but for its tokens, and a cookie's hash of the seed of a match."""
    head = sorted(f"{name}: {value}" for name, value in got.headers.items())
    kept = {name: _remembered(name, it.value) for name, it in got.cookies.items()}
    return without_tokens(f"{got.status}\n{head}\n{kept}\n{got}")


def _remembered(name: str, text: str) -> str:
    """What a cookie says, if it is a signed one, without the hash of a seed."""
    found = signing.Signer(salt=name).unsign_object(text) if ":" in text else text
    return re.sub(r"'[0-9a-f]{8,12}'", "", str(found))


def replace_everywhere(patch: pytest.MonkeyPatch, old: Callable[..., Any], new: Any) -> None:
    """Puts a function in the place of another wherever the site has imported it."""
    for module in [module for name, module in sys.modules.items() if name.startswith("game.")]:
        for name in [name for name, value in vars(module).items() if value is old]:
            patch.setattr(module, name, new)
