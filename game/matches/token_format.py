"""The bytes that a token holds: a draft, a match with its setup, a replay, a duel or a challenge.

    match    setup | the match's record, without a seed if it follows from shares; of a solo match
             also the admiral's match for par: version of the minds u8 | its actions as in a record
             | the challenge that it takes up, if it does
    replay   setup | the ended match, as codec.encode_ended writes it
    duel     setup | id 16 | step u16 | hash of the first seat 16, of the second 16
             | rematch wished u8, 4 or 8 more if a side has left
             | fleets placed u8, 4 more once the match has begun
             | the match's record, or before it the ruleset and both fleets
    draft    setup | ruleset | whether the first fleet is complete u8 | that fleet
             | picked length u8 | lies down u8, 2 more if the ship placed last is held
             | cells chosen u8, each u16, zeros up to eight
             | ships placed u8 | each length u8 and place u16 | zeros for those not placed
             | at two devices: id of the duel 16 | side u8 | hash of the seat 16
             | the challenge that the fleet is for, if it is for one
    challenge setup | seed 16 | name | switches u8: known to the challenger, known to the player,
             answers a result | that result: name, shots or turns u16, help and won and known u8
             | bytes of the match u16 | the ended match, as codec.encode_ended writes it
             | zeros up to the most for as many actions

    setup    header, see token_header | preset u8 | mind u8 of the first side, of the second
             | version of the minds u8 | rounds won u8 by the first, by the second, drawn u8
             | name of the first | name of the second
             | if the computer learns: what it has learnt of each of HABITS i8, zeros for nothing
             | ships u8 | each ship of the last three fleets u16, its number and 1 more, or zero
             | in today's sea: number of the day's link u16 | first link of the chain 32
             | shares of the seed: the server's 16, the player's 16, if there are any

A name is its length u8 and its UTF-8. A mind of 0 is a person. A fleet is written as in a record,
and with zeros if it isn't placed. Rules and setup alone decide the length, so it reveals nothing of
the match. Only a replay, whose match is over, has as many bytes as it needs, and a challenge as
many as its number of actions can need.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from struct import Struct

from game.engine import codec
from game.engine.actions import IllegalAction
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet, IllegalFleet, make_fleet
from game.engine.geometry import LARGEST, Cell, Direction
from game.engine.lengths import ships_remembered
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import LONGEST_SHIP, Pair, Ruleset, Side
from game.matches.challenge import Challenge, Score, challenge_of, may_challenge
from game.matches.draft import Claim, Draft
from game.matches.duel import DUEL_ID_BYTES, SEAT_BYTES, Duel
from game.matches.saved import Par, SavedMatch, start_par
from game.matches.seed_shares import SHARE_BYTES, SeedShares
from game.matches.setup import (
    ASSISTS,
    LINK_BYTES,
    LONGEST_NAME,
    MOST_LEARNT,
    Assists,
    Day,
    Learning,
    Setup,
    Tally,
)
from game.matches.token_header import TokenHeader, decode_header
from game.players.belief.fleets_again import MOST_FLEETS
from game.players.belief.habits import HABITS
from game.players.registry import CODES

_MIND_CODES = dict[str | None, int](CODES) | {None: 0}
_MINDS = {code: name for name, code in _MIND_CODES.items()}
_PRESETS = {preset.code: preset for preset in PRESETS.values()}
_SWITCHES = 4 + 2 + len(Assists._fields) + 1
"""How many switches a setup has in the header of its token; see _encode_setup."""
_LEARNT = Struct(f"{len(HABITS)}b")
_NOTHING = (0,) * len(HABITS)
_MOST_NUMBER = 2 * LARGEST**2
"""The largest number of a placement, and 1 more."""
_MOST_NAME_BYTES = 4 * LONGEST_NAME


def encode_saved(saved: SavedMatch) -> bytes:
    challenge = encode_challenge(saved.challenge) if saved.challenge else b""
    return _encode_setup(saved.setup) + _encode_match(saved) + challenge


def _encode_match(saved: SavedMatch) -> bytes:
    record, par = codec.encode(saved.match, has_seed=saved.setup.seed_shares is None), saved.par
    if par is None:
        return record
    actions = codec.encode_actions(par.match.ruleset, par.match.actions)
    return record + bytes((par.minds_version,)) + actions


def decode_saved(content: bytes) -> SavedMatch:
    """Returns the saved match in these bytes, after judging every action; raises BadEncoding."""
    reader = codec.Reader(content)
    saved = _decode_match(_decode_setup(reader), reader)
    return replace(saved, challenge=_decode_rest(reader))


def _decode_rest(reader: codec.Reader) -> Challenge | None:
    """Returns the challenge at the end of a token; None if it has none."""
    rest = reader.rest()
    return decode_challenge(rest) if rest else None


def _decode_match(setup: Setup, reader: codec.Reader) -> SavedMatch:
    shares = setup.seed_shares
    seed_of = None if shares is None else partial(_seed_of, shares, setup.person)
    match = codec.decode(reader, seed_of=seed_of)
    saved = _saved(setup, match)
    return replace(saved, par=_decode_par(match, reader)) if saved.setup.is_solo else saved


def _seed_of(seed_shares: SeedShares, person: Side, fleets: Pair[Fleet]) -> bytes:
    return seed_shares.with_fleet(fleets[person]).seed


def _saved(setup: Setup, match: Match) -> SavedMatch:
    setup = replace(setup, ruleset=match.ruleset)
    if setup.is_solo and (setup.minds[0] is not None or setup.minds[1] is None):
        raise codec.BadEncoding("nobody searches, or nobody hides")
    if setup.seed_shares is not None and not setup.may_have_seed_shares:
        raise codec.BadEncoding("nobody has a share of the seed there")
    return SavedMatch(setup, match)


def _decode_par(match: Match, reader: codec.Reader) -> Par:
    minds_version, actions = reader.number(), codec.decode_actions(reader, match.ruleset)
    if not minds_version:
        raise codec.BadEncoding("not a par")
    try:
        return Par(replace(start_par(match), actions=actions), minds_version)
    except IllegalAction as error:
        raise codec.BadEncoding(str(error)) from error


def encode_replay(saved: SavedMatch) -> bytes:
    """Returns the bytes of an ended match without its seed; twin of decode_replay.

    They don't hold what was learnt of the person either, or when the match began. Raises
    ValueError before the end.
    """
    setup = replace(saved.setup, learning=None, started_hour=None, seed_shares=None, is_dealt=False)
    return _encode_setup(setup) + codec.encode_ended(saved.match)


def decode_replay(content: bytes) -> SavedMatch:
    """Returns the ended match in these bytes with a seed of zeros; raises BadEncoding."""
    reader = codec.Reader(content)
    setup = _decode_setup(reader)
    if any(part is not None for part in (setup.learning, setup.started_hour, setup.seed_shares)):
        raise codec.BadEncoding("a replay has no such part")
    return _saved(setup, codec.decode_ended(reader.rest()))


def encode_duel(duel: Duel) -> bytes:
    """Returns the bytes of a duel, the same for both seats; twin of decode_duel."""
    placed = _bits(fleet is not None for fleet in duel.fleets)
    parts = [
        _encode_setup(duel.setup), duel.id, duel.step.to_bytes(2, "big"),
        *(seat_hash.ljust(SEAT_BYTES, b"\0") for seat_hash in duel.seat_hashes),
        bytes((_bits((*duel.wishes, *duel.left)), placed | _BEGUN * (duel.match is not None))),
    ]  # fmt: skip
    if duel.match is not None:
        parts.append(codec.encode(duel.match))
    else:
        rules = duel.setup.ruleset
        parts += [codec.encode_rules(rules)]
        parts += [_encode_fleet(rules, fleet) for fleet in duel.fleets]
    return b"".join(parts)


_BEGUN = 4


def encode_challenge(challenge: Challenge) -> bytes:
    """Returns the bytes of a challenge; twin of decode_challenge.

    Their number follows from the rules, the names and the number of actions, not from the cells.
    """
    match, answers = challenge.match, challenge.answers
    ended = codec.encode_ended(match)
    switches = _bits((challenge.was_known, challenge.is_known, answers is not None))
    parts = [
        _encode_setup(challenge.setup), match.seed, _encode_name(challenge.name),
        bytes((switches,)), b"" if answers is None else _encode_score(answers),
        len(ended).to_bytes(2, "big"), ended.ljust(codec.most_ended_bytes(match), b"\0"),
    ]  # fmt: skip
    return b"".join(parts)


@lru_cache(maxsize=32)  # each shot of a friend brings the same one; 30 kB each
def decode_challenge(content: bytes) -> Challenge:
    """Returns the challenge in these bytes, after judging every action; raises BadEncoding."""
    reader = codec.Reader(content)
    setup, seed = _decode_setup(reader), reader.take(SEED_BYTES)
    name, switches = _decode_name(reader), reader.number()
    answers = _decode_score(reader) if switches & _ANSWERS else None
    match = codec.decode_ended(reader.take(reader.number(2)), seed)
    setup = _saved(setup, match).setup
    if not may_challenge(setup, match):
        raise codec.BadEncoding("nobody to challenge there")
    challenge = challenge_of(setup, match, name, was_known=bool(switches & 1), answers=answers)
    challenge = replace(challenge, is_known=bool(switches & 2))
    if encode_challenge(challenge) != content:
        raise codec.BadEncoding("another spelling of a challenge")
    return challenge


_ANSWERS = 4
"""The switch of a challenge that answers a result."""


def _encode_score(score: Score) -> bytes:
    marks = _bits((*(one in score.assists for one in ASSISTS), score.is_won, score.is_known))
    return _encode_name(score.name) + score.total.to_bytes(2, "big") + bytes((marks,))


def _decode_score(reader: codec.Reader) -> Score:
    name, total, marks = _decode_name(reader), reader.number(2), reader.number()
    *assists, is_won, is_known = (bool(marks >> bit & 1) for bit in range(len(ASSISTS) + 2))
    used = tuple(one for one, is_used in zip(ASSISTS, assists, strict=True) if is_used)
    return Score(name, total, is_won, used, is_known)


def _bits(switches: Iterable[bool]) -> int:
    return sum(1 << bit for bit, is_set in enumerate(switches) if is_set)


def decode_duel(content: bytes) -> Duel:
    """Returns the duel in these bytes, after judging every action; raises BadEncoding."""
    reader = codec.Reader(content)
    setup, duel_id, step = _decode_setup(reader), reader.take(DUEL_ID_BYTES), reader.number(2)
    one, other = reader.take(SEAT_BYTES), reader.take(SEAT_BYTES)
    wishes, placed = reader.number(), reader.number()
    duel = Duel(
        duel_id, step, (one.strip(b"\0") and one, other.strip(b"\0") and other), setup,
        wishes=(bool(wishes & 1), bool(wishes & 2)), left=(bool(wishes & 4), bool(wishes & 8)),
    )  # fmt: skip
    if placed & _BEGUN:
        saved = _decode_match(setup, reader)
        duel = replace(duel, setup=saved.setup, fleets=saved.match.fleets, match=saved.match)
    else:
        rules = codec.decode_rules(reader)
        first, second = (
            _decode_fleet(reader, rules, is_placed=bool(placed >> side & 1)) for side in Side
        )
        duel = replace(duel, setup=replace(setup, ruleset=rules), fleets=(first, second))
    if not duel.setup.remote or encode_duel(duel) != content:
        raise codec.BadEncoding("another spelling of a duel")
    return duel


def _encode_fleet(rules: Ruleset, fleet: Fleet | None) -> bytes:
    ships = b"".join(map(codec.encode_placement, fleet or ()))
    return ships.ljust(2 * len(rules.fleet), b"\0")


def _decode_fleet(reader: codec.Reader, rules: Ruleset, *, is_placed: bool) -> Fleet | None:
    ships = codec.Reader(reader.take(2 * len(rules.fleet)))
    if not is_placed:
        return None
    try:
        return make_fleet(rules, [codec.decode_placement(ships, rules, one) for one in rules.fleet])
    except IllegalFleet as error:
        raise codec.BadEncoding(str(error)) from error


def encode_draft(draft: Draft) -> bytes:
    rules, is_down = draft.setup.ruleset, draft.direction is Direction.DOWN
    chosen_cells = b"".join(cell.to_bytes(2, "big") for cell in draft.chosen_cells)
    placed = [bytes((ship.length,)) + codec.encode_placement(ship) for ship in draft.placed]
    parts = [
        _encode_setup(draft.setup), codec.encode_rules(rules),
        bytes((draft.first is not None,)), _encode_fleet(rules, draft.first),
        bytes((draft.picked or 0, is_down | draft.is_held << 1, len(draft.chosen_cells))),
        chosen_cells.ljust(2 * LONGEST_SHIP, b"\0"),
        bytes((len(placed),)), b"".join(placed).ljust(3 * len(rules.fleet), b"\0"),
    ]  # fmt: skip
    if draft.claim is not None:
        duel_id, side, seat_hash = draft.claim
        parts += [duel_id, bytes((side,)), seat_hash]
    if draft.challenge is not None:
        parts.append(encode_challenge(draft.challenge))
    return b"".join(parts)


def decode_draft(content: bytes) -> Draft:
    """Returns the draft in these bytes; raises BadEncoding."""
    try:
        draft = _decode_draft(codec.Reader(content))
    except IllegalFleet as error:
        raise codec.BadEncoding(str(error)) from error
    if encode_draft(draft) != content:
        raise codec.BadEncoding("another spelling of a draft")
    return draft


def _decode_draft(reader: codec.Reader) -> Draft:
    setup, rules = _decode_setup(reader), codec.decode_rules(reader)
    first = _decode_fleet(reader, rules, is_placed=bool(reader.number()))
    picked, lies, count = reader.number(), reader.number(), reader.number()
    cells = codec.Reader(reader.take(2 * LONGEST_SHIP))
    chosen_cells = tuple(Cell(cells.number(2)) for _ in range(count))
    ships = codec.Reader(reader.take(1 + 3 * len(rules.fleet)))
    placed = [codec.decode_placement(ships, rules, ships.number()) for _ in range(ships.number())]
    is_odd = picked not in (0, *rules.fleet) or any(
        cell >= rules.board.size for cell in chosen_cells
    )
    if is_odd or (first and not setup.is_shared):
        raise codec.BadEncoding("not a draft")
    direction = Direction.DOWN if lies & 1 else Direction.ACROSS
    return Draft(
        replace(setup, ruleset=rules), tuple(placed), picked or None, direction, chosen_cells,
        first, is_held=bool(lies & 2), claim=_decode_claim(reader) if setup.remote else None,
        challenge=_decode_rest(reader),
    )  # fmt: skip


def _decode_claim(reader: codec.Reader) -> Claim:
    duel_id, side, seat_hash = reader.take(DUEL_ID_BYTES), reader.number(), reader.take(SEAT_BYTES)
    if side > 1:
        raise codec.BadEncoding("not a seat")
    return Claim(duel_id, Side(side), seat_hash)


def _encode_setup(setup: Setup) -> bytes:
    learning, shares, day = setup.learning, setup.seed_shares, setup.day
    switches = (
        setup.loser_begins, setup.remote, *setup.assists,
        learning is not None, learning is not None and learning.forgets,
        shares is not None, shares is not None and shares.client != "", setup.is_dealt,
    )  # fmt: skip
    head = TokenHeader(setup.started_hour, day and day.date, switches).encode()
    players = (_MIND_CODES[name] for name in setup.minds)
    numbers = (setup.preset.code, *players, setup.minds_version, *setup.tally.wins)
    parts = [head, bytes((*numbers, setup.tally.draws)), *map(_encode_name, setup.names)]
    if learning is not None:
        parts.append(_encode_learnt(learning.learnt, ships_remembered(setup.ruleset)))
    if day is not None:
        parts.append(day.number.to_bytes(2, "big") + day.first_link)
    if shares is not None:
        parts.append(bytes.fromhex("".join(shares)))
    return b"".join(parts)


def _encode_learnt(learnt: tuple[int, ...], ships: int) -> bytes:
    habits, fleets = learnt[: len(HABITS)] or _NOTHING, learnt[len(HABITS) :]
    numbers = (*(number + 1 for number in fleets), *[0] * (MOST_FLEETS * ships - len(fleets)))
    placed = b"".join(number.to_bytes(2, "big") for number in numbers)
    return _LEARNT.pack(*habits) + bytes((ships,)) + placed


def _decode_setup(reader: codec.Reader) -> Setup:
    """Reads a setup with its preset's ruleset, which the caller replaces; raises BadEncoding."""
    started_hour, day, switches = decode_header(reader, switches=_SWITCHES)
    loser_begins, remote, *assists, learns, forgets, has_shares, has_both, is_dealt = switches
    preset, first, second, minds_version, won, lost, draws = reader.take(7)
    if preset not in _PRESETS or not {first, second} <= _MINDS.keys():
        raise codec.BadEncoding("an unknown preset or mind")
    if not minds_version or forgets > learns or has_both > has_shares:
        raise codec.BadEncoding("not a setup")
    setup = Setup(
        _PRESETS[preset].ruleset, (_MINDS[first], _MINDS[second]), _PRESETS[preset], loser_begins,
        (_decode_name(reader), _decode_name(reader)), Tally((won, lost), draws),
        Assists(*assists), _decode_learning(reader, forgets=forgets) if learns else None, remote,
        day=None if day is None else _decode_day(reader, day), started_hour=started_hour,
        seed_shares=_decode_seed_shares(reader, has_both=has_both) if has_shares else None,
        minds_version=minds_version, is_dealt=is_dealt,
    )  # fmt: skip
    if (learns or has_shares) and len(setup.persons) != 1:
        raise codec.BadEncoding("nobody learns, or answers for a share of the seed, there")
    return setup


def _encode_name(name: str) -> bytes:
    text = name.encode()
    return bytes((len(text),)) + text


def _decode_name(reader: codec.Reader) -> str:
    length = reader.number()
    if length > _MOST_NAME_BYTES:
        raise codec.BadEncoding("too long a name")
    try:
        return reader.take(length).decode()
    except UnicodeDecodeError as error:
        raise codec.BadEncoding("not a name") from error


def _decode_learning(reader: codec.Reader, *, forgets: bool) -> Learning:
    learnt = _LEARNT.unpack(reader.take(_LEARNT.size))
    ships = reader.number()
    numbers = [reader.number(2) for _ in range(MOST_FLEETS * ships)]
    count = next((at for at, number in enumerate(numbers) if not number), len(numbers))
    is_whole = not any(numbers[count:]) and not (ships and count % ships)
    if min(learnt) < -MOST_LEARNT or not is_whole or max(numbers, default=0) > _MOST_NUMBER:
        raise codec.BadEncoding("not what a computer has learnt")
    fleets = tuple(number - 1 for number in numbers[:count])
    return Learning((*learnt, *fleets) if any(learnt) or fleets else (), forgets)


def _decode_day(reader: codec.Reader, day: date) -> Day:
    number, first_link = reader.number(2), reader.take(LINK_BYTES)
    if not number:
        raise codec.BadEncoding("not a day")
    return Day(day, number, first_link)


def _decode_seed_shares(reader: codec.Reader, *, has_both: bool) -> SeedShares:
    server, client = reader.take(SHARE_BYTES), reader.take(SHARE_BYTES * has_both)
    return SeedShares(server.hex(), client.hex())
