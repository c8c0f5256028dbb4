"""The rules of a match in the engine protocol: the JSON object of a `new` line."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from game.engine.rules import AtLimit, IllegalRules, Ruleset

_RULES: dict[str, set[type]] = {
    "columns": {int}, "rows": {int}, "fleet": {list}, "touching": {bool}, "again": {bool},
    "moving": {bool}, "turns": {int, type(None)}, "at_limit": {str}, "salvo": {bool},
}  # fmt: skip
"""The keys of the rules, and the types of their values."""
_OPTIONAL: dict[str, Any] = {
    "wrecks": False, "named": False, "questions": 0, "questions_in_a_row": False,
}  # fmt: skip
"""The keys that may be absent, and what that means."""
_AT_LIMIT = {one.value: one for one in AtLimit}
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
        found = json.loads(text, object_pairs_hook=_once)
    except BadLine:
        raise
    except (ValueError, RecursionError) as error:
        raise BadLine("the rules are not JSON") from error
    if not isinstance(found, dict) or found.keys() - _OPTIONAL.keys() != _RULES.keys():
        raise BadLine(
            f"the rules need the keys {' '.join(_RULES)}, "
            f"may have {' '.join(_OPTIONAL)}, and no others"
        )
    optional = {key: {type(value)} for key, value in _OPTIONAL.items()}
    found = _OPTIONAL | found
    for key, types in (_RULES | optional).items():
        value = found[key]
        if (
            type(value) not in types
            or (key == "fleet" and any(type(length) is not int for length in value))
            or (key == "at_limit" and value not in _AT_LIMIT)
        ):
            raise BadLine(f"not a value for {key}: {shown(json.dumps(value))}")
    wrecks, in_a_row = found.pop("wrecks"), found.pop("questions_in_a_row")
    changed = {"fleet": tuple(found["fleet"]), "at_limit": _AT_LIMIT[found["at_limit"]]}
    try:
        return Terms(Ruleset(**found | changed), wrecks, in_a_row)
    except IllegalRules as error:
        raise BadLine(str(error)) from error


def terms_to_json(rules: Ruleset, *, wrecks: bool = False, in_a_row: bool = False) -> str:
    """The rules as a `new` line has them, the inverse of terms_from_json."""
    found = {key: getattr(rules, key) for key in (*_RULES, "named", "questions")}
    found |= {"at_limit": rules.at_limit.value, "wrecks": wrecks}
    return json.dumps(found | {"questions_in_a_row": in_a_row})


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds a JSON object; raises BadLine for a repeated key."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise BadLine(f"the rules have a key twice: {shown(key)}")
    return dict(pairs)


def shown(text: str) -> str:
    """The beginning of an untrusted text, with unprintable characters replaced."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:MOST_SHOWN])
