"""The recap: every step is the match as it stood, for the page and for the script alike."""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client

from game import boards, recap
from game.engine.rules import Side
from game.presets import BONN
from tests.web.matches import address, cells, ended

RULES = [BONN, replace(BONN, moving=False), replace(BONN, salvo=True, turns=30)]
NAMES = ("You", "Computer")
LETTERS = {letter: state for state, letter in recap.STATES.items()}


@pytest.fixture
def client():
    return Client(headers={"host": "localhost"})


def folded(film, step):
    """What a script that knows no rules makes of a film at a step."""
    frames = [
        (list(start["cells"]), {hull[0]: hull for hull in start["hulls"]})
        for start in film["start"]
    ]
    for change in film["changes"][:step]:
        for (states, hulls), (new_states, new_hulls, _ringed) in zip(frames, change, strict=True):
            for index, letter in new_states:
                states[index] = letter
            for hull in new_hulls:
                hulls[hull[0]] = hull
    return frames


@pytest.mark.parametrize("rules", RULES, ids=["bonn", "still", "salvo"])
def test_a_film_shows_at_every_step_the_match_as_it_stood(rules):
    match = ended(rules, number=4).match
    film = recap.film(match, Side.FIRST, NAMES, 0)["film"]
    assert len(film["changes"]) == match.ply
    for step in range(match.ply + 1):
        for view, (states, hulls) in zip(
            boards.uncovered(match.at(step), Side.FIRST), folded(film, step), strict=True
        ):
            drawn = [cell for row in view.rows for cell in row]
            assert [LETTERS[letter] for letter in states] == [cell.state for cell in drawn]
            assert list(hulls.values()) == [[h.id, h.x, h.y, h.look] for h in view.hulls]


def test_the_recap_has_as_many_steps_as_actions_and_a_line_for_each(client):
    sitting = ended(number=2)
    html = client.get(address(sitting, page="replay")).content.decode()
    assert len(re.findall(r'data-step="\d+"', html)) == sitting.match.ply
    film = json.loads(re.search(r'id="film"[^>]*>(.*?)</script>', html)[1])
    assert len(film["changes"]) == sitting.match.ply


def test_without_script_each_step_is_a_page(client):
    sitting = ended(number=2)
    where = address(sitting, page="replay")
    for step in (0, 1, 30, sitting.match.ply):
        html = client.get(f"{where}?step={step}").content.decode()
        expected = boards.uncovered(sitting.match.at(step), Side.FIRST)
        for kind, view in zip(("enemy", "own"), expected, strict=True):
            assert cells(html, kind) == {c.name: c.state for row in view.rows for c in row}
        assert (f'data-step="{step}" aria-current="step"' in html) is (step > 0)


@pytest.mark.parametrize("step", ["-1", "x", "²", "999999999", "", "1e3"])
def test_an_odd_step_is_shown_as_the_nearest_there_is(client, step):
    assert client.get(address(ended(), page="replay") + f"?step={step}").status_code == 200


def test_the_steps_are_told_in_german(client):
    html = client.get(address(ended(number=2), page="replay", language="de")).content.decode()
    assert re.search(r"[A-J]\d+: Wasser", html)
    assert re.search(r"fährt nach (oben|unten|links|rechts)", html)


def test_there_is_no_recap_before_the_outcome():
    match = ended().match
    with pytest.raises(ValueError, match="no recap"):
        recap.film(match.at(3), Side.FIRST, NAMES, 0)
    with pytest.raises(ValueError, match="nothing is revealed"):
        boards.revealed(match.at(3), Side.FIRST)
