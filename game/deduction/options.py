"""The choices on the first page of the deduction game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.deduction.match import Mode
from game.deduction.messages import SEARCHERS
from game.deduction.presets import SEA, SEARCHER, SEAS
from game.deduction.rules import MELBOURNE, MOST_SHIPS, Rules
from game.display.options import Number, choice
from game.engine.geometry import LARGEST, SMALLEST

OWN = "own"
"""The sea whose columns, rows and ships are typed."""


def start_choices(fields: Mapping[str, str]) -> dict[str, Any]:
    """Returns who searches and how, the sea, and the numbers of an own sea, as asked for."""
    ways = {
        Mode.SEARCH.value: _("You search"),
        Mode.HIDE.value: _("The computer"),
        Mode.RACE.value: _("Both: a race"),
    }
    searchers = {name: str(label) for name, label in SEARCHERS.items()}
    seas = {name: _sea(rules) for name, rules in SEAS.items()}
    seas[OWN] = pgettext("sea", "another")
    return {
        "ways": choice(fields, "way", _("Who searches"), ways, Mode.SEARCH.value),
        "searchers": choice(
            fields, "searcher", _("How the computer searches"), searchers, SEARCHER
        ),
        "seas": choice(fields, "sea", _("The sea"), seas, SEA),
        "numbers": [
            Number(field, label, fields.get(field, str(usual)), least, most)
            for field, label, usual, least, most in (
                ("columns", _("Columns"), MELBOURNE.columns, SMALLEST, LARGEST),
                ("rows", _("Rows"), MELBOURNE.rows, SMALLEST, LARGEST),
                ("ships", _("Ships"), MELBOURNE.ships, 1, MOST_SHIPS),
            )
        ],
    }


def _sea(rules: Rules) -> str:
    """`3 ships, 4×8`: the rows before the columns, as in the other sentences of the game."""
    text = ngettext(
        "%(ships)s ship, %(rows)s×%(columns)s", "%(ships)s ships, %(rows)s×%(columns)s", rules.ships
    )
    return text % {"ships": rules.ships, "rows": rules.rows, "columns": rules.columns}
