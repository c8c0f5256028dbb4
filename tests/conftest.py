"""What all tests share: forms are sent as browsers send those of this site."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.test.client import MULTIPART_CONTENT

FORM = "application/x-www-form-urlencoded"


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
