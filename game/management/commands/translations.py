"""`manage.py translations`: compiles the translations, without any system package."""

from __future__ import annotations

from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Makes every .mo file from its .po file."""

    help = "Compiles the translations; refuses one that lacks a message or has a fuzzy one."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the .mo files beside the .po files."""
        for folder in settings.LOCALE_PATHS:
            for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
                with source.open("rb") as file:
                    catalog = read_po(file, locale=source.parts[-3])
                for message in catalog:
                    string = message.string
                    strings = (string,) if isinstance(string, str) else (string or ())
                    is_whole = bool(strings) and all(strings)
                    if message.id and (message.fuzzy or not is_whole):
                        raise CommandError(f"{source.name}: not translated: {message.id!r}")
                with source.with_suffix(".mo").open("wb") as file:
                    write_mo(file, catalog)
