"""The game as a Django application."""

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Has no models: the site keeps nothing."""

    name = "game"
