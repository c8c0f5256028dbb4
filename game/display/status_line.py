"""The status line of a page in its parts, as pages show it."""

from __future__ import annotations

from typing import NamedTuple

LONG = 70
"""A status line of more characters may scroll, and what the enemy did begins no line in it."""


class StatusLine(NamedTuple):
    """What `struck`, `text` and `reply` say follows one another."""

    text: str
    struck: str = ""
    """The sentence of a hit or a sinking, with which the status begins; it stands out."""
    reply: str = ""
    """The sentence of the enemy's shots, which begins a line if the match goes on, and the rest."""
    is_long: bool = False
    is_refused: bool = False
    is_final: bool = False
    keys: str = ""
    """What follows on devices with keys."""


def status_line(
    status: str,
    *,
    is_refused: bool = False,
    struck: str = "",
    reply: str = "",
    is_final: bool = False,
    keys: str = "",
) -> StatusLine:
    """Returns the status in its parts; `struck` and `reply` may be sentences that it hasn't got."""
    struck = struck if status.startswith(struck) else ""
    before, reply, after = status.removeprefix(struck).partition(reply or "\0")
    is_long = len(status) > LONG
    return StatusLine(before, struck, f"{reply}{after}", is_long, is_refused, is_final, keys)
