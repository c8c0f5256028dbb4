"""The two shares of a match's seed, so that neither the server nor the player can choose it.

    $ printf %s 'battleship-seed-1|SERVER|CLIENT' | sha256sum | cut -c1-32

This is a commit-reveal scheme: a placing page shows the SHA-256 of the server's share, and the form
that starts the match sends the player's. Both are texts. The server's always has 32 hexadecimal
digits, so no two pairs give the same line. Without JavaScript the player's share is the fleet.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet
from game.engine.notation import fleet_text

SHARE_BYTES = 16
VERSION = "battleship-seed-1"
_SHARE = re.compile(rf"[0-9a-f]{{{2 * SHARE_BYTES}}}", re.ASCII)


def is_share(text: str) -> bool:
    """Whether a text is a random share: 32 hexadecimal digits in lower case."""
    return _SHARE.fullmatch(text) is not None


class SeedShares(NamedTuple):
    """The server's share, secret until the end, and the player's."""

    server: str
    client: str = ""
    """Empty before the match, and if the player's fleet text is used instead."""

    def with_fleet(self, fleet: Fleet) -> SeedShares:
        """Returns the shares with the text of the player's fleet if no share was sent."""
        return self if self.client else self._replace(client=fleet_text(fleet))

    @property
    def server_seed_hash(self) -> str:
        """The SHA-256 of the server's share in hexadecimal, which the placing page shows."""
        return sha256(self.server.encode()).hexdigest()

    @property
    def line(self) -> str:
        return f"{VERSION}|{self.server}|{self.client}"

    @property
    def seed(self) -> bytes:
        """The first 16 bytes of the hash of the line."""
        return sha256(self.line.encode()).digest()[:SEED_BYTES]
