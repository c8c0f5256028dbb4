"""What puzzles add to pages: addresses, a link in reviews, and a command of the terminal."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext as _

from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import Preset
from game.features.puzzles import five, views
from game.features.puzzles.terminal import Puzzles
from game.views.places import Command, Link, Places
from game.views.site import in_own_language


def _retry(seen: Observation, preset: Preset, shot: Cell) -> Link | None:
    where = views.own_address(seen, preset, shot)
    return Link("act-puzzle", where, _("Try again as a puzzle")) if where else None


ROW = Places(
    addresses=[
        path("puzzles/", views.today, name="puzzles"),
        path("puzzles/more/", views.more, name="more_puzzles"),
        path("puzzles/<slug:name>/", views.puzzle, name="puzzle"),
        path("puzzles/<slug:name>/share/", views.share, name="share_puzzle"),
    ],
    bare=[
        path("puzzles/", in_own_language, name="any_puzzles"),
        path("puzzles/<slug:name>/", in_own_language, name="any_puzzle"),
    ],
    countless=("puzzles",),
    always={"stored": "puzzles/_stored.html"},
    helped=five.mark_helped,
    day=five.DAY_GAME,
    retry=_retry,
    command=Command(
        "puzzle", "puzzles", lambda: _("puzzle: one shot to find, while the game waits."),
        lambda desk: Puzzles(desk).solve,
    ),
)  # fmt: skip
