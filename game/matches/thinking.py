"""A match of the strongest rank with five moments of its belief, and their text.

    {"record": ["battleship-record 4", ...], "moments": {"opening": {"ply": 0, "cells": [...], ...

`manage.py thinking` makes it: what the belief says takes seconds, too long for a page to wait.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from game.engine.actions import Result, Shot
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN
from game.engine.rules import Side
from game.matches import record
from game.matches.review import outlook
from game.matches.saved import begin
from game.matches.setup import Setup
from game.players.belief.tables import CellChances, Floats

MINDS = ("admiral", "bonn-hard")
"""Who plays the match; the moments are those of the first."""
WATERS = 4
"""How many shots have at least found only water at the second moment."""
OLD = 15
"""How old, in turns of both sides, water is at least when it is fired at again."""
LEAST = 0.01
"""How likely a hit is at least at the third best cell of each moment, which the page names."""
NEAR = 0.05
"""How far the chance of the cell fired at may be from the best at the first two moments. The page
shows a belief without habits; the mind, which reckons with them, may fire elsewhere."""


class Moment(NamedTuple):
    """What is known and believed before a shot."""

    name: str
    """opening, water, hit, sunk or old"""
    ply: int
    """Of the shot."""
    view: CellChances


class Story(NamedTuple):
    """A match and its moments, in the order of their plies."""

    record: record.Record
    moments: tuple[Moment, ...]


def play(seed: int) -> record.Record:
    """The match with that seed, played to its end."""
    return begin(Setup(BONN, MINDS), seed.to_bytes(SEED_BYTES, "big")).with_minds_played().record


def plies(match: Match) -> dict[str, int] | None:
    """The ply of the shot that each moment comes before; None if the match lacks a moment.

    The moments are the first shot, the first that hits, after water alone, those that follow the
    first hit and the first sinking, and one at a cell where there was water.
    """
    shots = [shot for shot in match.shots if shot.side is Side.FIRST]
    results = [shot.result for shot in shots]
    if Result.HIT not in results or Result.SUNK not in results:
        return None
    hit, sunk = results.index(Result.HIT), results.index(Result.SUNK)
    old = next((at for at in _again(shots) if at > sunk + 1), None)
    if old is None or not WATERS <= hit < sunk - 1:
        return None
    chosen = {"opening": 0, "water": hit, "hit": hit + 1, "sunk": sunk + 1, "old": old}
    return {name: shots[at].ply for name, at in chosen.items()}


def _again(shots: list[Shot]) -> Iterator[int]:
    """The places in the list of shots at old water."""
    fired: dict[int, Shot] = {}
    for at, shot in enumerate(shots):
        before = fired.get(shot.cell)
        if before and before.result is Result.WATER and shot.turn - before.turn >= OLD:
            yield at
        fired[shot.cell] = shot


def moments(match: Match) -> Iterator[Moment]:
    """What the belief says at each moment of the match, if it has them."""
    for name, ply in (plies(match) or {}).items():
        yield Moment(name, ply, outlook(observe(match.at(ply), Side.FIRST)))


def tell(seed: int) -> Story:
    """The story of the first match, from that seed on, that has every moment to be told."""
    while True:
        played = play(seed)
        found = tuple(moments(played.match))
        if found and _can_be_told(played.match, found):
            return Story(played, found)
        seed += 1


def _can_be_told(match: Match, told: tuple[Moment, ...]) -> bool:
    """Whether each moment has a third best cell, and the first two shots are at about the best."""
    for number, moment in enumerate(told):
        seen = observe(match.at(moment.ply), Side.FIRST)
        chances = moment.view.cells[list(seen.targets)]
        fired = moment.view.cells[match.at(moment.ply + 1).shots[-1].cell]
        if np.sort(chances)[-3] < LEAST or (number < 2 and fired < chances.max() - NEAR):
            return False
    return True


# --- as text ---


def write(story: Story) -> str:
    """The story as text; twin of read."""
    columns = story.record.match.ruleset.columns
    told = {
        moment.name: {
            "ply": moment.ply,
            "cells": _lines(moment.view.cells, columns),
            "unhit": _lines(moment.view.unhit, columns),
        }
        for moment in story.moments
    }
    whole = {"record": record.write(story.record).splitlines(), "moments": told}
    return json.dumps(whole, indent=1) + "\n"


def read(text: str) -> Story:
    """The story in a text; raises ValueError, such as BadRecord."""
    whole = json.loads(text)
    return Story(record.read("\n".join(whole["record"])), tuple(_moments(whole["moments"])))


def _moments(told: dict[str, Any]) -> Iterator[Moment]:
    for name, it in told.items():
        yield Moment(name, it["ply"], CellChances(_chances(it["cells"]), _chances(it["unhit"])))


def _lines(chances: Floats, columns: int) -> list[str]:
    """A row of the board on each line."""
    return [" ".join(f"{one:.4f}" for one in row) for row in chances.reshape(-1, columns)]


def _chances(lines: list[str]) -> Floats:
    return np.array(" ".join(lines).split(), dtype=np.float64)
