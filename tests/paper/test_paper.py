"""The page to print: its rules, its code, what is dealt, and what it keeps to itself."""

import re
import unicodedata
from html import unescape
from urllib.parse import urlencode

import pytest

from game.engine.fleets import Fleet, make_fleet, place
from game.engine.geometry import Cell, Direction
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.features.paper.sheets import DEALT, Sheet, deal
from game.matches.cell_names import lettered
from game.matches.draft import Draft
from game.matches.setup import Tally
from game.matches.tokens import unseal_draft
from game.views import images
from tests.support.device import Device
from tests.support.features import needs_features
from tests.support.matches import address, begun, with_setup

MOVES = "Before firing, one ship may move one cell."
HIT_STAYS = "A ship that has been hit cannot move."
SALVO = "Call all cells of a salvo before the first answer."
QUESTIONS = "Before a shot you may ask whether a ship is in a box. The answer is always true."
NAMED = "A hit names the ship."
AFLOAT = "When the turns run out, most ships afloat wins."
DRAW = "When the turns run out, it is a draw."
AGAIN = "Whoever hits fires again."
APART = "Ships never touch, not even at corners."
SAID = {MOVES, HIT_STAYS, SALVO, QUESTIONS, NAMED, AFLOAT, DRAW, AGAIN, APART}
RULES = {
    "bonn": {APART, MOVES, HIT_STAYS, AGAIN, AFLOAT},
    "bonn-still": {APART, AGAIN, AFLOAT},
    "short": {APART, MOVES, HIT_STAYS, AGAIN, AFLOAT},
    "milton": {NAMED},
    "uppsala": set(),
    "camlship": {AGAIN},
    "cmu": {DRAW},
    "salvo": {SALVO},
    "ask": {NAMED, QUESTIONS},
    "pencil": {APART, AGAIN},
    "own": {APART, MOVES, HIT_STAYS, AGAIN, AFLOAT},
}


def rules_of(page: str) -> list[str]:
    """The five lines of the rules on the first leaf."""
    lines = re.findall(r"<li>(.*?)</li>", page.split("<ol>")[1].split("</ol>")[0], re.DOTALL)
    return [" ".join(unescape(re.sub("<[^>]*>", "", line)).split()) for line in lines]


def printed(page: str) -> str:
    """What a page shows besides its code and its own address."""
    code_or_token = r'<div class="code".*?</div>|deal=[\w-]+|sheet/[\w-]+'
    return re.sub(code_or_token, "", page, flags=re.DOTALL)


def fleet_on(sheet: Sheet, rules: Ruleset) -> Fleet:
    """The drawn fleet as placements; raises IllegalFleet if the rules don't allow it."""
    placed = []
    for ship in sheet.ships:
        across, down = (round((side + 2) / 10) for side in (ship.width, ship.height))
        bow = Cell((ship.y - 1) // 10 * rules.columns + (ship.x - 1) // 10)
        direction = Direction.DOWN if down > across else Direction.ACROSS
        placed.append(place(rules.board, bow, direction, max(across, down)))
    return make_fleet(rules, placed)


# --- the rules ---


def test_each_preset_is_printed_with_its_own_rules_in_five_lines(client: Device) -> None:
    assert RULES.keys() == PRESETS.keys()
    for name, expected in RULES.items():
        page, board = client.see(f"/en/paper/{name}/"), PRESETS[name].ruleset.board
        grid = re.search(r'"((?:M0 \d+h\d+)+)((?:M\d+ 0v\d+)+)"', page)
        assert grid
        assert grid[1].count("M") == board.rows + 1
        assert grid[2].count("M") == board.columns + 1
        lines = rules_of(page)
        assert len(lines) == 5
        assert {said for said in SAID if said in " ".join(lines)} == expected, name


# --- the code ---


def test_the_code_opens_the_same_game(client: Device) -> None:
    game = "/en/new/own/?size=9&fleet=4-3&again=off"
    page = client.see(game.replace("new", "paper") + "&moving=on&opponent=recruit&name1=&deal=x")
    assert page.count(images.qr_code(f"http://localhost{game}")) == DEALT
    assert 'data-columns="9"' in client.see(game)


def test_an_address_too_long_for_a_code_is_said_in_a_line(client: Device) -> None:
    page = client.see(f"/en/paper/bonn/?x={'x' * images.MOST_IN_CODE}")
    assert "The address of this game is too long for a code." in page
    assert 'class="code"' not in page


def test_the_code_of_a_match_opens_a_new_one_by_its_rules_without_names_or_scores(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []
    monkeypatch.setattr(images, "qr_code", lambda link: found.append(link))
    saved = with_setup(
        begun(), minds=(None, None), person_names=("Ann", "Ben"), tally=Tally((3, 2))
    )
    client.see(address(saved, page="sheet"))
    draft = unseal_draft(found[0].split("/")[-2])
    setup = with_setup(saved, person_names=("", ""), tally=Tally()).setup
    assert draft == Draft(setup.for_new_match())


# --- what is dealt ---


MIRRORED = Ruleset(columns=8, rows=9, fleet=(3,) * 6 + (2,) * 4, moving=False, turns=None)
"""Rules whose fleets have little room."""


@pytest.mark.parametrize("rules", [*(it.ruleset for it in PRESETS.values()), MIRRORED])
def test_twelve_legal_fleets_are_dealt_the_same_for_a_word(rules: Ruleset) -> None:
    dealt = deal(rules, lettered(rules.board), "a word")
    assert len({frozenset(fleet_on(sheet, rules)) for sheet in dealt}) == DEALT
    assert dealt == deal(rules, lettered(rules.board), "a word")
    assert dealt != deal(rules, lettered(rules.board), "another")


def test_a_deal_is_numbered_and_has_a_page_with_all_fleets(client: Device) -> None:
    page = client.see("/en/paper/bonn/?deal=x")
    *leaves, solutions = page.split('<section class="leaf">')[1:]
    numbers = [re.findall(r"<b>(\d+)</b>", leaf) for leaf in leaves]
    assert numbers == [[str(number + 1)] for number in range(DEALT)]
    drawn = [re.findall("<rect[^>]*>", leaf) for leaf in leaves]
    on_last = [re.findall("<rect[^>]*>", figure) for figure in solutions.split("<figure>")[1:]]
    assert drawn == on_last
    assert printed(page) == printed(client.see("/en/paper/bonn/?deal=x"))
    assert page.count('class="name"') == DEALT
    class_of_three = client.see("/en/paper/bonn/?deal=x&fleets=3")
    assert class_of_three.count('class="leaf"') == 4
    assert client.see("/en/paper/bonn/?deal=x&fleets=999").count('class="leaf"') == 41
    assert printed(page) != printed(client.see("/en/paper/bonn/?deal=y"))


# --- any query ---


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("columns=6&rows=6", "This fleet does not fit: it needs at least 31 more cells."),
        ("size=99", "A board has 6 to 15 columns and 6 to 15 rows."),
        ("fleet=9-9", "A fleet has 1 to 30 ships of 1 to 8 cells."),
        ("deal=x&turns=x", "The limit is 1 to 999 turns for each player."),
    ],
)
def test_rules_that_cannot_be_played_are_refused_in_a_sentence(
    client: Device, query: str, sentence: str
) -> None:
    page = client.get(f"/en/paper/own/?{query}")
    assert (page.status, sentence in page) == (422, True)


# --- where it is, and what it keeps to itself ---


def test_the_page_of_a_preset_and_the_menu_of_a_match_lead_to_it(client: Device) -> None:
    assert 'formaction="/en/paper/pencil/"' in client.see("/en/setup/pencil/")
    page = client.see(address(begun()))
    where = page.where + page.attribute('id="act-paper-of"\\s+href')
    assert printed(client.see(where)) == printed(client.see(address(begun(), page="sheet")))


@needs_features("axes")
def test_labels_are_printed_upright_if_they_are_long_and_name_the_example(client: Device) -> None:
    fields = "column_labels=sheep;a<b;c;d;e;f&row_labels=1;2;3;4;5;6&fleet=3&label_language=en"
    page = client.see(f"/en/paper/own/?{fields}")
    assert page.count("rotate(-90)") == 2
    assert page.count(">a&lt;b</text>") == 2
    assert rules_of(page)[1].startswith("Take turns to call a cell, such as a<b / 2.")
    short = client.see(f"/en/paper/own/?{fields.replace('sheep', 's').replace('a<b', 'b')}")
    assert "rotate" not in short


@needs_features("axes")
@pytest.mark.parametrize(
    "label",
    ["தொலைக்காட்சி", "हिन्दुस्तानी", "ইংরেজিতে", "മലയാളത്തിൽ", "เครื่องดื่ม", "မြန်မာစာ", "图书馆里的人们"],
)
def test_the_room_for_a_label_grows_with_marks_that_have_a_width(
    client: Device, label: str
) -> None:
    """B8: a letter of these scripts is about as wide as the font is high."""
    rows = f"{label};b;c;d;e;f"
    query = {"column_labels": "1..6", "row_labels": rows, "fleet": "3"}
    page = client.see(f"/en/paper/own/?{urlencode(query)}")
    left = -float(page.first(r'viewBox="(-[\d.]+) '))
    wide = sum(unicodedata.category(it) not in ("Mn", "Me", "Cf") for it in label)
    assert left > 4 * wide
