"""The text of rules, fleets and actions in records.

    10x10 5-4-4-3-3-3-2-2-2-2 apart again moving single 150 afloat first
    A3v5 D2h4 B10h4 C4v3 D8h3 J3v3 E6h2 F4h2 H8v2 J8v2
    B7, 3-fore, stay, ask A1 D4

Each value has one spelling; docs/record.md holds the grammar.
"""

import re

from game.engine.actions import STAY, Action, Ask, Fire, Stay, Steer
from game.engine.fleets import Course, Fleet, IllegalFleet, parse_placement
from game.engine.geometry import NotACell
from game.engine.rules import LISTED, IllegalRules, Row, Ruleset, Side

_WORDS = sorted(
    (row for row in LISTED if row.words or row.field == "turns"), key=lambda row: row.is_optional
)
"""The rows in the order of their words, of which a limit of turns is one."""


def _pattern(row: Row) -> str:
    words = "|".join(filter(None, row.words)) or r"unlimited|[1-9]\d{0,3}"
    return f"(?: (?P<{row.field}>{words}))" + "?" * row.is_optional


_RULES = re.compile(
    r"(?P<columns>[1-9]\d?)x(?P<rows>[1-9]\d?) (?P<fleet>\d(?:-\d){0,224})"
    + "".join(map(_pattern, _WORDS)),
    re.ASCII,
)
_STEER = re.compile(r"(0|[1-9]\d{0,2})-(fore|aft)", re.ASCII)
_NO_FLEET = "none"
SIDES = {side.name.lower(): side for side in Side}


class NotNotation(ValueError):
    """The text is not valid notation for the value."""


def rules_text(rules: Ruleset) -> str:
    """Returns a ruleset in one line; twin of parse_rules."""
    turns = "unlimited" if rules.turns is None else str(rules.turns)
    words = (row.words[row.number(rules)] if row.words else turns for row in _WORDS)
    fleet = "-".join(map(str, rules.fleet))
    return " ".join((f"{rules.columns}x{rules.rows}", fleet, *filter(None, words)))


def parse_rules(text: str) -> Ruleset:
    """Returns the ruleset of a line; raises NotNotation."""
    match = _RULES.fullmatch(text)
    if match is None:
        raise NotNotation(f"not rules: {text[:60]!r}")
    turns = match["turns"]
    try:
        return Ruleset(
            columns=int(match["columns"]),
            rows=int(match["rows"]),
            fleet=tuple(map(int, match["fleet"].split("-"))),
            turns=None if turns == "unlimited" else int(turns),
            **{row.field: row.by_word[match[row.field] or ""] for row in _WORDS if row.words},
        )
    except IllegalRules as error:
        raise NotNotation(str(error)) from error


def fleet_text(fleet: Fleet) -> str:
    """Returns the ships of a fleet in the ruleset's order, or `none`; twin of parse_fleet."""
    return " ".join([ship.text for ship in fleet]) or _NO_FLEET


def parse_fleet(rules: Ruleset, text: str) -> Fleet:
    """Returns the placements in a line, legal or not; raises NotNotation."""
    if text == _NO_FLEET:
        return ()
    try:
        fleet = tuple(parse_placement(rules.board, word) for word in text.split(" "))
    except IllegalFleet as error:
        raise NotNotation(str(error)) from error
    if fleet_text(fleet) != text:  # `A1v1` is parsed, but written `A1h1`
        raise NotNotation(f"another spelling of a fleet: {text[:60]!r}")
    return fleet


def action_text(rules: Ruleset, action: Action) -> str:
    """Returns an action in one word, or a question in three; twin of parse_action."""
    if isinstance(action, Fire):
        return rules.board.name(action.cell)
    if isinstance(action, Ask):
        return f"ask {rules.board.name(action.first)} {rules.board.name(action.last)}"
    return "stay" if isinstance(action, Stay) else f"{action.ship}-{action.course.value}"


def parse_action(rules: Ruleset, text: str) -> Action:
    """Returns the action in a text, legal or not; raises NotNotation."""
    if text == "stay":
        return STAY
    if (match := _STEER.fullmatch(text)) is not None:
        return Steer(int(match[1]), Course(match[2]))
    try:
        if text.startswith("ask ") and text.count(" ") == 2:
            _, first, last = text.split(" ")
            return Ask(rules.board.parse(first), rules.board.parse(last))
        return Fire(rules.board.parse(text))
    except NotACell as error:
        raise NotNotation(f"not an action: {text[:12]!r}") from error
