"""What all tests share: the language they begin in, and forms sent as browsers send them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.utils import translation

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Django's client leaves the language of its last page switched on, for whatever comes next."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True, scope="session")
def _forms_without_files() -> Any:
    """Django's client sends multipart unless told otherwise, which no form of the site does."""
    honest = Client.post

    def post(
        self: Client, path: str, data: Any = None, content_type: str = MULTIPART_CONTENT,
        *args: Any, **more: Any,
    ) -> Any:  # fmt: skip
        has_file = isinstance(data, dict) and any(hasattr(v, "read") for v in data.values())
        if content_type == MULTIPART_CONTENT and not has_file:
            data, content_type = urlencode(data or {}, doseq=True), FORM
        return honest(self, path, data, content_type, *args, **more)

    patch = pytest.MonkeyPatch()
    patch.setattr(Client, "post", post)
    yield
    patch.undo()
