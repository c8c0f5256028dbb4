"""Variants that have a name: rulesets as rows of data."""

from __future__ import annotations

from game.engine.rules import Ruleset

BONN = Ruleset()
"""As at Bonn: ten ships, no touching, a hit fires again, ships move, 75 half-turns."""

OPPONENT = "sailor"
"""The mind that plays where none was asked for."""

PRESETS: dict[str, Ruleset] = {"bonn": BONN}
