"""The pages of puzzles: what they ask, judge, keep and share, and that they spoil nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from game.engine.presets import PRESETS
from game.puzzles import judge as judging
from game.puzzles import pool
from tests.support.client import FormClient
from tests.support.days import DAY, GAMES, acted, begun, with_chain
from tests.support.matches import address, ended
from tests.support.pages import attribute, cells, find, page, status
from tests.support.puzzles import best, puzzle_at, worst

HTMX = {"hx-request": "true"}
NOT_A_CELL = "That is not a cell of this board."


@pytest.fixture
def days(clock: list[datetime], chain_file: Settings) -> list[datetime]:
    """The server's time on a site that has days."""
    return clock


def game(html: str) -> dict[str, str]:
    return dict(re.findall(r'data-([a-z-]+)="([^"]*)"', find(r'id="game"[^>]*>', html)[0]))


def another(client: FormClient) -> str:
    """The address of a puzzle."""
    return str(client.get("/en/puzzles/more/")["Location"])


def solved(client: FormClient, where: str, cell: str) -> str:
    """The page after an answer, as a browser without scripts gets it."""
    answer = client.post(where, {"cell": cell})
    assert (answer.status_code, answer["Location"]) == (303, f"{where}?cell={cell}")
    return page(client, answer["Location"])


def five(client: FormClient, answers: str) -> str:
    """Answers the day's five, `+` by a best cell and `-` by a worst; the address of the last."""
    for answer in answers:
        where = begun(client, "/en/puzzles/")
        solved(client, where, best(where) if answer == "+" else worst(where))
    return where


# --- a puzzle ---


def test_the_page_of_a_question_has_its_handles(client: FormClient) -> None:
    where = another(client)
    answer = client.get(where)
    html = answer.content.decode()
    puzzle, found, states = puzzle_at(where), game(html), cells(html, "enemy")
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("no-store", "noindex")
    assert 'name="robots" content="noindex"' in html
    assert (found["phase"], found["puzzle"], found["preset"]) == (
        "puzzle", puzzle.name, puzzle.preset,
    )  # fmt: skip
    assert found["lengths"] == " ".join(map(str, puzzle.position.left))
    assert found["touching"] == ("yes" if puzzle.position.rules.touching else "no")
    marked = {puzzle.position.rules.board.name(cell) for cell in puzzle.position.marked}
    assert {cell for cell, state in states.items() if state != "unknown"} == marked
    assert status(html) == "Where is a ship most likely?"


def test_an_answer_is_judged_and_says_why(client: FormClient) -> None:
    where = another(client)
    found = game(solved(client, where, best(where)))
    assert (found["phase"], found["verdict"]) == ("solved", "right")
    assert found["chance"] == found["best-chance"]
    assert best(where) in found["best"].split()
    html = page(client, f"{where}?cell={worst(where)}")
    assert game(html)["verdict"] == "wrong"
    assert int(game(html)["chance"]) < int(game(html)["best-chance"])
    assert status(html).startswith("Not the best. ")
    assert best(where) in status(html)
    assert {*cells(html, "enemy").values()} <= {"unknown", "water", "hit", "sunk"}
    assert re.search(rf"{best(where)}, chance \d+%, best chance", html)
    known = cells(page(client, where), "enemy")
    assert cells(html, "enemy") == known, "neither hit nor water is shown"
    calculator = attribute(html, 'id="act-position" href')
    assert client.get(calculator.replace("&amp;", "&")).status_code == 200


def test_a_link_with_an_answer_neither_tells_it_nor_answers_for_who_opens_it(
    client: FormClient,
) -> None:
    where, friend = another(client), FormClient(headers={"host": "localhost"})
    solved(client, where, worst(where))
    link = f"{where}?cell={worst(where)}"
    friend.head(link)
    html = page(friend, link)
    assert (game(html)["phase"], "verdict" in game(html)) == ("puzzle", False)
    assert status(html) == "This link holds somebody’s answer. Choose your own cell first."
    seen = attribute(html, 'id="act-solution" href').replace("&amp;", "&")
    shown = page(friend, seen)
    assert (game(shown)["phase"], game(shown)["verdict"]) == ("solved", "wrong")
    assert not friend.cookies
    assert "second try" not in solved(friend, where, best(where))
    assert game(page(friend, link))["phase"] == "solved", "who has answered sees other answers"


@pytest.mark.usefixtures("days")
def test_a_link_with_an_answer_to_one_of_the_five_answers_none(client: FormClient) -> None:
    where, friend = begun(client, "/en/puzzles/"), FormClient(headers={"host": "localhost"})
    for more in ("", "&solution=yes"):
        page(friend, f"{where}?cell={best(where)}{more}")
    assert begun(friend, "/en/puzzles/") == where
    assert game(solved(friend, where, worst(where)))["verdict"] == "wrong"


def test_the_question_says_whether_ships_may_touch(client: FormClient) -> None:
    for sea, says in (("milton", "Ships may touch here."), ("uppsala", "Ships never touch here.")):
        html = page(client, f"/en/puzzles/own/?sea={sea}&water=A1")
        assert says in html.split('id="controls"')[1].split("</p>")[0]
        assert says in page(client, f"/en/position/?sea={sea}")


def test_for_htmx_the_answer_is_the_part_that_changes(client: FormClient) -> None:
    where = another(client)
    answer = client.post(where, {"cell": best(where).lower()}, headers=HTMX)
    html = answer.content.decode()
    assert answer["HX-Replace-Url"] == f"{where}?cell={best(where)}"
    assert "<html" not in html
    assert game(html)["verdict"] == "right"
    assert client.post(where, {"action": "next"}, headers=HTMX)["HX-Redirect"] == (
        "/en/puzzles/more/"
    )


@pytest.mark.parametrize("cell", ["", "Z9", "A1 B2", "\0"])
def test_what_is_no_cell_is_refused_and_nothing_is_kept(client: FormClient, cell: str) -> None:
    where = another(client)
    answer = client.post(where, {"cell": cell})
    assert (answer.status_code, status(answer.content.decode())) == (422, NOT_A_CELL)
    marked = puzzle_at(where).position
    known = marked.rules.board.name(min(marked.marked))
    html = client.get(f"{where}?cell={known}").content.decode()
    assert status(html) == "You know that cell already: choose another."
    assert game(html)["phase"] == "puzzle"
    assert not client.cookies


def test_the_first_answer_stays_and_a_second_try_is_marked(client: FormClient) -> None:
    where = another(client)
    html = solved(client, where, worst(where))
    assert "second try" not in html
    assert "second try" not in page(client, f"{where}?cell={worst(where)}"), "a reload is none"
    assert "this is a second try" in status(page(client, where))
    assert "<b>second try</b>" in solved(client, where, best(where))
    assert "second try" not in page(client, f"{where}?cell={worst(where)}")


@pytest.mark.parametrize("path", ["nothing", "nothing/share", "own", "own/share"])
def test_a_wrong_name_is_one_sentence(client: FormClient, path: str) -> None:
    query = "?sea=nowhere" if path.startswith("own") else ""
    answer = client.get(f"/en/puzzles/{path}/{query}")
    assert answer.status_code == 404
    assert "There is no such puzzle." in answer.content.decode()
    assert 'href="/en/puzzles/more/"' in answer.content.decode()


def test_more_puzzles_are_new_ones_at_the_grade_that_suits(client: FormClient) -> None:
    seen, grades = set[str](), []
    for _ in range(9):
        where = another(client)
        assert where not in seen
        seen.add(where)
        grades.append(puzzle_at(where).grade)
        solved(client, where, best(where))
    assert grades[0] == 2
    assert max(grades) == grades[-1] == 5


# --- nothing is told before the answer ---


def test_the_question_is_made_of_the_position_alone(
    client: FormClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the other world a puzzle with the same marks has another answer."""
    puzzle = pool.puzzles()[0]
    other = replace(puzzle, kind="certain", grade=5, best=99, second=1, fleets=100)
    answers = []
    for world in (puzzle, other):
        monkeypatch.setattr(pool, "find", lambda name, world=world: world)
        answer = client.get(f"/en/puzzles/{puzzle.name}/")
        answers.append((answer.status_code, dict(answer.headers), answer.content))
        assert not answer.cookies
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("days")
def test_nothing_is_counted_before_the_answer(
    client: FormClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoil(*_given: Any) -> None:
        raise AssertionError("counted before the answer")

    monkeypatch.setattr(judging, "possible_fleets", spoil)
    judging.count.cache_clear()
    for where in ("/en/puzzles/", "/en/puzzles/more/"):
        answer = client.get(where, follow=True)
        html = answer.content.decode()
        assert answer.status_code == 200
        for told in ("chance", "verdict", "data-best", "heat", "tag-", "likelier"):
            assert told not in html.split("<main")[1].split("puzzle-help")[0], told
    where = another(client)
    cell = next(cell for cell, it in cells(page(client, where), "enemy").items() if it == "unknown")
    with pytest.raises(AssertionError, match="counted"):
        client.post(where, {"cell": cell})


def test_no_static_file_names_a_puzzle(settings: Settings) -> None:
    names = re.compile("|".join(one.name for one in pool.puzzles()))
    files = [*Path(settings.BASE_DIR, "static").rglob("*.*s")]
    assert files
    assert not [file for file in files if names.search(file.read_text())]


# --- the day's five ---


def test_the_five_are_the_same_for_everybody_and_another_days_are_others(
    client: FormClient, days: list[datetime]
) -> None:
    first, found = begun(client, "/en/puzzles/"), [puzzle_at(five(client, "+++++"))]
    other = FormClient(headers={"host": "localhost"})
    assert begun(other, "/en/puzzles/") == first
    assert [puzzle_at(first).grade, found[0].grade] == [1, 5]
    for _ in range(9):
        days[0] += DAY
        found.append(puzzle_at(five(client, "+++++")))
    assert len({one.name for one in found}) > 1
    answer = client.get("/en/puzzles/?day=2026-11-01")
    assert (answer.status_code, status(answer.content.decode())) == (
        422, "There are no five shots for that day now.",
    )  # fmt: skip


@pytest.mark.usefixtures("days")
def test_a_whole_five_is_counted_shared_and_part_of_the_streak(client: FormClient) -> None:
    assert "Shot 1 of 5." in status(page(client, "/en/puzzles/"))
    five(client, "+-")
    assert re.search(r"Five shots</b> <span>2 of 5\s*</span>", page(client, "/en/"))
    where = five(client, "+++")
    done = client.get("/en/puzzles/")["Location"]
    assert done == f"{where}?cell={best(where)}"
    html = page(client, done)
    assert "Five shots 10: 4 of 5" in html
    assert "The next five come at midnight." in html
    assert "More puzzles" in html
    assert game(html)["pool"] == pool.pool_hash()
    share = attribute(html, 'id="act-share" href')
    text = attribute(page(client, share), "data-text")
    assert text == "Five shots 10: 4 of 5\n●○●●●\n"
    link = attribute(page(client, share), 'class="to-copy" readonly value')
    assert link == "http://localhost/puzzles/"
    assert len(f"{text}{link}".splitlines()) <= 5
    assert client.get("/puzzles/", headers={"accept-language": "de"})["Location"] == "/de/puzzles/"
    home = page(client, "/de/")
    assert re.search(r"Fünf Schüsse</b> <span>4 von 5\s*</span>", home), "without a tick"
    assert "Five shots: 4 of 5 right." in page(client, "/en/logbook/")
    assert "Days in a row" in page(client, "/en/logbook/")
    solved(client, where, worst(where))
    assert "Five shots 10: 4 of 5" in page(client, share), "a second try counts nothing"


@pytest.mark.usefixtures("days")
def test_the_hit_calculator_marks_five_that_are_under_way(client: FormClient) -> None:
    where = five(client, "+")
    html = page(client, f"{where}?cell={best(where)}")
    page(client, attribute(html, 'id="act-position" href'))
    last = five(client, "++++")
    assert "hit calculator" not in attribute(page(client, f"{last}share/"), "data-text")
    other = FormClient(headers={"host": "localhost"})
    page(other, "/en/puzzles/")
    page(other, "/en/position/")
    last = five(other, "+++++")
    text = attribute(page(other, f"{last}share/"), "data-text")
    assert text.startswith("Five shots 10: 5 of 5, with the hit calculator")
    assert "Five shots: 5 of 5 right, with help." in page(other, "/en/logbook/")


@pytest.mark.usefixtures("days")
def test_after_todays_sea_come_the_five_and_then_the_deduction(client: FormClient) -> None:
    sea = GAMES["sea"]
    where = begun(client, f"/en/{sea.page}")
    end = page(client, acted(client, where, *sea.finish(where)))
    assert re.search(r'id="act-five"[^>]*href="/en/puzzles/">\s*Next: Five shots', end)
    five(client, "-----")
    found = attribute(page(client, "/en/daily/"), 'id="act-deduction-daily" data-daily\n  href')
    assert found == "/en/deduction/daily/"


def test_without_a_chain_there_are_puzzles_but_no_five(
    client: FormClient, settings: Settings, tmp_path: Path
) -> None:
    settings.SECRETS_FILE = with_chain(tmp_path / "secrets.json", None)
    assert client.get("/en/puzzles/")["Location"] == "/en/puzzles/more/"
    where = another(client)
    assert game(solved(client, where, best(where)))["verdict"] == "right"


# --- own positions ---

OWN = "/en/puzzles/own/?sea=ask&water=A1+B2&hit=C3&sunk=D6h5+A8h3"


def test_an_own_position_is_a_puzzle_by_its_address(client: FormClient) -> None:
    html = page(client, OWN)
    assert (game(html)["puzzle"], game(html)["phase"]) == ("own", "puzzle")
    assert cells(html, "enemy")["C3"] == "hit"
    answer = client.post(OWN, {"cell": "H1"})
    assert answer["Location"] == f"{OWN}&cell=H1"
    html = page(client, answer["Location"])
    assert game(html)["verdict"] == "wrong"
    assert "second try" in page(client, OWN)
    assert "second try" not in page(client, OWN.replace("A1+B2", "A1+B1")), "another position"
    share = attribute(html, 'id="act-share" href').replace("&amp;", "&")
    link = attribute(page(client, share), 'class="to-copy" readonly value')
    assert link == "http://localhost" + OWN.replace("/en/", "/")


def test_a_position_that_can_not_be_counted_is_refused_with_the_answer(client: FormClient) -> None:
    for position in ("sea=milton&water=A1", "sea=milton&water=C2+B3+D3+C4&hit=C3"):
        where = f"/en/puzzles/own/?{position}"
        assert client.get(where).status_code == 200
        answer = client.post(where, {"cell": "J9"})
        assert answer.status_code == 422
        assert status(answer.content.decode()).startswith("No fleet fits this position, or too")


def test_a_wrong_shot_of_a_review_opens_as_a_puzzle(client: FormClient) -> None:
    found = set[str]()
    for name in ("milton", "bonn"):
        review = address(ended(PRESETS[name].ruleset), page="review")
        for step in (40, 56, 72):
            html = page(client, f"{review}?step={step}")
            if 'id="act-puzzle"' in html:
                found.add(name)
                where = attribute(html, 'id="act-puzzle" href')
                known = cells(html, "enemy")
                assert cells(page(client, where), "enemy") == known
    assert found == {"milton"}
