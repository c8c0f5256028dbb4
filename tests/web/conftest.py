"""What several tests of pages share."""

import pytest
from pytest_django import Settings

from tests.support.device import Device


@pytest.fixture
def public_host(settings: Settings, client: Device) -> None:
    """The site is reached by a public name."""
    settings.ALLOWED_HOSTS = ["play.example.org"]
    client.client.defaults["HTTP_HOST"] = "play.example.org"
