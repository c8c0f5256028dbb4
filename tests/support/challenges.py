"""Challenges for tests: made of matches of each preset, and taken up page by page."""

from __future__ import annotations

import re
from dataclasses import replace

from bench.matches import begun
from game.engine.actions import Action, Ask, Fire, Steer
from game.engine.chance import Chance
from game.engine.fleets import Course, Fleet, Placement, make_fleet, place
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.challenge import Challenge, challenge_of
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_challenge
from tests.support.device import Device
from tests.support.matches import not_yet_hit, played, saved_at


def ended(preset: str, number: int = 0, *, alone: bool = False, mind: str = "random") -> SavedMatch:
    """A match of a preset that a person has played at random to its end."""
    found = PRESETS[preset]
    setup = Setup(found.ruleset, (None, mind), found)
    saved = begun(solo(found.ruleset, found) if alone else setup, number)
    return played(saved.with_minds_played(), 10_000)


def made(saved: SavedMatch, name: str = "Anna") -> Challenge:
    return challenge_of(saved.setup, saved.match, name)


def link(challenge: Challenge, language: str = "en") -> str:
    """The address of a challenge in a language."""
    return f"/{language}/challenge/{seal_challenge(challenge)}/"


def accepted(client: Device, where: str) -> str:
    """Where a challenge leads once it is accepted, with a fleet of the player's if it needs one."""
    where = client.pressed(where, {"action": "accept"})
    return client.pressed(where, {"action": "quick"}) if "/place/" in where else where


def to_the_end(client: Device, where: str) -> str:
    """Where a match is once its whole hidden fleet is hit, cell by cell, as far as it goes."""
    while (saved := saved_at(where)).match.outcome is None:
        form = {"action": "go on"}
        if not saved.is_minds_turn:
            form = {"cell": saved.match.ruleset.board.name(not_yet_hit(saved)[0])}
        where = client.pressed(where, form)
    return where


def sent(client: Device, where: str, name: str) -> tuple[str, str]:
    """The sentence and the path of the link that the panel of an ended match makes."""
    html = client.get(where)
    where = html.attribute('id="act-challenge" href')
    panel = client.post(where, {"name": name})
    said = panel.first(r'class="to-send">(.*?)</p>')
    return said, re.sub(r"^https?://[^/]+", "", panel.attribute("readonly value"))


# --- two worlds ---


def mirrored(saved: SavedMatch) -> SavedMatch:
    """The same ended match with the hidden fleet, and all that is aimed at it, mirrored.

    All results are the same, so nobody can tell the two by what a challenge may show.
    """
    match, rules = saved.match, saved.match.ruleset
    first, hidden = match.fleets
    fleet = make_fleet(rules, [_turned(rules, ship) for ship in hidden])
    actions = (
        _acted(rules, hidden, side, action)
        for side, action in zip(match.sides, match.actions, strict=True)
    )
    turned = Match(rules, (first, fleet), match.seed, tuple(actions), match.resigned)
    return replace(saved, match=turned, par=None)


def _cell(rules: Ruleset, cell: Cell) -> Cell:
    board = rules.board
    return board.cell(rules.columns - 1 - board.column(cell), board.row(cell))


def _turned(rules: Ruleset, ship: Placement) -> Placement:
    bow = min(_cell(rules, cell) for cell in ship.cells)
    return place(rules.board, bow, ship.direction, ship.length)


def _acted(rules: Ruleset, hidden: Fleet, side: Side, action: Action) -> Action:
    """The action turned with the hidden fleet, which is the second side's."""
    if side is Side.SECOND and isinstance(action, Steer):
        is_across = hidden[action.ship].direction is Direction.ACROSS
        other = Course.AFT if action.course is Course.FORE else Course.FORE
        return Steer(action.ship, other) if is_across else action
    if side is Side.FIRST and isinstance(action, Fire):
        return Fire(_cell(rules, action.cell))
    if side is Side.FIRST and isinstance(action, Ask):
        return Ask(*rules.board.corners(_cell(rules, action.first), _cell(rules, action.last)))
    return action


def same_action(pair: tuple[SavedMatch, SavedMatch], chance: Chance) -> Cell | None:
    """A cell at which the person's shot has the same result in both worlds; None without one."""
    one = pair[0]
    cells = sorted(set(one.match.ruleset.board.cells) - one.match.spent(Side.SECOND))
    chance.shuffle(cells)
    for cell in cells[:12]:
        after = [it.acted(Fire(cell)).play_ai_batch() for it in pair]
        if any(it.match.outcome is not None for it in after):
            return None
        if observe(after[0].match, Side.FIRST) == observe(after[1].match, Side.FIRST):
            return cell
    return None
