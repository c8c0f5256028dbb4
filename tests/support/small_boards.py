"""Boards so small that all fleets and their moves can be counted, and matches on them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from game.engine.actions import Ask, IllegalAction, Result, Shot
from game.engine.chance import Chance
from game.engine.fleets import (
    Course,
    Placement,
    all_placements,
    complete,
    parse_placement,
    reach,
    steered,
)
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.rules import Ruleset, Side, Touching
from game.players.belief.tables import Floats, Knowledge
from game.players.originals.random_player import RandomPlayer
from tests.support.boards import PLAIN

_STILL = Ruleset(columns=5, rows=4, fleet=(3, 2), **PLAIN)
_MOVING = replace(_STILL, moving=True)

SMALL: dict[str, Ruleset] = {
    "apart": replace(_STILL, rows=5),
    "touching": replace(_STILL, touching=True),
    "corners": replace(_STILL, touching=Touching.CORNERS),
    "silent": replace(_STILL, touching=True, silent=True),
    "crowded": replace(_STILL, columns=4, fleet=(3, 2, 2), touching=True),
    "single cells": replace(_STILL, columns=4, fleet=(1, 1, 2)),
    "asking": replace(_STILL, columns=4, fleet=(3, 2, 2), touching=True, questions=5),
    "moving": _MOVING,
    "moving twins": replace(_MOVING, columns=4, fleet=(2, 2)),
    "moving, touching": replace(_MOVING, columns=4, fleet=(3, 1, 1), touching=True),
    "moving, corners": replace(_MOVING, touching=Touching.CORNERS),
    "moving, again": replace(_MOVING, fleet=(2, 2), again=True),
    "moving salvo": replace(_MOVING, salvo=True),
    "named": replace(_STILL, columns=4, fleet=(3, 3, 1), touching=True, named=True),
    "named, moving": replace(_MOVING, columns=4, touching=True, named=True),
    "named, moving twins": replace(_MOVING, columns=4, fleet=(3, 3), touching=True, named=True),
}


def chance(number: int, label: str = "test") -> Chance:
    return Chance(bytes(16), label, number)


def game(rules: Ruleset, number: int) -> Iterator[Observation]:
    """What the first side knows before each of its shots, at a fleet that moves at random."""
    seed = number.to_bytes(16, "big")
    fleets = complete(rules, (), Chance(seed, "a", 0)), complete(rules, (), Chance(seed, "b", 0))
    match = Match(rules, fleets, seed)
    luck = Chance(seed, "shots", 0)
    while match.outcome is None:
        seen = observe(match, match.side)
        if match.is_move_due:
            match = match.act(RandomPlayer().steer(seen, luck))
        elif match.side is Side.SECOND:
            mine = {cell for ship in match.placements(Side.FIRST) for cell in ship.cells}
            targets = [cell for cell in seen.targets if cell not in mine] or seen.targets
            match = match.fire(targets[0])
        else:
            if seen.may_ask and luck.below(2):
                corners = rules.board.corners(luck.choice(seen.targets), luck.choice(seen.targets))
                with suppress(IllegalAction):
                    match = match.act(Ask(*corners))
            yield observe(match, match.side)
            match = match.fire(luck.choice(seen.targets))


def told(rules: Ruleset, results: str) -> tuple[Shot, ...]:
    """Shots from a text such as `A1 hit, B1 sunk A1h2, B3 hit 2`, one a turn of the first side."""
    shots = []
    for at, text in enumerate(filter(None, results.split(", "))):
        cell, result, *more = text.split(" ")
        name, wreck = None, None
        for one in more:
            if one.isdigit():
                name = int(one)
            else:
                wreck = parse_placement(rules.board, one)
        where = rules.board.parse(cell)
        shots.append(Shot(at, 2 * at, Side.FIRST, where, Result(result), wreck, name))
    return tuple(shots)


def knowing(rules: Ruleset, results: str, **more: Any) -> Knowledge:
    """What is known after such shots."""
    shots, left = told(rules, results), list(rules.fleet)
    for shot in shots:
        if shot.wreck is not None:
            left.remove(shot.wreck.length)
    return Knowledge(rules, shots, tuple(left), 2 * len(shots), 0, **more)


# --- all fleets and all moves, counted one by one ---

Ship = tuple[Placement, frozenset[Cell]]
"""Where it lies, and where it was hit."""
State = tuple[Ship, ...]
"""The ships in the order of the rules."""


@cache
def every_fleet(rules: Ruleset) -> tuple[State, ...]:
    """All legal fleets; of two that differ in the order of their ships, both."""
    states: list[State] = [()]
    for length in rules.fleet:
        states = [
            (*state, (one, frozenset()))
            for state in states
            for one in all_placements(rules.board, length)
            if _fits(rules, one, state)
        ]
    return tuple(states)


def every_set_of_ships(rules: Ruleset) -> set[frozenset[Placement]]:
    """The same without an order."""
    return {frozenset(ship for ship, _hits in state) for state in every_fleet(rules)}


STAYS = {1.0: 0.65, 0.0: 0.15, 0.5: 0.2}
"""The prior probabilities that a fleet has lain still since that share of its turns."""


def counted(known: Knowledge) -> dict[State, float]:
    """All fleets, as they lie now, that agree with what is known, and how likely they are."""
    together: dict[State, float] = {}
    turns = known.moves(known.turn)
    for since, prior in STAYS.items() if known.rules.moving else [(1.0, 1.0)]:
        for state, share in _counted(known, int(since * turns)).items():
            together[state] = together.get(state, 0.0) + prior * share
    total = sum(together.values())
    return {state: share / total for state, share in together.items()}


def _counted(known: Knowledge, last: int) -> dict[State, float]:
    """All fleets, and in how many ways an enemy that stops moving after some turns leads there."""
    states = {
        state: 1.0
        for state in every_fleet(known.rules)
        if all(says_yes(known.rules, state, one.ask) is one.is_yes for one in known.asked)
    }
    moves = 0
    for shot in (*known.shots, None):
        while moves < known.moves(shot.turn if shot else known.turn):
            states, moves = _moved(known.rules, states) if moves < last else states, moves + 1
        told: dict[State, float] = {}
        for state, share in states.items():
            after = _fired(known.rules, state, shot) if shot else state
            if after is not None:
                told[after] = told.get(after, 0.0) + share
        states = told
    return states


def counted_cells(known: Knowledge) -> Floats:
    """For each cell the chance of a ship afloat there."""
    chances = np.zeros(known.rules.board.size)
    for state, share in counted(known).items():
        for ship, _hits in _afloat(state):
            chances[list(ship.cells)] += share
    return chances


def says_yes(rules: Ruleset, state: State, ask: Ask) -> bool:
    """Whether a ship lies in the rectangle."""
    asked = rules.board.rectangle(ask.first, ask.last)
    return any(ship.mask & asked for ship, _hits in state)


def _afloat(state: State) -> list[Ship]:
    return [(ship, hits) for ship, hits in state if len(hits) < ship.length]


def _fits(rules: Ruleset, one: Placement, others: State) -> bool:
    space = reach(rules, one)
    return not any(space & other.mask for other, _ in _afloat(others))


def _moved(rules: Ruleset, states: dict[State, float]) -> dict[State, float]:
    after: dict[State, float] = {}
    for state, share in states.items():
        options = [
            (*state[:at], (target, hits), *state[at + 1 :])
            for at, (ship, hits) in enumerate(state)
            for course in Course
            if not hits
            and (target := steered(rules.board, ship, course)) is not None
            and _fits(rules, target, state[:at] + state[at + 1 :])
        ]
        after[state] = after.get(state, 0.0) + share * (0.5 if options else 1.0)
        for option in options:
            after[option] = after.get(option, 0.0) + share * 0.5 / len(options)
    return after


def _fired(rules: Ruleset, state: State, shot: Shot) -> State | None:
    """The state after a shot, or None where its result would have been another."""
    for at, (ship, hits) in enumerate(state):
        if shot.cell in ship.cells and len(hits) < ship.length:
            hits = hits | {shot.cell}
            is_sunk = len(hits) == ship.length and not rules.silent
            is_told = (
                shot.result is (Result.SUNK if is_sunk else Result.HIT)
                and shot.wreck in (None, ship)
                and shot.ship == (at if rules.named else None)
            )
            return (*state[:at], (ship, hits), *state[at + 1 :]) if is_told else None
    return state if shot.result is Result.WATER else None
