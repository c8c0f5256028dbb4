"""What several tests of pages share."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings


@pytest.fixture
def public_host(settings: Settings, client: Client) -> None:
    """The site is reached by a public name."""
    settings.ALLOWED_HOSTS = ["play.example.org"]
    client.defaults["HTTP_HOST"] = "play.example.org"
