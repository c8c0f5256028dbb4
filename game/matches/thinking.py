"""A match of the strongest rank with five moments of its belief, and their text.

    {"record": ["battleship-record 5", ...], "moments": {"opening": {"ply": 0, "cells": [...], ...

`python -m tests.support.thinking` makes it: the belief takes seconds, too long for a page to wait.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from game.matches import record
from game.players.belief.tables import CellChances, Floats

FILE = Path(__file__).with_suffix(".json")


class Moment(NamedTuple):
    """What is known and believed before a shot."""

    name: str
    """opening, water, hit, sunk or old"""
    ply: int
    view: CellChances


class Story(NamedTuple):
    record: record.Record
    moments: tuple[Moment, ...]


def read(text: str) -> Story:
    """The story in a text; raises ValueError, such as BadRecord."""
    whole = json.loads(text)
    moments = (
        Moment(
            name, moment["ply"], CellChances(_chances(moment["cells"]), _chances(moment["unhit"]))
        )
        for name, moment in whole["moments"].items()
    )
    return Story(record.read("\n".join(whole["record"])), tuple(moments))


def _chances(lines: list[str]) -> Floats:
    return np.array(" ".join(lines).split(), dtype=np.float64)


@cache
def story() -> Story:
    """Returns the match of the site's page."""
    return read(FILE.read_text(encoding="utf-8"))
