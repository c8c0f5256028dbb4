"""Which addresses hold a token: for logs, for the headers of answers, and for what is pasted."""

from __future__ import annotations

TOKEN_PAGES = (
    "place", "play", "replay", "review", "record", "share", "film", "elsewhere",
)  # fmt: skip
"""What stands before the token in an address: `/en/play/TOKEN/`."""
