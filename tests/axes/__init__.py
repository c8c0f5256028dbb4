"""Tests of the feature axes: cells that are called by labels."""
