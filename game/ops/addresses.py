"""Which addresses contain a token, for logs, response headers and pasted addresses."""

from __future__ import annotations

TOKEN_PAGES = (
    "place", "play", "replay", "review", "record", "share", "film", "elsewhere",
    "duel", "invite", "keep", "bring",
)  # fmt: skip
"""The path component before the token: `play` in `/en/play/TOKEN/`."""
SECRET_PAGES = (*TOKEN_PAGES, "wait")
"""The same, and the component before the word by which a seat's page asks for news."""
