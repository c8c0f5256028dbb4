"""Repeats the measurements in docs/research/figures.md, and writes what they print into it.

python -m bench figures --only memory

Each block there begins with its command and the day on which it was measured.
"""

from __future__ import annotations

import re
import subprocess
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings

from bench.report import NotAMeasure, say

_BLOCK = re.compile(r"^ {4}(\S.*?)  # measured \S+\n(?: {4}.*\n)*", re.MULTILINE)


def add_options(parser: ArgumentParser) -> None:
    only = "only commands that contain one of these words"
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help=only)
    default = Path(settings.BASE_DIR) / "docs/research/figures.md"
    parser.add_argument("--file", type=Path, default=default, help="the document")


def run(options: Namespace) -> None:
    text = options.file.read_text()
    asked = [
        block for block in _BLOCK.finditer(text) if any(word in block[1] for word in options.only)
    ]
    if not asked:
        raise NotAMeasure(f"no measurement there contains {' or '.join(options.only)}")
    for block in asked:
        say(block[1])
        done = subprocess.run(  # noqa: S602 (commands of our own document)
            block[1], shell=True, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True,
            check=True,
        )  # fmt: skip
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        lines = [f"{block[1]}  # measured {day}", *filter(None, done.stdout.splitlines())]
        new = "".join(f"    {line}".rstrip() + "\n" for line in lines)
        # The document is read again, since a measurement takes long.
        options.file.write_text(options.file.read_text().replace(block[0], new))
