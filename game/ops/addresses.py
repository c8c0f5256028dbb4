"""Addresses of the site as text: which have a token, and what messengers do to them.

They add signs behind an address (`…/play/TOKEN).`) or brackets around it, and break it into lines.
"""

import re

from game import feature_list

TOKEN_PAGES = (
    "place", "play", "replay", "record", "film", *feature_list.words("token_pages"),
)  # fmt: skip
"""The path component before the token: `play` in `/en/play/TOKEN/`."""
SECRET_PAGES = (*TOKEN_PAGES, *feature_list.words("secret_pages"))
"""TOKEN_PAGES and the components before what else is secret."""

_BREAKS = re.compile(r"(?:=(?=\s))?[\s>\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
"""Line breaks, also of mail, and signs that nobody sees."""
_TOKEN = re.compile(rf"(?<![^/])(?:{'|'.join(TOKEN_PAGES)})/([A-Za-z0-9_-]+)")
_ALONE = re.compile(r"[A-Za-z0-9_-]{48,}")
"""A token without an address; one without content has so many characters."""
_NO_PATH = re.compile(r"[^A-Za-z0-9_./-]")


def unbroken(text: str) -> str:
    """Returns a text without the spaces and line breaks within it."""
    return _BREAKS.sub("", text)


def has_token(text: str) -> bool:
    """Returns whether a text contains the address of a page with a token."""
    return _TOKEN.search(unbroken(text)) is not None


def token_in(text: str) -> str:
    """Returns what may be the token in a text, which may be an address; empty if there is none."""
    match = _TOKEN.search(unbroken(text))
    if match:
        return match[1]
    alone = _ALONE.search(unbroken(text))
    return alone[0] if alone else ""


def plain_path(text: str) -> str:
    """Returns the path with which a text begins, without breaks within it and signs behind it."""
    return re.sub(r"\.+$|(?<=/)[._-]+$", "", _NO_PATH.split(unbroken(text))[0])
