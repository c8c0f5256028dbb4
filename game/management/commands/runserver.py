"""`manage.py runserver`: Django's development server, with styled pages in a fresh clone."""

from __future__ import annotations

from typing import Any

from django.contrib.staticfiles.management.commands import runserver

from game.management.preparation import collect_static


class Command(runserver.Command):
    def inner_run(self, *args: Any, **options: Any) -> None:
        """Collects the static files, whose hashes pages need, and serves; called on each reload."""
        collect_static()
        super().inner_run(*args, **options)
