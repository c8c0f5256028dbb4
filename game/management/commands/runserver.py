"""`manage.py runserver`: Django's development server, with styled pages in a fresh clone."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import runserver

from game.management.preparation import collect_static


class Command(runserver.Command):
    def inner_run(self, *args: Any, **options: Any) -> None:
        """Collects the static files, whose hashes pages need, and serves; called on each reload."""
        collect_static()
        super().inner_run(*args, **options)

    def on_bind(self, server_port: int) -> None:
        """Prints the server's address, and the path of the site if it is served below one."""
        super().on_bind(server_port)
        if settings.PATH != "/":
            self.stdout.write(f"The site is at {settings.PATH}")
