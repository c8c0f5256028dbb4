"""Duels are rows of a database."""

import pytest


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """Each test has an empty database, whose changes are undone after it."""
