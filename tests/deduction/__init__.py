"""Tests of the deduction game."""
