"""The bytes that a token holds: a draft, a match with its setup, or a replay.

Rules and setup alone decide the length, so it reveals nothing of the match. Only a replay, whose
match is over, has as many bytes as it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from operator import attrgetter
from struct import Struct
from typing import Any

from game.engine import codec
from game.engine.fleets import Fleet, Placement, make_fleet
from game.engine.geometry import LARGEST, Cell, Direction
from game.engine.lengths import ships_remembered
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import LONGEST_SHIP, Ruleset
from game.matches import parts
from game.matches import setup as setups
from game.matches.draft import Draft
from game.matches.fields import (
    NOTHING,
    Field,
    Values,
    counted,
    fixed,
    flags,
    header,
    number,
    one_of,
    or_none,
    pair,
    record,
    table,
    text,
)
from game.matches.parts import Kind
from game.matches.saved import Par, SavedMatch, start_par
from game.matches.seed_shares import SHARE_BYTES, SeedShares
from game.matches.setup import Assists, Day, Learning, Setup, Tally
from game.players.belief.habits import HABITS
from game.players.belief.rounds import MOST_FLEETS
from game.players.registry import CODES

_MOST_NUMBER = 2 * LARGEST**2
"""The largest number of a placement, and 1 more."""
NAME = text(most=4 * setups.LONGEST_NAME)
RULES = Field(codec.encode_rules, codec.decode_rules)


# --- the setup, with which all of them begin ---


def _fleets(ships: int) -> Field[tuple[int, ...]]:
    """Returns the field of the last fleets, whose numbers are written with 1 more; then zeros."""

    def write(numbers: tuple[int, ...]) -> bytes:
        placed = b"".join((number + 1).to_bytes(2, "big") for number in numbers)
        return placed.ljust(2 * MOST_FLEETS * ships, b"\0")

    def read(reader: codec.Reader) -> tuple[int, ...]:
        numbers = [reader.number(2) for _ in range(MOST_FLEETS * ships)]
        while numbers and not numbers[-1]:
            numbers.pop()
        if 0 in numbers or len(numbers) % (ships or 1) or max(numbers, default=0) > _MOST_NUMBER:
            raise codec.BadEncoding("not fleets that a computer remembers")
        return tuple(number - 1 for number in numbers)

    return Field(write, read)


def _setup(it: Values) -> Setup:
    """Returns a setup with its preset's ruleset, which the caller replaces; raises BadEncoding."""
    if it.forgets > it.learning or (it.has_client and not it.seed_shares):
        raise codec.BadEncoding("not a setup")
    learning = None
    if it.learning:
        if min(it.habits) < -setups.MOST_LEARNT:
            raise codec.BadEncoding("not what a computer has learnt")
        learnt = (*it.habits, *it.fleets)
        learning = Learning(learnt if any(it.habits) or it.fleets else (), it.forgets)
    setup = Setup(
        it.preset.ruleset, it.minds, it.preset, it.loser_begins, it.names, it.tally,
        Assists(*[getattr(it, name) for name in Assists._fields]), learning, it.remote,
        day=it.link, started_hour=it.started_hour, seed_shares=it.seed_shares,
        minds_version=it.minds_version, is_dealt=it.is_dealt, parts=it.parts,
    )  # fmt: skip
    if (learning or it.seed_shares) and len(setup.persons) != 1:
        raise codec.BadEncoding("nobody learns, or answers for a share of the seed, there")
    return setup


def _of_setup(setup: Setup) -> dict[str, Any]:
    learning, learnt, day, shares = setup.learning, setup.learnt, setup.day, setup.seed_shares
    return {
        **setup.assists._asdict(), "day": day and day.date, "link": day,
        "forgets": learning and learning.forgets, "has_client": shares and shares.client,
        "habits": learnt[: len(HABITS)] or (0,) * len(HABITS), "fleets": learnt[len(HABITS) :],
        "ships": ships_remembered(setup.ruleset),
        **dict.fromkeys(_PART_BITS.values(), False),
        **{_PART_BITS[parts.kind_of(part).bit or 0]: True for part in setup.parts},
    }  # fmt: skip


def _day(day: date) -> Field[Day]:
    return record(partial(Day, day), number=number(2, least=1), first_link=fixed(setups.LINK_BYTES))


def _shares(*, is_whole: object) -> Field[SeedShares]:
    """Returns the field of both shares, or of the server's alone."""
    widths = (SHARE_BYTES, SHARE_BYTES if is_whole else 0)
    server, client = (fixed(width).of(bytes.hex, bytes.fromhex) for width in widths)
    return record(SeedShares, server=server, client=client)


def _parts(kinds: Sequence[Kind[Any]], *, is_last: bool = False) -> Field[tuple[object, ...]]:
    """Returns the field of parts of these kinds, and in a last one of what else follows."""

    def write(found: tuple[object, ...]) -> bytes:
        return b"".join([parts.kind_of(part).field.write(part) for part in found])

    def read(reader: codec.Reader) -> tuple[object, ...]:
        found = [kind.field.read(reader) for kind in kinds]
        if is_last and reader.left:
            if (kind := parts.at_end()) is None:
                raise codec.BadEncoding("of a feature that is not there")
            found.append(kind.field.read(reader))
        return tuple(found)

    return Field(write, read)


_PART_BITS = {bit: f"part_{bit}" for bit in parts.BITS}


def _setup_parts(it: Values) -> Field[tuple[object, ...]]:
    """Returns the field of what features have added; raises BadEncoding if one isn't there."""
    bits = [bit for bit, name in _PART_BITS.items() if getattr(it, name)]
    kinds = [kind for kind in parts.with_bits() if kind.bit in bits] if bits else []
    if len(kinds) < len(bits):
        raise codec.BadEncoding("of a feature that is not there")
    return _parts(kinds)


_PRESETS = {preset.code: preset for preset in PRESETS.values()}
_MIND = one_of({code: name for name, code in CODES.items()} | {0: None})
"""None is a person."""
_SIGNED = Struct(f"{len(HABITS)}b")
_HABITS = fixed(_SIGNED.size).of(_SIGNED.unpack, lambda numbers: _SIGNED.pack(*numbers))
SETUP = table(
    _setup,
    _of_setup,
    **header("loser_begins", "remote", *Assists._fields, "learning", "forgets",
             "seed_shares", "has_client", "is_dealt", *_PART_BITS.values()),
    preset=number().of(_PRESETS.__getitem__, attrgetter("code")),
    minds=pair(_MIND),
    minds_version=number(least=1),
    tally=record(Tally, wins=pair(number()), draws=number()),
    names=pair(NAME),
    habits=lambda it: _HABITS if it.learning else NOTHING,
    ships=lambda it: number() if it.learning else NOTHING,
    fleets=lambda it: _fleets(it.ships) if it.learning else NOTHING,
    link=lambda it: _day(it.day) if it.day else NOTHING,
    seed_shares=lambda it: _shares(is_whole=it.has_client) if it.seed_shares else NOTHING,
    parts=_setup_parts,
)  # fmt: skip


def with_rules(setup: Setup, rules: Ruleset) -> Setup:
    setup = replace(setup, ruleset=rules)
    if setup.is_solo and (setup.minds[0] is not None or setup.minds[1] is None):
        raise codec.BadEncoding("nobody searches, or nobody hides")
    if setup.seed_shares is not None and not setup.may_have_seed_shares:
        raise codec.BadEncoding("nobody has a share of the seed there")
    return setup


# --- a match ---


def match_field(setup: Setup) -> Field[Match]:
    """Returns the field of a match's record, without a seed if it follows from shares."""
    shares = setup.seed_shares
    if shares is None:
        return Field(codec.encode, codec.decode)
    return Field(
        partial(codec.encode, has_seed=False),
        partial(codec.decode, seed_of=lambda fleets: shares.with_fleet(fleets[setup.person]).seed),
    )


def _par(match: Match) -> Field[Par]:
    """Returns the field of the admiral's match for par, of which only the actions are written."""
    rules = match.ruleset
    return table(
        lambda it: Par(replace(start_par(match), actions=it.actions), it.minds_version),
        lambda par: {"actions": par.match.actions},
        minds_version=number(least=1),
        actions=Field(
            partial(codec.encode_actions, rules), partial(codec.decode_actions, rules=rules)
        ),
    )


SAVED: Field[SavedMatch] = table(
    lambda it: SavedMatch(with_rules(it.setup, it.match.ruleset), it.match, it.par, it.parts),
    setup=SETUP,
    match=lambda it: match_field(it.setup),
    par=lambda it: _par(it.match) if it.match.ruleset.solo else NOTHING,
    parts=_parts((), is_last=True),
)


def _replay(it: Values) -> SavedMatch:
    setup = it.setup
    if any(part is not None for part in (setup.learning, setup.started_hour, setup.seed_shares)):
        raise codec.BadEncoding("a replay has no such part")
    return SavedMatch(with_rules(setup, it.match.ruleset), it.match)


REPLAY = table(
    _replay,
    setup=SETUP,
    match=Field(codec.encode_ended, lambda reader: codec.decode_ended(reader.rest())),
)
"""An ended match, without its seed."""


# --- the placing of fleets ---


def fleet_field(rules: Ruleset, *, is_placed: bool) -> Field[Fleet | None]:
    """Returns the field of a fleet, or of zeros in its place."""

    def write(fleet: Fleet | None) -> bytes:
        ships = b"".join(map(codec.encode_placement, fleet or ()))
        return ships.ljust(2 * len(rules.fleet), b"\0")

    def read(reader: codec.Reader) -> Fleet | None:
        ships = codec.Reader(reader.take(2 * len(rules.fleet)))
        if not is_placed:
            return None
        return make_fleet(rules, [codec.decode_placement(ships, rules, it) for it in rules.fleet])

    return Field(write, read)


def _ship(rules: Ruleset) -> Field[Placement]:
    return Field(
        lambda ship: bytes((ship.length,)) + codec.encode_placement(ship),
        lambda reader: codec.decode_placement(reader, rules, reader.number()),
    )


def _draft(it: Values) -> Draft:
    rules, cells = it.rules, it.chosen_cells
    is_odd = it.picked not in (None, *rules.fleet) or any(c >= rules.board.size for c in cells)
    if is_odd or (it.first and not it.setup.is_shared):
        raise codec.BadEncoding("not a draft")
    return Draft(
        replace(it.setup, ruleset=rules), it.placed, it.picked,
        Direction.DOWN if it.is_down else Direction.ACROSS, cells, it.first, it.is_held,
        it.parts,
    )  # fmt: skip


DRAFT = table(
    _draft,
    lambda it: {"rules": it.setup.ruleset, "is_down": it.direction is Direction.DOWN},
    setup=SETUP,
    rules=RULES,
    fleets=flags("first"),
    first=lambda it: fleet_field(it.rules, is_placed=it.first),
    picked=or_none(number()),
    lies=flags("is_down", "is_held"),
    chosen_cells=counted(number(2).of(Cell, int), 2 * LONGEST_SHIP),
    placed=lambda it: counted(_ship(it.rules), 3 * len(it.rules.fleet)),
    parts=lambda it: _parts(parts.of_draft(it.setup), is_last=True),
)  # fmt: skip
