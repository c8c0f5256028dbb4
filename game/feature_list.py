"""The list of features, and what has to be known of them before Django has loaded its apps.

Each is a folder in game/features that can be deleted, with its row here. This is the only module of
the core that names features.
"""

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple


class FeatureWords(NamedTuple):
    """The words of a feature by which settings, logs and keys know it, also if it is left out."""

    name: str
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
    polls: tuple[tuple[str, str], ...] = ()
    """The first path components of what pages ask all the time, each with the name of the function
    that answers before any middleware of pages."""
    quick: tuple[tuple[str, str], ...] = ()
    """Commands that often need no Django, each with the name of the function that is given the
    words behind it, and returns whether it has done what they say."""

    @property
    def app(self) -> str:
        """The name of its class, as Django's list of apps has it."""
        return f"game.features.{self.name}.apps.{self.name.capitalize()}Config"


FEATURES = (
    FeatureWords("daily", match_pages=("daily",), json_pages=("daily",)),
    FeatureWords("calculator", match_pages=("position",)),
    FeatureWords("review", purposes=("review-progress",), token_pages=("review",)),
    FeatureWords("challenge", ("challenge",), ("challenge",), json_pages=("challenge",)),
    FeatureWords("sharing", token_pages=("share", "elsewhere")),
    FeatureWords("puzzles", match_pages=("puzzles",)),
    FeatureWords("programs", quick=(("engine", "game.features.programs.management.talk.quickly"),)),
    FeatureWords(
        "duel",
        purposes=("duel", "keep"),
        token_pages=("seat", "duel", "invite", "keep"),
        secret_pages=("wait",),
        json_pages=("seat", "duel", "invite"),
        polls=(("wait", "game.features.duel.waiting.answer_waiting"),),
    ),
    FeatureWords("terminal"),
    FeatureWords("logbook", ("logbook",), ("bring",)),
    FeatureWords("deduction", ("deduction",), ("play", "review"), ("deduction/daily",)),
    FeatureWords("axes", match_pages=("class/exercise", "class/report", "c")),
    FeatureWords("paper", token_pages=("sheet",), match_pages=("paper",)),
    FeatureWords(
        "room",
        purposes=("room",),
        match_pages=("room", "searched", "join"),
        secret_pages=("room", "count"),
        polls=(("count", "game.features.room.counting.answer_counting"),),
    ),
    # A new one goes here.
)
"""All features, in the order of the menu and of pages."""


@cache
def parts() -> dict[str, Any]:
    """Returns what each installed feature brings that has a part, by its name."""
    from django.apps import apps

    modules = {app.label: getattr(app, "part", "") for app in apps.get_app_configs()}
    return {name: import_module(module).PART for name, module in modules.items() if module}


def words(field: str) -> tuple[str, ...]:
    """Returns the words of a field of all features, such as `token_pages`.

    Those of a feature that is left out are among them: its old links are hidden from logs, too.
    """
    return tuple(word for it in FEATURES for word in getattr(it, field))
