"""Prepares catalogues and static files, so that a fresh clone needs no further step."""

import os
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils.translation import to_language

from game.checks import are_static_files_stale, is_stale, locale_folders
from game.ops import languages

_SOURCES = "*/LC_MESSAGES/*.po"


def compile_catalogues(*, only_stale: bool = False) -> dict[str, tuple[int, int]]:
    """Compiles the translations of the languages of the table.

    Returns how many messages of each are translated, and how many there are.
    What a catalogue lacks is shown in English. Raises CommandError if a language lacks a message
    whose catalogue must be complete.
    """
    shares: dict[str, tuple[int, int]] = {}
    for source in [po for folder in locale_folders() for po in sorted(folder.glob(_SOURCES))]:
        compiled = source.with_suffix(".mo")
        if not only_stale or is_stale(compiled, [source]):
            code = to_language(source.parts[-3])
            counts = zip(shares.get(code, (0, 0)), _compile(source, compiled, code), strict=True)
            translated, messages = map(sum, counts)
            shares[code] = translated, messages
    return shares


def _compile(source: Path, compiled: Path, code: str) -> tuple[int, int]:
    # Every process imports this module, but hardly any compiles: Babel would cost each 1 MB.
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    row = settings.LANGUAGE_TABLE.get(code)
    if row is None:
        raise CommandError(f"{code}: this catalogue has no table in {languages.TABLE}")
    with source.open("rb") as file:
        catalog: Catalog = read_po(file)
    messages = [message for message in catalog if message.id]
    lacking = []
    for message in messages:
        strings = [message.string] if isinstance(message.string, str) else message.string
        if message.fuzzy or not (strings and all(strings)):
            lacking.append(message)
    if lacking and row.is_complete:
        raise CommandError(f"{source.name}: not translated: {lacking[0].id!r}")
    for message in lacking:
        catalog.delete(message.id, message.context)
    if lacking:
        catalog.add(languages.PARTIAL, "yes", context=languages.CONTEXT)
    draft = compiled.with_name(f"{compiled.name}.{os.getpid()}")  # readable by all, as umask says
    with draft.open("wb") as file:
        write_mo(file, catalog)
    draft.replace(compiled)  # atomically: another process may be reading it
    return len(messages) - len(lacking), len(messages)


def collect_static() -> None:
    """Collects the static files in development if any has changed; deployments do so."""
    if not settings.IS_PRODUCTION and are_static_files_stale():
        call_command("collectstatic", interactive=False, verbosity=0)
