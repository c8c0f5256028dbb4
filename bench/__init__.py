"""Measurements of the game: strength, cost, memory. The game never imports this package."""
