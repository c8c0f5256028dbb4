"""A logbook's token, whose key isn't of the keyring."""

from __future__ import annotations

from game.features.logbook.model import unseal
from game.matches.parts import Model

ROW = Model(opens=unseal)
