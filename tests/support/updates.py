"""An update: the tree of a newer version, and visitors who come meanwhile."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread

from tests.support.page import Page
from tests.support.served import environment, wait_until

CHANGES = (
    ("battleships_site/__init__.py", r'(?<=__version__ = ").+(?=")', "1.99.0"),
    ("game/matches/keyring.py", r"(?<=^VERSION = )\d+", "5"),
    ("game/matches/keyring.py", r"head\[0\] != self\._version and", "head[0] not in (4, 5) and"),
    ("static/game/site.js", r"\Z", 'document.documentElement.dataset.is = "newer";'),
    ("static/game/site.css", r"\Z", ".newer { color: red }"),
    ("templates/base.html", "(?=</head>)", '<meta name="newer" content="yes">'),
)


def prepare(tree: Path) -> None:
    """Compiles the translations of a tree, and collects its static files."""
    for command in ("translations", "collectstatic"):
        words = [sys.executable, "manage.py", command, "--verbosity", "0"]
        subprocess.run(words, cwd=tree, env=environment(), check=True)


def is_newer(page: Page) -> bool:
    """Whether an answer comes from a tree that was made newer."""
    return str(page.headers["Battleship-Version"]).startswith("1.99.0-5-")


def make_newer(tree: Path) -> None:
    """Changes a tree as a newer version might: a script, a style, a template, and tokens."""
    for name, pattern, new in CHANGES:
        text, count = re.subn(pattern, new, (tree / name).read_text(), flags=re.MULTILINE)
        assert count == 1, name
        (tree / name).write_text(text)


def wait_for_more(found: Counter[int]) -> None:
    """Waits until visitors have had a hundred more answers."""
    before = found[200]
    wait_until(lambda: found[200] > before + 100, lambda: f"answers: {found}")


@contextmanager
def visited(ask: Callable[..., Page], visitors: int = 2) -> Iterator[Counter[int]]:
    """Counts the answers by status to visitors who load pages with their files and begin matches.

    They end with the block. An answer that doesn't come counts as 0.
    """
    found, is_over = Counter[int](), Event()

    def asked(where: str, form: str | None = None) -> Page | None:
        try:
            page = ask(where, form)
        except (OSError, HTTPException):
            found[0] += 1
            return None
        found[page.status] += 1
        return page

    def visit() -> None:
        while not is_over.is_set():
            begun = asked("/en/new/bonn/", "action=quick")
            for where in ("/de/", begun.location if begun else "/en/about/"):
                page = asked(where)
                for file in {*(page.all(r'"(/static/[^"]+)"') if page else ())}:
                    asked(file)

    threads = [Thread(target=visit) for _ in range(visitors)]
    for thread in threads:
        thread.start()
    try:
        yield found
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
