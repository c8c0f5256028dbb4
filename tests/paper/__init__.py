"""Tests of the feature paper: a game printed."""
