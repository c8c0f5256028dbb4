"""Runs one of the measurements: `python -m bench NAME`. Without a name it lists them."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

import django

from bench.report import NotAMeasure
from game.feature_list import FEATURES

COMMANDS = (
    *("strength", "selfplay", "originals", "manner"),
    *(it.name for it in FEATURES if find_spec(f"bench.{it.name}")),
    *("shot", "pairs", "worst", "load", "memory", "figures"),
)
"""Each is a module of this package, those of features among them, with `add_options` and `run`."""


def main(words: Sequence[str]) -> None:
    """Runs the measurement that is named first; ends the process for options that it can't take."""
    name = words[0] if words else "--help"
    if name not in COMMANDS:
        print("python -m bench NAME [OPTIONS]\n")
        for command in COMMANDS:
            first, *_ = str(import_module(f"bench.{command}").__doc__).splitlines()
            print(f"  {command:12} {first}")
        sys.exit(0 if name in ("-h", "--help") else 2)
    parser = parser_of(name)
    options = parser.parse_args(words[1:])
    try:
        import_module(f"bench.{name}").run(options)
    except NotAMeasure as error:
        parser.error(str(error))


def parser_of(name: str) -> ArgumentParser:
    """Returns the parser of a measurement's options."""
    module = import_module(f"bench.{name}")
    prog, form = f"python -m bench {name}", RawDescriptionHelpFormatter
    parser = ArgumentParser(prog, description=module.__doc__, formatter_class=form)
    module.add_options(parser)
    return parser


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the site does, before NumPy is loaded
    django.setup()
    main(sys.argv[1:])
