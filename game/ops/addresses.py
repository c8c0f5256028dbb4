"""Which pages have a token in their address, for logs, response headers and pasted addresses."""

from __future__ import annotations

TOKEN_PAGES = (
    "place", "play", "replay", "review", "record", "share", "film", "elsewhere",
    "duel", "invite", "keep", "bring", "challenge",
)  # fmt: skip
"""The path component before the token: `play` in `/en/play/TOKEN/`."""
SECRET_PAGES = (*TOKEN_PAGES, "wait")
"""TOKEN_PAGES and the component before the key with which a page waits for the other player."""
