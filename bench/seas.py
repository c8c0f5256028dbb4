"""The rulesets in which strength and calibration are measured."""

from __future__ import annotations

from dataclasses import replace

from game.engine.presets import BONN, FIVE_APART, FIVE_TOUCHING, PRESETS
from game.engine.rules import Ruleset

SEAS: dict[str, Ruleset] = {
    "bonn-moving": BONN,
    "bonn-still": replace(BONN, moving=False),
    "five-apart": FIVE_APART,
    "five-touching": FIVE_TOUCHING,
}
REVIEWED = {**SEAS, "five-salvo": replace(FIVE_TOUCHING, salvo=True)}
"""The rulesets of measured reviews: the shots of a salvo share what is known before them."""
RULES = {**{name: preset.ruleset for name, preset in PRESETS.items()}, **SEAS}
"""All rulesets that have a name."""
