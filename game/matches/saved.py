"""What a token holds: a draft of a match to come, or a match and who sits at it.

    setup    01 | preset u8 | mind u8 of the first side, of the second | flags u8
             | rounds won u8 by the first, by the second, drawn u8
             | name of the first: length u8 and UTF-8, of the second likewise
    saved    setup | the match's record
    film     setup | the match once it is over, in the fewer bytes it then takes
    draft    setup | ruleset | whether the first fleet stands u8, its ships as in a record
             | picked length u8 | lies down u8 | cells tried u8, each u16, zeros up to eight
             | ships placed u8 | each length u8 and place u16 | zeros for those not placed

A mind of 0 is a person. Each is as long as ruleset and setup alone decide, but for a film: that can
only be watched, and tells its length.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from game.engine import codec
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import (
    Fleet,
    IllegalFleet,
    Placement,
    check_part,
    complete,
    make_fleet,
    missing,
)
from game.engine.geometry import Cell, Direction
from game.engine.match import Match, Outcome
from game.engine.presets import OWN, PRESETS, Placing, Preset
from game.engine.rules import LONGEST_SHIP, Pair, Ruleset, Side
from game.matches import keyring, referee
from game.matches.record import MARKS, Record
from game.players.registry import MINDS, MINDS_VERSION

_MIND_CODES: dict[str | None, int] = {
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
    "camlship": 10,
    "camlship-easy": 11,
    "uppsala": 12,
}
"""Codes of minds in tokens: they stay as they are for ever."""
_PRESET_CODES = {
    "own": 0,
    "bonn": 1,
    "bonn-still": 2,
    "uppsala": 3,
    "camlship": 4,
    "cmu": 5,
    "milton": 6,
    "salvo": 7,
}
"""Codes of presets in tokens: they stay as they are for ever."""
_MINDS = {code: name for name, code in _MIND_CODES.items()}
_PRESETS = {code: name for name, code in _PRESET_CODES.items()}
_FLAGS = ("hints", "coach", "was_hinted", "was_coached", "loser_begins")
"""The switches of a setup, each with its bit, the lowest first; the bits above count editions."""

LONGEST_NAME = 20
"""Characters that a player's name may have."""
_MOST_NAME_BYTES = 4 * LONGEST_NAME
_MOST_ROUNDS = 255


@dataclass(frozen=True, slots=True)
class Tally:
    """The rounds that two have played: how many each side won, and how many nobody."""

    wins: Pair[int] = (0, 0)
    draws: int = 0

    @property
    def rounds(self) -> int:
        """How many rounds are over."""
        return sum(self.wins) + self.draws

    def with_round(self, winner: Side | None) -> Tally:
        """The tally after one round more; each number stays at 255 once it is there."""
        first, second = self.wins
        match winner:
            case Side.FIRST:
                return replace(self, wins=(min(first + 1, _MOST_ROUNDS), second))
            case Side.SECOND:
                return replace(self, wins=(first, min(second + 1, _MOST_ROUNDS)))
        return replace(self, draws=min(self.draws + 1, _MOST_ROUNDS))


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before a match: the rules, who plays, and what the page shows.

    Help that was once shown leaves its mark, though it be switched off again.
    """

    ruleset: Ruleset
    minds: Pair[str | None] = (None, "sailor")
    hints: bool = False
    coach: bool = False
    was_hinted: bool = False
    was_coached: bool = False
    preset: Preset = OWN
    loser_begins: bool = False
    names: Pair[str] = ("", "")
    """What two persons at one device are called; empty where they gave no name."""
    tally: Tally = Tally()
    minds_version: int = MINDS_VERSION
    """That of the minds when the match began."""

    @property
    def persons(self) -> tuple[Side, ...]:
        """The sides that persons play."""
        return tuple(side for side in Side if self.minds[side] is None)

    @property
    def is_shared(self) -> bool:
        """Whether two persons play at one device."""
        return len(self.persons) == 2

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

    @property
    def person(self) -> Side:
        """The side whose eyes the page has; the first where that isn't for minds to decide."""
        return Side.SECOND if self.persons == (Side.SECOND,) else Side.FIRST

    @property
    def opponent(self) -> str:
        """The name of the mind that the person plays against, or nothing."""
        return self.minds[self.person.opponent] or ""

    def next_round(self, outcome: Outcome) -> Setup:
        """The setup of the round after one that ended so."""
        rules = self.ruleset
        if self.loser_begins and outcome.winner is not None:
            rules = replace(rules, begins=outcome.winner.opponent)
        tally = self.tally.with_round(outcome.winner)
        return replace(self.unmarked(), ruleset=rules, tally=tally)

    def unmarked(self) -> Setup:
        """The setup of a new match like this one: the same switches, and no marks."""
        return replace(self, was_hinted=False, was_coached=False, minds_version=MINDS_VERSION)


@dataclass(frozen=True, slots=True)
class Draft:
    """A fleet being placed, with the ship that is in hand."""

    setup: Setup
    placed: tuple[Placement, ...] = ()
    picked: int | None = None
    direction: Direction = Direction.ACROSS
    chosen_cells: tuple[Cell, ...] = ()
    """The cells chosen so far of a ship that is placed cell by cell."""
    first: Fleet | None = None
    """The fleet of the first of two persons, once it stands."""

    def __post_init__(self) -> None:
        """Raises IllegalFleet where the placed ships can't be part of a fleet."""
        check_part(self.setup.ruleset, self.placed)

    @property
    def side(self) -> Side:
        """Whose fleet it is."""
        return self.setup.person if self.first is None else Side.SECOND

    @property
    def is_secret(self) -> bool:
        """Whether another person at the device may not see it."""
        return self.setup.is_shared and bool(self.placed or self.chosen_cells or self.first)

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

    @property
    def is_by_cells(self) -> bool:
        """Whether ships are placed by choosing their cells."""
        return self.setup.preset.placing is Placing.CELLS

    def filled(self) -> Draft:
        """The draft with every missing ship placed at random; raises DoesNotFit.

        Where none is missing it is another fleet altogether: whoever asks again wants a new one.
        """
        chance = Chance(os.urandom(SEED_BYTES), "fill", 0)
        kept = self.placed if self.missing else ()
        return replace(self, placed=complete(self.setup.ruleset, kept, chance), chosen_cells=())

    def start(self) -> SavedMatch | Draft:
        """A match with this fleet, or the draft of the second person; raises IllegalFleet."""
        setup, rules = replace(self.setup, minds_version=MINDS_VERSION), self.setup.ruleset
        fleet = make_fleet(rules, self.placed)
        if setup.is_shared and self.first is None:
            return Draft(setup, first=fleet)
        seed = os.urandom(SEED_BYTES)
        first = self.first or _deployed(setup, Side.FIRST, seed, fleet)
        second = _deployed(setup, Side.SECOND, seed, fleet)
        return SavedMatch(setup, Match(rules, (first, second), seed)).with_minds_played()


def _deployed(setup: Setup, side: Side, seed: bytes, fleet: Fleet) -> Fleet:
    name = setup.minds[side]
    return fleet if name is None else referee.deploy(MINDS[name], setup.ruleset, side, seed)


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match and who sits at it."""

    setup: Setup
    match: Match

    @property
    def viewer(self) -> Side:
        """The side whose waters the page calls its own: of two persons, the one to act."""
        is_turned = self.setup.is_shared and self.match.outcome is None
        return self.match.side if is_turned else self.setup.person

    def with_minds_played(self, *, most: int | None = None) -> SavedMatch:
        """The saved match after the minds have acted until a person is to act, or it is over.

        Or until they have acted `most` times.
        """
        first, second = self.setup.minds
        minds = (MINDS[first] if first else None, MINDS[second] if second else None)
        return replace(self, match=referee.play_minds(self.match, minds, most=most))


def watched(setup: Setup, seed: bytes) -> SavedMatch:
    """A match between the setup's two minds before its first shot; raises DoesNotFit."""
    first, second = (_deployed(setup, side, seed, ()) for side in Side)
    return SavedMatch(setup, Match(setup.ruleset, (first, second), seed))


def seal_match(saved: SavedMatch) -> str:
    """The token of a saved match; twin of unseal_match."""
    content = _encode_setup(saved.setup) + codec.encode(saved.match)
    return keyring.seal(keyring.Purpose.PLAY, content)


def unseal_match(token: str) -> SavedMatch:
    """The saved match in a token, played out again; raises BadToken for all that is wrong."""
    return _unseal(keyring.Purpose.PLAY, token, codec.decode)


def seal_replay(saved: SavedMatch) -> str:
    """The token by which an ended match may be watched, and nothing else; twin of unseal_replay.

    Raises ValueError for a match that goes on. The seed stays behind: a film decides nothing.
    """
    content = _encode_setup(saved.setup) + codec.encode_ended(saved.match)
    return keyring.seal(keyring.Purpose.FILM, content)


def unseal_replay(token: str) -> SavedMatch:
    """The ended match in a film's token, its seed all zeros; raises BadToken for all else."""
    return _unseal(keyring.Purpose.FILM, token, codec.decode_ended)


def _unseal(purpose: keyring.Purpose, token: str, decode: Callable[[bytes], Match]) -> SavedMatch:
    content = keyring.unseal(purpose, token)
    try:
        reader = codec.Reader(content)
        setup = _decode_setup(reader)
        match = decode(reader.rest())
    except codec.BadEncoding as error:
        raise keyring.BadToken("not a token") from error
    return SavedMatch(replace(setup, ruleset=match.ruleset), match)


def record_of(saved: SavedMatch) -> Record:
    """What is exported of a saved match."""
    setup = saved.setup
    return Record(saved.match, setup.minds, setup.marks, setup.minds_version)


def seal_draft(draft: Draft) -> str:
    """The token of a draft; twin of unseal_draft."""
    return keyring.seal(keyring.Purpose.DRAFT, _encode_draft(draft))


def _encode_draft(draft: Draft) -> bytes:
    rules = draft.setup.ruleset
    first = draft.first or ()
    chosen_cells = b"".join(cell.to_bytes(2, "big") for cell in draft.chosen_cells)
    placed = [bytes((ship.length,)) + codec.encode_placement(ship) for ship in draft.placed]
    parts = [
        _encode_setup(draft.setup), codec.encode_rules(rules),
        bytes((draft.first is not None,)),
        b"".join(map(codec.encode_placement, first)).ljust(2 * len(rules.fleet), b"\0"),
        bytes((draft.picked or 0, draft.direction is Direction.DOWN, len(draft.chosen_cells))),
        chosen_cells.ljust(2 * LONGEST_SHIP, b"\0"),
        bytes((len(placed),)), b"".join(placed).ljust(3 * len(rules.fleet), b"\0"),
    ]  # fmt: skip
    return b"".join(parts)


def unseal_draft(token: str) -> Draft:
    """The draft in a token; raises BadToken for all that is wrong."""
    content = keyring.unseal(keyring.Purpose.DRAFT, token)
    try:
        draft = _decode_draft(codec.Reader(content))
        if _encode_draft(draft) != content:
            raise codec.BadEncoding("another spelling of a draft")
    except (codec.BadEncoding, IllegalFleet) as error:
        raise keyring.BadToken("not a token") from error
    return draft


def _decode_draft(reader: codec.Reader) -> Draft:
    setup = _decode_setup(reader)
    rules = codec.decode_rules(reader)
    has_first, fleet = reader.number(), codec.Reader(reader.take(2 * len(rules.fleet)))
    first = None
    if has_first:
        ships = [codec.decode_placement(fleet, rules, length) for length in rules.fleet]
        first = make_fleet(rules, ships)
    picked, down, count = reader.number(), reader.number(), reader.number()
    cells = codec.Reader(reader.take(2 * LONGEST_SHIP))
    chosen_cells = tuple(Cell(cells.number(2)) for _ in range(count))
    ships = [codec.decode_placement(reader, rules, reader.number()) for _ in range(reader.number())]
    is_odd = picked not in (0, *rules.fleet) or any(
        cell >= rules.board.size for cell in chosen_cells
    )
    if is_odd or (has_first and not setup.is_shared):
        raise codec.BadEncoding("not a draft")
    direction = Direction.DOWN if down else Direction.ACROSS
    return Draft(
        replace(setup, ruleset=rules), tuple(ships), picked or None, direction, chosen_cells, first
    )


def _encode_setup(setup: Setup) -> bytes:
    first, second = setup.minds
    names = [name.encode() for name in setup.names]
    flags = sum(1 << bit for bit, name in enumerate(_FLAGS) if getattr(setup, name))
    flags |= setup.minds_version - 1 << len(_FLAGS)
    head = (
        codec.VERSION, _PRESET_CODES[setup.preset.name], _MIND_CODES[first], _MIND_CODES[second],
        flags, *setup.tally.wins, setup.tally.draws,
    )  # fmt: skip
    return bytes(head) + b"".join(bytes((len(name),)) + name for name in names)


def _decode_setup(reader: codec.Reader) -> Setup:
    """The setup, its ruleset still the preset's; raises BadEncoding."""
    version, preset, first, second, flags = (reader.number() for _ in range(5))
    if version != codec.VERSION:
        raise codec.BadEncoding("not a setup")
    if preset not in _PRESETS or not {first, second} <= _MINDS.keys():
        raise codec.BadEncoding("an unknown preset or mind")
    won, lost, draws = (reader.number() for _ in range(3))
    chosen = PRESETS[_PRESETS[preset]]
    switches = {name: bool(flags >> bit & 1) for bit, name in enumerate(_FLAGS)}
    return Setup(
        chosen.ruleset,
        (_MINDS[first], _MINDS[second]),
        preset=chosen,
        names=(_decode_name(reader), _decode_name(reader)),
        tally=Tally((won, lost), draws),
        minds_version=1 + (flags >> len(_FLAGS)),
        **switches,
    )


def _decode_name(reader: codec.Reader) -> str:
    length = reader.number()
    if length > _MOST_NAME_BYTES:
        raise codec.BadEncoding("too long a name")
    try:
        return reader.take(length).decode()
    except UnicodeDecodeError as error:
        raise codec.BadEncoding("not a name") from error
