"""The rules that pages offer, as rows of data, and how strong the searchers are in them."""

from __future__ import annotations

from game.deduction.rules import MELBOURNE, Rules

SEAS: dict[str, Rules] = {
    "small": Rules(columns=6, rows=4, ships=2),
    "original": MELBOURNE,
    "large": Rules(columns=8, rows=8, ships=3),
}
SEA, SEARCHER = "original", "middle"

MEANS: dict[Rules, dict[str, float]] = {
    SEAS["small"]: {"easy": 4.70, "middle": 4.12, "strong": 4.01},
    SEAS["original"]: {"easy": 5.88, "middle": 4.98, "strong": 4.61},
    SEAS["large"]: {"easy": 6.6, "middle": 5.9, "strong": 5.5},
}
"""The mean number of guesses of each searcher, over many hiding places."""
