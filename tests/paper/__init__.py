"""Tests of games on paper."""
