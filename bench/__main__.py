"""Runs one of the measurements: `python -m bench NAME`. Without a name it lists them."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

import django

from bench.samples import NotAMeasure

COMMANDS = {
    "strength": "shots that each mind needs, and the ranks in whole matches with Elo ratings",
    "selfplay": "one mind alone, or two against each other, by rules that you choose",
    "manner": "how a mind plays against beginners, and drawings of its games",
    "habits": "shots that the admiral saves by expecting habits of placing",
    "ask": "hits and shots with questions, as in a published study and in the preset",
    "calibration": "whether the chances of the belief, or of the review, come true",
    "puzzles": "makes the pool of puzzles, checks it, and lets minds solve it",
    "deduction": "guesses that the searchers of the deduction game need",
    "shot": "CPU, bytes and latency of a shot at a real server",
    "worst": "the most expensive answer at every address, and of every mind",
    "load": "how long pages take while another address repeats the dearest requests",
    "memory": "the memory of a process that answers many different requests",
    "match_store": "the cost of a page that waits, and the room of a match in the store",
    "figures": "repeats what docs/research/figures.md shows, and writes it there",
}
"""Each name is a module of this package with `add_options` and `run`."""


def main(words: Sequence[str]) -> None:
    """Runs the measurement that is named first; ends the process for options that it can't take."""
    name = words[0] if words else "--help"
    if name not in COMMANDS:
        listed = "\n".join(f"  {name:12} {what}" for name, what in COMMANDS.items())
        print(f"python -m bench NAME [OPTIONS]\n\n{listed}")
        sys.exit(0 if name in ("-h", "--help") else 2)
    parser = parser_of(name)
    options = parser.parse_args(words[1:])
    try:
        import_module(f"bench.{name}").run(options)
    except NotAMeasure as error:
        parser.error(str(error))


def parser_of(name: str) -> ArgumentParser:
    """The parser of a measurement's options."""
    module = import_module(f"bench.{name}")
    parser = ArgumentParser(
        prog=f"python -m bench {name}", description=module.__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )  # fmt: skip
    module.add_options(parser)
    return parser


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the site does, before NumPy is loaded
    django.setup()
    main(sys.argv[1:])
