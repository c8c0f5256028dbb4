"""What puzzles add to pages: addresses, a link in reviews, and a command of the terminal."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from game.feature import Feature, TerminalCommand, TerminalSession, hook


class PuzzlesConfig(Feature):
    name = "game.features.puzzles"
    urls = "game.features.puzzles.urls"
    part = "game.features.puzzles.pool"
    countless = ("puzzles",)
    helped = hook("five.mark_helped")
    day_game = hook("five.day_game")
    retry = hook("views.retry")

    def command(self) -> TerminalCommand:
        def solving(session: TerminalSession) -> Callable[[str], None]:
            from game.features.puzzles.terminal import Puzzles  # loads NumPy

            return Puzzles(session).solve

        def said() -> str:
            return _("puzzle: one shot to find, while the game waits.")

        return TerminalCommand("puzzle", "puzzles", said, solving)
