"""A match as bytes and back. Rules and mode alone decide the length, so it reveals nothing.

    columns u8 | rows u8 | ships u8 | mode u8 | given up u8 | seed 16 bytes
    for each search, the person's first: place | number of guesses u8 | guesses | zeros

A place or a guess is its cells, a byte each, in rising order; a place not yet chosen is all 255.
There is room for as many guesses as a search can have.
"""

from __future__ import annotations

from game.deduction.match import MOST_GUESSES, Match, Mode, Search
from game.deduction.rules import Cells, IllegalRules, NotAPlace, Rules
from game.engine.actions import IllegalAction
from game.engine.chance import SEED_BYTES
from game.engine.codec import BadEncoding, Reader
from game.engine.geometry import Cell

_MODES = (Mode.SEARCH, Mode.HIDE, Mode.RACE)
_NOWHERE = 255


def _search_size(rules: Rules) -> int:
    return rules.ships + 1 + MOST_GUESSES * rules.ships


def encode(match: Match) -> bytes:
    rules = match.rules
    head = bytes((rules.columns, rules.rows, rules.ships, _MODES.index(match.mode),
                  match.is_given_up)) + match.seed  # fmt: skip
    mine = b"" if match.mode is Mode.HIDE else _encode_search(rules, match.mine)
    theirs = b"" if match.mode is Mode.SEARCH else _encode_search(rules, match.theirs)
    return head + mine + theirs


def _encode_search(rules: Rules, search: Search | None) -> bytes:
    if search is None:
        return bytes((_NOWHERE,) * rules.ships).ljust(_search_size(rules), b"\0")
    cells = b"".join(bytes(guess) for guess in search.guesses)
    whole = bytes(search.place) + bytes((len(search.guesses),)) + cells
    return whole.ljust(_search_size(rules), b"\0")


def decode(reader: Reader) -> Match:
    """The match in a record, every guess judged again; raises BadEncoding."""
    columns, rows, ships, mode, given_up = (reader.number() for _ in range(5))
    if mode >= len(_MODES) or given_up > 1:
        raise BadEncoding("no such way to play")
    try:
        rules = Rules(columns, rows, ships)
        match = Match(
            rules, _MODES[mode], reader.take(SEED_BYTES),
            None if _MODES[mode] is Mode.HIDE else _decode_search(reader, rules),
            None if _MODES[mode] is Mode.SEARCH else _decode_search(reader, rules),
            bool(given_up),
        )  # fmt: skip
    except (IllegalRules, IllegalAction, NotAPlace) as error:
        raise BadEncoding(str(error)) from error
    if reader.rest():
        raise BadEncoding("something behind the record")
    return match


def _decode_search(reader: Reader, rules: Rules) -> Search | None:
    place, count = _decode_cells(reader, rules), reader.number()
    guesses = tuple(_decode_cells(reader, rules) for _ in range(min(count, MOST_GUESSES)))
    room = reader.take((MOST_GUESSES - len(guesses)) * rules.ships)
    if any(room) or count > MOST_GUESSES:
        raise BadEncoding("something behind the last guess")
    if place == (_NOWHERE,) * rules.ships and not count:
        return None
    return Search(rules, place, guesses)


def _decode_cells(reader: Reader, rules: Rules) -> Cells:
    return tuple(Cell(cell) for cell in reader.take(rules.ships))
