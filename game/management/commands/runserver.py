"""`manage.py runserver`: Django's development server, with styled pages in a fresh clone."""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.management.commands import runserver

from game.management.preparation import collect_static


class Command(runserver.Command):
    """Gathers the static files before it serves: pages name them by their hashes."""

    def inner_run(self, *args: Any, **options: Any) -> None:
        """Gathers, then serves; after a change of the code it does both anew."""
        collect_static()
        super().inner_run(*args, **options)
