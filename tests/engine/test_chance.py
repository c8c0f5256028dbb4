"""The one source of chance: pinned, and apart for each seed, label and ply."""

from collections.abc import Callable
from hashlib import blake2b
from itertools import product
from math import prod

import pytest

from game.engine.chance import Chance
from tests.support.boards import SEED


def stream(label: str = "first/aim", ply: int = 7, seed: bytes = SEED) -> Chance:
    return Chance(seed, label, ply)


# --- pinned; bounds; many at once ---


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


def test_the_numbers_of_a_stream_are_pinned() -> None:
    def hundreds(chance: Chance) -> list[int]:
        return [chance.below(100) for _ in range(6)]

    chance, items = stream(), list(range(10))
    assert hundreds(chance) + hundreds(chance) == [66, 70, 20, 31, 26, 35, 45, 64, 8, 35, 52, 37]
    chance = stream()
    assert [chance.uniform() for _ in range(2)] == [0.830067463023717, 0.4367764969802581]
    assert stream().uniform(-2, 3) == 5 * 0.830067463023717 - 2
    chance = stream()
    assert [chance.below(bound) for bound in (1, 2, 3, 32, 33, 1000)] == [0, 0, 1, 8, 20, 574]
    stream().shuffle(items)
    assert items == [1, 7, 0, 5, 9, 6, 8, 3, 4, 2]
    assert stream().choice(items) == items[stream().below(10)]
    assert hundreds(stream().for_whole_match("habit")) == [49, 93, 56, 21, 78, 97]
    assert hundreds(stream().for_side("habit")) == hundreds(stream("first/habit", 0xFFFF_FFFF))


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: Chance(bytes(15), "first/aim", 0), "not a seed of 16 bytes: 15 bytes"),
        (lambda: Chance(bytes(17), "first/aim", 0), "not a seed of 16 bytes: 17 bytes"),
        (lambda: stream().below(0), "nothing is below: 0"),
        (lambda: stream().below(-1), "nothing is below: -1"),
        (lambda: stream().choice([]), "nothing is below: 0"),
    ],
)
def test_what_no_chance_can_decide_is_refused(wrong: Callable[[], object], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        wrong()


# --- apart ---


def test_each_seed_label_and_ply_has_a_stream_of_its_own() -> None:
    labels = ["", "a", "b", "ab", "first/aim", "second/aim", "first/ai", "first/aim/"]
    parts = labels, (0, 1, 2, 7, 255, 256, 1400), (SEED, bytes(16), bytes(15) + b"\1")
    assert len({stream(*one).bits(128) for one in product(*parts)}) == prod(map(len, parts))
