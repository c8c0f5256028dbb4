"""The bytes that a token holds: a draft, a match with its setup, or a replay.

    setup    02 | preset u8 | mind u8 of the first side, of the second | flags u16
             | version of the minds u8 | rounds won u8 by the first, by the second, drawn u8
             | name of the first: length u8 and UTF-8, of the second likewise
             | number of extensions u8 | each: its number u8, length u16, content
    saved    setup | the match's record, and where one searches alone the admiral's match for par:
             version of the minds u8 | its actions as in a record
    replay   setup | the ended match, as codec.encode_ended writes it
    duel     id 16 | step u16 | who holds the first seat 16, the second 16 | rematch wished u8
             | which fleets lie u8, 4 more once the match goes on | setup, and then
             the match's record, or before it the ruleset and both fleets, each ship as in a record
    draft    setup | ruleset | whether the first fleet is complete u8, its ships as in a record
             | picked length u8 | lies down u8, 2 more if the ship placed last is held
             | cells chosen u8, each u16, zeros up to eight
             | ships placed u8 | each length u8 and place u16 | zeros for those not placed
    duel-draft    id 16 | side u8 | who holds that seat 16 | a draft

    extension 4, where the seed follows from two halves
             the server's 16 | in a match the player's 16; none where its fleet stands for it. The
             record of such a match has no seed
    extension 3, of a match that a site has begun
             hours u32 from 1970-01-01T00:00Z until it began
    extension 2, of today's sea
             its day u32, as 20261122 | number of its link u16 | first link of the chain 32
    extension 1, where the computer learns
             whether it forgets u8 | what it has learnt of each of HABITS i8, zeros for nothing

A mind of 0 is a person. Rules and setup alone decide the length, so that it reveals nothing of the
match; except for a replay, whose match is over. That goes for the extensions too, which come in
the order of EXTENSIONS; an unknown one is refused.

This is layout 2, after which the record of the match is laid out too; see codec. A setup of layout
1 has flags u8, whose upper three bits hold the version of the minds, from 0; and no extensions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from game.engine import codec
from game.engine.actions import IllegalAction
from game.engine.fleets import Fleet, IllegalFleet, make_fleet
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import LONGEST_SHIP, Pair, Ruleset, Side
from game.matches.draft import Claim, Draft
from game.matches.duel import DUEL_ID_BYTES, SEAT_BYTES, Duel
from game.matches.saved import Par, SavedMatch, start_par
from game.matches.seed_shares import SHARE_BYTES, SeedShares
from game.matches.setup import LINK_BYTES, LONGEST_NAME, MOST_LEARNT, Day, Setup, Tally, is_date
from game.players.belief.habits import HABITS
from game.players.registry import CODES

_MIND_CODES = dict[str | None, int](CODES) | {None: 0}
_MINDS = {code: name for name, code in _MIND_CODES.items()}
_PRESETS = {preset.code: preset for preset in PRESETS.values()}
_FLAGS = (
    "hints", "coach", "was_hinted", "was_coached", "loser_begins", "remote", "went_back",
)  # fmt: skip
"""The switches of a setup, one bit each from the lowest."""
_FLAG_COUNT = {1: 5, 2: 7}
"""By layout the number of these switches."""
_MOST_NAME_BYTES = 4 * LONGEST_NAME


class Extension(NamedTuple):
    """Something that a setup has only at times: it takes no room in the tokens of the others."""

    number: int
    """What names it in tokens: never changed, never given to another."""
    encode: Callable[[Setup], bytes]
    """Its content; empty where the setup doesn't have it."""
    decode: Callable[[Setup, bytes], Setup]
    """The setup with what the content says; raises BadEncoding."""


def _encode_learnt(setup: Setup) -> bytes:
    if not setup.learns:
        return b""
    numbers = setup.learnt or (0,) * len(HABITS)
    return bytes((setup.forgets, *(number & 0xFF for number in numbers)))


def _decode_learnt(setup: Setup, content: bytes) -> Setup:
    reader = codec.Reader(content)
    forgets = reader.number()
    learnt = tuple(number - (number >> 7 << 8) for number in reader.rest())
    if forgets > 1 or len(learnt) != len(HABITS) or min(learnt) < -MOST_LEARNT:
        raise codec.BadEncoding("not what a computer has learnt")
    if len(setup.persons) != 1:
        raise codec.BadEncoding("nobody learns there")
    known = learnt if any(learnt) else ()
    return replace(setup, learns=True, learnt=known, forgets=bool(forgets))


def _encode_day(setup: Setup) -> bytes:
    if setup.day is None:
        return b""
    day, number, first_link = setup.day
    return int(day.replace("-", "")).to_bytes(4, "big") + number.to_bytes(2, "big") + first_link


def _decode_day(setup: Setup, content: bytes) -> Setup:
    reader = codec.Reader(content)
    digits, number, first_link = str(reader.number(4)), reader.number(2), reader.take(LINK_BYTES)
    day = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    if reader.rest() or not is_date(day) or not number:
        raise codec.BadEncoding("not a day")
    return replace(setup, day=Day(day, number, first_link))


def _encode_hour(setup: Setup) -> bytes:
    return b"" if setup.started_hour is None else setup.started_hour.to_bytes(4, "big")


def _decode_hour(setup: Setup, content: bytes) -> Setup:
    reader = codec.Reader(content)
    started_hour = reader.number(4)
    if reader.rest():
        raise codec.BadEncoding("not an hour")
    return replace(setup, started_hour=started_hour)


def _encode_seed_shares(setup: Setup) -> bytes:
    return b"" if setup.seed_shares is None else bytes.fromhex("".join(setup.seed_shares))


def _decode_seed_shares(setup: Setup, content: bytes) -> Setup:
    reader = codec.Reader(content)
    server, client = reader.take(SHARE_BYTES), reader.rest()
    if len(client) not in (0, SHARE_BYTES):
        raise codec.BadEncoding("not two halves")
    if not setup.may_have_seed_shares:
        raise codec.BadEncoding("nobody has a half there")
    return replace(setup, seed_shares=SeedShares(server.hex(), client.hex()))


EXTENSIONS = (
    Extension(1, _encode_learnt, _decode_learnt), Extension(2, _encode_day, _decode_day),
    Extension(3, _encode_hour, _decode_hour),
    Extension(4, _encode_seed_shares, _decode_seed_shares),
)  # fmt: skip
"""In the order in which they come. More habits need another one: the first keeps its length."""


def encode_saved(saved: SavedMatch) -> bytes:
    """The bytes of a saved match; twin of decode_saved."""
    setup, match = saved.setup, saved.match
    record = codec.encode(match, setup.layout, has_seed=setup.seed_shares is None)
    return _encode_setup(setup) + record + _encode_par(saved.par)


def _encode_par(par: Par | None) -> bytes:
    if par is None:
        return b""
    match = par.match
    return bytes((par.minds_version,)) + codec.encode_actions(match.ruleset, match.actions)


def decode_saved(content: bytes) -> SavedMatch:
    """The saved match in these bytes, every action judged again; raises BadEncoding."""
    return _decode(content, codec.decode)


def encode_replay(saved: SavedMatch) -> bytes:
    """The bytes of an ended match without its seed; twin of decode_replay.

    Nor does it hold what was learnt of the person, or when. Raises ValueError before the end.
    """
    setup = replace(
        saved.setup, learns=False, learnt=(), forgets=False, started_hour=None, seed_shares=None
    )
    return _encode_setup(setup) + codec.encode_ended(saved.match, saved.setup.layout)


def decode_replay(content: bytes) -> SavedMatch:
    """The ended match in these bytes, its seed all zeros; raises BadEncoding."""
    return _decode(content, codec.decode_ended)


def _decode(content: bytes, decode: Callable[[bytes, int], Match]) -> SavedMatch:
    reader = codec.Reader(content)
    setup = _decode_setup(reader)
    record, par = reader.rest(), b""
    rules = codec.decode_rules(codec.Reader(record), setup.layout)
    if rules.solo and decode is codec.decode:
        size = codec.size(rules, setup.layout)
        record, par = record[:size], record[size:]
    if setup.seed_shares is not None:
        if rules.solo or decode is not codec.decode:
            raise codec.BadEncoding("nobody has a half there")
        decode = partial(codec.decode, seed_of=partial(_seed_of, setup.seed_shares, setup.person))
    match = decode(record, setup.layout)
    setup = replace(setup, ruleset=match.ruleset)
    if rules.solo and (setup.minds[0] is not None or setup.minds[1] is None):
        raise codec.BadEncoding("nobody searches, or nobody hides")
    return SavedMatch(setup, match, _decode_par(match, par) if par else None)


def _seed_of(seed_shares: SeedShares, person: Side, fleets: Pair[Fleet]) -> bytes:
    return seed_shares.with_fleet(fleets[person]).seed


def _decode_par(match: Match, content: bytes) -> Par:
    reader = codec.Reader(content)
    minds_version, actions = reader.number(), codec.decode_actions(reader, match.ruleset)
    if reader.rest() or not minds_version:
        raise codec.BadEncoding("not a par")
    try:
        return Par(replace(start_par(match), actions=actions), minds_version)
    except IllegalAction as error:
        raise codec.BadEncoding(str(error)) from error


def encode_duel(duel: Duel) -> bytes:
    """The bytes of a duel, the same for both of its seats; twin of decode_duel."""
    match, rules = duel.match, duel.setup.ruleset
    lie = sum(1 << side for side in Side if duel.fleets[side] is not None)
    parts = [
        duel.id, duel.step.to_bytes(2, "big"),
        *(seat_hash.ljust(SEAT_BYTES, b"\0") for seat_hash in duel.seat_hashes),
        bytes((sum(1 << side for side in Side if duel.wishes[side]),)),
        bytes((lie if match is None else lie | _GOES_ON,)),
    ]  # fmt: skip
    if match is not None:
        return b"".join(parts) + encode_saved(SavedMatch(duel.setup, match))
    parts += [_encode_setup(duel.setup), codec.encode_rules(rules, duel.setup.layout)]
    for fleet in duel.fleets:
        ships = b"".join(map(codec.encode_placement, fleet or ()))
        parts.append(ships.ljust(2 * len(rules.fleet), b"\0"))
    return b"".join(parts)


_GOES_ON = 4


def decode_duel(content: bytes) -> Duel:
    """The duel in these bytes, every action judged again; raises BadEncoding."""
    reader = codec.Reader(content)
    duel_id, step = reader.take(DUEL_ID_BYTES), reader.number(2)
    one, other = reader.take(SEAT_BYTES), reader.take(SEAT_BYTES)
    wishes, lie = reader.number(), reader.number()
    seat_hashes = one.strip(b"\0") and one, other.strip(b"\0") and other
    wished = bool(wishes & 1), bool(wishes & 2)
    if lie & _GOES_ON:
        saved = decode_saved(reader.rest())
        fleets: Pair[Fleet | None] = saved.match.fleets
        duel = Duel(duel_id, step, seat_hashes, saved.setup, fleets, saved.match, wished)
    else:
        setup = _decode_setup(reader)
        rules = codec.decode_rules(reader, setup.layout)
        try:
            first, second = (
                _decode_fleet(reader, rules, lies=bool(lie >> side & 1)) for side in Side
            )
        except IllegalFleet as error:
            raise codec.BadEncoding(str(error)) from error
        setup = replace(setup, ruleset=rules)
        duel = Duel(duel_id, step, seat_hashes, setup, (first, second), None, wished)
    if not duel.setup.remote or encode_duel(duel) != content:
        raise codec.BadEncoding("another spelling of a duel")
    return duel


def _decode_fleet(reader: codec.Reader, rules: Ruleset, *, lies: bool) -> Fleet | None:
    ships = codec.Reader(reader.take(2 * len(rules.fleet)))
    if not lies:
        return None
    return make_fleet(rules, [codec.decode_placement(ships, rules, one) for one in rules.fleet])


def encode_duel_draft(draft: Draft) -> bytes:
    """The bytes of a draft for a seat of a duel; twin of decode_duel_draft."""
    assert draft.claim is not None  # noqa: S101 (asked only of these)
    duel_id, side, seat_hash = draft.claim
    return duel_id + bytes((side,)) + seat_hash + encode_draft(draft)


def decode_duel_draft(content: bytes) -> Draft:
    """The draft for a seat of a duel in these bytes; raises BadEncoding."""
    reader = codec.Reader(content)
    duel_id, side, seat_hash = reader.take(DUEL_ID_BYTES), reader.number(), reader.take(SEAT_BYTES)
    draft = decode_draft(reader.rest())
    if side > 1 or not draft.setup.remote:
        raise codec.BadEncoding("not a seat")
    return replace(draft, claim=Claim(duel_id, Side(side), seat_hash))


def encode_draft(draft: Draft) -> bytes:
    """The bytes of a draft; twin of decode_draft."""
    rules, is_down = draft.setup.ruleset, draft.direction is Direction.DOWN
    first = draft.first or ()
    chosen_cells = b"".join(cell.to_bytes(2, "big") for cell in draft.chosen_cells)
    placed = [bytes((ship.length,)) + codec.encode_placement(ship) for ship in draft.placed]
    parts = [
        _encode_setup(draft.setup), codec.encode_rules(rules, draft.setup.layout),
        bytes((draft.first is not None,)),
        b"".join(map(codec.encode_placement, first)).ljust(2 * len(rules.fleet), b"\0"),
        bytes((draft.picked or 0, is_down | draft.is_held << 1, len(draft.chosen_cells))),
        chosen_cells.ljust(2 * LONGEST_SHIP, b"\0"),
        bytes((len(placed),)), b"".join(placed).ljust(3 * len(rules.fleet), b"\0"),
    ]  # fmt: skip
    return b"".join(parts)


def decode_draft(content: bytes) -> Draft:
    """The draft in these bytes; raises BadEncoding."""
    try:
        draft = _decode_draft(codec.Reader(content))
    except IllegalFleet as error:
        raise codec.BadEncoding(str(error)) from error
    if encode_draft(draft) != content:
        raise codec.BadEncoding("another spelling of a draft")
    return draft


def _decode_draft(reader: codec.Reader) -> Draft:
    setup = _decode_setup(reader)
    rules = codec.decode_rules(reader, setup.layout)
    has_first, fleet = reader.number(), codec.Reader(reader.take(2 * len(rules.fleet)))
    first = None
    if has_first:
        ships = [codec.decode_placement(fleet, rules, length) for length in rules.fleet]
        first = make_fleet(rules, ships)
    picked, lies, count = reader.number(), reader.number(), reader.number()
    cells = codec.Reader(reader.take(2 * LONGEST_SHIP))
    chosen_cells = tuple(Cell(cells.number(2)) for _ in range(count))
    ships = [codec.decode_placement(reader, rules, reader.number()) for _ in range(reader.number())]
    is_odd = picked not in (0, *rules.fleet) or any(
        cell >= rules.board.size for cell in chosen_cells
    )
    if is_odd or (has_first and not setup.is_shared):
        raise codec.BadEncoding("not a draft")
    direction = Direction.DOWN if lies & 1 else Direction.ACROSS
    return Draft(
        replace(setup, ruleset=rules), tuple(ships), picked or None, direction, chosen_cells, first,
        is_held=bool(lies & 2),
    )  # fmt: skip


def _encode_setup(setup: Setup) -> bytes:
    names = [name.encode() for name in setup.names]
    parts = [
        bytes((setup.layout, setup.preset.code, *(_MIND_CODES[name] for name in setup.minds))),
        _encode_flags(setup),
        bytes((*setup.tally.wins, setup.tally.draws)),
        *(bytes((len(name),)) + name for name in names),
        _encode_extensions(setup) if setup.layout > 1 else b"",
    ]
    return b"".join(parts)


def _encode_flags(setup: Setup) -> bytes:
    """The switches of a setup, and the version of the minds."""
    flags = sum(1 << bit for bit, name in enumerate(_FLAGS) if getattr(setup, name))
    if setup.layout == 1:
        return bytes((flags | setup.minds_version - 1 << _FLAG_COUNT[1],))
    return bytes((*flags.to_bytes(2, "big"), setup.minds_version))


def _encode_extensions(setup: Setup) -> bytes:
    contents = [(one.number, one.encode(setup)) for one in EXTENSIONS]
    written = [
        bytes((number, *len(content).to_bytes(2, "big"))) + content
        for number, content in contents
        if content
    ]
    return bytes((len(written),)) + b"".join(written)


def _decode_setup(reader: codec.Reader) -> Setup:
    """The setup with its preset's ruleset, which the caller replaces; raises BadEncoding."""
    layout, preset, first, second = (reader.number() for _ in range(4))
    if layout not in codec.LAYOUTS:
        raise codec.BadEncoding("not a setup")
    if preset not in _PRESETS or not {first, second} <= _MINDS.keys():
        raise codec.BadEncoding("an unknown preset or mind")
    flags, minds_version = _decode_flags(reader, layout)
    won, lost, draws = (reader.number() for _ in range(3))
    chosen = _PRESETS[preset]
    switches: dict[str, Any] = {name: bool(flags >> bit & 1) for bit, name in enumerate(_FLAGS)}
    setup = Setup(
        chosen.ruleset,
        (_MINDS[first], _MINDS[second]),
        preset=chosen,
        names=(_decode_name(reader), _decode_name(reader)),
        tally=Tally((won, lost), draws),
        minds_version=minds_version,
        layout=layout,
        **switches,
    )
    return setup if layout == 1 else _with_extensions(setup, reader)


def _decode_flags(reader: codec.Reader, layout: int) -> tuple[int, int]:
    """The switches of a setup, and the version of the minds; raises BadEncoding."""
    if layout == 1:
        flags = reader.number()
        return flags & (1 << _FLAG_COUNT[1]) - 1, 1 + (flags >> _FLAG_COUNT[1])
    flags, minds_version = reader.number(2), reader.number()
    if flags >> _FLAG_COUNT[layout] or not minds_version:
        raise codec.BadEncoding("an unknown switch, or no version of the minds")
    return flags, minds_version


def _with_extensions(setup: Setup, reader: codec.Reader) -> Setup:
    """The setup with the extensions that come next; raises BadEncoding."""
    rows = iter(EXTENSIONS)
    for _ in range(reader.number()):
        number, content = reader.number(), reader.take(reader.number(2))
        # On from the last one: each comes once, in the order of the list.
        row = next((one for one in rows if one.number == number), None)
        if row is None or not content:
            raise codec.BadEncoding("an unknown extension")
        setup = row.decode(setup, content)
    return setup


def _decode_name(reader: codec.Reader) -> str:
    length = reader.number()
    if length > _MOST_NAME_BYTES:
        raise codec.BadEncoding("too long a name")
    try:
        return reader.take(length).decode()
    except UnicodeDecodeError as error:
        raise codec.BadEncoding("not a name") from error
