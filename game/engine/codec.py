"""Rulesets, fleets and matches as bytes, and back.

Big-endian, in order:

    rules    columns u8 | rows u8 | switches u16 | turns u16 (65535: no limit) | ships u8
             | their lengths u8
    match    seed 16 bytes, unless it follows from something else
             | first fleet, second fleet: each ship twice its bow cell, plus one if it lies down;
               in a solo match the first side has none
             | how it was cut short u8: 0 not, 1 the first side resigned, 2 the second, 3 abandoned
             | number of actions u16 | the actions, as one number

The bits of the switches are those of the rows in game/engine/rules.py. A ship has one byte, or two
if the board has more than 128 cells. The actions are the digits of a number to the base of
Ruleset.possible_actions, the first of them the lowest. Shots have the digits of their cells; where
ships move, Stay and each ship's moves fore and aft follow. Where questions are asked, their first
cell times the number of cells plus their last cell follows.

The number has as many bytes as the largest of as many digits. So the length depends on the rules
and on the number of actions, which both sides know.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from struct import Struct

from game.engine.actions import STAY, Action, Ask, Fire, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Course, Fleet, Placement, tables
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.rules import ROWS, Pair, Ruleset, Side

_NO_LIMIT = 0xFFFF
_RULES = Struct(">BBHHB")
_SWITCHES = [
    (row, row.bit, (1 << (len(row.values) - 1).bit_length()) - 1)
    for row in ROWS
    if row.bit is not None
]
"""The rows with bits, the lowest bit of each, and the mask of its number."""
_MOST_KEPT = 256  # rulesets in play; 1 kB each
_CUTS: tuple[tuple[Side | None, bool], ...] = (
    (None, False), (Side.FIRST, False), (Side.SECOND, False), (None, True),
)  # fmt: skip
"""The side that resigned, and whether the match was abandoned."""


class BadEncoding(ValueError):
    """The bytes don't hold what they should."""


class Reader:
    """Reads numbers and bytes from the front of some bytes; raises BadEncoding past their end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> bytes:
        if self._at + count > len(self._data):
            raise BadEncoding("too short")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self, width: int = 1) -> int:
        """Returns the next `width` bytes as a number."""
        return int.from_bytes(self.take(width), "big")

    def numbers(self, count: int, width: int) -> Sequence[int]:
        """Returns the next `count` numbers of `width` bytes each."""
        taken = self.take(count * width)
        if width == 1:
            return taken
        return [int.from_bytes(taken[at : at + width], "big") for at in range(0, len(taken), width)]

    def flags(self, count: int) -> list[bool]:
        """Returns the next `count` flags; twin of encode_flags."""
        number = self.number((count + 7) // 8)
        return [bool(number >> bit & 1) for bit in range(count)]

    def text(self) -> str:
        """Returns the next text; twin of encode_text."""
        return self.take(self.number(2)).decode()

    @property
    def left(self) -> int:
        """How many bytes remain."""
        return len(self._data) - self._at

    def rest(self) -> bytes:
        return self.take(self.left)


def encode_numbers(numbers: Iterable[int], width: int) -> bytes:
    if width == 1:
        return bytes(numbers)
    return b"".join([number.to_bytes(width, "big") for number in numbers])


def encode_flags(*flags: object) -> bytes:
    """Returns a bit for each value, whether it is true, the first of them in the lowest bit."""
    number = sum([bool(flag) << bit for bit, flag in enumerate(flags)])
    return number.to_bytes((len(flags) + 7) // 8, "big")


def encode_text(text: str) -> bytes:
    """Returns the number of bytes of a text in UTF-8 in two bytes, and these."""
    content = text.encode()
    return len(content).to_bytes(2, "big") + content


@lru_cache(maxsize=_MOST_KEPT)
def encode_rules(rules: Ruleset) -> bytes:
    flags = sum(row.number(rules) << bit for row, bit, _mask in _SWITCHES)
    turns = _NO_LIMIT if rules.turns is None else rules.turns
    head = _RULES.pack(rules.columns, rules.rows, flags, turns, len(rules.fleet))
    return head + bytes(rules.fleet)


def decode_rules(reader: Reader) -> Ruleset:
    """Reads a ruleset; raises IllegalRules, or another ValueError."""
    head = reader.take(_RULES.size)
    return _rules(head, reader.take(head[-1]))


@lru_cache(maxsize=_MOST_KEPT)
def _rules(head: bytes, lengths: bytes) -> Ruleset:
    columns, rows, flags, turns, _ = _RULES.unpack(head)
    return Ruleset(
        columns=columns, rows=rows, fleet=tuple(lengths),
        turns=None if turns == _NO_LIMIT else turns,
        **{row.field: row.values[flags >> bit & mask] for row, bit, mask in _SWITCHES},
    )  # fmt: skip


def ship_bytes(rules: Ruleset) -> int:
    """Returns the bytes of a ship's place."""
    return 1 if rules.board.size <= 128 else 2


def encode_ships(rules: Ruleset, ships: Iterable[Placement]) -> bytes:
    """Returns the places of ships, without their lengths."""
    return encode_numbers([ship.number for ship in ships], ship_bytes(rules))


def decode_ships(reader: Reader, rules: Ruleset, lengths: Sequence[int]) -> Fleet:
    """Reads ships of these lengths; raises BadEncoding."""
    numbers = reader.numbers(len(lengths), ship_bytes(rules))
    ships = []
    for length, number in zip(lengths, numbers, strict=True):
        numbered = tables(rules.board, length).numbered
        ship = numbered[number] if number < len(numbered) else None
        if ship is None:
            raise BadEncoding("not a ship's place")
        ships.append(ship)
    return tuple(ships)


def encode_actions(rules: Ruleset, actions: Sequence[Action]) -> bytes:
    """Returns the number of actions in two bytes, and these as one number."""
    numbers = [  # most actions are shots, which are numbered without a call
        action.cell if type(action) is Fire else _number(rules, action) for action in actions
    ]
    content = 0
    for number in reversed(numbers):
        content = content * rules.possible_actions + number
    count = len(actions)
    return count.to_bytes(2, "big") + content.to_bytes(action_bytes(rules, count), "big")


@lru_cache(maxsize=1024)
def action_bytes(rules: Ruleset, count: int) -> int:
    """Returns how many bytes any so many actions have."""
    largest: int = rules.possible_actions**count - 1
    return (largest.bit_length() + 7) // 8


def decode_actions(reader: Reader, rules: Ruleset) -> tuple[Action, ...]:
    """Reads the actions of a match, legal or not."""
    count = reader.number(2)
    content, numbers = reader.number(action_bytes(rules, count)), []
    for _ in range(count):
        content, number = divmod(content, rules.possible_actions)
        numbers.append(number)
    table, size = _actions(rules), rules.board.size
    if not rules.questions:
        return tuple([table[number] for number in numbers])
    return tuple([
        table[number] if number < size else Ask(*map(Cell, divmod(number - size, size)))
        for number in numbers
    ])  # fmt: skip


def encode(match: Match, *, has_seed: bool = True) -> bytes:
    """Returns a match without its rules."""
    rules = match.ruleset
    return b"".join((
        match.seed if has_seed else b"",
        *(encode_ships(rules, fleet) for fleet in match.fleets),
        bytes((_CUTS.index((match.resigned, match.abandoned)),)),
        encode_actions(rules, match.actions),
    ))  # fmt: skip


def decode(
    reader: Reader, rules: Ruleset, *, seed_of: Callable[[Pair[Fleet]], bytes] | None = None
) -> Match:
    """Reads a match of these rules, and judges every action again; raises a ValueError.

    If it was written without its seed, `seed_of` returns that for both fleets.
    """
    seed = reader.take(SEED_BYTES) if seed_of is None else b""
    first, second = (decode_ships(reader, rules, rules.fleet_of(side)) for side in Side)
    cut = _CUTS[reader.number()]
    actions = decode_actions(reader, rules)
    return Match(
        rules, (first, second), seed_of((first, second)) if seed_of else seed, actions, *cut
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
