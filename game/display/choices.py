"""The choices that a preset's page offers before a match."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import mind_name, ship_name
from game.display.rule_words import WORDS
from game.engine.geometry import LARGEST
from game.engine.presets import OWN, PRESETS, SMALLEST_OWN, Preset
from game.engine.rules import LISTED, LONGEST_SHIP, MOST_TURNS, NUMBERS, Row, Ruleset
from game.players.registry import CODES, RANK_NAMES, offered_ranks

_MOST_OF_A_KIND = 20
_LIMITS = {
    "columns": (SMALLEST_OWN, LARGEST), "rows": (SMALLEST_OWN, LARGEST),
    "turns": (1, MOST_TURNS // 2),
}  # fmt: skip
"""The limits of fields that aren't those of the rules: fields count each player's turns."""
RARE = frozenset(field for field, words in WORDS.items() if words.is_rare)
"""The fields of own rules that are folded, as few players change them."""


class Option(NamedTuple):
    value: str
    label: str
    is_chosen: bool


class Choice(NamedTuple):
    field: str
    legend: str
    options: tuple[Option, ...]


class Number(NamedTuple):
    """A number field; an empty value means no number."""

    field: str
    label: str
    value: str
    least: int
    most: int


def choice(
    fields: Mapping[str, str], field: str, legend: str, values: Mapping[str, str], chosen: str
) -> Choice:
    """Returns a choice among values with their labels: what was asked for, else `chosen`."""
    asked = fields.get(field, chosen)
    picked = asked if asked in values else chosen
    options = (Option(value, label, value == picked) for value, label in values.items())
    return Choice(field, legend, tuple(options))


def rule_choice(field: str, fields: Mapping[str, str], text: str) -> Choice:
    """Returns the choice of a switch of the rules; `text` is chosen if the fields have none."""
    words = WORDS[field]
    options = {value: _(label) for value, label in words.options.items()}
    return choice(fields, field, _(words.label), options, text)


def rule_choices(preset: Preset, fields: Mapping[str, str]) -> list[Choice]:
    """Returns the rules that can be chosen: few for a preset, all for own rules."""
    offered = []
    if preset.sizes:
        sizes, size = {str(size): str(size) for size in preset.sizes}, str(preset.ruleset.columns)
        offered.append(choice(fields, "size", _("Cells per side"), sizes, size))
    for field, text in _rules_fields(preset.ruleset).items():
        if WORDS[field].options and (preset is OWN or field in preset.choices):
            offered.append(rule_choice(field, fields, text))
    return offered


def rule_numbers(preset: Preset, fields: Mapping[str, str]) -> list[Number]:
    """Returns the numbers of own rules: the board's sides and the turn limit."""
    if preset is not OWN:
        return []
    shown = composing_fields(preset.ruleset, fields)
    if shown["turns"] == "none":
        shown["turns"] = ""
    numbers = []
    for row in NUMBERS:
        words, limits = WORDS[row.field], _LIMITS.get(row.field, (row.values[0], row.values[-1]))
        numbers.append(Number(row.field, _(words.label), shown[row.field], *limits))
    return numbers


def ship_numbers(preset: Preset, fields: Mapping[str, str]) -> list[tuple[int, Number]]:
    """Returns the number of ships of each length in an own fleet, longest first."""
    if preset is not OWN:
        return []
    shown = composing_fields(preset.ruleset, fields)
    numbers = []
    for length in range(LONGEST_SHIP, 0, -1):
        name = f"n{length}"
        number = Number(name, ship_name(length), shown[name], 0, _MOST_OF_A_KIND)
        numbers.append((length, number))
    return numbers


def ranks(preset: Preset, fields: Mapping[str, str]) -> Choice:
    """Returns the ranks that are offered, weakest first; any other only if it is asked for."""
    asked = fields.get("opponent")
    offered = offered_ranks(moving=preset is OWN or preset.ruleset.moving)
    names = [name for name in RANK_NAMES if name in offered or name == asked]
    return _minds(fields, _("Opponent"), names, preset)


def originals(preset: Preset, fields: Mapping[str, str]) -> Choice:
    """Returns the minds of the games that the presets come from, this preset's first.

    A mind that no preset names is the last one if it is asked for.
    """
    others = (name for one in PRESETS.values() for name in one.originals)
    asked = [name for name in [fields.get("opponent", "")] if name in CODES]
    unique = dict.fromkeys((*preset.originals, *others, *asked))
    rest = [name for name in unique if name not in RANK_NAMES]
    return _minds(fields, _("From the original games"), rest, preset)


def _minds(fields: Mapping[str, str], legend: str, names: Iterable[str], preset: Preset) -> Choice:
    asked = fields.get("opponent", "")
    chosen = asked if asked in CODES else preset.opponent
    return choice({}, "opponent", legend, {name: mind_name(name) for name in names}, chosen)


def beginners(fields: Mapping[str, str]) -> Choice:
    values = {
        "you": pgettext("who", "You"),
        "computer": _("The computer"),
        "loser": _("You first, then the loser"),
    }
    return choice(fields, "begins", _("Who begins"), values, "you")


def assists(fields: Mapping[str, str]) -> Choice:
    values = {"off": pgettext("help", "Off"), "on": _("Hints"), "coach": _("Coach")}
    return choice(fields, "hints", _("Help"), values, "off")


def watched_minds(preset: Preset, fields: Mapping[str, str]) -> list[Choice]:
    values = {name: mind_name(name) for name in CODES}
    return [
        choice(fields, "mind1", _("First"), values, RANK_NAMES[-1]),
        choice(fields, "mind2", _("Second"), values, preset.opponent),
    ]


def rules_query(rules: Ruleset) -> str:
    """Returns the rules as the query of an address, the inverse of forms.rules_from_fields."""
    return urlencode({**_rules_fields(rules), "fleet": "-".join(map(str, rules.fleet))})


def composing_fields(rules: Ruleset, fields: Mapping[str, str]) -> dict[str, str]:
    """Returns the fields of the page that composes rules: those typed, else those of `rules`.

    A board's `size` becomes its columns and rows, and a `fleet` the number of ships of each length.
    """
    size, fleet = fields.get("size"), fields.get("fleet")
    ships = list(map(str, rules.fleet)) if fleet is None else re.split("[-, ]", fleet)
    lengths = range(1, LONGEST_SHIP + 1)
    filled = _rules_fields(rules) | {f"n{each}": str(ships.count(str(each))) for each in lengths}
    if any(f"n{length}" in fields for length in lengths):
        filled |= {f"n{length}": "0" for length in lengths}
    if size is not None:
        filled |= {"columns": size, "rows": size}
    return filled | dict(fields)


def _rules_fields(rules: Ruleset) -> dict[str, str]:
    """Returns the fields of all rules except the fleet."""
    return {
        row.field: rule_text(rules, row)
        for row in LISTED
        if row.is_offered and row.field != "fleet"
    }


def rule_text(rules: Ruleset, row: Row) -> str:
    """Returns the text of a field of rules; a limit counts each player's turns."""
    value = getattr(rules, row.field)
    if row.field == "fleet":
        return "-".join(map(str, value))
    if row.is_switch:
        return "on" if value else "off"
    if row.field == "turns":
        return "none" if value is None else str((value + 1) // 2)
    return str(value.value if isinstance(value, Enum) else value)
