"""An answer after a hidden move takes as much work as one without."""

from collections.abc import Iterator
from itertools import count

import pytest

from bench.client import COOKIE, Browser
from bench.clock import calls_of
from game.engine.actions import STAY, Result
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import complete
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from tests.support.matches import address

pytestmark = pytest.mark.django_db
OWN, ENEMY = (complete(BONN, (), Chance(bytes(SEED_BYTES), "fleet", side)) for side in Side)
WATER = next(cell for cell in BONN.board.cells if not any(cell in ship.cells for ship in ENEMY))
MOST_MORE = 0.005
"""By what part the calls of two clicks may differ: numbers are drawn again now and then."""


def answered(mind: str) -> Iterator[tuple[SavedMatch, bool, Cell]]:
    """Matches that differ only in the seed, in which a click is answered by one shot at water.

    Each comes with whether a ship moves before that shot, and where it falls.
    """
    for number in count():
        match = Match(BONN, (OWN, ENEMY), number.to_bytes(SEED_BYTES, "big"))
        saved = SavedMatch(Setup(BONN, (None, mind)), match)
        after = SavedMatch(saved.setup, match.fire(WATER)).with_minds_played().match
        mine, theirs = after.shots[0], after.shots[1:]
        if len(theirs) == 1 and theirs[0].result is Result.WATER:
            yield saved, after.actions[mine.ply + 1] != STAY, theirs[0].cell


def work(saved: SavedMatch) -> int:
    """How many functions the answer to the click calls, once caches are filled."""

    def click() -> None:
        form = {"cell": BONN.board.name(WATER)}
        assert Browser({"Cookie": COOKIE}).send(address(saved), form, htmx=True).status == 200

    for _time in range(3):
        click()
    return calls_of(click)


@pytest.mark.parametrize("mind", ["random", "sailor"])
def test_the_work_of_an_answer_does_not_tell_whether_a_ship_has_moved(mind: str) -> None:
    found: dict[Cell, dict[bool, SavedMatch]] = {}
    for saved, has_moved, cell in answered(mind):
        alike = found.setdefault(cell, {})
        alike[has_moved] = saved
        if len(alike) == 2:
            break
    stayed, moved = work(alike[False]), work(alike[True])
    assert abs(moved - stayed) <= MOST_MORE * stayed
