"""Puzzles for tests of all pages and requests, and answers to the one at an address."""

from game.puzzles import pool
from tests.support.matches import address, opening

NAME = pool.puzzles()[0].name
"""The name of a puzzle."""
PATHS = ("puzzles/", f"puzzles/{NAME}/", f"puzzles/{NAME}/share/", f"puzzles/{NAME}/?cell=B7")


def _in_terminal(name: str) -> tuple[str, str, list[str]]:
    """A match that waits while a puzzle is solved, whose name is typed or pasted."""
    says = [
        "Pencil fleet, 10 × 10. Ships never touch here.",
        " 9 . . . . o # o . o #",
        "Where is a ship most likely?",
        " 9 . + . . o # o . o #",
        "Right. B9 is best: a ship lies there in 5,562 of 6,560 fleets.",
        "Enter: another puzzle. q: back to the game.",
    ]
    return address(opening()), f"{name}\nb9\nq\n", says


_TYPED = next(one.name for one in pool.puzzles() if one.best == 5562)
_PASTED = f"<http://localhost/EN/puzzles/{_TYPED.upper()}/?fbclid=a>)."
TERMINAL = [lambda: _in_terminal(f"puzzle {_TYPED}"), lambda: _in_terminal(_PASTED)]
