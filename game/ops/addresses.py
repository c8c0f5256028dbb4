"""Which addresses contain a token, for logs, response headers and pasted addresses."""

from __future__ import annotations

TOKEN_PAGES = (
    "place", "play", "replay", "review", "record", "share", "film", "elsewhere",
    "duel", "invite", "keep", "wait",
)  # fmt: skip
"""The path component before the token: `play` in `/en/play/TOKEN/`."""
