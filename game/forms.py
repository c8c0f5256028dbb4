"""From the text of forms and addresses to the game's values; a Refused says no in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.engine.geometry import Board, Cell, Direction
from game.engine.match import STAY, Action, Fire, Steer
from game.engine.rules import (
    IllegalFleet,
    NotAPlacement,
    OffBoard,
    Placement,
    Ruleset,
    Side,
    Way,
    check_beside,
    check_part,
    parse_placement,
    place,
)
from game.players.roster import MINDS
from game.presets import OPPONENT
from game.sitting import Draft, Setup
from game.wording import refusal


class Refused(ValueError):
    """An action that was refused; the text is one sentence in the language of the request."""


def parse_setup(base: Ruleset, fields: Mapping[str, str]) -> Setup:
    """The setup that an address asks for; what it doesn't say, or says oddly, is as the preset."""
    rules = replace(
        base,
        again=_switch(fields, "again", base.again),
        moving=_switch(fields, "moving", base.moving),
        begins={"you": Side.FIRST, "computer": Side.SECOND}.get(
            fields.get("begins", ""), base.begins
        ),
    )
    opponent = fields.get("opponent", "")
    return Setup(
        rules,
        (None, opponent if opponent in MINDS else OPPONENT),
        hints=_switch(fields, "hints", False),
    )


def _switch(fields: Mapping[str, str], name: str, otherwise: bool) -> bool:
    return {"on": True, "off": False}.get(fields.get(name, ""), otherwise)


def parse_action(rules: Ruleset, fields: Mapping[str, str]) -> Action:
    """The action that a form asks for; raises Refused or the engine's own errors."""
    if "cell" in fields:
        return Fire(rules.board.parse(fields["cell"]))
    if "steer" in fields:
        return parse_manoeuvre(fields["steer"])
    raise Refused(_("Nothing was chosen."))


def parse_manoeuvre(text: str) -> Action:
    """The move that `3-fore`, `3-aft` or `stay` names; raises Refused."""
    if text == "stay":
        return STAY
    ship, dash, way = text.partition("-")
    if not (dash and ship.isascii() and ship.isdigit() and len(ship) < 4) or way not in _WAYS:
        raise Refused(_("That is not a move."))
    return Steer(int(ship), _WAYS[way])


_WAYS = {way.value: way for way in Way}


def parse_placed(rules: Ruleset, texts: list[str]) -> tuple[Placement, ...]:
    """The ships that the hidden fields name; raises Refused where they can't be part of a fleet."""
    try:
        placed = tuple(parse_placement(rules.board, text) for text in texts)
        check_part(rules, placed)
    except IllegalFleet as error:
        raise Refused(refusal(error)) from error
    return placed


def change_draft(draft: Draft, fields: QueryDict) -> Draft:
    """The draft after what the placing form asks for, short of starting; raises Refused.

    The ships that the form lists are what is placed, whatever the address says.
    """
    rules = draft.setup.ruleset
    draft = replace(with_hand(draft, fields), placed=parse_placed(rules, fields.getlist("ship")))
    try:
        match fields.get("action"):
            case "random":
                return draft.filled()
            case "clear":
                return replace(draft, placed=())
            case "start" | "quick" | "keep":
                return draft
        if "place" in fields:
            return _place(draft, fields.get("place", ""))
        if "turn" in fields:
            return _turn(draft, fields.get("turn", ""))
    except ValueError as error:
        raise Refused(refusal(error)) from error
    raise Refused(_("Nothing was chosen."))


def with_hand(draft: Draft, fields: QueryDict) -> Draft:
    """The draft with the ship and the direction that the form has chosen, where it has."""
    return replace(
        draft,
        picked=_picked(draft.setup.ruleset, fields.get("pick", "")) or draft.picked,
        direction=_DIRECTIONS.get(fields.get("direction", ""), draft.direction),
    )


_DIRECTIONS = {direction.value: direction for direction in Direction}


def _picked(rules: Ruleset, text: str) -> int | None:
    length = int(text) if text.isascii() and text.isdigit() and len(text) == 1 else 0
    return length if length in rules.fleet else None


def _place(draft: Draft, text: str) -> Draft:
    """Puts the ship in hand with its bow on the cell, or takes back the one that lies there."""
    board = draft.setup.ruleset.board
    cell = board.parse(text)
    there = next((ship for ship in draft.placed if cell in ship.cells), None)
    if there is not None:
        placed = tuple(ship for ship in draft.placed if ship != there)
        return replace(draft, placed=placed, picked=there.length, direction=there.direction)
    if draft.in_hand is None:
        return draft
    ship = _slid_in(board, cell, draft.direction, draft.in_hand)
    check_beside(draft.setup.ruleset, ship, draft.placed)
    return replace(draft, placed=(*draft.placed, ship))


def _slid_in(board: Board, bow: Cell, direction: Direction, length: int) -> Placement:
    """The ship from that bow, slid in from the edge it would stick out over; raises OffBoard."""
    is_down = direction is Direction.DOWN
    column = board.column(bow) if is_down else min(board.column(bow), board.columns - length)
    row = min(board.row(bow), board.rows - length) if is_down else board.row(bow)
    if not board.has(column, row):
        raise OffBoard(f"longer than the board: {length}")
    return place(board, board.cell(column, row), direction, length)


def _turn(draft: Draft, text: str) -> Draft:
    """Turns the ship on the cell about its bow."""
    rules = draft.setup.ruleset
    cell = rules.board.parse(text)
    there = next((ship for ship in draft.placed if cell in ship.cells), None)
    if there is None:
        raise NotAPlacement(f"no ship on {text}")
    others = tuple(ship for ship in draft.placed if ship != there)
    is_down = there.direction is Direction.DOWN
    direction = Direction.ACROSS if is_down else Direction.DOWN
    turned = _slid_in(rules.board, there.bow, direction, there.length)
    check_beside(rules, turned, others)
    return replace(draft, placed=tuple(turned if ship == there else ship for ship in draft.placed))
