"""Fleets listed one by one where they are few, and followed through time where they move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from game.engine.geometry import Cell
from game.engine.observation import Result, Shot
from game.players.belief.messages import STIRS
from game.players.belief.tables import Flags, Floats, Indices, Knowledge, Sea, wreck_of

MOST_LISTED = 2048
"""So many fleets at most are listed one by one; where there are more, they are drawn."""
_MOST_KEYS = float(1 << 62)


def fleets_of(
    sea: Sea,
    worth: Floats,
    counts: Sequence[int],
    hits: Sequence[Cell] = (),
    *,
    is_whole: bool = True,
) -> Indices | None:
    """All fleets of so many ships of each length in places of any worth, that lie on all hits.

    If not `is_whole`, only the ships that lie on hits.

    A row is a fleet, with the number of places for a ship that was not needed; each fleet stands
    there once. None where there are too many.
    """
    fleets = np.zeros((1, 0), np.intp)
    left = np.array([counts])
    free = (worth > 0)[None]
    # One step for every hit, and then one for every ship that may be left.
    ships = [kind for kind, count in enumerate(counts) for _ in range(count if is_whole else 0)]
    steps: list[tuple[Indices, int, int]] = [(sea.through[hit], hit, -1) for hit in hits]
    steps += [(np.flatnonzero(sea.kind == kind), -1, kind) for kind in ships]
    for options, hit, kind in steps:
        is_done = left[:, kind] == 0 if hit < 0 else sea.covers[fleets, hit].any(axis=1)
        may = free[:, options] & (left[:, sea.kind[options]] > 0) & ~is_done[:, None]
        at, which = np.nonzero(may)
        done = np.flatnonzero(is_done)
        if len(at) + len(done) > MOST_LISTED:
            return None
        new, place = slice(0, len(at)), options[which]
        at = np.append(at, done)
        fleets = np.column_stack([fleets[at], np.append(place, np.full(len(done), sea.none))])
        left, free = left[at], free[at]
        left[np.arange(len(place)), sea.kind[place]] -= 1
        free[new] &= ~sea.clash[place]
        if hit < 0:
            # Of ships of one length the later ones come later in the list: each fleet once.
            free[: len(place), options] &= options[None] > place[:, None]
    return fleets


class Waters(NamedTuple):
    """All fleets of some ships, and where each move leads."""

    fleets: Indices
    """Fleet by ship: the number of its place, in rising order."""
    keys: Indices
    """Of each fleet one number, in rising order."""
    targets: Indices
    """Fleet by move, a ship's two after one another: the fleet after it, or -1."""


@lru_cache(maxsize=16)
def _waters(key: _Key) -> Waters | None:
    sea, counts = key.sea, key.counts
    fleets = fleets_of(sea, np.ones(sea.none), counts)
    if fleets is None or float(sea.none) ** fleets.shape[1] > _MOST_KEYS:
        return None
    keys = _keys(sea, fleets)
    order = np.argsort(keys)
    fleets, keys = fleets[order], keys[order]
    targets = np.full((len(fleets), 2 * fleets.shape[1]), -1)
    for ship in range(fleets.shape[1]):
        others = np.delete(fleets, ship, axis=1)
        for course in range(2):
            target = sea.step[course][fleets[:, ship]]
            fits = target < sea.none
            fits[fits] = ~sea.clash[target[fits][:, None], others[fits]].any(axis=1)
            after = np.sort(np.column_stack([others[fits], target[fits]]), axis=1)
            targets[fits, 2 * ship + course] = np.searchsorted(keys, _keys(sea, after))
    return Waters(fleets, keys, targets)


class _Key:
    """The ships of a sea, to find what was worked out for them before."""

    def __init__(self, sea: Sea, counts: tuple[int, ...]) -> None:
        self.sea, self.counts = sea, counts

    def __hash__(self) -> int:
        return hash((self.counts, self.sea.name))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Key)
            and self.counts == other.counts
            and self.sea.name == other.sea.name
        )


def _keys(sea: Sea, fleets: Indices) -> Indices:
    keys = np.zeros(len(fleets), np.intp)
    for ship in fleets.T:
        keys = keys * sea.none + ship
    return keys


def follow(knowledge: Knowledge, sea: Sea) -> tuple[Indices, Floats] | None:
    """Every fleet there can be now and its chance, by Bayes' filter over all fleets.

    None where there are too many fleets, or none that goes with what is known.
    """
    counts = [knowledge.rules.fleet.count(length) for length in sea.lengths]
    waters = _waters(_Key(sea, tuple(counts)))
    if waters is None:
        return None
    chances = np.ones(len(waters.fleets))
    hits: set[Cell] = set()
    moves = 0
    for shot in (*knowledge.shots, None):
        turn = knowledge.turn if shot is None else shot.turn
        while moves < knowledge.moves(turn):
            chances = _drift(sea, waters, chances, hits)
            moves += 1
        if shot is None:
            break
        if shot.result is Result.SUNK:
            place = sea.number.get(wreck_of(knowledge, shot, hits))
            if place is None:
                return None
            counts[sea.kind[place]] -= 1
            hits -= set(sea.placements[place].cells)
            after = _waters(_Key(sea, tuple(counts)))
            if after is None:
                return None
            chances = _without(sea, waters, after, chances, place)
            waters = after
        else:
            chances = chances * _fits(sea, waters, shot, hits)
        total = chances.sum()
        if total <= 0:
            return None
        chances = chances / total
    if not chances.any():
        return None
    return waters.fleets[chances > 0], chances[chances > 0]


def _fits(sea: Sea, waters: Waters, shot: Shot, hits: set[Cell]) -> Flags:
    """Which fleets go with a shot that sank nothing; notes a hit."""
    lies: Flags = np.asarray(sea.covers[waters.fleets, shot.cell].any(axis=1))
    if shot.result is Result.WATER:
        return ~lies
    hits.add(shot.cell)
    found = sea.covers[:-1][:, list(hits)].sum(axis=1)
    is_sunk = np.asarray(found == sea.length)[waters.fleets].any(axis=1)
    return np.asarray(lies & ~is_sunk)


def _without(sea: Sea, before: Waters, after: Waters, chances: Floats, place: int) -> Floats:
    """The chances of the fleets that are left when the ship in a place is gone."""
    mine = np.flatnonzero((before.fleets == place).any(axis=1) & (chances > 0))
    rest = before.fleets[mine]
    rest = rest[rest != place].reshape(len(mine), -1)
    to = np.searchsorted(after.keys, _keys(sea, rest))
    return np.bincount(to, chances[mine], len(after.fleets)).astype(float)


def _drift(sea: Sea, waters: Waters, chances: Floats, hits: set[Cell]) -> Floats:
    """The chances after one of the enemy's turns: half of the time one move of those it has."""
    is_hit: Flags = np.asarray(sea.covers[:-1][:, list(hits)].any(axis=1))
    may = (waters.targets >= 0) & ~np.repeat(is_hit[waters.fleets], 2, axis=1)
    courses = may.sum(axis=1)
    going = np.where(courses > 0, STIRS * chances, 0.0)
    share = np.repeat((going / np.maximum(courses, 1))[:, None], may.shape[1], axis=1)
    came = np.bincount(waters.targets[may], weights=share[may], minlength=len(chances))
    return chances - going + came
