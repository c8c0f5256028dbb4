"""The documents, and their indented blocks: commands, transcripts, records, code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*.md"))
}
MARGIN = 4
"""Blocks are indented by at least this number of spaces."""
_CODE = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")


class Block(NamedTuple):
    """An indented piece of text, kept without its margin."""

    document: str
    line: int
    text: str
    margin: int
    """The number of spaces before each line."""

    @property
    def first(self) -> str:
        return self.text.partition("\n")[0]

    def __str__(self) -> str:
        """`docs/record.md:14 battleship-record 1`."""
        return f"{self.document}:{self.line} {self.first[:40]}"


def blocks_of(document: str, text: str) -> Iterator[Block]:
    """Yields each block: indented lines after an empty one, with the empty lines between them."""
    lines = ["", *text.splitlines(), ""]
    at = 1
    while at < len(lines):
        if lines[at - 1].strip() or not is_set_in(lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and (is_set_in(lines[end]) or not lines[end].strip()):
            end += 1
        found = "\n".join(lines[at:end]).rstrip().splitlines()
        margin = min(len(line) - len(line.lstrip()) for line in found if line.strip())
        yield Block(document, at, "\n".join(line[margin:] for line in found), margin)
        at = end


def is_set_in(line: str) -> bool:
    return line.startswith(" " * MARGIN) and bool(line.strip())


BLOCKS = [block for name, text in DOCUMENTS.items() for block in blocks_of(name, text)]


def inline_code(text: str) -> Iterator[str]:
    for piece in _CODE.findall(text):
        yield " ".join(piece.split())


def code_of(text: str) -> Iterator[str]:
    """Yields each piece of code in a document: in backticks, or a line of a block."""
    yield from inline_code(text)
    for block in blocks_of("", text):
        yield from filter(None, map(str.strip, block.text.splitlines()))
