"""The seats of a browser in matches at two devices, as its cookie holds them.

A seat's secret is derived from the device's secret; a match holds the hash of the seat's secret.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass, replace

from game.engine.rules import Side
from game.matches.duel import SEAT_BYTES, Duel
from game.matches.fields import fixed, record, to_the_end

MOST_BROUGHT = 20
"""How many seats from other devices a cookie holds; the oldest are dropped first."""


@dataclass(frozen=True, slots=True)
class Seats:
    """A device's secret, and the secrets of seats from other devices."""

    device: bytes
    brought: tuple[bytes, ...] = ()

    @classmethod
    def new(cls) -> Seats:
        """Returns the seats of a browser without a cookie."""
        return cls(os.urandom(SEAT_BYTES))

    def seat_secret(self, duel_id: bytes, side: Side) -> bytes:
        """Returns the device's own secret for a seat of that duel."""
        return hmac.digest(self.device, duel_id + bytes((side,)), hashlib.sha256)[:SEAT_BYTES]

    def side_of(self, duel: Duel) -> Side | None:
        """Returns the side of a duel whose seat the browser holds, or None."""
        return next((side for side in Side if self.secret_of(duel, side)), None)

    def secret_of(self, duel: Duel, side: Side) -> bytes | None:
        """Returns the secret of that seat, or None if the browser doesn't hold it."""
        return self.secret_for(duel.id, side, duel.seat_hashes[side])

    def secret_for(self, duel_id: bytes, side: Side, seat_hash: bytes) -> bytes | None:
        """Returns the secret with that hash, or None if the browser doesn't hold it."""
        for one in (self.seat_secret(duel_id, side), *self.brought):
            if hmac.compare_digest(seat_hash_of(one), seat_hash):
                return one
        return None

    def with_secret(self, seat_secret: bytes) -> Seats:
        """Returns the seats with one from another device."""
        others = tuple(one for one in self.brought if one != seat_secret)
        return replace(self, brought=(*others, seat_secret)[-MOST_BROUGHT:])


def seat_hash_of(seat_secret: bytes) -> bytes:
    """Returns the hash by which a match knows a seat's secret."""
    return hashlib.sha256(seat_secret).digest()[:SEAT_BYTES]


SEATS = record(Seats, device=fixed(SEAT_BYTES), brought=to_the_end(fixed(SEAT_BYTES), MOST_BROUGHT))
