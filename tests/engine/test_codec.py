"""Records: one spelling, a length that the rules alone decide, and nothing else is taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
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
)
from game.engine.fleets import complete, place
from game.engine.geometry import Cell, Direction
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import AtLimit, Ruleset, Side
from tests.support.boards import PLAIN, decoded, play, show, start
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

GOLDEN = (
    "04 04 0006 0004 02 02 01"
    "000102030405060708090a0b0c0d0e0f"
    "0000 0014"
    "0002 0010"
    "00"
    "0008"
    "12 01 0f 10 00 10 08 0e"
    "000000000000"
)


@cache
def recorded(number: int) -> Match:
    """A whole match of random rules."""
    return play_out(number).match


def golden_match() -> Match:
    return play(start(LAID, **SWITCHES), SCRIPT)


def changed(record: bytes, at: int, *values: int) -> bytes:
    """The record with other bytes from a place on."""
    return record[:at] + bytes(values) + record[at + len(values) :]


MATCHES = 40
records = settings(derandomize=True, database=None, max_examples=400)


# --- the format ---


def test_the_record_of_a_small_match_is_pinned_byte_by_byte() -> None:
    record = bytes.fromhex(GOLDEN)
    assert len(record) == END
    assert encode(golden_match()).hex(" ") == record.hex(" ")
    assert decoded(record) == golden_match()
    assert show(decoded(record)) == show(golden_match())


def test_an_abandoned_match_has_a_number_of_its_own_there() -> None:
    abandoned = changed(bytes.fromhex(GOLDEN), RESIGNED_AT, 3)
    assert encode(golden_match().abandon()) == abandoned
    assert decoded(abandoned) == golden_match().abandon()


@pytest.mark.parametrize("side", Side)
def test_who_resigned_stands_before_the_actions(side: Side) -> None:
    resigned = changed(bytes.fromhex(GOLDEN), RESIGNED_AT, 1 + side)
    assert encode(golden_match().resign(side)) == resigned
    assert decoded(resigned) == golden_match().resign(side)


@pytest.mark.parametrize(
    ("rules", "head"),
    [
        (BONN, "0a 0a 0006 0096 0a 05040403030302020202"),
        (Ruleset(fleet=(2,), **PLAIN), "0a 0a 0000 ffff 01 02"),
        (Ruleset(fleet=(2,), **{**PLAIN, "touching": True}), "0a 0a 0001 ffff 01 02"),
        (Ruleset(fleet=(2,), **{**PLAIN, "again": True}), "0a 0a 0002 ffff 01 02"),
        (Ruleset(fleet=(2,), **{**PLAIN, "moving": True}), "0a 0a 0004 ffff 01 02"),
        (Ruleset(fleet=(2,), salvo=True, **PLAIN), "0a 0a 0008 ffff 01 02"),
        (Ruleset(fleet=(2,), at_limit=AtLimit.DRAW, **PLAIN), "0a 0a 0040 ffff 01 02"),
        (Ruleset(fleet=(2,), begins=Side.SECOND, **PLAIN), "0a 0a 0080 ffff 01 02"),
        (Ruleset(fleet=(2,), named=True, **PLAIN), "0a 0a 0010 ffff 01 02"),
        (Ruleset(columns=4, rows=15, fleet=(8, 1), **{**PLAIN, "turns": 1998}),
         "04 0f 0000 07ce 02 0801"),
    ],
)  # fmt: skip
def test_each_switch_of_a_ruleset_has_its_bit(rules: Ruleset, head: str) -> None:
    assert encode_rules(rules) == bytes.fromhex(head)
    reader = Reader(encode_rules(rules) + b"more")
    assert decode_rules(reader) == rules
    assert reader.rest() == b"more"


@pytest.mark.parametrize(
    ("rules", "length"),
    [
        (BONN, 76 + 150 + 60 + 150),  # a shot for each half-turn and each hit, and the moves
        (Ruleset(columns=4, rows=4, fleet=(2,), **PLAIN), 31 + 32),  # each cell once from each side
        (Ruleset(columns=4, rows=4, fleet=(2,), **{**PLAIN, "turns": 5}), 31 + 5),
        (Ruleset(columns=15, rows=15, fleet=(2,), **{**PLAIN, "turns": 5}), 31 + 5),
        (Ruleset(columns=15, rows=15, fleet=(1,) * 15, **{**PLAIN, "turns": 5, "moving": True}),
         26 + 5 * 15 + 10),  # 225 shots, Stay and 30 moves just fit in one byte
        (Ruleset(columns=15, rows=15, fleet=(1,) * 16, **{**PLAIN, "turns": 5, "moving": True}),
         26 + 5 * 16 + 2 * 10),  # 225 shots, Stay and 32 moves need two bytes each
    ],
)  # fmt: skip
def test_the_length_of_a_record_is_counted_out(rules: Ruleset, length: int) -> None:
    first, second = (complete(rules, (), Chance(bytes(16), "fleet", side)) for side in Side)
    assert len(encode(Match(rules, (first, second), bytes(16)))) == length


def test_the_length_of_a_record_is_decided_by_the_rules_alone() -> None:
    for match in map(recorded, range(MATCHES)):
        assert len({len(encode(match.at(ply))) for ply in range(match.ply + 1)}) == 1


def test_a_record_that_is_read_and_written_stays_the_same_at_every_ply() -> None:
    for match in map(recorded, range(MATCHES)):
        for ply in range(match.ply + 1):
            then = match.at(ply)
            record = encode(then)
            assert decoded(record) == then
            assert encode(decoded(record)) == record


def test_different_matches_have_different_records() -> None:
    match = golden_match()
    others = [match.at(ply) for ply in range(match.ply + 1)]
    others += [start(LAID, seed=bytes(16), **SWITCHES)]
    others += [start(LAID, **{**SWITCHES, switch: False}) for switch in ("moving", "again")]
    assert len({encode(other) for other in others}) == len(others)


def test_a_reader_takes_from_the_front_and_never_past_the_end() -> None:
    reader = Reader(bytes([1, 2, 3, 4, 5]))
    assert (reader.number(), reader.number(2), reader.take(1)) == (1, 0x0203, b"\4")
    with pytest.raises(BadEncoding, match=r"^too short$"):
        reader.take(2)
    assert (reader.rest(), reader.rest()) == (b"\5", b"")


# --- what is refused ---

CORRUPTIONS: dict[str, Callable[[bytes], bytes]] = {
    "twice over": lambda record: record * 2,
    "no turns": lambda record: changed(record, 4, 0, 0),
    "too many turns": lambda record: changed(record, 4, 0x07, 0xCF),
    "no limit": lambda record: changed(record, 4, 0xFF, 0xFF),
    "a bow far off the board": lambda record: changed(record, FIRST_AT, 0xFF, 0xFF),
    "far more actions than fit": lambda record: changed(record, COUNT_AT, 0xFF, 0xFF),
}


@pytest.mark.parametrize("corrupt", CORRUPTIONS.values(), ids=CORRUPTIONS)
def test_a_corrupt_record_is_refused(corrupt: Callable[[bytes], bytes]) -> None:
    record = encode(golden_match())
    corrupted = corrupt(record)
    assert corrupted != record
    with pytest.raises(BadEncoding):
        decoded(corrupted)


def test_an_action_after_the_end_is_refused() -> None:
    laid = """
        a...  .a..
        ....  ....
        ....  ....
        ....  ....
    """
    match = play(start(laid, turns=9), "B1")
    assert match.outcome is not None
    record = encode(match)
    count = 7 + 1 + 16 + 4 + 1
    assert record[count : count + 3] == bytes([0, 1, 1])
    with pytest.raises(BadEncoding, match=r"^the match is over"):
        decoded(changed(record, count, 0, 2, 1, 2))
    ended = play(start(laid, turns=1), "C1")
    with pytest.raises(BadEncoding, match=r"^more actions than a match can have$"):
        decoded(changed(encode(ended), count, 0, 2))
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


@records
@given(st.binary(max_size=80))
@example(b"\xff" * 80)
@example(bytes(80))
def test_any_bytes_are_refused_or_a_record(data: bytes) -> None:
    accepted_only_in_its_one_spelling(data)


@records
@given(st.data())
def test_a_record_with_other_bytes_in_it_is_refused_or_a_record(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, MATCHES - 1))
    match = recorded(number)
    record = bytearray(encode(match.at(data.draw(st.integers(0, match.ply)))))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(record) - 1))
        record[at] = data.draw(st.integers(0, 255))
    accepted_only_in_its_one_spelling(bytes(record))


@records
@given(st.data())
def test_a_record_cut_or_lengthened_is_refused(data: st.DataObject) -> None:
    record = encode(recorded(data.draw(st.integers(0, MATCHES - 1))))
    more = data.draw(st.binary(min_size=1, max_size=8))
    assert not accepted_only_in_its_one_spelling(record + more)
    assert not accepted_only_in_its_one_spelling(record[: -len(more)])


def test_single_bytes_changed_in_the_pinned_record_are_refused_or_a_record() -> None:
    """How many other values each byte may have; those left out may have none."""
    record = bytes.fromhex(GOLDEN)
    taken = Counter(
        at
        for at in range(END)
        for value in range(256)
        if value != record[at] and accepted_only_in_its_one_spelling(changed(record, at, value))
    )
    seed = dict.fromkeys(range(SEED_AT, FIRST_AT), 255)
    switches, fleets = {3: 7}, {FIRST_AT + 1: 3, FIRST_AT + 3: 7, SECOND_AT + 1: 1}
    others = {1: 1, 2: 12, 4: 12, 5: 4, 6: 1, 7: 14}  # by what an action may be at its place
    actions = {ACTIONS_AT + number: count for number, count in others.items()}
    rest = {RESIGNED_AT: 3}
    assert taken == switches | seed | fleets | rest | actions


# --- matches that are over ---


def test_an_ended_match_is_one_number_that_is_pinned() -> None:
    """On 6 by 6 cells, a ship of one cell each: places to the base of 72, shots to that of 36."""
    rules = Ruleset(columns=6, rows=6, fleet=(1,), moving=False, again=False, turns=2)
    fleets = tuple((place(rules.board, Cell(bow), Direction.ACROSS, 1),) for bow in (3, 20))
    match = Match(rules, (fleets[0], fleets[1]), bytes(range(16))).fire(Cell(7)).fire(Cell(30))
    assert match.outcome
    number = 2 * 3 + 72 * (2 * 20 + 72 * (7 + 36 * (30 + 36 * 1)))
    data = encode_ended(match)
    assert data == encode_rules(rules) + b"\0" + number.to_bytes(3, "big")
    assert decode_ended(data) == replace(match, seed=bytes(SEED_BYTES))


def test_every_match_that_is_over_comes_back_without_its_seed() -> None:
    for number in range(MATCHES):
        match = recorded(number)
        if match.outcome is None:
            with pytest.raises(ValueError, match="goes on"):
                encode_ended(match)
            continue
        assert decode_ended(encode_ended(match)) == replace(match, seed=bytes(SEED_BYTES))
        assert len(encode_ended(match)) < len(encode(match))


@given(number=st.integers(0, MATCHES - 1), data=st.data())
@records
def test_a_public_replay_with_other_bytes_in_it_is_refused_or_another_one(
    number: int, data: st.DataObject
) -> None:
    match = recorded(number)
    if match.outcome is None:
        return
    replay = bytearray(encode_ended(match))
    replay[data.draw(st.integers(0, len(replay) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decode_ended(bytes(replay))
    except BadEncoding:
        return
    assert found.outcome
    assert encode_ended(found) == bytes(replay)
