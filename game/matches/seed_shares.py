"""The two halves of a match's seed: with them neither the server nor the player chooses its luck.

    $ printf %s 'battleship-seed-1|SERVER|CLIENT' | sha256sum | cut -c1-32

A placing page shows the SHA-256 of the server's half, and the form that starts the match brings the
player's. Both are texts. The server's always has 32 hexadecimal digits, so no two pairs are hashed
as the same line. Without a script the player's is the fleet, as records write it.
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
    """Whether a text is a half that was drawn: 32 hexadecimal digits in lower case."""
    return _SHARE.fullmatch(text) is not None


class SeedShares(NamedTuple):
    """The halves of a seed."""

    server: str
    """Drawn by the server; secret until the end."""
    client: str = ""
    """The player's; empty before the match, and where the text of the fleet stands for it."""

    def with_fleet(self, fleet: Fleet) -> SeedShares:
        """The halves with the text of the player's fleet, where a script sent no half."""
        return self if self.client else self._replace(client=fleet_text(fleet))

    @property
    def server_seed_hash(self) -> str:
        """What the placing page shows: the SHA-256 of the server's half in hexadecimal."""
        return sha256(self.server.encode()).hexdigest()

    @property
    def line(self) -> str:
        """The line that is hashed."""
        return f"{VERSION}|{self.server}|{self.client}"

    @property
    def seed(self) -> bytes:
        """The seed that follows from both halves, 16 bytes."""
        return sha256(self.line.encode()).digest()[:SEED_BYTES]
