"""From the text of forms and addresses to the game's values; a Refused says no in one sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.display.messages import cannot_place, cannot_turn, refusal
from game.engine.fleets import (
    Course,
    IllegalFleet,
    NotAPlacement,
    OffBoard,
    Placement,
    all_placements,
    check_beside,
    check_part,
    check_room,
    parse_placement,
    place,
)
from game.engine.geometry import Board, Cell, Direction
from game.engine.match import STAY, Action, Fire, Steer
from game.engine.presets import RANKS, Preset
from game.engine.rules import LONGEST_SHIP, AtLimit, NotAFleet, NotASize, Ruleset, Side
from game.matches.saved import LONGEST_NAME, Draft, Setup
from game.players.registry import MINDS


class Refused(ValueError):
    """An action that was refused; the text is one sentence in the language of the request."""


SMALLEST_OWN, MOST_OWN_SHIPS = 6, 30
"""Cells on a side of the smallest board that can be composed, and ships of the largest fleet."""


def parse_setup(preset: Preset, fields: Mapping[str, str]) -> Setup:
    """The setup that an address asks for; what it doesn't say, or says oddly, is as the preset.

    Raises IllegalRules for rules that can't be played.
    """
    rules = rules_from_fields(preset.ruleset, fields)
    is_shared = fields.get("players") == "2"
    return Setup(
        rules,
        (None, None if is_shared else _opponent(preset, fields)),
        hints=_switch(fields, "hints", False),
        preset=preset,
        loser_begins=fields.get("begins") == "loser",
        names=(_name(fields, "name1"), _name(fields, "name2")) if is_shared else ("", ""),
    )


def parse_duel(preset: Preset, fields: Mapping[str, str]) -> Setup:
    """The setup of a match between two minds; raises IllegalRules."""
    rules = rules_from_fields(preset.ruleset, fields)
    first, second = fields.get("mind1", ""), fields.get("mind2", "")
    minds = (
        first if first in MINDS else preset.opponent,
        second if second in MINDS else preset.opponent,
    )
    return Setup(rules, minds, preset=preset)


def _opponent(preset: Preset, fields: Mapping[str, str]) -> str:
    """The mind that is named, or else the one of that strength, or else the preset's."""
    named = fields.get("opponent", "")
    strength = _count(fields, "strength", 0)
    if named in MINDS:
        return named
    return RANKS[strength - 1] if 1 <= strength <= len(RANKS) else preset.opponent


def _name(fields: Mapping[str, str], field: str) -> str:
    """A player's name on one line, cut to what a token holds."""
    text = "".join(char if char.isprintable() else " " for char in fields.get(field, ""))
    return " ".join(text.split())[:LONGEST_NAME].rstrip()


def rules_from_fields(base: Ruleset, fields: Mapping[str, str]) -> Ruleset:
    """The rules that fields ask for, beginning with others; raises IllegalRules.

    A fleet is written `fleet=5-4-3-3-2`, or as a number of ships of each length, `n5=1&n4=1`.
    """
    size = _count(fields, "size", 0)
    columns = _count(fields, "columns", size or base.columns)
    rows = _count(fields, "rows", size or base.rows)
    if min(columns, rows) < SMALLEST_OWN:
        raise NotASize(f"too small: {columns} by {rows}")
    rules = replace(
        base,
        columns=columns,
        rows=rows,
        fleet=_fleet(fields) or base.fleet,
        touching=_switch(fields, "touching", base.touching),
        again=_switch(fields, "again", base.again),
        moving=_switch(fields, "moving", base.moving),
        salvo=_switch(fields, "salvo", base.salvo),
        turns=_turns(fields, base.turns),
        at_limit=_AT_LIMIT.get(fields.get("at_limit", ""), base.at_limit),
        begins=_BEGINS.get(fields.get("begins", ""), base.begins),
    )
    sea = (rules.columns, rules.rows, rules.fleet, rules.touching)
    if sea != (base.columns, base.rows, base.fleet, base.touching):
        check_room(rules)
    return rules


_AT_LIMIT = {at.value: at for at in AtLimit}
_BEGINS = {
    "you": Side.FIRST,
    "first": Side.FIRST,
    "computer": Side.SECOND,
    "second": Side.SECOND,
}


def _turns(fields: Mapping[str, str], otherwise: int | None) -> int | None:
    """The limit of turns: a number, or none where the field is empty or says so."""
    text = fields.get("turns")
    if text is None:
        return otherwise
    return None if text.strip() in ("", "none") else _count(fields, "turns", otherwise or 0)


def _fleet(fields: Mapping[str, str]) -> tuple[int, ...]:
    counts = {length: _count(fields, f"n{length}", 0) for length in range(1, LONGEST_SHIP + 1)}
    if any(f"n{length}" in fields for length in counts):
        if not 1 <= sum(counts.values()) <= MOST_OWN_SHIPS:
            raise NotAFleet(f"not a fleet of 1 to {MOST_OWN_SHIPS} ships")
        return tuple(n for n in sorted(counts, reverse=True) for _each in range(counts[n]))
    text = fields.get("fleet", "")
    parts = re.split("[-, ]", text)[: MOST_OWN_SHIPS + 1]
    lengths = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) == 1]
    if len(lengths) > MOST_OWN_SHIPS:
        raise NotAFleet(f"not a fleet of 1 to {MOST_OWN_SHIPS} ships")
    return tuple(sorted(lengths, reverse=True))


def _count(fields: Mapping[str, str], name: str, otherwise: int) -> int:
    text = fields.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else otherwise


def _switch(fields: Mapping[str, str], name: str, otherwise: bool) -> bool:
    return {"on": True, "off": False}.get(fields.get(name, ""), otherwise)


def parse_action(rules: Ruleset, fields: Mapping[str, str]) -> Action:
    """The action that a form asks for; raises Refused or the engine's own errors."""
    if "cell" in fields:
        return Fire(parse_cell(rules.board, fields["cell"]))
    if "steer" in fields:
        return parse_manoeuvre(fields["steer"])
    raise Refused(_("Nothing was chosen."))


def parse_cell(board: Board, text: str) -> Cell:
    """The cell that is typed as `B7`, `b7`, `7B` or `b 7`; raises NotACell."""
    names = typed_cells(text)
    return board.parse(names[0] if len(names) == 1 else text)


def typed_cells(text: str) -> list[str]:
    """`["B7", "C10"]` for `b7, 10 c`: the cells in what a person types.

    Empty where there is anything else in it.
    """
    text = " ".join(text.split())
    if _CELL.sub("", text).strip(" ,;"):
        return []
    return [f"{it[1] or it[4]}{it[2] or it[3]}".upper() for it in _CELL.finditer(text)]


_CELL = re.compile(r"([A-Z]) ?([1-9][0-9]?)|([1-9][0-9]?) ?([A-Z])", re.ASCII | re.IGNORECASE)


def parse_manoeuvre(text: str) -> Action:
    """The move that `3-fore`, `3-aft` or `stay` names; raises Refused."""
    if text == "stay":
        return STAY
    ship, dash, course = text.partition("-")
    if not (dash and ship.isascii() and ship.isdigit() and len(ship) < 4) or course not in _COURSES:
        raise Refused(_("That is not a move."))
    return Steer(int(ship), _COURSES[course])


_COURSES = {course.value: course for course in Course}


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
                return replace(draft, placed=(), chosen_cells=())
            case "undo":
                return _undone(draft)
            case "start" | "quick" | "keep":
                return draft
        if "place" in fields:
            return _place(draft, fields.get("place", ""))
        if "turn" in fields:
            return _turn(draft, fields.get("turn", ""))
    except Refused:
        raise
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
    if there is not None and not draft.chosen_cells:
        placed = tuple(ship for ship in draft.placed if ship != there)
        return replace(draft, placed=placed, picked=there.length, direction=there.direction)
    if draft.in_hand is None:
        return draft
    if draft.is_by_cells:
        return _tried(draft, cell, draft.in_hand)
    ship = _slid_in(board, cell, draft.direction, draft.in_hand)
    try:
        check_beside(draft.setup.ruleset, ship, draft.placed)
    except IllegalFleet as error:
        raise Refused(cannot_place(ship, draft.setup.ruleset, error)) from error
    return replace(draft, placed=(*draft.placed, ship))


def _undone(draft: Draft) -> Draft:
    """Without the cells chosen for a ship, or else with the ship placed last back in the hand."""
    if draft.chosen_cells:
        return replace(draft, chosen_cells=())
    if not draft.placed:
        raise Refused(_("No ship has been placed yet."))
    *rest, last = draft.placed
    return replace(draft, placed=tuple(rest), picked=last.length, direction=last.direction)


def _tried(draft: Draft, cell: Cell, length: int) -> Draft:
    """Adds a cell to the ship that is placed cell by cell; the last one places it."""
    rules = draft.setup.ruleset
    chosen_cells = {*draft.chosen_cells, cell}
    if len(chosen_cells) < length:
        return replace(draft, chosen_cells=tuple(sorted(chosen_cells)))
    ship = next(
        (s for s in all_placements(rules.board, length) if set(s.cells) == chosen_cells), None
    )
    if ship is None:
        raise Refused(_("Those cells do not lie side by side in one line: choose them anew."))
    check_beside(rules, ship, draft.placed)
    return replace(draft, placed=(*draft.placed, ship), chosen_cells=())


def _slid_in(board: Board, bow: Cell, direction: Direction, length: int) -> Placement:
    """The ship from that bow, slid in from the edge it would stick out over; raises OffBoard."""
    is_down = direction is Direction.DOWN
    column = board.column(bow) if is_down else min(board.column(bow), board.columns - length)
    row = min(board.row(bow), board.rows - length) if is_down else board.row(bow)
    if not board.has(column, row):
        raise OffBoard(f"longer than the board: {length}")
    return place(board, board.cell(column, row), direction, length)


def _turn(draft: Draft, text: str) -> Draft:
    """Turns the ship on the cell about its bow; it slides in from the edge, or stays as it is."""
    rules = draft.setup.ruleset
    if not draft.placed:
        raise Refused(_("No ship has been placed yet."))
    cell = rules.board.parse(text)
    there = next((ship for ship in draft.placed if cell in ship.cells), None)
    if there is None:
        raise NotAPlacement(f"no ship on {text}")
    others = tuple(ship for ship in draft.placed if ship != there)
    is_down = there.direction is Direction.DOWN
    direction = Direction.ACROSS if is_down else Direction.DOWN
    turned = _slid_in(rules.board, there.bow, direction, there.length)
    try:
        check_beside(rules, turned, others)
    except IllegalFleet as error:
        raise Refused(cannot_turn(there, rules, error)) from error
    return replace(draft, placed=tuple(turned if ship == there else ship for ship in draft.placed))
