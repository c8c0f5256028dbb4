"""The text of forms and addresses as the game's values; raises Refused with one sentence."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from django.http import QueryDict
from django.utils.translation import gettext as _

from game.display import refusals
from game.engine.actions import Action, Ask, Fire, Steer
from game.engine.fleets import Course, IllegalFleet, check_room, parse_placement
from game.engine.geometry import Board, Cell, Direction, NotACell, NotLatin
from game.engine.presets import MOST_OWN_SHIPS, SMALLEST_OWN, Preset
from game.engine.rules import (
    LONGEST_SHIP,
    ROWS,
    IllegalRules,
    NotAFleet,
    NotASize,
    NotATurnLimit,
    Row,
    Ruleset,
    Side,
    TooLong,
)
from game.matches.cell_names import CellNames
from game.matches.draft import Draft, NothingPlaced
from game.matches.seed_shares import is_share
from game.matches.setup import (
    LONGEST_NAME,
    LONGEST_TASK,
    LONGEST_TITLE,
    MOST_NAME_BYTES,
    Assists,
    Setup,
    solo,
)
from game.players.registry import CODES
from game.web.spelling import cleaned, in_one_case, is_seen

FRIEND = "friend"
"""The opponent at another device, as addresses name it."""
SOLO = "alone"
"""No opponent, as addresses name it: nobody fires back."""


class Refused(ValueError):
    """A refused action; the message is one sentence in the language of the request."""


class Misspelt(Refused):
    """The name or the answer of a cell that no cell has."""


def refusal(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else refusals.refusal(error)


def parse_setup(preset: Preset, fields: Mapping[str, str]) -> Setup:
    """The setup that an address asks for; missing values and unknown words are the preset's.

    Raises IllegalRules for rules that can't be played and for numbers that are none.
    """
    rules = rules_from_fields(preset.ruleset, fields)
    assists = Assists(_switch(fields, "hints", False), fields.get("hints") == "coach")
    title = line(fields, "title", LONGEST_TITLE)
    task = line(fields, "task", LONGEST_TASK)
    taken = len(f"{title}{task}".encode())
    if taken and not rules.has_room(rules.limit, taken):
        raise TooLong("too long to be kept in an address with this task")
    if fields.get("opponent") == SOLO:
        return replace(solo(rules, preset), assists=assists, title=title, task=task)
    is_remote = fields.get("opponent") == FRIEND
    is_shared = fields.get("players") == "2" and not is_remote
    mind = None if is_shared or is_remote else _mind(fields, "opponent", preset.opponent)
    return Setup(
        rules,
        (None, mind),
        assists=Assists() if is_remote else assists,
        preset=preset,
        loser_begins=is_remote or fields.get("begins") == "loser",
        person_names=(_name(fields, "name1"), _name(fields, "name2")) if is_shared else ("", ""),
        remote=is_remote,
        title=title,
        task=task,
    )


def parse_duel(preset: Preset, fields: Mapping[str, str]) -> Setup:
    """The setup of a match between two minds; raises IllegalRules."""
    rules = rules_from_fields(preset.ruleset, fields)
    first, second = (_mind(fields, name, preset.opponent) for name in ("mind1", "mind2"))
    return Setup(rules, (first, second), preset=preset)


def _mind(fields: Mapping[str, str], name: str, otherwise: str) -> str:
    named = fields.get(name, "")
    return named if named in CODES else otherwise


def _name(fields: Mapping[str, str], field: str) -> str:
    return line(fields, field, LONGEST_NAME)


def line(fields: Mapping[str, str], field: str, longest: int) -> str:
    """The text of a field on one line, cut to so many characters."""
    return cleaned(fields.get(field, "")[: 4 * longest])[:longest].rstrip()


def clean_name(text: str) -> str:
    """A name for a match at two devices: as on one line, and cut to MOST_NAME_BYTES.

    A name in which nothing can be seen is empty.
    """
    line = cleaned(text)[:LONGEST_NAME].encode()[:MOST_NAME_BYTES].decode(errors="ignore")
    return line.rstrip() if is_seen(line, "LNS") else ""


def rules_from_fields(base: Ruleset, fields: Mapping[str, str]) -> Ruleset:
    """The rules that fields ask for; those missing are from `base`. Raises IllegalRules.

    A fleet is `fleet=5-4-3-3-2`, or the number of ships of each length, `n5=1&n4=1`. If no
    limit is asked for and that of `base` is too long for an address, there is none.
    """
    try:
        rules = _rules(base, fields, _turns(fields, base.turns))
    except TooLong:
        if "turns" in fields:
            raise
        rules = _rules(base, fields, None)
    if rules.sea != base.sea:
        check_room(rules)
    return rules


def _rules(base: Ruleset, fields: Mapping[str, str], turns: int | None) -> Ruleset:
    size = _number(fields, "size", NotASize, None)
    columns = _number(fields, "columns", NotASize, base.columns if size is None else size)
    rows = _number(fields, "rows", NotASize, base.rows if size is None else size)
    if min(columns, rows) < SMALLEST_OWN:
        raise NotASize(f"too small: {columns} by {rows}")
    read: dict[str, Any] = {"columns": columns, "rows": rows, "turns": turns}
    read["begins"] = _BEGINS.get(fields.get("begins", ""), base.begins)
    for row in ROWS:
        if row.is_offered and row.field not in read:
            read[row.field] = _value(row, fields, getattr(base, row.field))
    return replace(base, **read)


def _value(row: Row, fields: Mapping[str, str], otherwise: Any) -> Any:
    """The value in a field of rules; unknown words count as missing."""
    if row.field == "fleet":
        return _fleet(fields) or otherwise
    if row.field not in fields:
        return otherwise
    if row.is_switch:
        return _switch(fields, row.field, otherwise)
    if row.is_number:
        return _number(fields, row.field, row.error, otherwise)
    return row.by_choice.get(fields[row.field], otherwise)


_BEGINS = {"you": Side.FIRST, "first": Side.FIRST, "computer": Side.SECOND, "second": Side.SECOND}


def _turns(fields: Mapping[str, str], otherwise: int | None) -> int | None:
    """The turn limit of both sides: the field counts each player's; None if empty or `none`."""
    if "turns" not in fields:
        return otherwise
    if fields["turns"].strip() in ("", "none"):
        return None
    return 2 * _number(fields, "turns", NotATurnLimit, 0)


def _fleet(fields: Mapping[str, str]) -> tuple[int, ...]:
    """The lengths of the ships, longest first; empty if no field names any."""
    lengths = range(LONGEST_SHIP, 0, -1)
    if any(f"n{length}" in fields for length in lengths):
        counts = {str(length): _number(fields, f"n{length}", NotAFleet, 0) for length in lengths}
        parts = [length for length, count in counts.items() for _each in range(count)]
    elif text := fields.get("fleet", "").strip():
        parts = re.split("[-, ]", text)
    else:
        return ()
    if not 1 <= len(parts) <= MOST_OWN_SHIPS:
        raise NotAFleet(f"not a fleet of 1 to {MOST_OWN_SHIPS} ships")
    if not all(part in _LENGTHS for part in parts):
        raise NotAFleet(f"not lengths of ships: {text[:40]!r}")
    return tuple(sorted(map(int, parts), reverse=True))


_LENGTHS = {str(length) for length in range(1, LONGEST_SHIP + 1)}
_MOST_DIGITS = 4
"""More than any number of the rules has."""
T = TypeVar("T")


def _number(
    fields: Mapping[str, str], name: str, refusal: type[IllegalRules], otherwise: T
) -> int | T:
    """The number in a field, or `otherwise` if it is missing or empty; raises that refusal."""
    text = fields.get(name, "").strip()
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise refusal(f"not a number: {text[:12]!r}")
    return int(text)


def _switch(fields: Mapping[str, str], name: str, otherwise: bool) -> bool:
    return {"on": True, "off": False}.get(fields.get(name, ""), otherwise)


def single(form: QueryDict) -> dict[str, str]:
    """The fields of a form for one action; raises Refused if it asks for two."""
    names = ("cell", "steer", "action")
    if len({(name, text) for name in names for text in form.getlist(name)}) > 1:
        raise Refused(_("One thing at a time: a cell, a move or a question."))
    return {name: str(text) for name, text in form.items()}


def parse_action(cell_names: CellNames, fields: Mapping[str, str]) -> Action:
    """The action that a form asks for; raises Refused or an error of the engine."""
    if "cell" in fields:
        return Fire(cell_in(cell_names, fields, "cell"))
    if "steer" in fields:
        return parse_manoeuvre(fields["steer"])
    if fields.get("action") == "ask":
        return parse_ask(cell_names, fields)
    if fields.get("action") == "press":
        raise Refused(_("Here cells are typed, not pressed: write into the field."))
    raise Refused(_("Nothing was chosen."))


def parse_ask(cell_names: CellNames, fields: Mapping[str, str]) -> Ask:
    """The question between the cells of two fields; raises NotACell or Refused."""
    first, last = (cell_in(cell_names, fields, name) for name in ("ask_from", "ask_to"))
    return Ask(*cell_names.board.corners(first, last))


def asked_in(cell_names: CellNames, query: Mapping[str, str]) -> Ask | None:
    """The question of a query; None if it has none."""
    try:
        return parse_ask(cell_names, query)
    except (NotACell, Refused):
        return None


def cell_in(cell_names: CellNames, fields: Mapping[str, str], name: str) -> Cell:
    """The cell in a field: `B7`, or what a person has typed. Raises NotACell or Refused."""
    text = fields.get(name, "")
    return typed_cell(cell_names, text) if "typed" in fields else parse_cell(cell_names.board, text)


def typed_cell(cell_names: CellNames, text: str) -> Cell:
    """The cell that a person has typed by its name in the match; raises NotACell or Refused."""
    is_labelled = cell_names.is_labelled
    return cell_names.read(text) if is_labelled else parse_cell(cell_names.board, text)


def parse_cell(board: Board, text: str) -> Cell:
    """The cell typed as `B7`, `b7`, `7B` or `b 7`; raises NotACell.

    A Cyrillic В lies where a Latin keyboard has D, so letters of other alphabets are refused.
    """
    names = typed_cells(text)
    if not names and _FOREIGN_CELL.fullmatch(in_one_case(text)):
        raise NotLatin(f"not a cell: {text[:12]!r}")
    return board.parse(names[0] if len(names) == 1 else text)


def typed_cells(text: str) -> list[str]:
    """The typed cells, `["B7", "C10"]` for `b7, 10 c`; empty if anything else was typed."""
    text = in_one_case(text)
    if _CELL.sub("", text).strip(" ,;"):
        return []
    return [f"{it[1] or it[4]}{it[2] or it[3]}".upper() for it in _CELL.finditer(text)]


_FOREIGN_CELL = re.compile(r"[^\W\d_A-Za-z] ?[0-9]{1,2}|[0-9]{1,2} ?[^\W\d_A-Za-z]")
_CELL = re.compile(r"([A-Z]) ?([1-9][0-9]?)|([1-9][0-9]?) ?([A-Z])", re.ASCII | re.IGNORECASE)


def parse_manoeuvre(text: str) -> Action:
    """The move that `3-fore` or `3-aft` names; raises Refused."""
    ship, dash, course = text.partition("-")
    if not (dash and ship.isascii() and ship.isdigit() and len(ship) < 4) or course not in _COURSES:
        raise Refused(_("That is not a move."))
    return Steer(int(ship), _COURSES[course])


_COURSES = {course.value: course for course in Course}


def change_draft(draft: Draft, fields: QueryDict) -> Draft:
    """The draft after a form's action, except starting; raises Refused.

    The ships listed in the form replace those of the address's token. Only the form at the end of
    a match, which may name another opponent, lists none.
    """
    if "against" in fields:
        opponent = str(fields["against"])
        if opponent not in CODES or not draft.setup.opponent or draft.setup.is_solo:
            raise Refused(_("That is not one of the choices."))
        return draft.against(opponent)
    if is_for_next_match(fields):
        return draft
    changed = _placed(draft, fields)
    if fields.get("action") == "random" or set(changed.placed) == set(draft.placed):
        return changed
    return replace(changed, setup=replace(changed.setup, is_dealt=False))


def is_for_next_match(fields: QueryDict) -> bool:
    """Whether a form is that of the end of a match, which leads to the next one."""
    return fields.get("action") == "again" or "against" in fields


def _placed(draft: Draft, fields: QueryDict) -> Draft:
    draft, board = with_ship_in_hand(draft, fields), draft.setup.ruleset.board
    try:
        placed = tuple(parse_placement(board, text) for text in fields.getlist("ship"))
        draft = replace(draft, placed=placed, is_held=draft.is_held and placed == draft.placed)
        match fields.get("action"):
            case "random":
                return draft.filled()
            case "clear":
                return draft.cleared()
            case "undo":
                return draft.undone()
            case "forget":
                return draft.forgetting()
            case "start" | "quick" | "keep":
                return draft
        if "place" in fields:
            return draft.with_cell(board.parse(fields.get("place", "")))
        if "turn" in fields:
            if not draft.placed:  # the button's value is the bow of the ship placed last
                raise NothingPlaced("no ship has been placed")
            return draft.turned(board.parse(fields.get("turn", "")))
    except (IllegalFleet, NotACell) as error:
        raise Refused(refusals.refusal(error)) from error
    raise Refused(_("Nothing was chosen."))


def parse_seed_share(text: str) -> str:
    """The player's share of a seed, empty if no script drew one; raises Refused."""
    if text and not is_share(text):
        raise Refused(_("Your half of the seed has to have 32 hexadecimal digits."))
    return text


def with_ship_in_hand(draft: Draft, fields: QueryDict) -> Draft:
    """The draft with the ship and the direction that the form chooses, if any."""
    lengths = {str(length): length for length in draft.setup.ruleset.fleet}
    picked = lengths.get(fields.get("pick", ""))
    return replace(
        draft,
        picked=picked or draft.picked,
        direction=_DIRECTIONS.get(fields.get("direction", ""), draft.direction),
        is_held=draft.is_held and not picked,
        setup=_with_name(draft, fields),
    )


def _with_name(draft: Draft, fields: QueryDict) -> Setup:
    """The setup with the name that somebody gives at a device of their own."""
    setup = draft.setup
    if draft.seat is None or "name" not in fields:
        return setup
    own, other = clean_name(fields.get("name", "")), setup.person_names[draft.side.opponent]
    return replace(setup, person_names=(own, other) if draft.side is Side.FIRST else (other, own))


_DIRECTIONS = {direction.value: direction for direction in Direction}
