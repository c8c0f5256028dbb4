"""What all tests share: the language they begin in, and the client that asks for pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import translation

pytest.register_assert_rewrite("tests.support")

from tests.support.client import FormClient  # noqa: E402 (not before its asserts can explain)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Django's client leaves the language of its last page switched on, for whatever comes next."""
    with translation.override("en"):
        yield


@pytest.fixture
def client() -> FormClient:
    """A visitor without cookies, of the host that serves the site in development."""
    return FormClient(headers={"host": "localhost"})
