"""Puzzles for tests of all pages and requests, and answers to the one at an address."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.urls import reverse

from bench.requests import Request
from game.features.puzzles import pool
from game.features.puzzles.judge import count
from game.features.puzzles.pool import Puzzle
from game.matches.saved import SavedMatch
from tests.support.matches import address, opening


def puzzle_at(where: str) -> Puzzle:
    found = pool.find(urlsplit(where).path.split("/")[3])
    assert found is not None, where
    return found


def best(where: str) -> str:
    """The first of the best cells."""
    position = puzzle_at(where).position
    return position.rules.board.name(count(position).best[0])


def worst(where: str) -> str:
    """The unmarked cell with a ship in the fewest fleets."""
    position = puzzle_at(where).position
    cells = [cell for cell in position.rules.board.cells if cell not in position.marked]
    found = count(position).cells
    return position.rules.board.name(min(cells, key=lambda cell: found[cell]))


NAME = pool.puzzles()[0].name
"""The name of a puzzle."""
PAGE = f"/en/puzzles/{NAME}/"
_OWN = "sea=ask&water=A1+B2&hit=C3&sunk=D6h5+A8h3"
PATHS = (
    "puzzles/", f"puzzles/{NAME}/", f"puzzles/{NAME}/share/", f"puzzles/{NAME}/?cell=B7",
    f"puzzles/own/?{_OWN}", f"puzzles/own/share/?{_OWN}",
)  # fmt: skip
PAGES = {
    "puzzle": f"puzzles/{NAME}/",
    "puzzle, solved": f"puzzles/{NAME}/?cell={worst(PAGE)}",
    "puzzle, own": f"puzzles/own/?{_OWN}&cell=H1",
    "puzzle, refused": f"puzzles/{NAME}/?cell=Z9",
}
SAMPLED = ("puzzle",)
PANELS = [lambda: PAGE]
FORMS = (("/en/puzzles/", "td button:not([aria-disabled])"),)
PRESSES = {"puzzle": (lambda: PAGE, "td button:not([aria-disabled])", "solved", "act-next")}
ONLY_ITS_OWN = ("puzzle",)
KEPT = [("results", ("puzzles",))]
ALIKE = r"/puzzles/\w+"


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """A puzzle with the most fleets, and a position of a player's own with large tables."""
    for name in ("puzzles", "any_puzzles", "more_puzzles"):
        yield Request(name, "GET", reverse(name))
    most = max(pool.puzzles(), key=lambda one: one.fleets)
    free = set(most.position.rules.board.cells) - most.position.marked
    cell = most.position.rules.board.name(min(free))
    where = reverse("puzzle", args=[most.name])
    yield Request("puzzle", "most fleets", where)
    yield Request("any_puzzle", "most fleets", reverse("any_puzzle", args=[most.name]))
    yield Request("puzzle", "most fleets, answered", where, {"cell": cell})
    yield Request("share_puzzle", "most fleets", f"{where}share/?cell={cell}")
    own = "?sea=own&columns=15&rows=15&touching=anywhere&fleet=8-7-6-5-4-3-2-1"
    where = reverse("puzzle", args=[pool.OWN])
    yield Request("puzzle", "own, answered", where + own, {"cell": "A1"})


def _in_terminal(name: str) -> tuple[str, str, list[str]]:
    """A match that waits while a puzzle is solved, whose name is typed or pasted."""
    says = [
        "There is no such puzzle.",
        "Pencil fleet, 10 × 10. Ships never touch here.",
        " 9 . . . . o # o . o #",
        "Where is a ship most likely?",
        " 9 . + . . o # o . o #",
        "Right. B9 is best: a ship lies there in 5,562 of 6,560 fleets.",
        "Enter: another puzzle. q: back to the game.",
    ]
    return address(opening()), f"puzzle none\n{name}\nb9\nq\n", says


_TYPED = next(one.name for one in pool.puzzles() if one.best == 5562)
_PASTED = f"<http://localhost/EN/puzzles/{_TYPED.upper()}/?fbclid=a>)."
TERMINAL = [lambda: _in_terminal(f"puzzle {_TYPED}"), lambda: _in_terminal(_PASTED)]
