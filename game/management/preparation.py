"""Prepares catalogues and static files, so that a fresh clone needs no further step."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.core.management import CommandError, call_command


def compile_catalogues(*, only_stale: bool = False) -> None:
    """Compiles the translations; raises CommandError for a message that lacks one."""
    for folder in settings.LOCALE_PATHS:
        for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
            compiled = source.with_suffix(".mo")
            is_new = compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime
            if not (only_stale and is_new):
                _compile(source, compiled)


def _compile(source: Path, compiled: Path) -> None:
    # Every process imports this module, but hardly any compiles: Babel would cost each 1 MB.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        catalog = read_po(file, locale=source.parts[-3])
    for message in catalog:
        string = message.string
        strings = (string,) if isinstance(string, str) else (string or ())
        is_whole = bool(strings) and all(strings)
        if message.id and (message.fuzzy or not is_whole):
            raise CommandError(f"{source.name}: not translated: {message.id!r}")
    with NamedTemporaryFile(dir=compiled.parent, delete=False) as draft:
        write_mo(draft, catalog)
    os.replace(draft.name, compiled)  # atomically: another process may be reading it


def collect_static() -> None:
    """Collects the static files in development if any has changed.

    In production the deployment collects them.
    """
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    made = manifest.stat().st_mtime if manifest.exists() else 0.0
    files = (path for folder in settings.STATICFILES_DIRS for path in Path(folder).rglob("*"))
    if not settings.IS_PRODUCTION and any(path.stat().st_mtime > made for path in files):
        call_command("collectstatic", interactive=False, verbosity=0)
