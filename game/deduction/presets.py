"""The seas that the pages offer, as rows of data, and how strong the searchers are in them."""

from __future__ import annotations

from game.deduction.rules import MELBOURNE, Rules

SEAS: dict[str, Rules] = {
    "small": Rules(columns=6, rows=4, ships=2),
    "original": MELBOURNE,
    "large": Rules(columns=8, rows=8, ships=3),
}
SEA, SEARCHER = "original", "middle"
"""What is played where nothing else was asked for."""

MEANS: dict[Rules, dict[str, float]] = {
    SEAS["small"]: {"easy": 4.2, "middle": 3.9, "strong": 3.7},
    SEAS["original"]: {"easy": 5.6, "middle": 4.98, "strong": 4.61},
    SEAS["large"]: {"easy": 6.5, "middle": 6.0, "strong": 6.0},
}
"""Guesses that each searcher needs on average, as `manage.py deduction_bench` measures them."""
