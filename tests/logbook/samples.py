"""Logbooks for tests, and what shared tests find of them."""

SEA, DEDUCTION, FIVE = KINDS = range(3)
"""The kinds of games of a day."""
