"""A match as bytes and back. The rules alone decide the length, so it reveals nothing.

Big-endian, in order, without a seed if that follows from something else:

    columns u8 | rows u8 | switches u16 | turns u16 (65535: no limit) | ships u8 | their lengths u8
    seed 16 bytes
    first fleet, second fleet: each ship u16, twice the bow cell, plus one if it lies down; in a
             solo match the first side has none
    how it was cut short u8: 0 not, 1 the first side resigned, 2 the second, 3 abandoned
    number of actions u16 | the actions | zeros up to the most that the rules allow

The bits of the switches are those of the rows in game/engine/rules.py; the others are 0.

An action is a number of one byte, or of two if the rules have more than 256 actions. The shots
come first, tables by their cells; where ships move, Stay and each ship's moves fore and aft
follow. Where questions are asked, their first cell times the number of cells plus their last cell
follows. Each match has exactly one encoding.

An ended match has no secrets, so it takes fewer bytes, as many as it needs:

    columns to lengths, and how it was cut short, as above | one number without leading zeros

The number has mixed bases. From the lowest digit: the ships of both fleets, each to base twice
the number of cells; the actions, each to base the number of possible actions; then a 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from struct import Struct

from game.engine.actions import STAY, Action, Ask, Fire, IllegalAction, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Course, Fleet, IllegalFleet, Placement, tables
from game.engine.geometry import Cell
from game.engine.lengths import action_bytes, most_actions
from game.engine.match import Match
from game.engine.rules import ROWS, IllegalRules, Pair, Ruleset, Side

_NO_LIMIT = 0xFFFF
_RULES = Struct(">BBHHB")
_SWITCHES = [
    (row, row.bit, (1 << (len(row.values) - 1).bit_length()) - 1)
    for row in ROWS
    if row.bit is not None
]
"""The rows with bits, the lowest bit of each, and the mask of its number."""
_UNKNOWN = ~sum(mask << bit for _row, bit, mask in _SWITCHES)
_MOST_KEPT = 256  # rulesets in play; 1 kB each


class BadEncoding(ValueError):
    """The bytes are not the record of a legal match."""


class Reader:
    """Reads numbers and bytes from the front of a record; raises BadEncoding past its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> bytes:
        if self._at + count > len(self._data):
            raise BadEncoding("too short")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self, width: int = 1) -> int:
        """The next `width` bytes as a number."""
        return int.from_bytes(self.take(width), "big")

    @property
    def left(self) -> int:
        """How many bytes remain."""
        return len(self._data) - self._at

    def rest(self) -> bytes:
        return self.take(self.left)


@lru_cache(maxsize=_MOST_KEPT)
def encode_rules(rules: Ruleset) -> bytes:
    flags = sum(row.number(rules) << bit for row, bit, _mask in _SWITCHES)
    turns = _NO_LIMIT if rules.turns is None else rules.turns
    head = _RULES.pack(rules.columns, rules.rows, flags, turns, len(rules.fleet))
    return head + bytes(rules.fleet)


def decode_rules(reader: Reader) -> Ruleset:
    """Reads a ruleset; raises BadEncoding."""
    head = reader.take(_RULES.size)
    return _rules(head, reader.take(head[-1]))


@lru_cache(maxsize=_MOST_KEPT)
def _rules(head: bytes, lengths: bytes) -> Ruleset:
    columns, rows, flags, turns, _ = _RULES.unpack(head)
    if flags & _UNKNOWN:  # ignored bits would give one ruleset two encodings
        raise BadEncoding("an unknown switch")
    try:
        return Ruleset(
            columns=columns, rows=rows, fleet=tuple(lengths),
            turns=None if turns == _NO_LIMIT else turns,
            **{row.field: row.values[flags >> bit & mask] for row, bit, mask in _SWITCHES},
        )  # fmt: skip
    except (IllegalRules, IndexError) as error:
        raise BadEncoding(str(error)) from error


def encode_placement(placement: Placement) -> bytes:
    """Returns a placement in two bytes, without its length."""
    return placement.number.to_bytes(2, "big")


def decode_placement(reader: Reader, rules: Ruleset, length: int) -> Placement:
    """Reads a placement of that length; raises BadEncoding."""
    return _placement(rules, reader.number(2), length)


def _placement(rules: Ruleset, number: int, length: int) -> Placement:
    table = tables(rules.board, length).numbered
    placement = table[number] if number < len(table) else None
    if placement is None:
        raise BadEncoding("not a ship's place, or another spelling of one")
    return placement


def _size_of_actions(rules: Ruleset) -> int:
    return 2 + action_bytes(rules) * most_actions(rules)


def encode(match: Match, *, has_seed: bool = True) -> bytes:
    rules = match.ruleset
    parts = [encode_rules(rules), match.seed if has_seed else b""]
    parts += [encode_placement(ship) for fleet in match.fleets for ship in fleet]
    parts += [_encode_cut(match), encode_actions(rules, match.actions)]
    return b"".join(parts)


def encode_actions(rules: Ruleset, actions: Sequence[Action]) -> bytes:
    """Returns the actions of a match in bytes of a fixed length; twin of decode_actions."""
    width = action_bytes(rules)
    numbers = [  # most actions are shots, which are numbered without a call
        action.cell if type(action) is Fire else _number(rules, action) for action in actions
    ]
    parts = [bytes(numbers)] if width == 1 else [one.to_bytes(width, "big") for one in numbers]
    # A token's length is public. Without the zeros it would reveal the number of actions.
    return b"".join((len(actions).to_bytes(2, "big"), *parts)).ljust(_size_of_actions(rules), b"\0")


def decode_actions(reader: Reader, rules: Ruleset) -> tuple[Action, ...]:
    """Reads the actions of a match, legal or not; raises BadEncoding."""
    content = Reader(reader.take(_size_of_actions(rules)))
    count, width = content.number(2), action_bytes(rules)
    if count > most_actions(rules):
        raise BadEncoding("more actions than a match can have")
    taken = content.take(count * width)
    pairs = (taken[at : at + width] for at in range(0, len(taken), width))
    numbers = taken if width == 1 else [int.from_bytes(pair, "big") for pair in pairs]
    if any(content.rest()):  # other padding would give one match two encodings
        raise BadEncoding("something behind the last action")
    try:
        return _numbered(rules, numbers)
    except IndexError as error:
        raise BadEncoding("no such action") from error


def decode(reader: Reader, *, seed_of: Callable[[Pair[Fleet]], bytes] | None = None) -> Match:
    """Reads the record of a match and judges every action again; raises BadEncoding.

    If the record has no seed, `seed_of` returns it for both fleets.
    """
    rules = decode_rules(reader)
    seed = reader.take(SEED_BYTES) if seed_of is None else b""
    first, second = (
        tuple(decode_placement(reader, rules, length) for length in rules.fleet_of(side))
        for side in Side
    )
    if seed_of is not None:
        seed = seed_of((first, second))
    cut, actions = _decode_cut(reader), decode_actions(reader, rules)
    return _judged(rules, (first, second), seed, actions, cut)


def _judged(
    rules: Ruleset, fleets: Pair[Fleet], seed: bytes, actions: tuple[Action, ...],
    cut: _Cut,
) -> Match:  # fmt: skip
    try:
        return Match(rules, fleets, seed, actions, *cut)
    except (IllegalFleet, IllegalAction) as error:
        raise BadEncoding(str(error)) from error


_Cut = tuple[Side | None, bool]
_CUTS: tuple[_Cut, ...] = ((None, False), (Side.FIRST, False), (Side.SECOND, False), (None, True))
"""The side that resigned, and whether the match was abandoned."""


def _encode_cut(match: Match) -> bytes:
    return bytes((_CUTS.index((match.resigned, match.abandoned)),))


def _decode_cut(reader: Reader) -> _Cut:
    number = reader.number()
    if number >= len(_CUTS):
        raise BadEncoding("no such side")
    return _CUTS[number]


def encode_ended(match: Match) -> bytes:
    """Returns an ended match without its seed; twin of decode_ended.

    Raises ValueError before the end.
    """
    if match.outcome is None:
        raise ValueError("a match that goes on has no public replay")
    rules = match.ruleset
    places, actions = 2 * rules.board.size, _count(rules)
    number = 1  # the highest digit, without which last actions numbered 0 would be lost
    for action in reversed(match.actions):  # what is written last is read first
        number = number * actions + _number(rules, action)
    for ship in reversed([ship for fleet in match.fleets for ship in fleet]):
        number = number * places + ship.number
    head = encode_rules(rules) + _encode_cut(match)
    return head + number.to_bytes((number.bit_length() + 7) // 8, "big")


def most_ended_bytes(match: Match) -> int:
    """Returns the most bytes of encode_ended for a match of these rules with as many actions."""
    rules = match.ruleset
    ships = sum(len(rules.fleet_of(side)) for side in Side)
    most: int = 2 * (2 * rules.board.size) ** ships * _count(rules) ** match.ply - 1
    return len(encode_rules(rules)) + 1 + (most.bit_length() + 7) // 8


def decode_ended(data: bytes, seed: bytes = bytes(SEED_BYTES)) -> Match:
    """Returns the ended match in these bytes with that seed; raises BadEncoding."""
    reader = Reader(data)
    rules, cut = decode_rules(reader), _decode_cut(reader)
    number = int.from_bytes(reader.rest(), "big")

    def fleet(side: Side) -> Iterator[Placement]:
        nonlocal number
        for length in rules.fleet_of(side):
            number, place_number = divmod(number, 2 * rules.board.size)
            yield _placement(rules, place_number, length)

    fleets = tuple(fleet(Side.FIRST)), tuple(fleet(Side.SECOND))
    numbers: list[int] = []
    most = most_actions(rules)  # a forged number could hold millions of actions
    while number > 1 and len(numbers) < most:
        number, action = divmod(number, _count(rules))
        numbers.append(action)
    match = _judged(rules, fleets, seed, _numbered(rules, numbers), cut)
    # Leading zeros, or digits behind the last action, are a second encoding of the match.
    if match.outcome is None or encode_ended(match) != data:
        raise BadEncoding("a match that goes on, or another spelling of one that is over")
    return match


def _count(rules: Ruleset) -> int:
    """The number of shots, moves and questions; a question counts if its cells are no corners."""
    return len(_actions(rules)) + (rules.board.size**2 if rules.questions else 0)


def _numbered(rules: Ruleset, numbers: Iterable[int]) -> tuple[Action, ...]:
    """The actions of these numbers; raises IndexError."""
    table, size = _actions(rules), rules.board.size
    if not rules.questions:
        return tuple(table[number] for number in numbers)
    asks = range(size**2)
    return tuple(
        table[number]
        if number < len(table)
        else Ask(*map(Cell, divmod(asks[number - len(table)], size)))
        for number in numbers
    )


@lru_cache(maxsize=64)  # rulesets in play; 10 kB each
def _actions(rules: Ruleset) -> tuple[Action, ...]:
    shots = tuple(Fire(cell) for cell in rules.board.cells)
    if not rules.moving:
        return shots
    return (
        *shots,
        STAY,
        *(Steer(ship, course) for ship in range(len(rules.fleet)) for course in Course),
    )


def _number(rules: Ruleset, action: Action) -> int:
    if isinstance(action, Fire):
        return action.cell
    if isinstance(action, Ask):
        return rules.board.size * (1 + action.first) + action.last
    if isinstance(action, Steer):
        return rules.board.size + 1 + 2 * action.ship + (action.course is Course.AFT)
    return rules.board.size
