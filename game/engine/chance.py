"""The only source of randomness: a stream that is determined by a seed, a label and a ply.

    >>> seed = bytes(16)
    >>> Chance(seed, "first/aim", 7).below(100) == Chance(seed, "first/aim", 7).below(100)
    True

The stream is BLAKE2b in counter mode, keyed by the seed. Its outputs reveal neither the seed nor
other streams, and don't depend on the version of Python.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from typing import TypeVar

SEED_BYTES = 16
STEADY = 0xFFFF_FFFF

T = TypeVar("T")


class Chance:
    """A deterministic stream of random numbers."""

    def __init__(self, seed: bytes, label: str, ply: int) -> None:
        """`seed` has 16 bytes, `label` names the purpose, `ply` is the index of an action."""
        if len(seed) != SEED_BYTES:
            raise ValueError(f"not a seed of {SEED_BYTES} bytes: {len(seed)} bytes")
        self._seed, self._label = seed, label
        self._source = ply.to_bytes(4, "big") + label.encode()
        self._block, self._pool, self._bits = 0, 0, 0

    def for_whole_match(self, label: str) -> Chance:
        """A stream that is the same at every ply, for choices that last a whole match."""
        return Chance(self._seed, f"{self._label}/{label}", STEADY)

    def for_side(self, label: str) -> Chance:
        """A stream that is the same at every ply of a match, whatever the side does there."""
        return Chance(self._seed, f"{self._label.partition('/')[0]}/{label}", STEADY)

    def bits(self, count: int) -> int:
        while self._bits < count:
            block = blake2b(
                self._block.to_bytes(8, "big") + self._source, key=self._seed, digest_size=64
            ).digest()
            self._pool |= int.from_bytes(block, "little") << self._bits
            self._bits += 512
            self._block += 1
        value = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._bits -= count
        return value

    def below(self, bound: int) -> int:
        """A uniformly random integer from 0 to bound - 1; raises ValueError if bound < 1."""
        if bound < 1:
            raise ValueError(f"nothing is below: {bound!r}")
        width = (bound - 1).bit_length()
        while (value := self.bits(width)) >= bound:
            pass
        return value

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """A uniformly random number in [low, high)."""
        return low + (high - low) * (self.bits(53) / (1 << 53))

    def uniforms(self, count: int) -> list[float]:
        """So many uniformly random numbers in [0, 1)."""
        return [self.bits(53) / (1 << 53) for _ in range(count)]

    def choice(self, options: Sequence[T]) -> T:
        """A uniformly random option; raises ValueError if there is none."""
        return options[self.below(len(options))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffles the items in place (Fisher and Yates, 1938)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
