"""Plays the match of the page on how the computer thinks, with its moments.

Do this again when a mind or the belief has changed:

    .venv/bin/python -m tests.support.thinking
"""

import json
import os
from collections.abc import Iterator
from itertools import count

import numpy as np

from game.engine.actions import Result, Shot
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN
from game.engine.rules import Side
from game.matches import record
from game.matches.cell_chances import cell_chances
from game.matches.saved import begin
from game.matches.setup import Setup
from game.matches.thinking import Moment, Story
from game.players.belief.tables import Floats

MINDS = ("admiral", "bonn-hard")
"""The players of the match; the moments are those of the first."""
FIRST_SEED = 17
"""Matches with this seed and the next ones are played until one has every moment."""
WATERS = 4
"""The least number of shots before the second moment, which have found only water."""
OLD = 15
"""The least age, in turns of both sides, of water that is fired at again."""
LEAST = 0.01
"""The least chance of a hit at the third best cell of each moment, which the page names."""
NEAR = 0.05
"""How far the chance of the cell fired at may be from the best at the first two moments. The page
shows a belief without habits; the mind, which expects them, may fire elsewhere."""


def first_story() -> Story:
    """Returns the story of the first match that has every moment to be told."""
    for seed in count(FIRST_SEED):
        if can_be_told(story := play(seed)):
            break
    return story


def play(seed: int) -> Story:
    """Returns the match with that seed, without moments if it lacks one of them."""
    saved = begin(Setup(BONN, MINDS), seed.to_bytes(SEED_BYTES, "big")).with_minds_played()
    moments = (
        Moment(name, ply, cell_chances(observe(saved.match.at(ply), Side.FIRST)))
        for name, ply in _plies(saved.match).items()
    )
    return Story(saved.record, tuple(moments))


def _plies(match: Match) -> dict[str, int]:
    """Returns the ply of the shot that each moment comes before.

    The moments are the first shot, the first that hits, after water alone, those that follow the
    first hit and the first sinking, and one at a cell where there was water.
    """
    shots = [shot for shot in match.shots if shot.side is Side.FIRST]
    results = [shot.result for shot in shots]
    if Result.HIT not in results or Result.SUNK not in results:
        return {}
    hit, sunk = results.index(Result.HIT), results.index(Result.SUNK)
    old = next((at for at in _again(shots) if at > sunk + 1), None)
    if old is None or not WATERS <= hit < sunk - 1:
        return {}
    chosen = {"opening": 0, "water": hit, "hit": hit + 1, "sunk": sunk + 1, "old": old}
    return {name: shots[at].ply for name, at in chosen.items()}


def _again(shots: list[Shot]) -> Iterator[int]:
    """Yields the indices of the shots at old water."""
    fired: dict[int, Shot] = {}
    for at, shot in enumerate(shots):
        before = fired.get(shot.cell)
        if before and before.result is Result.WATER and shot.turn - before.turn >= OLD:
            yield at
        fired[shot.cell] = shot


def can_be_told(story: Story) -> bool:
    """Returns whether the page's sentences are true: see LEAST and NEAR."""
    match = story.record.match
    for number, moment in enumerate(story.moments):
        targets = observe(match.at(moment.ply), Side.FIRST).targets
        chances = moment.view.cells[list(targets)]
        fired = moment.view.cells[match.at(moment.ply + 1).shots[-1].cell]
        if np.sort(chances)[-3] < LEAST or (number < 2 and fired < chances.max() - NEAR):
            return False
    return bool(story.moments)


def write(story: Story) -> str:
    """Returns the story as text, which game.matches.thinking reads."""
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


def _lines(chances: Floats, columns: int) -> list[str]:
    """Returns a line for each row of the board."""
    return [" ".join(f"{one:.4f}" for one in row) for row in chances.reshape(-1, columns)]


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    from game.matches.thinking import FILE

    FILE.write_text(write(first_story()))
