"""The engine protocol and matches between programs, which add nothing to pages."""

from game.feature import Feature


class ProgramsConfig(Feature):
    name = "game.features.programs"
