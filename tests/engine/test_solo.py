"""The rules where one side searches alone: it fires, and the other one hides and may only move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.actions import Outcome, Reason
from game.engine.codec import BadEncoding, decode_ended, encode, encode_ended
from game.engine.fleets import IllegalFleet
from game.engine.match import Match
from game.engine.notation import fleet_text, parse_fleet, parse_rules, rules_text
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import IllegalRules, Ruleset, Side
from tests.support.boards import SEED, decoded, fleet, play, rules
from tests.support.model import play_out

FIRST, SECOND = Side
LAID = """
    aa..
    ....
    ..b.
    ....
"""
SEEDS = st.integers(0, 10**6).filter(lambda seed: play_out(seed).match.ruleset.solo)
"""Numbers of random matches in which one side searches alone."""


def solo(text: str, **switches: Any) -> Match:
    """A search for the fleet drawn, before its first shot."""
    return Match(rules(text, solo=True, **switches), ((), fleet(text)), SEED)


# --- the end ---


def test_who_gives_up_has_lost() -> None:
    match = play(solo(LAID), "D4").resign(FIRST)
    assert match.outcome == Outcome(SECOND, Reason.RESIGNED)
    assert decoded(encode(match)) == match
    assert decode_ended(encode_ended(match)).resigned is FIRST


def test_shots_of_a_salvo_after_the_last_sinking_do_not_count() -> None:
    match = play(solo(LAID, salvo=True), "D4 A1 D1 B1 C3 A4")
    assert match.outcome is not None
    seen = observe(match, FIRST)
    assert len(seen.shots) == 6
    assert seen.counted == seen.shots[:5]


# --- fleets and rules ---


def test_no_fleet_on_the_first_side_is_the_only_legal_one() -> None:
    hidden = fleet(LAID)
    for first in (hidden, hidden[:1]):
        with pytest.raises(IllegalFleet, match=r"^who searches alone has no fleet$"):
            Match(rules(LAID, solo=True), (first, hidden), SEED)
    with pytest.raises(IllegalFleet):
        Match(rules(LAID, solo=True), ((), ()), SEED)
    with pytest.raises(IllegalFleet):
        Match(rules(LAID), ((), hidden), SEED)


def test_who_searches_alone_begins() -> None:
    with pytest.raises(IllegalRules, match=r"^who searches alone begins$"):
        replace(rules(LAID), solo=True, begins=SECOND)


def test_each_side_observes_only_what_it_may() -> None:
    match = play(solo(LAID), "A1 D4")
    searcher, hider = (observe(match, side) for side in Side)
    assert (searcher.ships, searcher.enemy_left) == ((), (2, 1))
    assert (hider.enemy_left, hider.targets) == ((), tuple(hider.board.cells))
    assert searcher.incoming == hider.shots == ()
    assert searcher.shots == hider.incoming == match.shots


# --- bytes and words ---


def test_its_record_is_pinned() -> None:
    pinned = (
        "04 04 0020 ffff 02 02 01"
        "000102030405060708090a0b0c0d0e0f"
        "0000 0014"
        "00"
        "0002"
        "00 0f 0000000000000000000000000000"
    )
    assert encode(play(solo(LAID), "A1 D4")) == bytes.fromhex(pinned)


def test_its_rules_are_written_with_a_word_of_their_own() -> None:
    ruleset = rules(LAID, solo=True, named=True)
    text = "4x4 2-1 apart once still single unlimited afloat first named alone"
    assert rules_text(ruleset) == text
    assert parse_rules(text) == ruleset
    assert fleet_text(()) == "none"
    assert parse_fleet(ruleset, "none") == ()


def test_a_record_has_no_place_for_a_fleet_of_the_first_side() -> None:
    """And so a record of rules of which that bit alone was changed is none."""
    both = encode(Match(rules(LAID), (fleet(LAID), fleet(LAID)), SEED))
    one = encode(solo(LAID))
    assert len(one) < len(both)
    changed = bytearray(both)
    changed[3] ^= one[3] ^ both[3]
    with pytest.raises(BadEncoding):
        decoded(bytes(changed))


@settings(max_examples=60)
@given(SEEDS)
def test_every_random_search_is_read_as_it_was_written(seed: int) -> None:
    match = play_out(seed).match
    assert match.outcome is not None
    assert match.fleets[FIRST] == ()
    assert {shot.side for shot in match.shots} <= {FIRST}
    assert match.outcome.reason not in (Reason.MORE_AFLOAT, Reason.AS_MANY_AFLOAT)
    assert match.ply <= match.ruleset.most_actions
    for ply in (0, match.ply // 2, match.ply):
        stage = match.at(ply)
        assert decoded(encode(stage)) == stage
    again = decode_ended(encode_ended(match))
    assert (again.fleets, again.actions, again.outcome) == (
        match.fleets, match.actions, match.outcome,
    )  # fmt: skip
    assert parse_rules(rules_text(match.ruleset)) == match.ruleset


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_searched_alone(name: str) -> None:
    ruleset = replace(PRESETS[name].ruleset, solo=True, begins=FIRST)
    assert ruleset.fleet_of(FIRST) == ()
    assert ruleset.fleet_of(SECOND) == ruleset.fleet
    assert ruleset.most_actions >= most_shots(ruleset)


def most_shots(ruleset: Ruleset) -> int:
    """So many shots any search must have room for: one at every cell, or one in each turn."""
    if ruleset.limit is None:
        return ruleset.board.size
    return min((ruleset.limit + 1) // 2, ruleset.board.size)
