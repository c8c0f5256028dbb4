"""What puzzles add to the start of a process: the names that there are."""

from __future__ import annotations

from game.features.puzzles import pool
from game.matches.parts import FeaturePart

PART = FeaturePart(prepare=lambda: pool.find(""))
