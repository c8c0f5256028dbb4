"""The pages of the deduction game, as a browser or a robot gets them."""

import re
from itertools import product

import pytest

from game.features.deduction.hiding_places import as_cells, possible
from game.features.deduction.match import Mode
from game.features.deduction.rules import MELBOURNE, Answer
from tests.deduction.samples import MATCHES, MISSES, PLACE, address, saved, saved_at
from tests.support import in_both_languages
from tests.support.device import HTMX, Device

# --- to begin ---


@pytest.mark.parametrize(
    ("mode", "phase"),
    [("search", "searching"), ("hide", "hiding"), ("race", "hiding"), ("", "searching")],
)
def test_a_form_begins_a_match_of_each_way(client: Device, mode: str, phase: str) -> None:
    fields = {"way": mode, "searcher": "strong", "sea": "original"}
    where = client.pressed("/en/deduction/", fields)
    game = client.get(where).game
    assert (game["data-phase"], game["data-turn"]) == (phase, "0")
    assert saved_at(where).searcher == "strong"
    assert ("The computer’s search: " in client.see(where)) == (phase == "hiding")
    assert re.search('name="ships" value="3" min="1" max=', client.see("/en/deduction/"))


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({"sea": "own", "columns": "15", "rows": "7", "ships": "3"}, "15x7x3"),
        ({"sea": "own", "columns": " 6 ", "rows": "5", "ships": "5"}, "6x5x5"),
        ({"sea": "10x10x3"}, "10x10x3"),
        ({"sea": "4x4x1", "columns": "9"}, "4x4x1"),
    ],
)
def test_any_sea_of_the_terminal_can_be_searched(
    client: Device, fields: dict[str, str], rules: str
) -> None:
    where = client.post("/en/deduction/", fields).location
    assert str(saved_at(where).match.rules) == rules
    again = client.post(where, {"action": "surrender"}).location
    assert f'name="sea" value="{rules}"' in client.get(again)


@pytest.mark.parametrize(
    "fields",
    [
        {"sea": "own", "columns": "15", "rows": "15", "ships": "3"},
        {"sea": "own", "columns": "3", "rows": "8", "ships": "2"},
        {"sea": "own", "columns": "8", "rows": "4", "ships": "0"},
        {"sea": "own", "columns": "8", "rows": "vier", "ships": "3"},
        {"sea": "own"},
        {"sea": "<script>"},
    ],
    ids=str,
)
def test_a_sea_that_is_none_is_refused_in_one_sentence(
    client: Device, fields: dict[str, str]
) -> None:
    html = client.post("/de/deduction/", fields)
    assert html.status == 422
    assert html.says == (
        "Ein Meer hat je 4 bis 15 Spalten und Zeilen, 1 bis 5 Schiffe und höchstens 200.000 "
        "Verstecke."
    )
    for name in fields.keys() - {"sea"}:
        assert f'name="{name}" value="{fields[name]}"' in html


# --- a guess ---


def test_the_help_speaks_of_no_shots_or_ships_to_turn(client: Device) -> None:
    text = client.get(address(MATCHES["search"]))
    assert "your saved game" in text
    assert not re.search("Fire at|turn the ship|All the rules", text)


def test_a_guess_with_htmx_is_answered_by_the_games_part_and_its_address(client: Device) -> None:
    html = client.post(address(MATCHES["search"]), {"cell": ["B1", "C3", "A4"]}, headers=HTMX)
    assert html.status == 200
    assert html.lstrip().startswith('<section id="game"')
    assert saved_at(html.headers["HX-Replace-Url"]).match.turn == 3
    assert "<html" not in html
    assert 'hx-swap-oob="innerHTML"' in html


@pytest.mark.parametrize(
    ("name", "fields"), [("race", {"cell": ["B1", "C2", "A4"]}), ("hiding", {"action": "random"})]
)
def test_the_same_click_twice_gives_the_same_match(
    client: Device, name: str, fields: dict[str, object]
) -> None:
    once, again = (saved_at(client.pressed(address(MATCHES[name]), fields)) for _ in range(2))
    assert once == again
    assert once.match.theirs is not None


@pytest.mark.parametrize(
    ("name", "fields", "sentence"),
    [
        ("search", {"cell": ["A1", "B2"], "action": "guess"}, "Choose exactly 3 different cells."),
        ("search", {"cell": ["A1", "A1", "C3"]}, "Choose exactly 3 different cells."),
        ("search", {"action": "guess"}, "Choose exactly 3 different cells."),
        ("search", {"cell": ["A1", "B2", "Z9"]}, "That is not a cell of this board."),
        ("search", {}, "Nothing was chosen."),
        ("search", {"action": "next"}, "It is not the computer’s turn."),
        ("search", {"action": "random"}, "There is nothing for you to hide now."),
        ("hiding", {"cell": ["A1"], "action": "hide"}, "Choose exactly 3 different cells."),
        ("hiding", {"action": "next"}, "It is not the computer’s turn."),
        ("hiding", {"action": "surrender"}, "It is not your turn to guess."),
        ("watching", {"cell": ["A1", "B2", "C3"]}, "It is not your turn to guess."),
        ("watching", {"action": "random"}, "There is nothing for you to hide now."),
        ("won", {"cell": ["A1", "B2", "C3"]}, "This match is over."),
        ("won", {"action": "surrender"}, "This match is over."),
        ("found", {"action": "all"}, "This match is over."),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_what_is_not_allowed_is_refused_with_a_sentence_and_the_match_as_it_was(
    client: Device, name: str, fields: dict[str, object], sentence: str, headers: dict[str, str]
) -> None:
    where = address(MATCHES[name])
    html = client.post(where, fields, headers=headers)
    assert html.status == 422
    assert html.says == sentence
    led = [it for it in (html.form, *html.links) if re.search(r"/(play|review)/[\w-]+/$", it)]
    assert saved_at(led[0]) == MATCHES[name]


def test_heat_is_shown_when_asked_for_and_changes_nothing_else(client: Device) -> None:
    where = address(MATCHES["search"])
    plain = client.get(where)
    assert "data-heat" not in plain
    assert "data-left" not in plain
    warm = client.get(client.post(where, {"heat": "on"}).location)
    match = MATCHES["search"].match
    left = possible(MELBOURNE, match.mine.answers)
    assert warm.attribute("data-left") == str(len(left))
    board = warm.cells("enemy")
    names = {MELBOURNE.board.name(cell) for place in left for cell in as_cells(place)}
    assert {name for name, state in board.items() if state == "unknown"} == names
    assert {name for name, state in board.items() if state == "impossible"} == set(board) - names
    assert saved_at(client.post(where, {"heat": "on"}).location).match == match


def test_the_computer_guesses_on_until_it_has_found_the_ships(client: Device) -> None:
    where = address(MATCHES["watching"])
    assert saved_at(client.pressed(where, {"action": "next"})).match.turn == 2
    html = client.get(client.pressed(where, {"action": "all"}))
    assert html.attribute("data-phase") == "over"
    assert html.attribute("data-outcome") in ("won", "lost", "draw")
    assert html.cells("own")["A1"] == "hit"


# --- what is shown when ---


def test_nothing_of_the_hidden_place_is_on_a_page_before_the_end(client: Device) -> None:
    """Two worlds with the same answers so far look the same to the last byte."""
    place, guesses = MELBOURNE.parse(PLACE), MISSES[:2]
    answers = [
        Answer(guess, MELBOURNE.feedback(place, guess)) for guess in map(MELBOURNE.parse, guesses)
    ]
    other = as_cells(possible(MELBOURNE, tuple(answers))[-1])
    assert other != place
    for mode in (Mode.SEARCH, Mode.RACE):
        for heat in (False, True):
            worlds = [saved(mode, *guesses, heat=heat, place=cells) for cells in (place, other)]
            for language in ("en", "de"):
                pages = [client.get(address(world, language)) for world in worlds]
                assert pages[0].without_tokens == pages[1].without_tokens
            refused = [client.post(address(world), {"cell": "A1"}) for world in worlds]
            assert refused[0].without_tokens == refused[1].without_tokens


def test_the_ships_are_shown_when_the_match_is_over(client: Device) -> None:
    for name in ("won", "given up", "raced"):
        board = client.get(address(MATCHES[name])).cells("enemy")
        assert {cell for cell, state in board.items() if state == "ship"} == {"B1", "C3", "H4"}


@pytest.mark.parametrize("name", ["won", "raced", "found", "given up"])
def test_the_review_judges_every_guess(client: Device, name: str) -> None:
    where = address(MATCHES[name], page="review")
    turns = MATCHES[name].match.turn
    for turn in range(1, turns + 1):
        html = client.get(f"{where}?guess={turn}")
        assert html.count('aria-current="step"') == 1
        assert f'href="?guess={turns}"' in html
        assert html.attribute("data-phase") == "over"
    assert ("The computer’s luck overall: " in html) == (name == "found")
    for odd in ("0", "999", "x", "-1", "1e3"):
        assert client.get(f"{where}?guess={odd}").status == 200


# --- languages; tokens ---


@pytest.mark.parametrize("token", ["forged", "A" * 264, "%00", "é"])
@pytest.mark.parametrize("page", ["play", "review"])
@in_both_languages
def test_a_bad_token_gets_a_page_that_offers_a_new_match(
    client: Device, language: str, page: str, token: str
) -> None:
    answer = client.get(f"/{language}/deduction/{page}/{token}/")
    assert answer.status == 400
    assert f'href="/{language}/deduction/"' in answer


# --- headers, languages, the home page ---


def test_no_german_page_has_an_english_word_and_the_first_is_in_the_other_language(
    client: Device,
) -> None:
    for it, page in product(MATCHES.values(), ("play", "review")):
        assert client.get(address(it, "de", page), follow=True).english_words == []
    for language, other in (("en", "de"), ("de", "en")):
        assert f'href="/{other}/deduction/" lang="{other}"' in client.get(f"/{language}/deduction/")
