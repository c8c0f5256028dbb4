"""The Django application."""

from contextlib import suppress

from django.apps import AppConfig
from django.conf import settings
from django.core.management import CommandError


class GameConfig(AppConfig):
    """It has no models: the match store keeps what the site remembers."""

    name = "game"

    def ready(self) -> None:
        from game import checks  # noqa: F401 (importing registers them)
        from game.management.preparation import compile_catalogues

        if not settings.IS_PRODUCTION:
            # A read-only folder or a missing translation must not stop a command.
            with suppress(OSError, CommandError):
                compile_catalogues(only_stale=True)
