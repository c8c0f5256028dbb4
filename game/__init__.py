"""Schiffe versenken: the game, from its rules to its pages."""
