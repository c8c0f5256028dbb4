"""What moving did: by hand in small matches, and counted again from what each side saw."""

from __future__ import annotations

import pytest

from game.display.moving import moving_line, moving_told
from game.engine.actions import STAY, Action, Fire, Steer
from game.engine.fleets import Course
from game.engine.match import Match
from game.engine.notation import parse_fleet
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import lettered
from game.matches.setup import Setup

RULES = Ruleset(columns=6, rows=6, fleet=(3, 2), again=False, turns=24)


def match_of(*actions: str) -> Match:
    """Both fleets lie at A1h3 and A4h2; `B1` fires, `0-fore` moves, `-` stays."""
    fleet = parse_fleet(RULES, "A1h3 A4h2")
    match = Match(RULES, (fleet, fleet), bytes(16))
    for word in actions:
        match = match.act(action_of(word))
    return match


def action_of(word: str) -> Action:
    if word == "-":
        return STAY
    ship, _, course = word.partition("-")
    return Steer(int(ship), Course(course)) if course else Fire(RULES.board.parse(word))


@pytest.mark.parametrize(
    ("actions", "told", "line"),
    [
        ("- F6 - C1", 0, ""),
        (
            "- F6 - A1",
            1,
            "Your ships never moved. The ship that was hit could have moved away in time.",
        ),
        ("- F6 - A1 - F5 - A4", 2, "Your ships never moved. 2 of the 2 ships that were hit could"),
        ("0-aft F6 - A1", 1, "One shot fell on a cell that your ship had left in the turn before."),
        ("- F6 1-aft F6 - A4", 0, "One of your shots fell on a cell that a ship had left"),
    ],
)
def test_the_end_tells_what_moving_did_and_nothing_before_it(
    actions: str, told: int, line: str
) -> None:
    match, setup = match_of(*actions.split()), Setup(RULES, (None, "random"))
    assert moving_line(match, setup, Side.FIRST) == ""
    said = moving_line(match.resign(Side.FIRST), setup, Side.FIRST)
    assert said.startswith(line) if line else not said
    assert len(moving_told(match, Side.FIRST, lettered(match.ruleset.board))) == told
