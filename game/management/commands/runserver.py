"""`manage.py runserver`: Django's development server, with styled pages in a fresh clone."""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.management.commands import runserver

from game.management.preparation import collect_static


class Command(runserver.Command):
    """Collects the static files before it serves, since pages name them by their hashes."""

    def inner_run(self, *args: Any, **options: Any) -> None:
        """Collects, then serves; the reloader calls it again after each change of the code."""
        collect_static()
        super().inner_run(*args, **options)
