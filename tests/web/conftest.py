"""What several tests of pages share."""

import pytest
from pytest_django import Settings

from tests.support.device import Device
from tests.support.html_handles import compare_with_html


@pytest.fixture
def public_host(settings: Settings, client: Device) -> None:
    """The site is reached by a public name."""
    settings.ALLOWED_HOSTS = ["play.example.org"]
    client.client.defaults["HTTP_HOST"] = "play.example.org"


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Compares JSON with HTML; the addresses of the answers in JSON, as they come."""
    return compare_with_html(monkeypatch)
