"""Duels are rows of a database."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each test has an empty database, whose changes are undone after it; a server has its own.

    It's a mark, as a fixture that asks for `db` later would get the database of the clone.
    """
    for item in items:
        if HERE in item.path.parents and "browser" not in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.django_db)
