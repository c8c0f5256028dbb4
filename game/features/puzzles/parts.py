"""What puzzles add to the repair of addresses: the names that there are."""

from __future__ import annotations

from game.matches.parts import Model
from game.puzzles import pool

ROW = Model(names={"name": lambda name: name == pool.OWN or pool.find(name)})
