"""Variants that have a name: each a row of data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from game.engine.rules import AtLimit, Ruleset

RANKS = ("recruit", "sailor", "lieutenant", "captain", "admiral")
"""The minds of the strength slider, the weakest first."""


class Placing(Enum):
    """How a fleet is placed first of all; the other ways stay open."""

    SHIPS = "ships"
    """Ships are dragged, or put with their bow on a cell."""
    KEYS = "keys"
    """The arrow keys move the ship in hand, R turns it, Enter places it."""
    CELLS = "cells"
    """A ship is placed by choosing its cells, one by one."""


@dataclass(frozen=True)
class Preset:
    """A variant: its rules, and what goes with them."""

    name: str
    """A word that names it in addresses: lower case, never changed."""
    ruleset: Ruleset
    opponent: str
    """The mind that plays where none was asked for."""
    originals: tuple[str, ...] = ()
    """The minds of the game that the variant comes from, the weakest first."""
    sizes: tuple[int, ...] = ()
    """The sides of a square board that are offered; none where it is as it is."""
    placing: Placing = Placing.SHIPS
    has_rounds: bool = False
    """Whether the score of the rounds is shown from the first on."""
    has_radar: bool = False


BONN = Ruleset()
"""As at Bonn: ten ships, no touching, a hit fires again, ships move, 75 half-turns."""

_FIVE = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
_TOUCHING = replace(_FIVE, touching=True)
_BONN_MINDS = ("bonn-easy", "bonn-medium", "bonn-hard")

OWN = Preset("own", BONN, "sailor")
"""The rules that a player has composed, beginning with Bonn's."""

_ALL = (
    Preset("bonn", BONN, "sailor", originals=_BONN_MINDS),
    Preset("bonn-still", replace(BONN, moving=False), "bonn-medium", _BONN_MINDS),
    Preset(
        "uppsala", _FIVE, "uppsala", ("uppsala",), sizes=tuple(range(8, 16)),
        placing=Placing.KEYS, has_rounds=True, has_radar=True,
    ),
    Preset("camlship", _TOUCHING, "camlship", ("camlship-easy", "camlship")),
    Preset(
        "cmu",
        replace(_TOUCHING, fleet=(3,) * 5, turns=100, at_limit=AtLimit.DRAW),
        "drifter", ("drifter",), placing=Placing.CELLS,
    ),
    Preset("milton", _TOUCHING, "recruit"),
    Preset("salvo", replace(_TOUCHING, salvo=True), "recruit"),
    OWN,
)  # fmt: skip

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}
"""The variants under the names that stand in addresses."""


def is_1990(fleet: tuple[int, ...]) -> bool:
    """Whether the fleet is that of 1990, whose ships have names of their own."""
    return len(fleet) == 5 and sorted(fleet) == [2, 3, 3, 4, 5]
