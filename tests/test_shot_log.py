"""The log of a running match: complete, in order, and without what is hidden."""

import re

import pytest

from game.display.match_history import shot_log
from game.engine.actions import Steer
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Side
from game.matches.cell_names import lettered
from tests.support.device import HTMX, Device
from tests.support.matches import address, opening, played

ROWS = r"<tr><th>(\d+)</th><td>(.*?)</td>"


@pytest.mark.parametrize("preset", ["bonn", "salvo", "milton", "ask"])
def test_the_log_has_every_shot_of_both_sides_newest_turn_first(preset: str) -> None:
    match = played(opening(PRESETS[preset].ruleset, number=1), 40).match
    rows = shot_log(match, observe(match, Side.FIRST), lettered(match.ruleset.board))
    assert [row.turn for row in rows] == sorted({row.turn for row in rows}, reverse=True)
    for side in Side:
        told = [entry for row in reversed(rows) for entry in row.sides[side]]
        shots = [shot for shot in match.shots if shot.side is side]
        names = [match.ruleset.board.name(shot.cell) for shot in shots]
        assert [one.text.split(",")[0] for one in told if re.match(r"[A-Z]\d+,", one.text)] == names
        assert sum(one.is_hit for one in told) == sum(s.result.value != "water" for s in shots)
        turns = [shot.turn // 2 + 1 for shot in shots]
        assert {row.turn for row in rows if row.sides[side]} >= set(turns)


def test_the_log_has_the_moves_of_its_own_side_and_none_of_the_others() -> None:
    match = played(opening(number=1), 40).match
    moves = [
        side
        for side, action in zip(match.sides, match.actions, strict=True)
        if isinstance(action, Steer)
    ]
    assert set(moves) == set(Side), "only one side has moved ships"
    for side in Side:
        rows = shot_log(match, observe(match, side), lettered(match.ruleset.board))
        mine, theirs = ([one.text for row in rows for one in row.sides[at]] for at in (0, 1))
        assert sum(" moves " in text for text in mine) == moves.count(side)
        assert not [text for text in theirs if " moves " in text]


def test_the_newest_turns_of_the_log_come_before_all_others(client: Device) -> None:
    saved = played(opening(BONN), 40)
    where = address(saved)
    assert not re.findall(ROWS, client.get(where))
    told = client.get(f"{where}?look=shots", headers=HTMX)
    turns = [int(turn) for turn, _shots in re.findall(ROWS, told)]
    assert turns == [*range(turns[0], 0, -1)]
    newest, _rest = told.split("<details>")
    assert len(re.findall(ROWS, newest)) == 4
    assert where in client.get(f"{where}?look=shots").links, "the way back"
