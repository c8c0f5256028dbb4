"""The command line: `battleships` of the installed wheel, and manage.py of a clone."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from battleships_site import __version__
from game.feature_list import FEATURES
from game.management import streams


def main() -> None:
    """Runs a management command, or prints the version of the game."""
    streams.prepare()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with streams.ended_quietly():
        if sys.argv[1:] in (["--version"], ["version"]):
            print(__version__)
        elif not _is_done_quickly(sys.argv[1:]):
            from battleships_site.commands import Commands

            Commands(sys.argv).execute()


def _is_done_quickly(words: Sequence[str]) -> bool:
    """Runs a command that needs no Django, which would take most of its time to start."""
    for name, function in (row for feature in FEATURES for row in feature.quick):
        if words[:1] == [name]:
            module, _, function_name = function.rpartition(".")
            return bool(getattr(import_module(module), function_name)(words[1:]))
    return False
