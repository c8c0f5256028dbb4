"""What puzzles add to pages: addresses, a link in reviews, and a command of the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from game.feature import DayGame, Feature, Link, TerminalCommand, TerminalSession

if TYPE_CHECKING:
    from game.engine.geometry import Cell
    from game.engine.observation import Observation
    from game.engine.position import Position
    from game.engine.presets import Preset


class PuzzlesConfig(Feature):
    name = "game.features.puzzles"
    part = "game.features.puzzles.pool"
    countless = ("puzzles",)

    def helped(self, request: HttpRequest, response: HttpResponse, position: Position) -> None:
        from game.features.puzzles.five import mark_helped

        mark_helped(request, response, position)

    def day_game(self) -> DayGame | None:
        from game.features.puzzles.five import day_game

        return day_game()

    def retry(self, seen: Observation, preset: Preset, shot: Cell) -> Link | None:
        from game.features.puzzles.views import retry

        return retry(seen, preset, shot)

    def command(self) -> TerminalCommand:
        def solving(session: TerminalSession) -> Callable[[str], None]:
            from game.features.puzzles.terminal import Puzzles  # loads NumPy

            return Puzzles(session).solve

        def said() -> str:
            return _("puzzle: one shot to find, while the game waits.")

        return TerminalCommand("puzzle", "puzzles", said, solving)
