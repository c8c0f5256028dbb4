"""The game as a Django application."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Has no models: the site keeps nothing."""

    name = "game"

    def ready(self) -> None:
        """Registers the checks."""
        from game import checks  # noqa: F401 (registering is what it does)
