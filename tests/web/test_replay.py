"""The replay: every step is the match as it stood, for the page and for the script alike."""

import re
from dataclasses import replace
from math import inf
from typing import Any

import pytest

from game.display import boards, replay
from game.display.boards import BoardView
from game.engine.actions import STAY
from game.engine.observation import observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import lettered
from game.matches.record import read
from game.matches.saved import SavedMatch
from tests.support.device import Device
from tests.support.matches import (
    address,
    asked_and_ended,
    ended,
    opening,
    played,
    saved_at,
    searching,
)

RULES = [BONN, replace(BONN, moving=False), replace(BONN, salvo=True, turns=30)]
NAMES = ("You", "Computer")
CELLS = lettered(BONN.board)


def folded(data: dict[str, Any], step: int) -> list[tuple[list[str], dict[int, list[int | str]]]]:
    """Returns what a script that knows no rules draws of a replay at a step."""
    frames = [
        (list(start["cells"]), {hull[0]: hull for hull in start["hulls"]})
        for start in data["start"]
    ]
    for change in data["changes"][:step]:
        for (letters, hulls), (new_letters, new_hulls, _ringed) in zip(frames, change, strict=True):
            for index, letter in new_letters:
                letters[index] = letter
            for hull in new_hulls:
                hulls[hull[0]] = hull
    return frames


@pytest.mark.parametrize("rules", RULES[::2], ids=["bonn", "salvo"])
def test_a_film_shows_at_every_step_the_match_as_it_stood(rules: Ruleset) -> None:
    match = ended(rules, number=4).match
    data = replay.replay_view(match, Side.FIRST, NAMES, CELLS, 0).data
    stays = sum(action == STAY for action in match.actions)
    assert len(data["changes"]) == match.ply - stays, "to stay is no step"
    for step in range(len(data["changes"]) + 1):
        at = replay.stage_at(match, step)
        enemy, own = boards.full_boards(at, observe(at, Side.FIRST), CELLS)
        known = boards.as_known(observe(at, Side.FIRST), enemy), own
        for view, then, (letters, hulls) in zip(
            (enemy, own), known, folded(data, step), strict=True
        ):
            shown = [data["letters"][letter] for letter in letters]
            assert shown == list(zip(states(view), states(then), strict=True))
            assert list(hulls.values()) == [[h.id, h.x, h.y, h.look] for h in view.hulls]


def states(view: BoardView) -> list[str]:
    """The state of every cell of a board, in reading order."""
    return [cell.state for row in view.rows for cell in row]


def test_in_the_fog_nothing_is_seen_of_the_enemy_but_what_was_known_then() -> None:
    match = ended(number=4).match
    with pytest.raises(ValueError, match="nothing is revealed"):
        boards.revealed(match.at(3), observe(match.at(3), Side.FIRST), CELLS)
    for step in range(match.ply + 1):
        at = match.at(step)
        seen = observe(at, Side.FIRST)
        enemy = boards.as_known(
            observe(at, Side.FIRST),
            boards.full_boards(at, observe(at, Side.FIRST), CELLS)[0],
        )
        marks = {cell: mark.known.value for cell, mark in seen.marks.items()}
        assert states(enemy) == [marks.get(cell, "unknown") for cell in seen.board.cells]
        wrecks = sum(shot.wreck is not None for shot in seen.shots)
        assert sum(hull.look != "unseen" for hull in enemy.hulls) == wrecks


def test_without_script_each_step_is_a_page(client: Device) -> None:
    saved = ended(number=2)
    where = address(saved, page="replay")
    for step in (0, 1, 30, replay.last_step(saved.match)):
        html = client.get(f"{where}?step={step}")
        foggy = client.get(f"{where}?step={step}&fog=on")
        at = replay.stage_at(saved.match, step)
        enemy, own = boards.full_boards(at, observe(at, Side.FIRST), CELLS)
        known = boards.as_known(observe(at, Side.FIRST), enemy)
        for found, expected in (html, (enemy, own)), (foggy, (known, own)):
            for kind, view in zip(("enemy", "own"), expected, strict=True):
                assert list(found.cells(kind).values()) == states(view)
            assert (f'data-step="{step}" aria-current="step"' in found) is (step > 0)
        links = re.findall(r'href="(\?step=[^"]*)"', foggy)
        assert links
        assert all("&amp;fog=on" in link for link in links)


def test_a_question_is_a_step_with_its_rectangle_and_its_answer(client: Device) -> None:
    saved = asked_and_ended()
    where = address(saved, page="replay")
    for step, says, looks in (
        (0, "Before the first shot", ["later", "later", "later", "later"]),
        (1, "You: Is a ship in A1 to D4? Yes.", ["now", "later", "later", "later"]),
        (3, "Computer: Is a ship in A1 to D4? Yes.", ["", "later", "now", "later"]),
        (7, "Computer: Is a ship at C1? No.", ["", "", "", "now"]),
    ):
        for query in (f"?step={step}", f"?step={step}&fog=on"):
            html = client.see(where + query)
            assert html.says.endswith(says)
            found = re.findall(r'<b data-asked="(\d)" class="is-(yes|no)( is-\w+)?"', html)
            assert [(int(at), answer) for at, answer, _ in found] == [
                (1, "yes"), (5, "no"), (3, "yes"), (7, "no"),
            ]  # fmt: skip
            assert [look.removeprefix(" is-") for _, _, look in found] == looks
    view = replay.replay_view(saved.match, Side.FIRST, NAMES, CELLS, 0)
    assert view.data["waters"] == "001100111"


def test_the_sheet_of_a_step_is_the_one_where_it_happens(client: Device) -> None:
    """Shots fall on the other side's waters; ships move in their own."""
    saved = ended(number=4)
    match, where = saved.match, address(saved, page="replay")
    view = replay.replay_view(match, Side.FIRST, NAMES, CELLS, 0)
    shots = {shot.ply: shot.side for shot in match.shots}
    plies = [ply for ply, action in enumerate(match.actions) if action != STAY]
    for step, ply in enumerate(plies):
        own = shots[ply] is Side.SECOND if ply in shots else match.sides[ply] is Side.FIRST
        assert view.data["waters"][step] == str(int(own))
    assert set(view.data["waters"]) == {"0", "1"}
    resigned = match.at(12).resign(Side.FIRST)
    for side in Side:
        view_of_side = replay.replay_view(resigned, side, NAMES, CELLS, 0)
        assert view_of_side.is_own(len(view_of_side.steps)) is (side is Side.FIRST)
    with pytest.raises(ValueError, match="no replay"):
        replay.replay_view(match.at(3), Side.FIRST, NAMES, CELLS, 0)
    for step in (0, 1, view.data["waters"].index("1") + 1):
        lifted = view.is_own(step)
        for look, shown in ("", lifted), ("&look=own", True), ("&look=enemy", False):
            html = client.get(f"{where}?step={step}{look}")
            assert (' is-replay lift"' in html) is shown, (step, look)


@pytest.mark.parametrize(
    "saved", [opening(mind="recruit"), searching().with_par(inf)], ids=["two", "alone"]
)
def test_a_match_that_goes_on_is_neither_recorded_nor_replayed(
    client: Device, saved: SavedMatch
) -> None:
    saved = played(saved, 9)
    for name in ("record", "replay"):
        got = client.get(address(saved, page=name))
        assert (got.status, saved_at(got.location)) == (302, saved)
        assert got.location.startswith("/en/play/")
        assert f"/{name}/" not in client.get(address(saved))


def test_the_record_is_a_text_that_says_the_same(client: Device) -> None:
    saved = ended(BONN, number=2)
    got = client.get(address(saved, page="record"))
    assert got.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in got.headers["Content-Disposition"]
    assert read(got) == saved.record
