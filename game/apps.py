"""The game as a Django application."""

from contextlib import suppress

from django.apps import AppConfig
from django.conf import settings
from django.core.management import CommandError


class GameConfig(AppConfig):
    """Has no models: the site keeps nothing."""

    name = "game"

    def ready(self) -> None:
        """Registers the checks; in development, compiles translations that have changed."""
        from game import checks  # noqa: F401 (registering is what it does)
        from game.management.preparation import compile_catalogues

        if not settings.IS_PRODUCTION:
            # A folder that can't be written to, or a sentence not yet translated, stops no command.
            with suppress(OSError, CommandError):
                compile_catalogues(only_stale=True)
