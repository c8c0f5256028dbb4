"""Records: one spelling, a length that the rules alone decide, and nothing else is taken."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from game.engine.chance import SEED_BYTES, Chance
from game.engine.codec import (
    BadEncoding,
    Reader,
    decode_ended,
    decode_rules,
    encode,
    encode_ended,
    encode_rules,
    most_ended_bytes,
)
from game.engine.fleets import complete, place
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import AtLimit, Ruleset, Side
from tests.support import times
from tests.support.boards import PLAIN, SEED, decoded, fleet, play, rules, start
from tests.support.model import play_out

LAID = """
    aa..  .aa.
    ....  ....
    ..b.  b...
    ....  ....
"""
SWITCHES: dict[str, Any] = {"moving": True, "again": True, "turns": 4}
SCRIPT = "a> B1 D4 A1 A3 C4"
"""Two hits, one of them sinking, water, and moves: the record that is pinned below."""

SEED_AT, FIRST_AT, SECOND_AT, RESIGNED_AT, COUNT_AT, ACTIONS_AT, END = 9, 25, 29, 33, 34, 36, 50
"""Where the parts of that record begin: 7 + 2 bytes of rules, 16 of seed, 4 for each fleet."""

GOLDEN = bytes.fromhex(
    "04 04 0006 0004 02 02 01"
    "000102030405060708090a0b0c0d0e0f"
    "0000 0014"
    "0002 0010"
    "00"
    "0008"
    "12 01 0f 10 00 10 08 0e"
    "000000000000"
)


def golden_match() -> Match:
    return play(start(LAID, **SWITCHES), SCRIPT)


def changed(record: bytes, at: int, *values: int) -> bytes:
    """The record with other bytes from a place on."""
    return record[:at] + bytes(values) + record[at + len(values) :]


MATCHES = 16
"""How many whole matches of random rules are read and written."""
NUMBERS = st.integers(0, MATCHES - 1)
records = settings(derandomize=True, database=None, max_examples=times(80, 400, 4000))


# --- the format ---


def test_the_record_of_a_small_match_is_pinned_byte_by_byte() -> None:
    assert len(GOLDEN) == END
    assert encode(golden_match()).hex(" ") == GOLDEN.hex(" ")
    assert decoded(GOLDEN) == golden_match()


@pytest.mark.parametrize(
    ("number", "ended"),
    [
        (1, lambda match: match.resign(Side.FIRST)),
        (2, lambda match: match.resign(Side.SECOND)),
        (3, Match.abandon),
    ],
)
def test_how_a_match_was_cut_short_stands_before_its_actions(
    number: int, ended: Callable[[Match], Match]
) -> None:
    cut = changed(GOLDEN, RESIGNED_AT, number)
    assert encode(ended(golden_match())) == cut
    assert decoded(cut) == ended(golden_match())


def test_the_record_of_a_search_alone_has_no_fleet_of_the_searcher() -> None:
    laid = "aa..\n....\n..b.\n...."
    match = play(Match(rules(laid, solo=True), ((), fleet(laid)), SEED), "A1 D4")
    assert encode(match) == bytes.fromhex(
        f"04 04 0020 ffff 02 02 01 {SEED.hex()} 0000 0014 00 0002 00 0f {14 * '00'}"
    )


@pytest.mark.parametrize(
    ("switches", "bits"),
    [
        ({"at_limit": AtLimit.DRAW}, "0040 ffff"),
        ({"begins": Side.SECOND}, "0080 ffff"),
        ({"questions": 15}, "0f00 ffff"),
        ({"turns": 1998}, "0000 07ce"),
    ],
)
def test_draws_who_begins_questions_and_turns_have_their_bits(
    switches: dict[str, Any], bits: str
) -> None:
    ruleset = Ruleset(columns=4, rows=15, fleet=(8, 1), **{**PLAIN, **switches})
    written = bytes.fromhex(f"04 0f {bits} 02 0801")
    assert encode_rules(ruleset) == written
    reader = Reader(written + b"more")
    assert decode_rules(reader) == ruleset
    assert reader.rest() == b"more"


SMALL = {"columns": 4, "rows": 4, "fleet": (2,)}
LARGE = {"columns": 15, "rows": 15, "moving": True, "turns": 5}


@pytest.mark.parametrize(
    ("switches", "length"),
    [
        # a shot for each half-turn and each hit, and the moves
        ({"fleet": BONN.fleet, "again": True, "moving": True, "turns": 150}, 76 + 150 + 60 + 150),
        (SMALL, 31 + 32),  # each cell once from each side
        (SMALL | {"turns": 5}, 31 + 5),
        # 225 shots, Stay and 30 moves just fit in one byte; 225, Stay and 32 need two each
        (LARGE | {"fleet": (1,) * 15}, 26 + 5 * 15 + 10),
        (LARGE | {"fleet": (1,) * 16}, 26 + 5 * 16 + 2 * 10),
    ],
)
def test_the_length_of_a_record_is_counted_out(switches: dict[str, Any], length: int) -> None:
    ruleset = Ruleset(**{**PLAIN, **switches})
    first, second = (complete(ruleset, (), Chance(SEED, "fleet", side)) for side in Side)
    assert len(encode(Match(ruleset, (first, second), SEED))) == length


def test_a_reader_takes_from_the_front_and_never_past_the_end() -> None:
    reader = Reader(bytes([1, 2, 3, 4, 5]))
    assert (reader.number(), reader.number(2), reader.take(1)) == (1, 0x0203, b"\4")
    with pytest.raises(BadEncoding, match=r"^too short$"):
        reader.take(2)
    assert (reader.rest(), reader.rest()) == (b"\5", b"")


# --- what is refused ---


@pytest.mark.parametrize(
    ("corrupted", "why"),
    [
        (GOLDEN * 2, "too long"),
        (changed(GOLDEN, 2, 0x80), "an unknown switch"),
        (changed(GOLDEN, 4, 0, 0), "not a number of turns from 1 to 1998: 0"),
        (changed(GOLDEN, 4, 0x07, 0xCF), "not a number of turns from 1 to 1998: 1999"),
        (changed(GOLDEN, 4, 0xFF, 0xFF), "too short"),
        (changed(GOLDEN, FIRST_AT, 0xFF, 0xFF), "not a ship's place"),
        (changed(GOLDEN, FIRST_AT, 0, 32), "not a ship's place"),
        (changed(GOLDEN, RESIGNED_AT, 4), "no such side"),
        (changed(GOLDEN, COUNT_AT, 0xFF, 0xFF), "more actions than a match can have"),
        (changed(GOLDEN, COUNT_AT, 0, 7), "something behind the last action"),
        (changed(GOLDEN, ACTIONS_AT, 21), "no such action"),
    ],
)
def test_a_corrupt_record_is_refused(corrupted: bytes, why: str) -> None:
    with pytest.raises(BadEncoding, match=f"^{why}"):
        decoded(corrupted)


def test_an_action_after_the_end_is_refused() -> None:
    laid = "a...  .a..\n....  ....\n....  ....\n....  ...."
    match = play(start(laid, turns=9), "B1")
    assert match.outcome is not None
    record = encode(match)
    count = 7 + 1 + 16 + 4 + 1
    assert record[count : count + 3] == bytes([0, 1, 1])
    with pytest.raises(BadEncoding, match=r"^the match is over"):
        decoded(changed(record, count, 0, 2, 1, 2))
    with pytest.raises(BadEncoding, match=r"^the match is over$"):
        decoded(changed(record, count - 1, 1))


def accepted_only_in_its_one_spelling(data: bytes) -> bool:
    """Whether the bytes are a record; fails where one is taken that is written otherwise."""
    try:
        match = decoded(data)
    except BadEncoding:
        return False
    assert encode(match) == data
    assert match == decoded(encode(match))
    return True


@pytest.mark.parametrize("number", range(MATCHES))
@pytest.mark.parametrize("more", [b"\0", b"\1\2\3\4"])
def test_a_record_cut_or_lengthened_is_refused(number: int, more: bytes) -> None:
    record = encode(play_out(number).match)
    assert not accepted_only_in_its_one_spelling(record + more)
    assert not accepted_only_in_its_one_spelling(record[: -len(more)])


def test_single_bytes_changed_in_the_pinned_record_are_refused_or_a_record() -> None:
    """How many other values each byte may have; those left out may have none."""
    taken = Counter(
        at
        for at in range(END)
        for value in range(256)
        if value != GOLDEN[at] and accepted_only_in_its_one_spelling(changed(GOLDEN, at, value))
    )
    seed = dict.fromkeys(range(SEED_AT, FIRST_AT), 255)
    switches, fleets = {2: 2, 3: 3}, {FIRST_AT + 1: 3, FIRST_AT + 3: 7, SECOND_AT + 1: 1}
    others = {1: 1, 2: 12, 4: 12, 5: 4, 6: 1, 7: 14}  # by what an action may be at its place
    actions = {ACTIONS_AT + number: count for number, count in others.items()}
    rest = {RESIGNED_AT: 3}
    assert taken == switches | seed | fleets | rest | actions


# --- matches that are over ---


def test_an_ended_match_is_one_number_that_is_pinned() -> None:
    """On 6 by 6 cells, a ship of one cell each: places to the base of 72, shots to that of 36."""
    ruleset = Ruleset(columns=6, rows=6, fleet=(1,), moving=False, again=False, turns=2)
    fleets = tuple((place(ruleset.board, Cell(bow), Direction.ACROSS, 1),) for bow in (3, 20))
    match = Match(ruleset, (fleets[0], fleets[1]), SEED).fire(Cell(7)).fire(Cell(30))
    number = 2 * 3 + 72 * (2 * 20 + 72 * (7 + 36 * (30 + 36 * 1)))
    data = encode_ended(match)
    assert data == encode_rules(ruleset) + b"\0" + number.to_bytes(3, "big")
    assert decode_ended(data) == replace(match, seed=bytes(SEED_BYTES))
    with pytest.raises(ValueError, match=r"^a match that goes on has no public replay$"):
        encode_ended(match.at(1))


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("number", range(MATCHES))
def test_every_match_that_is_over_comes_back_without_its_seed(number: int, asks: bool) -> None:
    match = play_out(number, asks=asks).match
    data = encode_ended(match)
    assert decode_ended(data) == replace(match, seed=bytes(SEED_BYTES))
    assert len(data) <= most_ended_bytes(match) < len(encode(match))
