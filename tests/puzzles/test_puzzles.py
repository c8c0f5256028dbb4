"""The pages of puzzles: what they ask, judge, keep and share, and that they spoil nothing."""

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from game.engine.rules import Touching
from game.features.puzzles import pool
from tests.puzzles.samples import best, puzzle_at, worst
from tests.support.days import DAY, begun
from tests.support.device import HTMX, Device
from tests.support.features import needs_features
from tests.support.page import Page

NOT_A_CELL = "That is not a cell of this board."


def another(client: Device) -> str:
    """The address of a puzzle."""
    return client.get("/en/puzzles/more/").location


def solved(client: Device, where: str, cell: str) -> Page:
    """The page after an answer, as a browser without scripts gets it."""
    assert client.pressed(where, {"cell": cell}) == f"{where}?cell={cell}"
    return client.see(f"{where}?cell={cell}")


def five(client: Device, answers: str) -> str:
    """Answers the day's five, `+` by a best cell and `-` by a worst; the address of the last."""
    for answer in answers:
        where = begun(client, "/en/puzzles/")
        solved(client, where, best(where) if answer == "+" else worst(where))
    return where


# --- a puzzle; nothing is told before the answer ---


def test_the_page_of_a_question_has_its_handles(client: Device) -> None:
    where = another(client)
    html = client.get(where)
    puzzle, states = puzzle_at(where), html.cells("enemy")
    assert (html.headers["Cache-Control"], html.headers["X-Robots-Tag"]) == ("no-store", "noindex")
    assert 'name="robots" content="noindex"' in html
    handles = {
        "phase": "puzzle", "puzzle": puzzle.name, "preset": puzzle.preset,
        "lengths": " ".join(map(str, puzzle.position.left)),
        "touching": Touching(puzzle.position.rules.touching).value,
    }  # fmt: skip
    assert {name: html.game[f"data-{name}"] for name in handles} == handles
    marked = {puzzle.position.rules.board.name(cell) for cell in puzzle.position.marked}
    assert {cell for cell, state in states.items() if state != "unknown"} == marked
    assert html.says == "Where is a ship most likely?"


def test_an_answer_is_judged_and_says_why(client: Device) -> None:
    where = another(client)
    found = solved(client, where, best(where)).game
    assert (found["data-phase"], found["data-verdict"]) == ("solved", "right")
    assert found["data-chance"] == found["data-best-chance"]
    assert best(where) in found["data-best"].split()
    html = client.see(f"{where}?cell={worst(where)}")
    assert html.game["data-verdict"] == "wrong"
    assert int(html.game["data-chance"]) < int(html.game["data-best-chance"])
    assert html.says.startswith("Not the best. ")
    assert best(where) in html.says
    assert {*html.cells("enemy").values()} <= {"unknown", "water", "hit", "sunk"}
    assert re.search(rf"{best(where)}, chance \d+%, best chance", html)
    known = client.see(where).cells("enemy")
    assert html.cells("enemy") == known, "neither hit nor water is shown"
    client.see(html.attribute('id="act-position" href'))


def test_a_link_with_an_answer_neither_tells_it_nor_answers_for_who_opens_it(
    client: Device,
) -> None:
    where, friend = another(client), Device()
    solved(client, where, worst(where))
    link = f"{where}?cell={worst(where)}"
    friend.request("HEAD", link)
    html = friend.see(link)
    assert (html.game["data-phase"], "data-verdict" in html.game) == ("puzzle", False)
    assert html.says == "This link holds somebody’s answer. Choose your own cell first."
    shown = friend.see(html.attribute('id="act-solution" href'))
    assert (shown.game["data-phase"], shown.game["data-verdict"]) == ("solved", "wrong")
    assert not friend.cookies
    assert "second try" not in solved(friend, where, best(where))
    assert friend.see(link).game["data-phase"] == "solved", "who has answered sees other answers"


def test_for_htmx_the_answer_is_the_part_that_changes(client: Device) -> None:
    where = another(client)
    html = client.post(where, {"cell": best(where).lower()}, headers=HTMX)
    assert html.headers["HX-Replace-Url"] == f"{where}?cell={best(where)}"
    assert "<html" not in html
    assert html.game["data-verdict"] == "right"
    following = client.post(where, {"action": "next"}, headers=HTMX)
    assert following.headers["HX-Redirect"] == "/en/puzzles/more/"


@pytest.mark.parametrize("cell", ["", "Z9", "A1 B2", "\0"])
def test_what_is_no_cell_is_refused_and_nothing_is_kept(client: Device, cell: str) -> None:
    where = another(client)
    answer = client.post(where, {"cell": cell})
    assert (answer.status, answer.says) == (422, NOT_A_CELL)
    position = puzzle_at(where).position
    html = client.get(f"{where}?cell={position.rules.board.name(min(position.marked))}")
    assert html.says == "You know that cell already: choose another."
    assert html.game["data-phase"] == "puzzle"
    assert not client.cookies


def test_the_first_answer_stays_and_a_second_try_is_marked(client: Device) -> None:
    where = another(client)
    html = solved(client, where, worst(where))
    assert "second try" not in html
    assert "second try" not in client.see(f"{where}?cell={worst(where)}"), "a reload is none"
    assert "this is a second try" in client.see(where).says
    assert "<b>second try</b>" in solved(client, where, best(where))
    assert "second try" not in client.see(f"{where}?cell={worst(where)}")


def test_more_puzzles_are_new_ones_at_the_grade_that_suits(client: Device) -> None:
    seen, grades = set[str](), []
    for _ in range(9):
        where = another(client)
        assert where not in seen
        seen.add(where)
        grades.append(puzzle_at(where).grade)
        solved(client, where, best(where))
    assert (grades[0], max(grades), grades[-1]) == (2, 5, 5)


def test_the_question_is_made_of_the_position_alone(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the other world a puzzle with the same marks has another answer."""
    puzzle = pool.puzzles()[0]
    other = replace(puzzle, kind="certain", grade=5, best=99, second=1, fleets=100)
    answers = []
    for world in (puzzle, other):
        monkeypatch.setattr(pool, "find", lambda name, world=world: world)
        answer = client.get(f"/en/puzzles/{puzzle.name}/")
        answers.append((answer.status, dict(answer.headers), answer.content))
        assert not answer.cookies
    assert answers[0] == answers[1]


# --- the day's five ---


def test_the_five_are_the_same_for_everybody_and_another_days_are_others(
    client: Device, clock: list[datetime], chain_file: Path
) -> None:
    first, found = begun(client, "/en/puzzles/"), [puzzle_at(five(client, "+++++"))]
    other = Device()
    assert begun(other, "/en/puzzles/") == first
    assert [puzzle_at(first).grade, found[0].grade] == [1, 5]
    for _ in range(9):
        clock[0] += DAY
        found.append(puzzle_at(five(client, "+++++")))
    assert len({one.name for one in found}) > 1
    answer = client.get("/en/puzzles/?day=2026-11-01")
    assert (answer.status, answer.says) == (422, "There are no five shots for that day now.")


@needs_features("daily", "logbook")
@pytest.mark.usefixtures("chain_file", "clock")
def test_a_whole_five_is_counted_shared_and_part_of_the_streak(client: Device) -> None:
    assert "Shot 1 of 5." in client.see("/en/puzzles/").says
    five(client, "+-")
    assert re.search(r"Five shots</b> <span>2 of 5\s*</span>", client.see("/en/"))
    where = five(client, "+++")
    done = client.get("/en/puzzles/").location
    assert done == f"{where}?cell={best(where)}"
    html = client.see(done)
    assert "Five shots 10: 4 of 5" in html
    assert "The next five come at midnight." in html
    assert "More puzzles" in html
    assert html.game["data-pool"] == pool.pool_hash()
    share = html.attribute('id="act-share" href')
    text = client.see(share).attribute("data-text")
    assert text == "Five shots 10: 4 of 5\n●○●●●\n"
    link = client.see(share).attribute('class="to-copy" readonly value')
    assert link == "http://localhost/puzzles/"
    assert len(f"{text}{link}".splitlines()) <= 5
    assert client.get("/puzzles/", headers={"accept-language": "de"}).location == "/de/puzzles/"
    home = client.see("/de/")
    assert re.search(r"Fünf Schüsse</b> <span>4 von 5\s*</span>", home), "without a tick"
    assert "Five shots: 4 of 5 right." in client.see("/en/logbook/")
    assert "Days in a row" in client.see("/en/logbook/")
    solved(client, where, worst(where))
    assert "Five shots 10: 4 of 5" in client.see(share), "a second try counts nothing"


@needs_features("calculator", "logbook")
@pytest.mark.usefixtures("chain_file", "clock")
def test_the_hit_calculator_marks_five_that_are_under_way(client: Device) -> None:
    where = five(client, "+")
    html = client.see(f"{where}?cell={best(where)}")
    client.see(html.attribute('id="act-position" href'))
    last = five(client, "++++")
    assert "hit calculator" not in client.see(f"{last}share/").attribute("data-text")
    other = Device()
    other.see("/en/puzzles/")
    other.see("/en/position/")
    last = five(other, "+++++")
    text = other.see(f"{last}share/").attribute("data-text")
    assert text.startswith("Five shots 10: 5 of 5, with the hit calculator")
    assert "Five shots: 5 of 5 right, with help." in other.see("/en/logbook/")


# --- own positions ---

OWN = "/en/puzzles/own/?sea=ask&water=A1+B2&hit=C3&sunk=D6h5+A8h3"


def test_an_own_position_is_a_puzzle_by_its_address(client: Device) -> None:
    html = client.see(OWN)
    assert (html.game["data-puzzle"], html.game["data-phase"]) == ("own", "puzzle")
    assert html.cells("enemy")["C3"] == "hit"
    answer = client.post(OWN, {"cell": "H1"})
    assert answer.location == f"{OWN}&cell=H1"
    html = client.see(answer.location)
    assert html.game["data-verdict"] == "wrong"
    assert "second try" in client.see(OWN)
    assert "second try" not in client.see(OWN.replace("A1+B2", "A1+B1")), "another position"
    share = html.attribute('id="act-share" href')
    link = client.see(share).attribute('class="to-copy" readonly value')
    assert link == "http://localhost" + OWN.replace("/en/", "/")
