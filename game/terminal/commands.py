"""From typed lines to the game's values: `b7`, `c4h5`, `move c4 fore`, in English and in German."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.messages import still_to_place
from game.engine.fleets import Course, Placement
from game.engine.geometry import Direction
from game.engine.match import STAY, Action, Fire, NoSuchShip, Steer
from game.engine.observation import Observation, Phase, observe
from game.forms import Refused, change_draft, parse_placed
from game.matches.keyring import BadToken
from game.matches.saved import Draft, SavedMatch, unseal_draft, unseal_match


class Verb(Enum):
    """What a line asks for; the value holds its words, the first of them English."""

    NOTHING = ""
    CELL = "fire f feuer schieß schiess"
    SHIP = "place setze setz"
    TAKE = "take nimm"
    TURN = "turn dreh drehe"
    RANDOM = "random zufall"
    CLEAR = "clear leeren leere"
    START = "start los"
    MOVE = "move m fahre fahr zieh ziehe z"
    STAY = "stay s halten halte"
    HINTS = "hints hinweise"
    BOARDS = "boards board felder spielfelder"
    RECAP = "recap aufzeichnung"
    AGAIN = "again next nochmal weiter"
    SAVE = "save speichern speichere"
    LOAD = "load laden lade"
    HELP = "help hilfe ?"
    QUIT = "quit q exit ende beenden"


_VERBS = {word: verb for verb in Verb for word in verb.value.split()}
_CELL = re.compile(r"([a-z])\s*(\d{1,2})", re.ASCII | re.IGNORECASE)
_SHIP = re.compile(r"([a-z])\s*(\d{1,2})\s*([hv])\s*(\d?)", re.ASCII | re.IGNORECASE)
_ADDRESS = re.compile(r"/(?:place|play|replay)/([^/\s]+)")
_SWITCHES = {"on": True, "an": True, "ein": True, "off": False, "aus": False}
_COURSES: dict[str, tuple[Course, Direction | None]] = {
    "fore": (Course.FORE, None), "vor": (Course.FORE, None), "aft": (Course.AFT, None),
    "zurück": (Course.AFT, None), "zurueck": (Course.AFT, None),
    "left": (Course.FORE, Direction.ACROSS), "links": (Course.FORE, Direction.ACROSS),
    "right": (Course.AFT, Direction.ACROSS), "rechts": (Course.AFT, Direction.ACROSS),
    "up": (Course.FORE, Direction.DOWN), "hoch": (Course.FORE, Direction.DOWN),
    "down": (Course.AFT, Direction.DOWN), "runter": (Course.AFT, Direction.DOWN),
}  # fmt: skip
"""Ways to move, and for what lies how where a word says so."""


class Command(NamedTuple):
    """What a line asks for, and the rest of the line."""

    verb: Verb
    rest: str = ""


def parse_command(line: str) -> Command:
    """The command of a line, a pasted address being one to load it; raises Refused."""
    text = " ".join(line.split())
    if not text:
        return Command(Verb.NOTHING)
    if _ADDRESS.search(text):
        return Command(Verb.LOAD, text)
    if _CELL.fullmatch(text):
        return Command(Verb.CELL, text)
    if _SHIP.fullmatch(text):
        return Command(Verb.SHIP, text)
    word, _blank, rest = text.partition(" ")
    verb = _VERBS.get(word.lower())
    if verb is None:
        shown = "".join(filter(str.isprintable, word))[:20]
        raise Refused(_("There is no command “%(word)s”: help lists them.") % {"word": shown})
    return Command(verb, rest)


def _cell_text(text: str) -> str:
    """`B7` for `b7` or `b 7`, and what is no cell as it is."""
    match = _CELL.fullmatch(text)
    return f"{match[1].upper()}{match[2]}" if match else text


# --- placing ---


def place(draft: Draft, command: Command) -> Draft | SavedMatch:
    """What a command makes of a draft; raises Refused or an error of the engine."""
    match command.verb:
        case Verb.CELL:
            return _asked(draft, place=_cell_text(command.rest))
        case Verb.SHIP:
            return _put(draft, command.rest)
        case Verb.TAKE:
            return _taken(draft, _cell_text(command.rest))
        case Verb.TURN:
            _check_ship(draft, _cell_text(command.rest))
            return _asked(draft, turn=_cell_text(command.rest))
        case Verb.RANDOM | Verb.CLEAR:
            return _asked(draft, action=command.verb.name.lower())
        case Verb.START:
            return _started(draft)
    raise Refused(_("That can’t be done while you place your fleet."))


def _asked(draft: Draft, **fields: str) -> Draft:
    """The draft after what the form of the placing page would ask for."""
    form = QueryDict(mutable=True)
    form.setlist("ship", list(map(str, draft.placed)))
    for name, value in fields.items():
        form[name] = value
    return change_draft(draft, form)


def _put(draft: Draft, text: str) -> Draft:
    """Places the ship that `c4h5` names, or with `c4h` the ship in hand."""
    match = _SHIP.fullmatch(text)
    if match is None:
        raise Refused(_("Name a ship like this: c4h5 for across, c4v5 for down."))
    column, row, direction, length = match.groups()
    ship = f"{column.upper()}{row}{direction.lower()}{length or draft.in_hand or ''}"
    placed = parse_placed(draft.setup.ruleset, [*map(str, draft.placed), ship])
    return replace(draft, placed=placed, chosen_cells=(), direction=Direction(direction.lower()))


def _taken(draft: Draft, text: str) -> Draft:
    """Takes back the ship on a cell, or that cell of one that is placed cell by cell."""
    cell = draft.setup.ruleset.board.parse(text)
    if cell in draft.chosen_cells:
        return replace(draft, chosen_cells=tuple(one for one in draft.chosen_cells if one != cell))
    _check_ship(draft, text)
    return _asked(replace(draft, chosen_cells=()), place=text)


def _check_ship(draft: Draft, text: str) -> None:
    """Raises NoSuchShip where no placed ship lies on the cell."""
    cell = draft.setup.ruleset.board.parse(text)
    if not any(cell in ship.cells for ship in draft.placed):
        raise NoSuchShip(f"no ship on {text}")


def _started(draft: Draft) -> Draft | SavedMatch:
    if draft.missing:
        raise Refused(still_to_place(len(draft.missing)))
    return draft.start()


# --- the match ---


def act(saved: SavedMatch, command: Command) -> SavedMatch | Draft:
    """What a command makes of a saved match; raises Refused or an error of the engine."""
    match command.verb:
        case Verb.HINTS:
            return replace(saved, setup=replace(saved.setup, hints=_switch(command.rest)))
        case Verb.AGAIN:
            return _next_round(saved)
    action = _action(observe(saved.match, saved.viewer), command)
    return replace(saved, match=saved.match.act(action)).with_minds_played()


def _switch(text: str) -> bool:
    if text.lower() not in _SWITCHES:
        raise Refused(_("Say hints on or hints off."))
    return _SWITCHES[text.lower()]


def _next_round(saved: SavedMatch) -> Draft:
    outcome = saved.match.outcome
    if outcome is None:
        raise Refused(_("First this match has to end."))
    if not saved.setup.persons:
        raise Refused(_("This match was only watched: it has no next round."))
    return Draft(saved.setup.next_round(outcome))


def _action(seen: Observation, command: Command) -> Action:
    match command.verb:
        case Verb.CELL:
            return Fire(seen.board.parse(_cell_text(command.rest)))
        case Verb.STAY:
            return STAY
        case Verb.MOVE:
            return _manoeuvre(seen, command.rest)
    raise Refused(_("That can’t be done now: help lists what can."))


def _manoeuvre(seen: Observation, text: str) -> Action:
    """The move that `c4 fore`, `3 aft` or `c4 left` names: a ship by a cell of it or its number."""
    which, _blank, word = text.lower().rpartition(" ")
    course, direction = _COURSES.get(word, (None, None))
    if course is None or not which:
        raise Refused(_("Name a ship and a way, like this: move c4 fore, or move c4 aft."))
    number = _ship_number(seen, which)
    if direction not in (None, seen.ships[number].placement.direction):
        raise Refused(_("A ship moves along its own line only."))
    return Steer(number, course)


def _ship_number(seen: Observation, text: str) -> int:
    """The id of the ship that its number, counted from 1, or one of its cells names."""
    if text.isascii() and text.isdigit():
        if len(text) > 3 or not 1 <= int(text) <= len(seen.ships):
            raise NoSuchShip(f"no ship number {text[:12]}")
        return int(text) - 1
    cell = seen.board.parse(_cell_text(text))
    for ship in seen.ships:
        if ship.is_afloat and cell in ship.placement.cells:
            return ship.id
    raise NoSuchShip(f"no ship on {text}")


def moves(seen: Observation) -> list[str]:
    """`1 A1–E1: right`: every ship that can be moved now, by number and place, and its ways."""
    if seen.phase is not Phase.MOVING:
        return []
    return [
        f"{ship.id + 1} {_place(seen, ship.placement)}: "
        + ", ".join(_way_word(steer, ship.placement) for steer in ship.steers)
        for ship in seen.ships
        if ship.steers
    ]


def _place(seen: Observation, placement: Placement) -> str:
    ends = dict.fromkeys((placement.cells[0], placement.cells[-1]))
    return "–".join(map(seen.board.name, ends))


def _way_word(steer: Steer, placement: Placement) -> str:
    """The word for a way as one types it."""
    if placement.direction is Direction.DOWN:
        return pgettext("way", "up") if steer.course is Course.FORE else pgettext("way", "down")
    return pgettext("way", "left") if steer.course is Course.FORE else pgettext("way", "right")


# --- saved games ---


def load(text: str) -> Draft | SavedMatch:
    """The game in a token or in an address with one; raises Refused."""
    found = _ADDRESS.search(text)
    token = found[1] if found else text
    try:
        return unseal_match(token)
    except BadToken:
        pass
    try:
        return unseal_draft(token)
    except BadToken as error:
        sentence = _("There is no game in that: the token is cut, changed or foreign.")
        raise Refused(sentence) from error


# --- help ---


def help_lines(*, is_match: bool) -> list[str]:
    """What can be typed, in short paragraphs."""
    return [*(_match_help() if is_match else _placing_help()),
            _("save: print the token of the game. load, and a token or an address: go on there."),
            _("quit, or Ctrl-D: leave; the token is printed.")]  # fmt: skip


def _placing_help() -> list[str]:
    return [
        _("c4h5, or c4v3: put a ship of five cells across from C4, or one of three down from C4."),
        _("c4: put the next ship there, or, where ships are placed cell by cell, choose the cell."),
        _("take c4: take back what lies there. turn c4: turn the ship there about its bow."),
        _("random: place the missing ships at random. clear: begin anew. start: to the match."),
    ]


def _match_help() -> list[str]:
    return [
        _("b7: fire at that cell."),
        _(
            "move c4 fore, move c4 aft: move the ship on C4 by one cell, towards A or 1, or away; "
            "m c4 left, right, up, down will do as well, and so will the ship’s number. "
            "stay: move none."
        ),
        _("hints on, hints off: mark where no ship can be. boards: show the boards again."),
        _("recap: play the ended match back. again: the next round."),
    ]
