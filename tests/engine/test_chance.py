"""The one source of chance: pinned, uniform, and apart for each seed, label and ply.

All is decided by fixed seeds, so these checks never fail by bad luck. The bounds are those that a
fair source would overstep once in a thousand times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from hashlib import blake2b
from itertools import permutations, product
from math import prod

import pytest

from game.engine.chance import SEED_BYTES, Chance
from tests.support.boards import SEED

AT_MOST = {2: 13.82, 5: 20.52, 6: 22.46, 9: 27.88, 23: 49.73, 31: 61.10, 99: 148.23}
"""What chi-square stays below 999 times in 1000, by degrees of freedom."""


def stream(label: str = "first/aim", ply: int = 7, seed: bytes = SEED) -> Chance:
    return Chance(seed, label, ply)


def surprise(seen: Iterable[Hashable], options: Iterable[Hashable]) -> float:
    """Chi-square of what was seen against each of the options being as likely."""
    counts, all_options = Counter(seen), list(options)
    assert set(counts) <= set(all_options)
    expected = counts.total() / len(all_options)
    assert expected >= 20, "too few numbers to judge by"
    return sum((counts[option] - expected) ** 2 / expected for option in all_options)


# --- pinned ---


def test_the_numbers_of_a_stream_are_pinned() -> None:
    chance = stream()
    assert [chance.below(100) for _ in range(12)] == [
        66, 70, 20, 31, 26, 35, 45, 64, 8, 35, 52, 37,
    ]  # fmt: skip
    chance = stream()
    assert [chance.uniform() for _ in range(2)] == [0.830067463023717, 0.4367764969802581]
    items = list(range(10))
    stream().shuffle(items)
    assert items == [1, 7, 0, 5, 9, 6, 8, 3, 4, 2]
    chance = stream().for_whole_match("habit")
    assert [chance.below(100) for _ in range(6)] == [49, 93, 56, 21, 78, 97]


def test_the_stream_is_blake2b_keyed_by_the_seed_and_counted() -> None:
    blocks = b"".join(
        blake2b(block.to_bytes(8, "big") + (7).to_bytes(4, "big") + b"first/aim", key=SEED).digest()
        for block in range(3)
    )
    whole = int.from_bytes(blocks, "little")
    chance, at = stream(), 0
    for count in (1, 64, 5, 512, 0, 300, 511, 3):
        assert chance.bits(count) == whole >> at & ((1 << count) - 1)
        at += count


def test_the_same_seed_label_and_ply_give_the_same_numbers() -> None:
    one, other = stream(), stream()
    assert [one.bits(40) for _ in range(100)] == [other.bits(40) for _ in range(100)]


# --- bounds ---


@pytest.mark.parametrize("length", [0, 15, 17, 64])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"^not a seed of {SEED_BYTES} bytes: {length} bytes$"):
        Chance(bytes(length), "first/aim", 0)


@pytest.mark.parametrize("bound", [0, -1])
def test_nothing_is_below_one(bound: int) -> None:
    with pytest.raises(ValueError, match=f"^nothing is below: {bound}$"):
        stream().below(bound)


def test_a_choice_among_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^nothing is below: 0$"):
        stream().choice([])


def test_the_only_number_below_one_is_zero_and_the_only_option_is_chosen() -> None:
    assert {stream(ply=ply).below(1) for ply in range(20)} == {0}
    assert stream().choice(["only"]) == "only"


def test_shuffling_nothing_or_one_thing_changes_nothing() -> None:
    for items in ([], ["only"]):
        shuffled = list(items)
        stream().shuffle(shuffled)
        assert shuffled == items


# --- uniform ---


@pytest.mark.parametrize("bound", [3, 6, 7, 10, 24, 32, 100])
def test_the_numbers_below_a_bound_are_all_as_likely(bound: int) -> None:
    chance = stream(ply=bound)
    drawn = [chance.below(bound) for _ in range(100 * bound)]
    assert surprise(drawn, range(bound)) < AT_MOST[bound - 1]


def test_each_option_is_chosen_as_often() -> None:
    chance = stream()
    assert surprise((chance.choice("abc") for _ in range(3000)), "abc") < AT_MOST[2]


def test_each_order_comes_out_of_a_shuffle_as_often() -> None:
    chance, seen = stream(), []
    for _ in range(4800):
        items = list("abcd")
        chance.shuffle(items)
        seen.append(tuple(items))
    assert surprise(seen, permutations("abcd")) < AT_MOST[23]


def test_uniform_numbers_fill_their_range_evenly() -> None:
    chance = stream()
    drawn = [chance.uniform(-2, 3) for _ in range(5000)]
    assert -2 <= min(drawn) < -1.99
    assert 2.99 < max(drawn) < 3
    tenths = (int((number + 2) * 2) for number in drawn)
    assert surprise(tenths, range(10)) < AT_MOST[9]


@pytest.mark.parametrize("count", [0, 1, 9, 10, 225])
def test_many_uniform_numbers_at_once_are_those_that_come_one_by_one(count: int) -> None:
    at_once, one_by_one = Chance(SEED, "aim", 3), Chance(SEED, "aim", 3)
    assert at_once.below(7) == one_by_one.below(7)
    assert at_once.uniforms(count) == [one_by_one.uniform() for _ in range(count)]
    assert at_once.uniform() == one_by_one.uniform()


# --- apart ---


def test_each_seed_label_and_ply_has_a_stream_of_its_own() -> None:
    seeds = (SEED, bytes(16), bytes(15) + b"\1")
    labels = (
        "",
        "a",
        "b",
        "ab",
        "first/aim",
        "first/steer",
        "second/aim",
        "first/ai",
        "first/aim/",
    )
    plies = (0, 1, 2, 7, 255, 256, 1400)
    firsts = {
        stream(label, ply, seed).bits(128) for seed, label, ply in product(seeds, labels, plies)
    }
    assert len(firsts) == prod(map(len, (seeds, labels, plies)))


def test_what_is_steady_stays_the_same_from_ply_to_ply() -> None:
    first, later = (stream(ply=ply).for_whole_match("habit") for ply in (0, 200))
    assert [first.bits(64) for _ in range(20)] == [later.bits(64) for _ in range(20)]


def test_what_is_steady_differs_by_label_seed_and_from_all_that_is_not_steady() -> None:
    streams = [
        stream().for_whole_match("habit"),
        stream().for_whole_match("mood"),
        stream("second/aim").for_whole_match("habit"),
        stream(seed=bytes(16)).for_whole_match("habit"),
        stream(),
        stream("first/aim/habit"),
        stream("first/aim/habit", 0),
    ]
    assert len({each.bits(128) for each in streams}) == len(streams)


def test_drawing_from_a_stream_leaves_its_steady_stream_alone() -> None:
    chance = stream()
    before = chance.for_whole_match("habit").bits(64)
    chance.bits(500)
    assert chance.for_whole_match("habit").bits(64) == before
