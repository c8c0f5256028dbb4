"""Collects the sentences to be translated, those of `game.display.words.plural` among them."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import makemessages

from game.checks import feature_folders


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=plural:1,2"]  # noqa: RUF012

    def handle(self, *args: Any, **options: Any) -> None:
        """Collects those of a feature in its own folder."""
        for folder in feature_folders("locale"):
            folder.mkdir(exist_ok=True)
        super().handle(*args, **options)
