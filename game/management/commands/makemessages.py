"""Collects the sentences to be translated, those of `game.display.words.plural` among them."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

from game.checks import feature_folders


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=plural:1,2"]  # noqa: RUF012

    def handle(self, *args: Any, **options: Any) -> None:
        """Collects those of a feature in its own folder."""
        for folder in feature_folders("locale"):
            folder.mkdir(exist_ok=True)
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Gives a feature's new catalogue the header of the core's, which has the plural forms."""
        name = f"{locale}/LC_MESSAGES/django.po"
        catalogue, core = Path(potfile).parent / name, Path(settings.LOCALE_PATHS[0]) / name
        if core.exists() and not catalogue.exists():
            header, _, _ = core.read_text().partition("\n\n")
            catalogue.parent.mkdir(parents=True, exist_ok=True)
            catalogue.write_text(f"{header}\n")
        super().write_po_file(potfile, locale)
