"""An exercise of one's own: the fields of its page, and its addresses.

Its query has the fields of own rules, so that it needs no row:

    fleet=4-3-3-2-2&moving=off&opponent=alone&title=Past+tenses&column_labels=I%0Ayou…
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from game.display.refusals import refusal
from game.engine.presets import OWN, SMALLEST_OWN
from game.engine.rules import IllegalRules
from game.features.axes import labels
from game.features.axes.labels import ANSWERS, COLUMNS, LANGUAGE, ROWS, TYPED
from game.features.axes.parts import Axes
from game.matches.setup import LONGEST_TASK, LONGEST_TITLE, Setup
from game.web import forms

GAME = "game"
GAMES: Mapping[str, Mapping[str, str]] = {
    "alone": {"opponent": forms.SOLO},
    "computer": {"opponent": "recruit"},
    "two": {"players": "2"},
}
"""The games that an exercise can be, with their fields in addresses."""
_FLEETS = ((42, "3-3-2"), (90, "4-3-3-2-2"), (225, "5-4-3-3-2"))
"""Fleets that leave much water on boards of at most so many cells."""
FIELDS = ("title", "task", COLUMNS, ROWS, LANGUAGE, TYPED, ANSWERS, GAME)
_MOST_QUERY = 6000
"""The longest query: some proxies read no address of more than 8 kB."""


class Exercise(NamedTuple):
    fields: Mapping[str, str]
    """The fields of the page."""
    setup: Setup | None
    """None if it has no board yet; it can be played if nothing is refused."""
    refused: Mapping[str, str]
    """What is wrong, by the names of fields."""
    query: str


def read_exercise(sent: Mapping[str, str]) -> Exercise:
    """Returns the exercise that a form or a query asks for."""
    fields = {name: sent.get(name, "").replace("\r\n", "\n").strip("\n ") for name in FIELDS}
    if fields[GAME] not in GAMES:
        is_two, opponent = sent.get("players") == "2", sent.get("opponent", forms.SOLO)
        fields[GAME] = "two" if is_two else "alone" if opponent == forms.SOLO else "computer"
    fields["title"], fields["task"] = (
        forms.line(fields, name, most)
        for name, most in (("title", LONGEST_TITLE), ("task", LONGEST_TASK))
    )
    query = query_of(fields, "")
    if not fields[COLUMNS] or not fields[ROWS]:
        words = {"least": SMALLEST_OWN}
        missing = _("Write one label a line, %(least)s or more, or a range.") % words
        return Exercise(fields, None, {n: missing for n in (COLUMNS, ROWS) if not fields[n]}, query)
    fleet = _fleet_of(fields)
    query = query_of(fields, fleet)
    try:
        asked = {**fields, **GAMES[fields[GAME]], "fleet": fleet, "moving": "off", "turns": "none"}
        setup, refused = labels.read_labels(forms.parse_setup(OWN, asked), asked)
    except IllegalRules as error:
        return Exercise(fields, None, {COLUMNS: refusal(error)}, query)
    if len(query) > _MOST_QUERY:
        refused.setdefault(
            ANSWERS if fields[ANSWERS] else COLUMNS, _("That is too long for a link: shorten it.")
        )
    return Exercise(fields, setup if setup.part(Axes) else None, refused, query)


def _fleet_of(fields: Mapping[str, str]) -> str:
    try:
        columns, rows = (len(labels.parse_labels(fields[name])) for name in (COLUMNS, ROWS))
    except forms.Refused:  # as the exercise will be
        return ""
    return next((fleet for most, fleet in _FLEETS if columns * rows <= most), "")


def query_of(fields: Mapping[str, str], fleet: str) -> str:
    """Returns the query, without the fields that are empty, or that count for typed cells only."""
    asked = {"fleet": fleet, "moving": "off", "turns": "none", **GAMES[fields[GAME]], **fields}
    left_out = {GAME} if fields.get(TYPED) == "typed" else {GAME, TYPED, ANSWERS}
    return urlencode({name: text for name, text in asked.items() if text and name not in left_out})
