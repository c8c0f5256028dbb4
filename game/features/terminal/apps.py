"""The game by typed lines, which adds nothing to pages."""

from game.feature import Feature


class TerminalConfig(Feature):
    name = "game.features.terminal"
