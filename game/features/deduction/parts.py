"""What a process loads for the deduction game at its start."""

from game.features.deduction.searchers import load_tree
from game.matches.parts import FeaturePart

PART = FeaturePart(prepare=load_tree)
