"""The bytes that a token holds: a setup, and with it a match, a replay or a draft.

Numbers are big-endian; game/engine/codec.py says how rulesets, ships and matches are written. What
is not there takes no bytes, but only if both sides know that it isn't: so a token's length follows
from the rules, the players and the number of actions, and reveals nothing hidden.
"""

from dataclasses import replace
from datetime import date
from struct import Struct

from game.engine import codec
from game.engine.chance import SEED_BYTES
from game.engine.codec import Reader, encode_flags, encode_text
from game.engine.fleets import Placement, make_fleet
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import LONGEST_SHIP
from game.matches.draft import Draft
from game.matches.par import Par
from game.matches.parts import decode_parts, encode_parts
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SHARE_BYTES, SeedShares
from game.matches.setup import LINK_BYTES, Assists, Day, Learning, Setup, Tally
from game.players.registry import CODES, HABITS

_PRESETS = {preset.code: preset for preset in PRESETS.values()}
_MINDS: dict[int, str | None] = {0: None} | {code: name for name, code in CODES.items()}
"""The minds by their codes; 0 stands for a person."""
_CODES = {name: code for code, name in _MINDS.items()}
_HABITS = Struct(f"{len(HABITS)}b")
_DAY = Struct(f">IH{LINK_BYTES}s")
_PAR = Struct(">HB")


# --- a setup, with which all of them begin ---


def encode_setup(setup: Setup) -> bytes:
    """Returns the rules, 3 bytes of flags, the preset, the minds and their version, and the rest.

    The rest is there if its flag is set: the tally, the names, what was learnt, the day, the hour,
    the shares of the seed, and the title with the task. The parts of features follow.
    """
    minds, tally, day, shares = setup.minds, setup.tally, setup.day, setup.seed_shares
    content = [
        codec.encode_rules(setup.ruleset),
        encode_flags(
            *setup.assists, setup.loser_begins, setup.remote, setup.is_dealt,
            setup.learning, setup.learning and setup.learning.forgets, setup.learnt,
            tally.rounds, any(setup.person_names), day, setup.started_hour is not None,
            shares, shares and shares.client, setup.title or setup.task,
        ),
        bytes((setup.preset.code, *(_CODES[mind] for mind in minds), setup.minds_version)),
    ]  # fmt: skip
    if tally.rounds:
        content.append(bytes((*tally.wins, tally.draws)))
    if any(setup.person_names):
        content += map(encode_text, setup.person_names)
    if setup.learnt:
        habits, ships = setup.learnt[: len(HABITS)], setup.learnt[len(HABITS) :]
        content += [_HABITS.pack(*habits), bytes((len(ships),))]
        content.append(codec.encode_numbers(ships, codec.ship_bytes(setup.ruleset)))
    if day:
        content.append(_DAY.pack(day.date.toordinal(), day.number, day.first_link))
    if setup.started_hour is not None:
        content.append(setup.started_hour.to_bytes(3, "big"))
    if shares:
        content.append(bytes.fromhex(shares.server + shares.client))
    if setup.title or setup.task:
        content += map(encode_text, (setup.title, setup.task))
    return b"".join((*content, encode_parts(setup.parts)))


def decode_setup(reader: Reader) -> Setup:
    """Reads a setup; raises a ValueError, or a LookupError for what this site doesn't have."""
    rules = codec.decode_rules(reader)
    *assists, loser_begins, remote, is_dealt, learns, forgets, has_learnt, has_tally, has_names, \
        has_day, has_hour, has_shares, has_client, has_title = reader.flags(18)  # fmt: skip
    preset = _PRESETS[reader.number()]
    minds = _MINDS[reader.number()], _MINDS[reader.number()]
    minds_version = reader.number()
    tally = Tally()
    if has_tally:
        first, second, draws = reader.take(3)
        tally = Tally((first, second), draws)
    names = (reader.text(), reader.text()) if has_names else ("", "")
    learnt: tuple[int, ...] = ()
    if has_learnt:
        learnt = _HABITS.unpack(reader.take(_HABITS.size))
        learnt += tuple(reader.numbers(reader.number(), codec.ship_bytes(rules)))
    day = None
    if has_day:
        ordinal, number, first_link = _DAY.unpack(reader.take(_DAY.size))
        day = Day(date.fromordinal(ordinal), number, first_link)
    started_hour = reader.number(3) if has_hour else None
    shares = None
    if has_shares:
        server, client = reader.take(SHARE_BYTES), reader.take(SHARE_BYTES if has_client else 0)
        shares = SeedShares(server.hex(), client.hex())
    title, task = (reader.text(), reader.text()) if has_title else ("", "")
    return Setup(
        rules, minds, preset, loser_begins, names, tally, Assists(*assists),
        Learning(learnt, forgets) if learns else None, remote,
        day=day, started_hour=started_hour, is_dealt=is_dealt, seed_shares=shares,
        minds_version=minds_version, title=title, task=task, parts=decode_parts(reader),
    )  # fmt: skip


# --- a match ---


def encode_match(setup: Setup, match: Match) -> bytes:
    """Returns a match with that setup, without its seed if this follows from shares."""
    return codec.encode(match, has_seed=setup.seed_shares is None)


def decode_match(reader: Reader, setup: Setup) -> Match:
    """Reads a match with that setup; raises a ValueError."""
    shares = setup.seed_shares
    if shares is None:
        return codec.decode(reader, setup.ruleset)
    return codec.decode(
        reader,
        setup.ruleset,
        seed_of=lambda fleets: shares.with_fleet(fleets[setup.person]).seed,
    )


def encode_saved(saved: SavedMatch) -> bytes:
    """Returns the setup, the match, the par of a search alone, and the parts of features."""
    par = encode_flags(saved.par) if saved.setup.is_solo else b""
    if saved.par:
        par += _PAR.pack(*saved.par)
    match = encode_match(saved.setup, saved.match)
    return encode_setup(saved.setup) + match + par + encode_parts(saved.parts)


def decode_saved(content: bytes) -> SavedMatch:
    """Returns the saved match in these bytes; raises a ValueError or LookupError."""
    reader = Reader(content)
    setup = decode_setup(reader)
    match, par = decode_match(reader, setup), None
    if setup.is_solo and reader.flags(1)[0]:
        par = Par(*_PAR.unpack(reader.take(_PAR.size)))
    return SavedMatch(setup, match, par, decode_parts(reader))


def encode_replay(saved: SavedMatch) -> bytes:
    """Returns an ended match with what is public of it: no seed, and nothing that was learnt.

    Raises ValueError before the end.
    """
    if saved.match.outcome is None:
        raise ValueError("a match that goes on has no public replay")
    setup = replace(saved.setup, learning=None, started_hour=None, seed_shares=None, is_dealt=False)
    return encode_setup(setup) + codec.encode(saved.match, has_seed=False)


def decode_replay(content: bytes) -> SavedMatch:
    """Returns the ended match in these bytes, with a seed of zeros; raises a ValueError."""
    reader = Reader(content)
    setup = decode_setup(reader)
    match = codec.decode(reader, setup.ruleset, seed_of=lambda _fleets: bytes(SEED_BYTES))
    return SavedMatch(setup, match)


# --- the placing of fleets ---


def encode_draft(draft: Draft) -> bytes:
    """Returns the setup, the parts of features, the fleet of the first of two persons, and ships.

    Zeros follow up to the most bytes of the ships, so that the length doesn't tell the other person
    at the device how many are placed.
    """
    rules, first = draft.setup.ruleset, draft.first
    cells, ships = draft.chosen_cells, draft.placed
    placing = [
        bytes((draft.picked or 0, len(cells), *cells, len(ships))),
        bytes(ship.length for ship in ships), codec.encode_ships(rules, ships),
    ]  # fmt: skip
    most = 3 + LONGEST_SHIP + (1 + codec.ship_bytes(rules)) * len(rules.fleet)
    return b"".join((
        encode_setup(draft.setup), encode_parts(draft.parts),
        encode_flags(first is not None, draft.direction is Direction.DOWN, draft.is_held),
        codec.encode_ships(rules, first or ()), b"".join(placing).ljust(most, b"\0"),
    ))  # fmt: skip


def decode_draft(content: bytes) -> Draft:
    """Returns the draft in these bytes; raises a ValueError or LookupError."""
    reader = Reader(content)
    setup, parts = decode_setup(reader), decode_parts(reader)
    rules, first = setup.ruleset, None
    has_first, is_down, is_held = reader.flags(3)
    if has_first:
        first = make_fleet(rules, codec.decode_ships(reader, rules, rules.fleet))
    picked = reader.number() or None
    cells = tuple(map(Cell, reader.take(reader.number())))
    placed: tuple[Placement, ...] = codec.decode_ships(reader, rules, reader.take(reader.number()))
    direction = Direction.DOWN if is_down else Direction.ACROSS
    return Draft(setup, placed, picked, direction, cells, first, is_held, parts)
