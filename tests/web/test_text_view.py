"""The match in words: the text view, cells typed by hand, and the way out of a match."""

import re
from dataclasses import replace
from html import unescape

import pytest

from game.display.text_view import text_view
from game.engine.geometry import NotACell
from game.engine.observation import Known, observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset
from game.matches.saved import SavedMatch
from game.matches.setup import Assists
from game.matches.tokens import unseal_draft
from game.web.forms import parse_cell
from tests.support.boards import play
from tests.support.device import HTMX, Device
from tests.support.matches import address, ended, opening, played
from tests.support.page import Page

STILL = replace(BONN, moving=False)


def page(client: Device, saved: SavedMatch, language: str = "en") -> Page:
    return client.get(address(saved, language=language))


def in_words(client: Device, saved: SavedMatch) -> Page:
    return client.get(f"{address(saved)}?look=shots", headers=HTMX)


# --- cells as they are typed; what the text view says; the legend of a fleet ---


@pytest.mark.parametrize("text", ["b7", " 7 B ", "B7,", "Ｂ　７"])
def test_a_cell_may_be_typed_in_either_order_and_case(text: str) -> None:
    assert BONN.board.name(parse_cell(BONN.board, text)) == "B7"


@pytest.mark.parametrize(
    "text",
    ["", "B", "7", "K1", "A11", "B07", "B7 C8", "77", "BB7", "B-7", "B7x", "7B7"],
)
def test_what_names_no_cell_or_several_is_none(text: str) -> None:
    with pytest.raises(NotACell):
        parse_cell(BONN.board, text)


@pytest.mark.parametrize(
    ("text", "given_back"),
    [
        ("Z9", "Z9"), ('"><b>x', '"><b>x'), ("é" * 500, "é" * 20), ("B77\0", "B77"),
        ("B\x0177", "B77"), ("B77\x7f", "B77"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_typed_cell_that_is_none_is_refused_and_given_back_for_correction(
    client: Device, text: str, given_back: str, headers: dict[str, str]
) -> None:
    html = client.post(address(opening()), {"typed": "on", "cell": text}, headers=headers)
    assert html.status == 422
    assert html.says == "That is not a cell of this board."
    assert html.first(r'<input id="typed"[^>]*? value="([^"]*)"') == given_back
    (field,) = html.all(r'<input id="typed"[^>]*>')
    assert 'aria-invalid="true" aria-describedby="status"' in " ".join(field.split())
    html = client.post(address(opening()), {"cell": text}, headers=headers)
    assert html.first(r'<input id="typed"[^>]*? value="([^"]*)"') == "", "it was not typed"
    assert not html.all(r'<input id="typed"[^>]*aria-invalid')


@pytest.mark.parametrize(
    "rules", [BONN, STILL, PRESETS["salvo"].ruleset, PRESETS["milton"].ruleset]
)
def test_the_text_view_says_what_the_boards_show(rules: Ruleset) -> None:
    for number in range(3):
        saved = played(opening(rules, number=number), 60)
        seen = observe(saved.match, saved.viewer)
        told = text_view(seen, saved.setup)
        found = {}
        for row in told.rows:
            for part in row.marks.split("; "):
                word, columns = part.split(": ")
                for column in columns.split(", "):
                    letter, _, age = column.partition(" ")
                    found[f"{letter}{row.number}"] = (word, int(age.strip("()") or 0))
        marks = {seen.board.name(cell): mark for cell, mark in seen.marks.items()}
        assert found == {
            name: (
                mark.known.value,
                (seen.turn - mark.turn) // 2 if rules.moving and mark.known is Known.WATER else 0,
            )
            for name, mark in marks.items()
        }
        hits = {name for name, mark in marks.items() if mark.known is Known.HIT}
        assert set(filter(None, told.open_hits.split(", "))) == hits
        if rules.named:
            assert told.to_find.count("(") == len(seen.enemy_left)
            assert set(re.findall(r"\b[A-J]\d+\b", told.to_find)) == hits
        else:
            counts = [int(part.split(" × ")[0]) for part in told.to_find.split(", ") if "×" in part]
            assert sum(counts) == len(seen.enemy_left)
        afloat = sum(ship.is_afloat for ship in seen.ships)
        assert told.afloat.startswith(f"{afloat} of {len(seen.ships)} afloat")
        assert len(told.ships) == len(seen.ships)
        assert sum(ship.endswith(": sunk") for ship in told.ships) == len(seen.ships) - afloat


# --- what the cells are called; the way out of a match ---


def labels(html: Page) -> list[str]:
    """The names of the cells of both boards."""
    name = re.compile(r'aria-label="([^"]*)"|<span class="sr-only">([^<]*)</span>')
    cells = html.all(r'<td role="\w+" data-cell.*?</td>')
    return [unescape("".join(name.findall(cell)[0])) for cell in cells]


def test_the_text_view_lists_the_questions_of_both_sides_and_how_many_are_left(
    client: Device,
) -> None:
    saved = opening(PRESETS["ask"].ruleset)
    match = play(saved.match, "A1:B2? H8 C3:C3?")
    mine, theirs = ("yes" if one.is_yes else "no" for one in match.questions)
    html = in_words(client, replace(saved, match=match))
    line = html.first(r'<dd data-key="q">([^<]*)</dd>')
    assert line == f"You: A1 to B2, {mine}. Computer: C3, {theirs}. 4 questions left."
    assert 'data-key="q"' not in in_words(client, opening())


@pytest.mark.parametrize(("language", "rules"), [("en", BONN), ("de", PRESETS["milton"].ruleset)])
def test_a_cell_is_called_by_its_name_first_and_briefly(
    client: Device, language: str, rules: Ruleset
) -> None:
    coached = played(opening(rules, number=1), 70)
    coached = replace(coached, setup=coached.setup.with_help(coach=True, hints=True))
    over = ended(rules)
    pages = [page(client, coached, language), page(client, over, language)]
    pages.append(client.get(f"/{language}/new/bonn/"))
    pages += [
        client.get(f"{address(over, language=language, page='replay')}?step=60"),
    ]
    for html in pages:
        found = labels(html)
        assert len(found) in (100, 200)
        for label in found:
            assert re.fullmatch(r"[A-J](10|[1-9]), \S.{0,34}", label), label


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_new_match_is_like_the_old_one_which_stays_at_its_address(
    client: Device, headers: dict[str, str]
) -> None:
    saved = played(opening(STILL, mind="bonn-hard"), 9)
    saved = replace(saved, setup=saved.setup.with_help(hints=True))
    where = address(saved)
    before = client.get(where).content
    answer = client.post(where, {"action": "anew"}, headers=headers)
    place = answer.headers.get("HX-Replace-Url") or answer.location
    draft = unseal_draft(place.split("/")[3])
    assert draft.placed == ()
    expected = replace(saved.setup, assists=Assists(hints=True))
    assert replace(draft.setup, seed_shares=None) == expected
    assert client.get(where).content == before


def test_the_way_out_is_offered_behind_a_question(client: Device) -> None:
    html = page(client, opening())
    asked = html.split('<details class="anew"')[1].split("</details>")[0]
    assert "address stays valid" in asked
    assert 'name="action" value="anew"' in asked
    assert html.count('value="anew"') == 1
    assert 'value="anew"' not in page(client, ended())
