"""The rules of a match in the engine protocol: the JSON object of a `new` line."""

import json
from contextlib import suppress
from typing import Any, NamedTuple

from game.engine.rules import ROWS, IllegalRules, Ruleset

_TOLD = sorted((row for row in ROWS if row.is_offered), key=lambda row: row.is_optional)
_RULES: dict[str, Any] = {row.field: row.default for row in _TOLD if not row.is_optional}
_OPTIONAL: dict[str, Any] = {
    "wrecks": False,
    **{row.field: row.default for row in _TOLD if row.is_optional},
    "questions_in_a_row": False,
}
"""The keys that may be absent, and what that means."""
MOST_SHOWN = 24
"""The number of characters of a bad input that an answer quotes."""


class BadLine(ValueError):
    """A line that isn't a command, or that can't be answered now."""


class Terms(NamedTuple):
    """The content of a `new` line."""

    rules: Ruleset
    wrecks: bool = False
    """Whether a sinking reveals the placement."""
    in_a_row: bool = False
    """Whether several questions may be asked before a shot."""


def terms_from_json(text: str) -> Terms:
    """The terms of a `new` line; raises BadLine."""
    try:
        given = json.loads(text, object_pairs_hook=_once)
    except BadLine:
        raise
    except (ValueError, RecursionError) as error:
        raise BadLine("the rules are not JSON") from error
    if not isinstance(given, dict) or given.keys() - _OPTIONAL.keys() != _RULES.keys():
        raise BadLine(
            f"the rules need the keys {' '.join(_RULES)}, "
            f"may have {' '.join(_OPTIONAL)}, and no others"
        )
    keys = (_RULES | _OPTIONAL).items()
    given = {key: _value(key, given[key], usual) if key in given else usual for key, usual in keys}
    wrecks, in_a_row = given.pop("wrecks"), given.pop("questions_in_a_row")
    try:
        return Terms(Ruleset(**given), wrecks, in_a_row)
    except IllegalRules as error:
        raise BadLine(str(error)) from error


def terms_to_json(rules: Ruleset, *, wrecks: bool = False, in_a_row: bool = False) -> str:
    """The rules as a `new` line has them, the inverse of terms_from_json."""
    terms = {row.field: getattr(rules, row.field) for row in _TOLD}
    terms |= {"wrecks": wrecks, "questions_in_a_row": in_a_row}
    return json.dumps(terms, default=lambda chosen: chosen.value)


def _value(key: str, value: Any, usual: Any) -> Any:
    """The value of a key, of the type of the usual one, from its JSON; raises BadLine."""
    if key == "turns" and value is None:
        return None
    types: dict[type, type] = {bool: bool, int: int, tuple: list}  # others are words
    lengths = value if key == "fleet" and type(value) is list else ()
    if type(value) is types.get(type(usual), str) and {int}.issuperset(map(type, lengths)):
        with suppress(ValueError):
            return type(usual)(value)
    raise BadLine(f"not a value for {key}: {shown(json.dumps(value))}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds a JSON object; raises BadLine for a repeated key."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise BadLine(f"the rules have a key twice: {shown(key)}")
    return dict(pairs)


def shown(text: str, most: int = MOST_SHOWN) -> str:
    """The beginning of an untrusted text, with unprintable characters replaced."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:most])


def start_of(text: str, most: int = 60) -> str:
    """Returns the same with an ellipsis if it goes on."""
    return shown(text, most) + "…" * (len(text) > most)


def quoted(text: str, most: int = MOST_SHOWN) -> str:
    """Returns the same in quotes, so that spaces at its ends and an empty text are seen."""
    return f"'{start_of(text, most)}'"
