"""What a process loads for the deduction game at its start."""

from game.features.deduction.searchers import load_tree
from game.matches.parts import Model

ROW = Model(prepare=load_tree)
