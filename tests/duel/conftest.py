"""Duels are rows of a database."""

import pytest


@pytest.fixture(autouse=True)
def _database(request: pytest.FixtureRequest) -> None:
    """Each test has an empty database, whose changes are undone after it; a server has its own."""
    if "browser" not in request.fixturenames:
        request.getfixturevalue("db")
