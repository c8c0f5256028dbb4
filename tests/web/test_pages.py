"""Pages as a browser or a robot gets them, without any script."""

import re
import sys
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.utils import translation
from pytest_django import Settings

from battleships_site import command
from game.display import messages
from game.display.boards import enemy_board
from game.engine.geometry import Cell
from game.engine.observation import observe
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import lettered
from game.views import hooks
from tests.support import deep, free, in_both_languages
from tests.support.boards import play, start
from tests.support.device import HTMX, Device
from tests.support.matches import HALF_BONN, address, at_turn, ended, opening, played, saved_at
from tests.support.page import token_in
from tests.support.site_pages import ADDRESSES, address_of

PAGES = " rules/ about/ thinking/ new/bonn/ setup/bonn/ setup/own/ setup/uppsala/ new/cmu/"


# --- languages; headers ---


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-AT", "de"), ("de;q=0.5,en;q=0.9", "en"), ("*", "en"), ("", "en"), (";;q=,,", "en"),
        (free.language(), "en"), (f"{free.language()},de;q=0.2", "de"),
    ],
)  # fmt: skip
def test_the_first_visit_is_led_by_the_browsers_language(
    client: Device, accepted: str, language: str
) -> None:
    answer = client.get("/", headers={"accept-language": accepted})
    assert (answer.status, answer.location) == (302, f"/{language}/")


def test_a_language_chosen_against_the_browsers_is_remembered(client: Device) -> None:
    client.get("/de/", headers={"accept-language": "en"})
    answer = client.get("/", headers={"accept-language": "en"})
    assert answer.location == "/de/"
    assert not Device().get("/de/", headers={"accept-language": "de"}).cookies


@pytest.mark.parametrize("page", PAGES.split(" "))
def test_every_page_links_to_itself_in_the_other_language(client: Device, page: str) -> None:
    for language, other in (("en", "de"), ("de", "en")):
        html = client.get(f"/{language}/{page}")
        assert f'<html lang="{language}">' in html
        assert f'href="/{other}/{page}" lang="{other}"' in html


@pytest.mark.parametrize("follows", [False, deep(True)])
def test_no_german_page_has_an_english_word_or_leads_to_nothing(
    client: Device, follows: bool
) -> None:
    wheres = [address_of(kind, "de") for kind in ADDRESSES]
    pages = [client.get(where, follow=True) for where in wheres]
    named = r'(?:href|src|action|content|data-[\w-]+)="((?:/|http)[^"]*)"'
    found = {unescape(where) for page in pages for where in page.all(named)} if follows else set()
    paths = {where.removeprefix("http://localhost").partition("#")[0] for where in found}
    led = [client.get(where, follow=True) for where in sorted(paths) if where.startswith("/")]
    assert {page.where: page.status for page in led if page.status not in (200, 422)} == {}
    # The title of a moment names a cell, whose labels may be English.
    led = [page for page in led if "/moment/" not in page.where or 'bdi lang="en"' not in page]
    # So does the task of an exercise for English lessons.
    led = [page for page in led if "hören, welches du meinst: ship" not in page]
    german = [page for page in (*pages, *led) if 'lang="de"' in page[:100]]
    assert len(german) >= len(pages) * (3 if follows else 1)
    assert {page.where: page.english_words for page in german if page.english_words} == {}


def test_every_htmx_attribute_stands_beside_an_action_that_works_alone(client: Device) -> None:
    for where in ("/en/new/bonn/", address(opening())):
        posts = client.get(where).all("<[^>]*hx-post=[^>]*>")
        assert posts
        for tag in posts:
            is_for_scripts = re.search(r"\shidden\b", tag)
            assert is_for_scripts or re.match(r'<form[^>]* method="post"', tag), tag
            assert 'action=""' not in tag


# --- forms and methods ---


def test_htmx_is_answered_with_the_games_part_and_its_new_address(client: Device) -> None:
    client.prefer(onboarded="15")
    saved = opening()
    name = saved.match.ruleset.board.name(saved.match.fleets[1][0].cells[0])
    part = client.post(address(saved), {"cell": name}, headers=HTMX)
    assert part.lstrip().startswith('<section id="game"')
    assert "<html" not in part
    for html in (part, client.get(part.headers["HX-Replace-Url"])):
        assert (html.status, html.cells("enemy")[name]) == (200, "hit")
        assert html.says == f"You: {name}, hit."


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("cell", ["Z99", "b7 c8", ""], "That is not a cell of this board."),
        ("steer", ["stay", "3-up", "-1-fore", "²-fore"], "That is not a move."),
        ("steer", ["99-fore"], "There is no such ship."),
        ("hints", ["maybe"], "Nothing was chosen."),
        ("", [""], "Nothing was chosen."),
    ],
)
def test_an_illegal_action_changes_nothing_and_says_why(
    client: Device, name: str, values: list[str], sentence: str
) -> None:
    where = address(opening())
    before = client.get(where).seen
    for headers in (HTMX, {}):
        for value in values:
            html = client.post(where, {name: value}, headers=headers)
            assert (html.status, html.says, html.seen) == (422, sentence, before)


def test_a_ship_moves_once_before_the_first_shot_of_a_turn(client: Device) -> None:
    """The same move sent twice gets the same answer; a second one is refused in one sentence."""
    saved = at_turn(opening(), 5)
    where, steer = address(saved), saved.match.steers(Side.FIRST)[0]
    fields = {"steer": f"{steer.ship}-{steer.course.value}"}
    html = client.get(where)
    before = html.seen
    assert (before.phase, html.game["data-may-move"]) == ("firing", "yes")
    moved, again = (client.pressed(where, fields) for _ in range(2))
    assert saved_at(moved) == saved_at(again)
    assert saved_at(moved).match == saved.match.act(steer)
    html = client.get(moved)
    assert (html.seen.phase, html.seen.turn) == ("firing", before.turn)
    assert html.seen.own != before.own
    assert "Now fire." in html.says
    hit = saved.match.ruleset.board.name(saved.match.placements(Side.SECOND)[0].cells[0])
    for there in (moved, client.pressed(where, {"cell": hit})):
        html, refused = client.get(there), client.post(there, fields)
        assert "data-may-move" not in html
        assert not html.values("steer")
        assert (refused.status, refused.seen) == (422, html.seen)
        assert "a ship moves once in a turn, before the first shot" in refused.says


def test_every_arrow_is_a_legal_move_and_no_move_lacks_its_arrow(client: Device) -> None:
    saved = at_turn(opening(), 5)
    offered = client.get(address(saved)).values("steer")
    steers = saved.match.steers(saved.match.side)
    assert sorted(offered) == sorted(f"{steer.ship}-{steer.course.value}" for steer in steers)
    for value in offered:
        assert client.post(address(saved), {"steer": value}).status == 303


def test_no_page_and_no_refusal_at_a_games_address_is_kept_or_indexed(client: Device) -> None:
    where, over = address(opening()), ended()
    asked = [
        client.post(where, {"cell": "A" * 20_000}), client.request("PUT", where),
        client.get(where[:-1]), client.post(where, {"cell": "A1"}, headers={"origin": "null"}),
        client.get("/en/new/no/"),
        *(client.get(address(over, page=page)) for page in ("replay", "record")),
        client.get("/en/play/broken/"), client.get(where),
        client.get("/en/new/bonn/?opponent=admiral"),
    ]  # fmt: skip
    statuses = "413 405 301 403 404 200 200 400 200 200"
    assert " ".join(str(answer.status) for answer in asked) == statuses
    for answer in asked:
        assert answer.headers["Cache-Control"] == "no-store", answer.where
        assert answer.headers["X-Robots-Tag"] == "noindex", answer.where
    assert all("HX-Request" in answer.headers["Vary"] for answer in asked[-5:])
    assert "Cache-Control" not in client.get("/en/rules/").headers


# --- the pages before a match; addresses that open nothing ---


@in_both_languages
def test_one_menu_at_every_width_leads_through_the_site(client: Device, language: str) -> None:
    html = client.get(f"/{language}/about/")
    menu = html.split('id="menu"')[1].split("</div>")[0]
    links = re.findall(r'href="([^"]+)"', menu)
    with translation.override(language):
        of_features = ["/" + it.removeprefix(settings.PATH) for it, _text in hooks.menu()]
    core = [f"/{language}/{name}/" for name in ("games", "rules")]
    assert [link for link in links if link not in of_features][:2] == core
    assert {*of_features} <= {*links}
    texts = re.findall(r">\s*([^<>]+?)\s*(?:<small.*?)?</a>", menu)
    assert len(set(texts)) == len(links), "no word for two"


def test_whatever_is_wrong_with_a_token_the_answer_is_the_same(client: Device) -> None:
    token = token_in(address(opening()))
    flipped = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    draft = client.get("/en/new/bonn/").first(r'action="/en/place/([^/]+)/"')
    wrong = ["x", token[:-4], token + "AAAA", flipped, "é" * 40, "A" * 442, draft]
    answers = [client.get(f"/en/play/{one}/") for one in wrong]
    answers += [client.post(f"/en/play/{one}/", {"cell": "A1"}) for one in wrong]
    said = {(it.status, it, str(sorted(it.headers.items()))) for it in answers}
    ((status, html, _headers),) = said
    assert (status, "/en/new/bonn/" in html.links) == (400, True)


# --- what a match shows ---


def test_water_marks_grow_old_only_where_ships_move(client: Device) -> None:
    html = client.get(address(played(opening(), 60)))
    looks = set(html.all(r'data-state="water" data-look="(\d+)"'))
    assert set() < looks <= {"5", "10", "15", "20"}
    assert html.search(r'aria-label="[A-J]\d+, water, \d+ turns ago"')
    html = client.get(address(played(opening(replace(HALF_BONN, moving=False)), 30)))
    assert 'data-state="water"' in html
    assert "data-look" not in html


def test_the_last_turns_are_counted_down(client: Device) -> None:
    saved, seen = opening(replace(HALF_BONN, turns=2 * 30)), {}
    while saved.match.outcome is None:
        line = client.get(address(saved)).search(r'class="turns([^"]*)">([^<]*)')
        seen[saved.match.turn // 2] = line[1].strip(), line[2].strip()
        saved = played(saved, 1)
    begun = {turn: ("", f"Turn {turn + 1} of 30") for turn in range(22)}
    late = {30 - left: ("is-countdown", f"{left} turns left") for left in range(8, 1, -1)}
    assert seen == begun | late | {29: ("is-countdown", "1 turn left")}


@pytest.mark.parametrize("begins", Side)
def test_the_turn_at_the_end_is_the_last_that_was_played(client: Device, begins: Side) -> None:
    """A sinking can end the match within a turn, the limit only after a turn."""
    rules = replace(PRESETS["milton"].ruleset, begins=begins)
    saved = ended(rules)
    assert saved.match.shots[-1].wreck is not None
    mine = sum(shot.side is begins for shot in saved.match.shots)
    assert f"Ended after {mine} turns" in client.get(address(saved))
    assert "Ended after 6 turns" in client.get(address(ended(replace(rules, turns=12))))


def test_hints_mark_no_cell_where_a_ship_lies_and_can_be_switched(client: Device) -> None:
    saved = played(opening(), 50)
    plain = client.open(address(saved)).cells("enemy")
    client.send({"hints": "on"})
    hinted = client.page.cells("enemy")
    marked = {name for name, known in hinted.items() if known == "impossible"}
    assert marked
    match, board = saved.match, saved.match.ruleset.board
    ships = {board.name(cell) for ship in match.placements(Side.SECOND) for cell in ship.cells}
    assert not marked & ships
    client.send({"hints": "off"})
    assert client.page.cells("enemy") == plain
    assert "impossible" not in plain.values()


@pytest.mark.parametrize(
    ("rules", "more", "outcome", "words", "are_left"),
    [
        (HALF_BONN, {}, "draw", "It’s a draw.", False),  # the sentence counts the ships
        (HALF_BONN, {"number": 4}, "lost", "You lose.", False),
        (HALF_BONN, {"number": 7}, "won", "You win.", False),
        (PRESETS["milton"].ruleset, {}, "won", "You win.", True),
        (PRESETS["milton"].ruleset, {"mind": "sailor"}, "lost", "You lose.", False),
    ],
)
def test_the_end_says_who_won_and_why_and_shows_both_fleets(
    client: Device, rules: Ruleset, more: Any, outcome: str, words: str, are_left: bool
) -> None:
    saved = ended(rules, **more)
    html = client.get(address(saved))
    assert html.seen.outcome == outcome
    assert html.says.endswith(words)
    assert (" left" in html.first(r'<p class="summary"[^>]*>(.*?)</p>')) is are_left
    shown, board = html.cells("enemy"), saved.match.ruleset.board
    for index, ship in enumerate(saved.match.placements(Side.SECOND)):
        if saved.match.is_afloat(Side.SECOND, index):
            known = {shown[board.name(cell)] for cell in ship.cells}
            assert known <= {"ship", "hit", "sunk"}, "a ship may have moved over a wreck"
            assert known & {"ship", "hit"}
    assert 'name="cell"' not in html


def test_the_switch_that_shows_the_enemy_is_there_in_debug_only(
    client: Device, settings: Settings
) -> None:
    plain = address(opening())
    where = f"{plain}?show=enemy"
    for debug, count in ((False, 0), (True, 30)):
        settings.DEBUG = debug
        assert list(client.get(where).cells("enemy").values()).count("ship") == count
        assert ("?show=enemy" in client.get(plain)) is debug
    assert client.post(where, {"cell": "A1"}).location.endswith("?show=enemy")


def test_a_fault_of_ours_gets_a_page_of_the_site_and_no_traceback(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:

    def fault(*args: Any) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr(messages, "status_of", fault)
    client.client.raise_request_exception = False
    html = client.get(address(opening()))
    assert html.status == 500
    assert "Your match is safe" in html
    assert "Deine Partie ist sicher" in client.get(address(opening(), language="de"))
    for hidden in ("secret detail", "Traceback"):
        assert hidden not in html
    assert html.search(r'<link rel="stylesheet" href="/static/game/site[^"]*css">')


# --- the source code ---


@in_both_languages
def test_about_has_the_version_that_the_command_prints(
    client: Device, language: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["battleships", "--version"])
    command.main()
    version = capsys.readouterr().out.strip()
    assert f"Version {version}." in client.get(f"/{language}/about/")


def test_hints_show_over_old_water_and_never_on_what_was_found_this_turn() -> None:
    laid = """
        aaa...  ......
        ......  ......
        ......  ...a..
        ......  ...a..
        ......  ...a..
        ......  ......
        """
    # Water at C4, a turn later two hits beside it; then water at B2, which is new.
    match = play(start(laid, moving=True, again=True), "C4 F6 D3 D4 B2 F5 E6")
    seen = observe(match.at(match.ply - 1), Side.FIRST)
    for hints in (True, False):
        cells = (
            cell
            for row in enemy_board(seen, lettered(seen.board), hints=hints).rows
            for cell in row
        )
        drawn = {seen.board.name(Cell(at)): cell for at, cell in enumerate(cells)}
        assert (drawn["C4"].state, drawn["C4"].age) == ("water", 2)
        assert drawn["C4"].is_blocked == hints
        assert drawn["C4"].words == ", water, 2 turns ago" + ", no ship possible" * hints
        assert drawn["D3"].state == drawn["D4"].state == "hit"
    seen = observe(match, Side.FIRST)
    now = enemy_board(seen, lettered(seen.board), hints=True)
    assert not now.rows[5][4].is_blocked, "nothing is newer than that"


HELP = {
    "again": "After a hit you fire again.",
    "salvo": "You fire once for each of your ships afloat, all at once.",
    "moving": "You may move a ship before you fire.",
    "questions": "Before a shot you may ask whether a ship is in a box.",
}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_help_names_the_rules_of_its_match_in_at_most_five_lines(
    client: Device, preset: str
) -> None:
    rules = PRESETS[preset].ruleset
    html = client.get(address(opening(rules)))
    lines = html.first(r'(?s)<dialog id="help-dialog".*?<ul>(.*?)</ul>').split("</li>")[:-1]
    assert len(lines) <= 5
    for switch, said in HELP.items():
        assert any(said in line for line in lines) == bool(getattr(rules, switch)), switch
