"""How long a match of a ruleset may be: its record has to fit into an address."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # rulesets that are too long for an address are refused
    from game.engine.rules import Ruleset

MOST_REMEMBERED = 30
"""The most ships of a fleet that minds remember from round to round; pages offer no larger one."""
MOST_ACTIONS, MOST_BYTES = 1400, 2800
"""The most actions of a match, and the most bytes of its ships and actions in a record, so that its
token fits into an address."""


def ships_remembered(rules: Ruleset) -> int:
    """The number of ships of a fleet that a mind remembers: none of a very large one."""
    return len(rules.fleet) if len(rules.fleet) <= MOST_REMEMBERED else 0


def action_bytes(rules: Ruleset) -> int:
    """The bytes of an action in a record: one if there are at most 256 shots and moves.

    A question has two, as there are more rectangles.
    """
    if rules.questions:
        return 2
    moves = 1 + 2 * len(rules.fleet) if rules.moving else 0
    return 1 if rules.board.size + moves <= 256 else 2


def has_room(rules: Ruleset, turns: int | None, taken: int = 0) -> bool:
    """Whether a match fits into an address; a solo token contains two, with the par's match.

    A ship has five bytes, and six more for the places in earlier rounds that a mind remembers. So
    many bytes may be `taken` by something else.
    """
    ships = taken + 5 * len(rules.fleet) + 6 * ships_remembered(rules)
    room = min(MOST_ACTIONS, (MOST_BYTES - ships) // action_bytes(rules))
    return _actions_in(rules, turns) * (2 if rules.solo else 1) <= room


def most_actions(rules: Ruleset) -> int:
    """The number of actions in the longest match of these rules."""
    return _actions_in(rules, rules.limit)


def _actions_in(rules: Ruleset, turns: int | None) -> int:
    boards = 1 if rules.solo else 2  # that are fired at
    questions = boards * rules.questions
    if turns is None:
        return boards * rules.board.size + questions
    # Solo, the sides take turns to fire and to move; otherwise every turn has both.
    volleys, moves = ((turns + 1) // 2, turns // 2) if rules.solo else (turns, turns)
    if rules.again:  # each hit can earn one more volley
        volleys += boards * sum(rules.fleet)
    shots = volleys * (len(rules.fleet) if rules.salvo else 1)
    if rules.moving:
        return shots + moves
    return min(shots, boards * rules.board.size) + questions
