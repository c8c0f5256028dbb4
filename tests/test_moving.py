"""What moving did: by hand in small matches, and counted again from what each side saw."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.display.moving import moving_line, moving_told
from game.engine.actions import STAY, Action, Fire, Result, Steer
from game.engine.chance import Chance
from game.engine.fleets import Course, complete
from game.engine.match import Match
from game.engine.notation import parse_fleet
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import lettered
from game.matches.moves import Moves, MovingStep, moves_of
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
        ("- F6 - A1", 1, "Your ships never moved. The ship that was hit could have left the cell"),
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


@pytest.mark.parametrize("preset", ["short"])
def test_it_is_the_same_as_by_playing_every_move_that_was_possible(preset: str) -> None:
    rules = replace(PRESETS[preset].ruleset, moving=True, turns=60)
    chance = Chance(bytes(16), "test", 0)
    match = Match(rules, (complete(rules, (), chance), complete(rules, (), chance)), bytes(16))
    while match.outcome is None:
        moves: list[Action] = [STAY, *match.steers(match.side)] if match.is_move_due else []
        spent = match.spent(match.side.opponent)
        shots = [Fire(cell) for cell in rules.board.cells if cell not in spent]
        match = match.act(chance.choice(moves or shots))
    due = [stage for stage in match.stages() if stage.side is Side.FIRST and stage.is_move_due]
    hit, used, steps = set(), 0, []
    for before in due:
        after = match.at(before.ply + 1)
        lay, lie = (stage.placements(Side.FIRST) for stage in (before, after))
        others = [before.act(steer).placements(Side.FIRST) for steer in before.steers(Side.FIRST)]
        used += lay != lie
        for shot in match.shots:
            if shot.side is Side.FIRST or shot.turn != before.turn + 1:
                continue
            for ship in range(len(lay)):
                left = shot.cell in lay[ship].cells and shot.cell not in lie[ship].cells
                if left and shot.result is Result.WATER:
                    steps.append(MovingStep(shot.ply, shot.cell, None))
                is_it = shot.cell in lie[ship].cells and after.is_afloat(Side.FIRST, ship)
                if is_it and shot.result is not Result.WATER and ship not in hit:
                    hit.add(ship)
                    could = shot.cell in lay[ship].cells and any(
                        shot.cell not in other[ship].cells for other in others
                    )
                    steps += [MovingStep(shot.ply, shot.cell, ship)] if could else []
    assert used > 10
    assert moves_of(match, Side.FIRST) == Moves(len(hit), used, tuple(steps))
