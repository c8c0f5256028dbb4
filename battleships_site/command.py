"""The command line: `battleships` of the installed wheel, and manage.py of a clone."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from battleships_site import __version__


def main() -> None:
    """Runs a management command, or prints the version of the game."""
    if sys.argv[1:] in (["--version"], ["version"]):
        print(__version__)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    execute_from_command_line(sys.argv)
