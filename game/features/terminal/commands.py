"""Typed lines as the game's values: `b7`, `c4h5`, `move c4 fore`, in every language."""

import re
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import cache
from math import inf
from typing import NamedTuple, TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game import feature_list
from game.display.names import place_name, steer_way
from game.engine.actions import Action, Ask, Fire, NoSuchShip, Steer
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Course, parse_placement
from game.engine.geometry import Cell, Direction, NotACell
from game.engine.observation import Observation
from game.feature import TerminalCommand, features
from game.features.terminal import drawing
from game.matches.cell_names import CellNames
from game.matches.draft import Draft
from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Setup
from game.matches.tokens import unseal_draft, unseal_match
from game.ops import languages
from game.ops.addresses import has_token, token_in
from game.web.forms import Refused, typed_cell
from game.web.spelling import cleaned, folded, in_one_case

Game: TypeAlias = Draft | SavedMatch
"""A match, or the placing of the fleets before it."""


class Verb(Enum):
    """The commands; locale/languages.toml has the words of each."""

    NOTHING = ""
    CELL = "fire"
    SHIP = "place"
    TAKE = "take"
    TURN = "turn"
    RANDOM = "random"
    CLEAR = "clear"
    FORGET = "forget"
    START = "start"
    MOVE = "move"
    ASK = "ask"
    RESIGN = "resign"
    HINTS = "hints"
    BOARDS = "boards"
    REPLAY = "replay"
    AGAIN = "again"
    SAVE = "save"
    LOAD = "load"
    HELP = "help"
    QUIT = "quit"


def _words(command: str) -> set[str]:
    """Returns the words of a command in all languages, as `folded` has them."""
    return set(map(folded, languages.words_of(settings.LANGUAGE_TABLE, command)))


_VERBS = {word: verb for verb in Verb for word in _words(verb.value)}
_CELL = re.compile(r"[^\W\d_] ?[0-9]{1,2}|[0-9]{1,2} ?[^\W\d_]")  # of any alphabet, to refuse it
_SHIP = re.compile(r"(.*[^ ]) ?([hv]) ?(\d?)", re.ASCII | re.IGNORECASE)
_BETWEEN = re.compile(r"( [-–—] | ?[,;،؛；] ?| to | bis | )")
"""What may stand between two cells."""
_YES = _words("yes")
_SWITCHES = dict.fromkeys(_words("on"), True) | dict.fromkeys(_words("off"), False)
_COURSES: dict[str, tuple[Course, Direction | None]] = {
    word: meant
    for command, meant in {
        "fore": (Course.FORE, None),
        "aft": (Course.AFT, None),
        "to_the_left": (Course.FORE, Direction.ACROSS),
        "to_the_right": (Course.AFT, Direction.ACROSS),
        "up": (Course.FORE, Direction.DOWN),
        "down": (Course.AFT, Direction.DOWN),
    }.items()
    for word in _words(command)
}
"""The words for courses; some are only for ships in one direction."""


class Command(NamedTuple):
    verb: Verb | TerminalCommand
    rest: str = ""


@cache
def _commands() -> dict[str, Verb | TerminalCommand]:
    """Returns the commands by their words, those of features among them."""
    return {**_VERBS, **{word: it for it in of_features() for word in _words(it.name)}}


def of_features() -> list[TerminalCommand]:
    return list(filter(None, (feature.command() for feature in features())))


def parse_command(line: str, cell_names: CellNames) -> Command:
    """Returns the command of a line, which may be a pasted address; raises Refused.

    Where cells are called by labels, a line that names one is a cell, whatever else it could mean.
    """
    text = cleaned(line)
    if not text:
        return Command(Verb.NOTHING)
    is_labelled = cell_names.is_labelled
    if is_labelled and _read(cell_names, text) is not None:
        return Command(Verb.CELL, text)
    if has_token(text):
        return Command(Verb.LOAD, text)
    for command in of_features():
        if f"/{command.page}/" in text:
            return Command(command, text)
    if _CELL.fullmatch(in_one_case(text)):
        return Command(Verb.CELL, text)
    if (ship := _SHIP.fullmatch(in_one_case(text))) and (
        _CELL.fullmatch(ship[1]) or (is_labelled and _read(cell_names, ship[1]) is not None)
    ):
        return Command(Verb.SHIP, text)
    word, _blank, rest = text.removeprefix("/").partition(" ")
    verb = _commands().get(folded(word))
    if is_labelled and (verb is None or rest.startswith(("/", "|"))):
        return Command(Verb.CELL, text)
    if verb is None:
        raise Refused(_("There is no command “%(word)s”. Type help.") % {"word": word[:20]})
    return Command(verb, rest)


def place(draft: Draft, command: Command, chance: Chance | None = None) -> Game:
    """Returns the draft after a command, or its match; raises Refused or an error of the engine."""
    match command.verb:
        case Verb.CELL:
            return draft.with_cell(_cell(draft.setup.cell_names, command.rest))
        case Verb.SHIP:
            return _with_ship(draft, command.rest)
        case Verb.TAKE:
            _check_ship(draft, command.rest)
            return draft.without_cell(_cell(draft.setup.cell_names, command.rest))
        case Verb.TURN:
            _check_ship(draft, command.rest)
            return draft.turned(_cell(draft.setup.cell_names, command.rest))
        case Verb.RANDOM:
            return draft.filled(chance)
        case Verb.CLEAR:
            return draft.cleared()
        case Verb.FORGET:
            return draft.forgetting()
        case Verb.START:
            started = draft.start()
            return started if isinstance(started, Draft) else _played_on(started)
    raise Refused(_("You can’t do that while placing."))


def seeded(started: SavedMatch, seed: bytes, round_number: int) -> SavedMatch:
    """Returns the match with the same players' fleets and the seed of a round, counted from 0."""
    number = int.from_bytes(seed, "big") + round_number
    own = (number % 256**SEED_BYTES).to_bytes(SEED_BYTES, "big")
    first, second = started.match.fleets
    return begin(started.setup, own, first=first, second=second).with_minds_played()


def _cell(cell_names: CellNames, text: str) -> Cell:
    """Returns the cell that is drawn so, or else that is called so; raises NotACell or Refused."""
    is_drawn = cell_names.is_labelled and not re.search("[/|]", text)
    cell = _drawn_cell(cell_names, text) if is_drawn else None
    return typed_cell(cell_names, text) if cell is None else cell


def _drawn_cell(cell_names: CellNames, text: str) -> Cell | None:
    """Returns the cell by its column and row as they are drawn, in either order; or else None."""
    (columns, rows), board = drawing.axes(cell_names), cell_names.board
    typed, number = in_one_case(text), board.columns
    for spelt in (str, in_one_case):
        for cell in board.cells:
            column, row = spelt(columns[cell % number]), spelt(rows[cell // number])
            is_apart = column[-1:].isdigit() and row[:1].isdigit()
            if (text if spelt is str else typed) in _orders(column, row, is_apart=is_apart):
                return cell
    return None


def _orders(column: str, row: str, *, is_apart: bool) -> tuple[str, ...]:
    """Returns the ways to type a column and a row; two numbers have a space between them."""
    spaced = (f"{column} {row}", f"{row} {column}")
    return spaced if is_apart else (f"{column}{row}", *spaced, f"{row}{column}")


def _read(cell_names: CellNames, text: str) -> Cell | None:
    """Returns the cell that a text names, or None."""
    try:
        return _cell(cell_names, text)
    except (NotACell, Refused):
        return None


def is_hidden(cell_names: CellNames) -> bool:
    """Whether a word is a command as well as a label, or as the name of a cell."""
    labels = {folded(label) for label in (*cell_names.columns, *cell_names.rows)}
    words = filter(None, _commands())
    return any(word in labels or _read(cell_names, word) is not None for word in words)


def _with_ship(draft: Draft, text: str) -> Draft:
    """Returns the draft with the ship that `c4h5` names; `c4h` places the ship in hand."""
    match, board = _SHIP.fullmatch(in_one_case(text)), draft.setup.ruleset.board
    if match is None:
        raise Refused(_("Type a ship like this: c4h5 across, c4v5 down."))
    bow, direction, length = match.groups()
    cell = _cell(draft.setup.cell_names, bow)
    ship = parse_placement(board, f"{board.name(cell)}{direction}{length or draft.in_hand or ''}")
    return replace(draft.with_ship(ship), direction=Direction(direction))


def _check_ship(draft: Draft, text: str) -> None:
    """Raises NoSuchShip if neither a placed ship nor a chosen cell is there."""
    cell = _cell(draft.setup.cell_names, text)
    if draft.ship_on(cell) is None and cell not in draft.chosen_cells:
        raise NoSuchShip(f"no ship on {text}")


def act(saved: SavedMatch, command: Command) -> Game:
    """Returns the match after a command, or the next draft; raises Refused or an engine's error."""
    match command.verb:
        case Verb.HINTS:
            if (is_on := _SWITCHES.get(folded(command.rest))) is None:
                raise Refused(_("Type hints on or hints off."))
            return replace(saved, setup=saved.setup.with_help(hints=is_on))
        case Verb.AGAIN if saved.match.outcome is None:
            raise Refused(_("This match isn’t over yet."))
        case Verb.AGAIN if not saved.setup.persons:
            raise Refused(_("You only watched this match: there is no next round."))
        case Verb.AGAIN:
            return Draft(saved.next_round())
        case Verb.RESIGN if saved.match.outcome is None and folded(command.rest) not in _YES:
            if saved.setup.is_solo:
                raise Refused(_("Give up? Then the fleet is shown. Type: resign yes."))
            raise Refused(_("Give up? Then both fleets are shown. Type: resign yes."))
        case Verb.RESIGN:
            return saved.resigned(saved.viewer).with_par(inf)
        case Verb.FORGET if saved.match.outcome is not None:
            return saved.forgetting()
    seen, cell_names = saved.seen, saved.setup.cell_names
    match command.verb:
        case Verb.CELL:
            action: Action = Fire(_cell(cell_names, command.rest))
        case Verb.MOVE:
            action = _manoeuvre(seen, cell_names, command.rest)
        case Verb.ASK:
            action = _question(cell_names, command.rest)
        case _:
            raise Refused(_("You can’t do that now. Type help."))
    return saved.acted(action).with_minds_played().with_par(inf)


def _played_on(saved: SavedMatch) -> SavedMatch:
    """Returns the match as it stands when a player is to act; pages go on step by step instead."""
    return saved.with_minds_played() if saved.setup.persons else saved


def _question(cell_names: CellNames, text: str) -> Ask:
    """Returns the question about the rectangle between two cells, or about one cell."""
    rectangles = set[tuple[Cell, Cell]]()
    if (cell := _read(cell_names, text)) is not None:
        rectangles.add((cell, cell))
    for between in _BETWEEN.finditer(text):
        first = _read(cell_names, text[: between.start()])
        last = _read(cell_names, text[between.end() :])
        if first is not None and last is not None:
            rectangles.add(cell_names.board.corners(first, last))
    if len(rectangles) > 1:
        raise Refused(
            _("Those can be other cells, too: type a / in each, as in %(cell)s.")
            % {"cell": cell_names.name(min(rectangles)[0])}
        )
    if not rectangles and _CELL.fullmatch(in_one_case(text)):
        _cell(cell_names, text)  # raises what is wrong with it
    if not rectangles:
        raise Refused(_("Type a question like this: ask a1 d4, or ask b2."))
    return Ask(*rectangles.pop())


def _manoeuvre(seen: Observation, cell_names: CellNames, text: str) -> Steer:
    """Returns the move that `c4 fore`, `3 aft` or `c4 left` names, by a ship's cell or number."""
    which, _blank, word = text.rpartition(" ")
    course, direction = _COURSES.get(folded(word), (None, None))
    if course is None or not which:
        raise Refused(_("Type a move like this: move c4 fore, or move c4 aft."))
    number = _ship_number(seen, cell_names, which)
    if direction not in (None, seen.ships[number].placement.direction):
        raise Refused(_("A ship moves only along its own line."))
    return Steer(number, course)


def _ship_number(seen: Observation, cell_names: CellNames, text: str) -> int:
    """Returns the id of the ship that a number, counted from 1, or one of its cells names."""
    text = in_one_case(text)
    if text.isascii() and text.isdigit():
        if len(text) > 3 or not 1 <= int(text) <= len(seen.ships):
            raise NoSuchShip(f"no ship number {text[:12]}")
        return int(text) - 1
    cell = _cell(cell_names, text)
    for ship in seen.ships:
        if ship.is_afloat and cell in ship.placement.cells:
            return ship.id
    raise NoSuchShip(f"no ship on {text}")


def moves(seen: Observation, cell_names: CellNames) -> list[str]:
    """Returns `1 A1–E1: right` for each ship that can move now."""
    if not seen.may_move:
        return []
    words = {
        "up": pgettext("way", "up"),
        "down": pgettext("way", "down"),
        "left": pgettext("way", "left"),
        "right": pgettext("way", "right"),
    }
    return [
        f"{ship.id + 1} {place_name(ship.placement, cell_names)}: "
        + ", ".join(words[steer_way(ship.placement.direction, it.course)] for it in ship.steers)
        for ship in seen.ships
        if ship.steers
    ]


def load(text: str) -> Game:
    """Returns the game in a token, or in an address that contains one; raises Refused."""
    token = token_in(text)
    with suppress(BadToken):
        saved = unseal_match(token)
        return _played_on(saved).with_par(inf)
    for model in feature_list.parts().values():
        if model.load:
            with suppress(BadToken):
                game: Game = model.load(token)
                return game
    with suppress(BadToken):
        draft = unseal_draft(token)
        if draft.seat is None:
            return draft
    raise Refused(_("That token holds no game: it is cut off, altered or from elsewhere."))


def help_lines(setup: Setup, *, is_match: bool) -> list[str]:
    """Returns a line for each command that does something in this match or before it."""
    forget = _("forget, before or after a match: the computer forgets how you place your fleets.")
    move = _(
        "move c4 fore, move c4 aft: before you fire, move the ship on C4 one cell, "
        "towards A or 1, or away. Left, right, up and down work too, and so does the "
        "ship’s number."
    )
    ask = _("ask a1 d4: before you fire, ask whether a ship is in A1 to D4. ask b2: is one at B2?")
    may_ask, may_forget = setup.ruleset.questions > 0, setup.learning is not None
    if setup.is_solo:
        lines = [
            _("b7: fire at B7."),
            ask if may_ask else "",
            _("hints on, hints off: mark where no ship can be. boards: show the board again."),
            _("resign yes: give up. replay: watch the ended search. again: another sea."),
        ]
    elif is_match:
        lines = [
            _("b7: fire at B7."),
            ask if may_ask else "",
            move if setup.ruleset.moving else "",
            _("hints on, hints off: mark where no ship can be. boards: show the boards again."),
            _("resign yes: give up. replay: watch the ended match. again: the next round."),
            forget if may_forget else "",
        ]
    else:
        lines = [
            _("c4h5, c4v3: place a ship of 5 across from C4, or one of 3 down."),
            _("c4: place the next ship there, or choose that cell if you place cell by cell."),
            _("take c4: take that ship back. turn c4: turn it about its bow."),
            _("random: place the rest. clear: take all back. start: begin the match."),
            forget if may_forget else "",
        ]
    return [
        *filter(None, lines),
        *(command.help() for command in of_features()),
        _("save: print the token. load, then a token or an address: go on there."),
        _("quit or Ctrl-D: print the token and leave."),
    ]
