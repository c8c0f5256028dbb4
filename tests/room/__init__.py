"""Tests of rooms for a class."""
