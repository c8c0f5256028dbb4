"""A match as bytes and back. The rules alone decide the length, so it reveals nothing.

Big-endian, in order, without a seed where that follows from something else:

    columns u8 | rows u8 | switches u16 | turns u16 (65535: no limit) | ships u8 | their lengths u8
    seed 16 bytes
    first fleet, second fleet: each ship u16, twice the bow cell, plus one if it lies down; who
             searches alone has none
    the side that resigned u8: 0 none, 1 the first, 2 the second
    number of actions u16 | the actions | zeros up to `size(ruleset)`

An action is a number of one byte, or of two if the rules have more than 256 actions. The shots
come first, numbered by their cells; where ships move, Stay and each ship's moves fore and aft
follow. Each match has exactly one encoding.

An ended match has no secrets, so it takes fewer bytes, as many as it needs:

    columns to lengths, and the side that resigned, as above | one number without leading zeros

The number has mixed bases. From the lowest digit: the ships of both fleets, each to base twice
the number of cells; the actions, each to base the number of possible actions; then a 1.

This is layout 2. Layout 1 has one byte of switches, no hits that are named, and nobody resigns in
it. Whatever has been sealed in it is opened for ever, and a match goes on in its own layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from game.engine.actions import STAY, Action, Fire, IllegalAction, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Course, Fleet, IllegalFleet, Placement, numbered
from game.engine.match import Match
from game.engine.rules import AtLimit, IllegalRules, Pair, Ruleset, Side

LAYOUT = 2
"""The layout of new matches."""
LAYOUTS = (1, LAYOUT)
_NO_LIMIT = 0xFFFF
_AFT = Course.AFT
_SWITCHES = {1: 6, 2: 8}
"""By layout the number of switches of a ruleset, in the order of `_switches`."""
_SWITCH_BYTES = {1: 1, 2: 2}


class BadEncoding(ValueError):
    """The bytes are not the record of a legal match."""


class Reader:
    """Reads numbers and bytes from the front of a record; raises BadEncoding past its end."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if self._at + count > len(self._data):
            raise BadEncoding("too short")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self, width: int = 1) -> int:
        """The next `width` bytes as a number."""
        return int.from_bytes(self.take(width), "big")

    def rest(self) -> bytes:
        """The remaining bytes."""
        return self.take(len(self._data) - self._at)


def encode_rules(rules: Ruleset, layout: int = LAYOUT) -> bytes:
    """A ruleset as bytes; twin of decode_rules."""
    switches = (
        rules.touching, rules.again, rules.moving, rules.salvo,
        rules.at_limit is AtLimit.DRAW, rules.begins is Side.SECOND, rules.named,
        rules.solo,
    )  # fmt: skip
    if any(switches[_SWITCHES[layout] :]):
        raise ValueError(f"layout {layout} has no such switch")
    flags = sum(1 << bit for bit, is_on in enumerate(switches) if is_on)
    turns = _NO_LIMIT if rules.turns is None else rules.turns
    return bytes((rules.columns, rules.rows, *flags.to_bytes(_SWITCH_BYTES[layout], "big"),
                  *turns.to_bytes(2, "big"), len(rules.fleet), *rules.fleet))  # fmt: skip


def decode_rules(reader: Reader, layout: int = LAYOUT) -> Ruleset:
    """The ruleset that the reader comes to next; raises BadEncoding."""
    head = reader.take(5 + _SWITCH_BYTES[layout])
    return _rules(head, reader.take(head[-1]), layout)


@lru_cache(maxsize=256)  # rulesets in play; 1 kB each
def _rules(head: bytes, lengths: bytes, layout: int) -> Ruleset:
    columns, rows = head[:2]
    flags, turns = int.from_bytes(head[2:-3], "big"), int.from_bytes(head[-3:-1], "big")
    if flags >> _SWITCHES[layout]:  # ignored bits would give one ruleset two encodings
        raise BadEncoding("an unknown switch")
    touching, again, moving, salvo, draw, second, named, solo = (
        bool(flags >> bit & 1) for bit in range(_SWITCHES[LAYOUT])
    )
    try:
        return Ruleset(
            columns=columns, rows=rows, fleet=tuple(lengths), touching=touching, again=again,
            moving=moving, turns=None if turns == _NO_LIMIT else turns,
            at_limit=AtLimit.DRAW if draw else AtLimit.AFLOAT, salvo=salvo,
            begins=Side.SECOND if second else Side.FIRST, named=named, solo=solo,
        )  # fmt: skip
    except IllegalRules as error:
        raise BadEncoding(str(error)) from error


def encode_placement(placement: Placement) -> bytes:
    """A placement in two bytes, without its length."""
    return placement.number.to_bytes(2, "big")


def decode_placement(reader: Reader, rules: Ruleset, length: int) -> Placement:
    """The placement of that length that the reader comes to next; raises BadEncoding."""
    return _placement(rules, reader.number(2), length)


def _placement(rules: Ruleset, number: int, length: int) -> Placement:
    table = numbered(rules.board, length)
    placement = table[number] if number < len(table) else None
    if placement is None:
        raise BadEncoding("not a ship's place, or another spelling of one")
    return placement


def size(rules: Ruleset, layout: int = LAYOUT, *, has_seed: bool = True) -> int:
    """The length in bytes of every record of these rules, however long its match is."""
    ships = sum(len(rules.fleet_of(side)) for side in Side)
    head = 5 + _SWITCH_BYTES[layout] + len(rules.fleet) + has_seed * SEED_BYTES + 2 * ships
    resigned = 0 if layout == 1 else 1
    return head + resigned + _size_of_actions(rules)


def _size_of_actions(rules: Ruleset) -> int:
    return 2 + rules.action_bytes * rules.most_actions


def encode(match: Match, layout: int = LAYOUT, *, has_seed: bool = True) -> bytes:
    """The record of a match as `size(match.ruleset, layout)` bytes; twin of decode.

    Raises ValueError for what the layout has no room for.
    """
    rules = match.ruleset
    parts = [encode_rules(rules, layout), match.seed if has_seed else b""]
    parts += [encode_placement(ship) for fleet in match.fleets for ship in fleet]
    parts += [_encode_resigned(match, layout), encode_actions(rules, match.actions)]
    return b"".join(parts)


def encode_actions(rules: Ruleset, actions: Sequence[Action]) -> bytes:
    """The actions of a match, always of one length; twin of decode_actions."""
    width = rules.action_bytes
    numbers = [  # nearly all actions are shots: for those the call is spared
        action.cell if type(action) is Fire else _number(rules, action) for action in actions
    ]
    parts = [bytes(numbers)] if width == 1 else [one.to_bytes(width, "big") for one in numbers]
    # A token shows its length: without the zeros it would reveal the number of actions.
    return b"".join((len(actions).to_bytes(2, "big"), *parts)).ljust(_size_of_actions(rules), b"\0")


def decode_actions(reader: Reader, rules: Ruleset) -> tuple[Action, ...]:
    """The actions that the reader comes to next, legal or not; raises BadEncoding."""
    content = Reader(reader.take(_size_of_actions(rules)))
    count, width, table = content.number(2), rules.action_bytes, _actions(rules)
    if count > rules.most_actions:
        raise BadEncoding("more actions than a match can have")
    taken = content.take(count * width)
    pairs = (taken[at : at + width] for at in range(0, len(taken), width))
    numbers = taken if width == 1 else [int.from_bytes(pair, "big") for pair in pairs]
    if any(content.rest()):  # other padding would give one match two encodings
        raise BadEncoding("something behind the last action")
    try:
        return tuple(table[number] for number in numbers)
    except IndexError as error:
        raise BadEncoding("no such action") from error


def decode(
    data: bytes, layout: int = LAYOUT, *, seed_of: Callable[[Pair[Fleet]], bytes] | None = None
) -> Match:
    """The match in a record, every action judged again; raises BadEncoding.

    `seed_of` tells the seed where the record has none, from both fleets.
    """
    reader = Reader(data)
    rules = decode_rules(reader, layout)
    if len(data) != size(rules, layout, has_seed=seed_of is None):
        raise BadEncoding("not the length that the rules decide")
    seed = reader.take(SEED_BYTES) if seed_of is None else b""
    first, second = (_decode_fleet(reader, rules, side) for side in Side)
    if seed_of is not None:
        seed = seed_of((first, second))
    resigned = _decode_resigned(reader, layout)
    actions = decode_actions(reader, rules)
    try:
        return Match(rules, (first, second), seed, actions, resigned)
    except (IllegalFleet, IllegalAction) as error:
        raise BadEncoding(str(error)) from error


def _encode_resigned(match: Match, layout: int) -> bytes:
    number = 0 if match.resigned is None else 1 + match.resigned
    if layout > 1:
        return bytes((number,))
    if number:
        raise ValueError("nobody resigns in layout 1")
    return b""


def _decode_resigned(reader: Reader, layout: int) -> Side | None:
    number = 0 if layout == 1 else reader.number()
    if number > len(Side):
        raise BadEncoding("no such side")
    return Side(number - 1) if number else None


def encode_ended(match: Match, layout: int = LAYOUT) -> bytes:
    """An ended match without its seed; twin of decode_ended.

    Raises ValueError before the end, and for what the layout has no room for.
    """
    if match.outcome is None:
        raise ValueError("a match that goes on is no film")
    rules = match.ruleset
    places, actions = 2 * rules.board.size, len(_actions(rules))
    number = 1  # the highest digit: without it, actions numbered 0 at the end would be lost
    for action in reversed(match.actions):  # what is written last is read first
        number = number * actions + _number(rules, action)
    for ship in reversed([ship for fleet in match.fleets for ship in fleet]):
        number = number * places + ship.number
    head = encode_rules(rules, layout) + _encode_resigned(match, layout)
    return head + number.to_bytes((number.bit_length() + 7) // 8, "big")


def decode_ended(data: bytes, layout: int = LAYOUT) -> Match:
    """The ended match in these bytes, judged again, its seed all zeros; raises BadEncoding."""
    reader = Reader(data)
    rules = decode_rules(reader, layout)
    resigned = _decode_resigned(reader, layout)
    number = int.from_bytes(reader.rest(), "big")
    ships: list[Placement] = []
    actions: list[Action] = []
    lengths = [rules.fleet_of(side) for side in Side]
    for length in (*lengths[0], *lengths[1]):
        number, place_number = divmod(number, 2 * rules.board.size)
        ships.append(_placement(rules, place_number, length))
    table = _actions(rules)
    # Bounded by the rules: a forged number could hold millions of actions.
    while number > 1 and len(actions) < rules.most_actions:
        number, index = divmod(number, len(table))
        actions.append(table[index])
    fleets = (tuple(ships[: len(lengths[0])]), tuple(ships[len(lengths[0]) :]))
    try:
        match = Match(rules, fleets, bytes(SEED_BYTES), tuple(actions), resigned)
    except (IllegalFleet, IllegalAction) as error:
        raise BadEncoding(str(error)) from error
    # Leading zeros, or digits behind the last action, are a second encoding of the match.
    if match.outcome is None or encode_ended(match, layout) != data:
        raise BadEncoding("a match that goes on, or another spelling of one that is over")
    return match


def _decode_fleet(reader: Reader, rules: Ruleset, side: Side) -> Fleet:
    return tuple(decode_placement(reader, rules, length) for length in rules.fleet_of(side))


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
    if isinstance(action, Steer):
        return rules.board.size + 1 + 2 * action.ship + (action.course is _AFT)
    return rules.board.size
