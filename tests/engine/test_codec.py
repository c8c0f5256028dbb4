"""Matches as bytes: what was written is read, and the length tells nothing hidden."""

from collections.abc import Callable
from typing import Any

import pytest

from game.engine.actions import Fire, Steer
from game.engine.codec import (
    BadEncoding,
    Reader,
    decode,
    decode_rules,
    encode,
    encode_actions,
    encode_flags,
    encode_rules,
    encode_text,
)
from game.engine.fleets import Course
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import AtLimit, Ruleset, Side
from tests.support.boards import PLAIN, SEED, fleet, play, rules, start
from tests.support.model import play_out

LAID = """
    aa..  .aa.
    ....  ....
    ..b.  b...
    ....  ....
"""
SWITCHES: dict[str, Any] = {"moving": True, "again": True, "turns": 4}
SCRIPT = "a> B1 D4 A1 A3 C4"
"""Two hits, one of them sinking, water, and moves: the match that is pinned below."""
CUT_AT = 20
PINNED = bytes.fromhex("000102030405060708090a0b0c0d0e0f 0014 0210 00 0008 060bbef9fc")
"""The seed, two ships on each side, and eight actions to the base of 21."""


def pinned_match() -> Match:
    return play(start(LAID, **SWITCHES), SCRIPT)


def decoded(content: bytes) -> Match:
    return decode(Reader(content), pinned_match().ruleset)


def test_a_small_match_is_pinned_byte_by_byte() -> None:
    number = 0
    for digit in reversed([18, 1, 15, 16, 0, 16, 8, 14]):
        number = number * 21 + digit
    assert PINNED.endswith(number.to_bytes(5, "big"))
    assert encode(pinned_match()).hex(" ") == PINNED.hex(" ")
    assert decoded(PINNED) == pinned_match()


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
    cut = PINNED[:CUT_AT] + bytes((number,)) + PINNED[CUT_AT + 1 :]
    assert encode(ended(pinned_match())) == cut
    assert decoded(cut) == ended(pinned_match())


def test_a_search_alone_has_no_fleet_of_the_searcher() -> None:
    laid = "aa..\n....\n..b.\n...."
    match = play(Match(rules(laid, solo=True), ((), fleet(laid)), SEED), "A1 D4")
    assert encode(match) == SEED + bytes.fromhex("0014 00 0002 f0")


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


def test_the_length_depends_on_the_number_of_actions_and_not_on_which_they_are() -> None:
    low, high = Fire(Cell(0)), Steer(len(BONN.fleet) - 1, Course.AFT)
    for count in range(100):
        assert len(encode_actions(BONN, [low] * count)) == len(encode_actions(BONN, [high] * count))


def test_a_reader_takes_from_the_front_and_never_past_the_end() -> None:
    reader = Reader(bytes([1, 2, 3, 4, 5]))
    assert (reader.number(), reader.number(2), reader.take(1)) == (1, 0x0203, b"\4")
    with pytest.raises(BadEncoding, match=r"^too short$"):
        reader.take(2)
    assert (reader.rest(), reader.rest()) == (b"\5", b"")
    flags = [True, *[False] * 8, True]
    reader = Reader(encode_flags(*flags) + encode_text("Änne"))
    assert (reader.flags(10), reader.text()) == (flags, "Änne")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (PINNED[:-1], "too short"),
        (PINNED[:16] + b"\xff" + PINNED[17:], "not a ship's place"),
        (PINNED[:CUT_AT] + b"\4" + PINNED[CUT_AT + 1 :], "tuple index out of range"),
        (PINNED[: CUT_AT + 3] + b"\xff" * 5, "a move or stay comes before the turn"),
    ],
)
def test_what_is_no_legal_match_is_refused(content: bytes, why: str) -> None:
    with pytest.raises((ValueError, LookupError), match=f"^{why}"):
        decoded(content)


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("number", range(16))
def test_every_match_comes_back(number: int, asks: bool) -> None:
    match = play_out(number, asks=asks).match
    assert decode(Reader(encode(match)), match.ruleset) == match
    content = encode(match, has_seed=False)
    assert decode(Reader(content), match.ruleset, seed_of=lambda _fleets: match.seed) == match
