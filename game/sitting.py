"""What a token holds: a draft of a match to come, or a match and who sits at it.

    sitting  01 | mind u8 of the first side, of the second | flags u8 | the match's record
    draft    01 | minds, flags | ruleset | picked length u8 | lies down u8
             | ships placed u8 | each length u8 and place u16 | zeros for those not placed

A mind of 0 is a person. Each is as long as the ruleset alone decides.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from game import referee, tokens
from game.engine import codec
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Direction
from game.engine.match import Match
from game.engine.rules import (
    Fleet,
    IllegalFleet,
    Pair,
    Placement,
    Ruleset,
    Side,
    check_part,
    complete,
    make_fleet,
    missing,
)
from game.players.roster import MINDS
from game.presets import OPPONENT
from game.record import MARKS, Record

_CODES: dict[str | None, int] = {
    None: 0,
    "bonn-easy": 1,
    "bonn-medium": 2,
    "bonn-hard": 3,
    "drifter": 4,
    "recruit": 5,
    "sailor": 6,
    "lieutenant": 7,
    "captain": 8,
    "admiral": 9,
}
"""Codes of minds in tokens: they stay as they are for ever."""
_NAMES = {code: name for name, code in _CODES.items()}
_FLAGS = ("hints", "coach", "was_hinted", "was_coached")
"""The switches of a setup, each with its bit, the lowest first."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before a match: the rules, who plays, and what help is shown.

    Help that was once shown leaves its mark, though it be switched off again.
    """

    ruleset: Ruleset
    minds: Pair[str | None] = (None, OPPONENT)
    hints: bool = False
    coach: bool = False
    was_hinted: bool = False
    was_coached: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The help that was used so far: hints, coach."""
        used = (self.hints or self.was_hinted, self.coach or self.was_coached)
        return tuple(mark for mark, is_used in zip(MARKS, used, strict=True) if is_used)

    def switched(self, *, hints: bool | None = None, coach: bool | None = None) -> Setup:
        """The setup with help switched on or off, where told, and marked by what was on."""
        return replace(
            self,
            hints=self.hints if hints is None else hints,
            coach=self.coach if coach is None else coach,
            was_hinted=self.hints or self.was_hinted,
            was_coached=self.coach or self.was_coached,
        )

    def afresh(self) -> Setup:
        """The setup for another match: the same switches, and no marks."""
        return replace(self, was_hinted=False, was_coached=False)

    @property
    def person(self) -> Side:
        """The side whose eyes the page has."""
        return Side.FIRST if self.minds[Side.FIRST] is None else Side.SECOND

    @property
    def opponent(self) -> str:
        """The name of the mind that the person plays against."""
        return self.minds[self.person.opponent] or ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A fleet being placed, with the ship that is in hand."""

    setup: Setup
    placed: tuple[Placement, ...] = ()
    picked: int | None = None
    direction: Direction = Direction.ACROSS

    def __post_init__(self) -> None:
        """Raises IllegalFleet where the placed ships can't be part of a fleet."""
        check_part(self.setup.ruleset, self.placed)

    @property
    def missing(self) -> tuple[int, ...]:
        """The lengths still to be placed."""
        return missing(self.setup.ruleset, self.placed)

    @property
    def in_hand(self) -> int | None:
        """The length of the ship that is placed next, or None where all are."""
        if self.picked in self.missing:
            return self.picked
        return max(self.missing, default=None)

    def filled(self) -> Draft:
        """The draft with every missing ship placed at random; raises DoesNotFit.

        Where none is missing it is another fleet altogether: whoever asks again wants a new one.
        """
        chance = Chance(os.urandom(SEED_BYTES), "fill", 0)
        kept = self.placed if self.missing else ()
        return replace(self, placed=complete(self.setup.ruleset, kept, chance))

    def start(self) -> Sitting:
        """A match with this fleet against the setup's minds; raises IllegalFleet."""
        setup, rules = self.setup, self.setup.ruleset
        fleet = make_fleet(rules, self.placed)
        seed = os.urandom(SEED_BYTES)
        fleets = (_deployed(setup, Side.FIRST, seed, fleet),
                  _deployed(setup, Side.SECOND, seed, fleet))  # fmt: skip
        return Sitting(setup, Match(rules, fleets, seed)).carried_on()


def _deployed(setup: Setup, side: Side, seed: bytes, fleet: Fleet) -> Fleet:
    name = setup.minds[side]
    return fleet if name is None else referee.deploy(MINDS[name], setup.ruleset, side, seed)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match and who sits at it."""

    setup: Setup
    match: Match

    def carried_on(self) -> Sitting:
        """The sitting after the minds have acted until the person is to act."""
        first, second = self.setup.minds
        minds = (MINDS[first] if first else None, MINDS[second] if second else None)
        return replace(self, match=referee.carry_on(self.match, minds))


def seal_sitting(sitting: Sitting) -> str:
    """The token of a sitting; twin of unseal_sitting."""
    content = _encode_setup(sitting.setup) + codec.encode(sitting.match)
    return tokens.seal(tokens.Purpose.PLAY, content)


def unseal_sitting(token: str) -> Sitting:
    """The sitting in a token, its match played out again; raises BadToken for all that is wrong."""
    content = tokens.unseal(tokens.Purpose.PLAY, token)
    try:
        reader = codec.Reader(content)
        minds, flags = _decode_setup(reader)
        match = codec.decode(reader.rest())
    except codec.BadRecord as error:
        raise tokens.BadToken("not a token") from error
    return Sitting(Setup(match.ruleset, minds, **flags), match)


def record_of(sitting: Sitting) -> Record:
    """What is exported of a sitting."""
    return Record(sitting.match, sitting.setup.minds, sitting.setup.marks)


def seal_draft(draft: Draft) -> str:
    """The token of a draft; twin of unseal_draft."""
    return tokens.seal(tokens.Purpose.DRAFT, _encode_draft(draft))


def _encode_draft(draft: Draft) -> bytes:
    rules = draft.setup.ruleset
    parts = [
        _encode_setup(draft.setup), codec.encode_rules(rules),
        bytes((draft.picked or 0, draft.direction is Direction.DOWN, len(draft.placed))),
    ]  # fmt: skip
    parts += [bytes((ship.length,)) + codec.encode_placement(ship) for ship in draft.placed]
    parts.append(bytes(3 * (len(rules.fleet) - len(draft.placed))))
    return b"".join(parts)


def unseal_draft(token: str) -> Draft:
    """The draft in a token; raises BadToken for all that is wrong."""
    content = tokens.unseal(tokens.Purpose.DRAFT, token)
    reader = codec.Reader(content)
    try:
        minds, flags = _decode_setup(reader)
        rules = codec.decode_rules(reader)
        picked, down, count = reader.number(), reader.number(), reader.number()
        placed = tuple(codec.decode_placement(reader, rules, reader.number()) for _ in range(count))
        is_whole = len(content) == len(_encode_draft(Draft(Setup(rules, minds))))
        if not is_whole or any(reader.rest()) or down > 1 or picked not in (0, *rules.fleet):
            raise codec.BadRecord("not a draft")
        direction = Direction.DOWN if down else Direction.ACROSS
        return Draft(Setup(rules, minds, **flags), placed, picked or None, direction)
    except (codec.BadRecord, IllegalFleet) as error:
        raise tokens.BadToken("not a token") from error


def _encode_setup(setup: Setup) -> bytes:
    first, second = setup.minds
    return bytes((codec.VERSION, _CODES[first], _CODES[second], _flags(setup)))


def _flags(setup: Setup) -> int:
    return sum(1 << bit for bit, name in enumerate(_FLAGS) if getattr(setup, name))


def _decode_setup(reader: codec.Reader) -> tuple[Pair[str | None], dict[str, bool]]:
    version, first, second, flags = (reader.number() for _ in range(4))
    if version != codec.VERSION or flags >> len(_FLAGS) or not {first, second} <= _NAMES.keys():
        raise codec.BadRecord("not a setup")
    if (first == 0) is (second == 0):
        raise codec.BadRecord("not one person against one mind")
    switches = {name: bool(flags >> bit & 1) for bit, name in enumerate(_FLAGS)}
    return (_NAMES[first], _NAMES[second]), switches
