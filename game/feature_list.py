"""The list of features: each is a folder in game/features that can be deleted, with its row here.

This is the only module of the core that names features. A feature may have two modules that the
core calls: `parts.py`, whose ROW says what it adds to a match and its token (game.matches.parts),
and `places.py`, whose ROW says what it adds to pages (game.views.places).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

PARTS, PLACES = "parts", "places"


@dataclass(frozen=True)
class Feature:
    """A feature, and what has to be known of it before its modules can be imported."""

    name: str
    modules: tuple[str, ...] = (PLACES,)
    purposes: tuple[str, ...] = ()
    """The purposes of its tokens."""
    token_pages: tuple[str, ...] = ()
    """The path components before its tokens, which logs hide, as in `/en/challenge/TOKEN/`."""
    match_pages: tuple[str, ...] = ()
    """The path components of its other pages that nothing should store or index."""
    json_pages: tuple[str, ...] = ()
    """The path components of pages that also answer in JSON."""
    secret_pages: tuple[str, ...] = ()
    """The path components before its other secrets, which logs hide, too."""


FEATURES = (
    Feature("daily", (PARTS, PLACES), (), (), ("daily",), ("daily",)),
    Feature("calculator", match_pages=("position",)),
    Feature("review", purposes=("review-progress",), token_pages=("review",)),
    Feature("challenge", (PARTS, PLACES), ("challenge",), ("challenge",), (), ("challenge",)),
    Feature("sharing", token_pages=("share", "elsewhere")),
    Feature("puzzles", (PARTS, PLACES), match_pages=("puzzles",)),
    Feature("programs", ()),
    Feature(
        "duel",
        (PARTS, PLACES),
        purposes=("duel", "invite", "keep", "seats"),
        token_pages=("duel", "invite", "keep"),
        secret_pages=("wait",),
        json_pages=("duel", "invite"),
    ),
    Feature("terminal", ()),
    Feature("logbook", (PARTS, PLACES), ("logbook",), ("bring",)),
    Feature("deduction", (PARTS, PLACES), ("deduction",), ("play", "review"), ("deduction/daily",)),
    Feature("axes", (PARTS, PLACES)),
    Feature("paper", token_pages=("sheet",), match_pages=("paper",)),
    # A new one goes here.
)
"""All features, in the order of the menu and of pages."""


@cache
def installed() -> tuple[Feature, ...]:
    """Returns the features that the operator has not switched off."""
    from django.conf import settings

    return tuple(it for it in FEATURES if it.name not in settings.WITHOUT)


def rows(module: str) -> Iterator[tuple[str, Any]]:
    """Yields the names of installed features that have the module, each with its ROW."""
    for it in installed():
        if module in it.modules:
            yield it.name, import_module(f"game.features.{it.name}.{module}").ROW


def words(field: str) -> tuple[str, ...]:
    """Returns the words of a field of all features, such as `token_pages`.

    Those of a feature that is switched off are among them: its old links are hidden from logs, too.
    """
    return tuple(word for it in FEATURES for word in getattr(it, field))
