"""Puzzles: positions with one shot to find."""
