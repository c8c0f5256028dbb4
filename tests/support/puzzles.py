"""Answers to the puzzles at an address."""

from urllib.parse import urlsplit

from game.puzzles import pool
from game.puzzles.judge import count
from game.puzzles.pool import Puzzle


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
