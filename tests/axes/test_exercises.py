"""The page for a class: six exercises, each of which begins, in words that are never translated."""

import pytest

from tests.support.device import Device

JSON = {"accept": "application/json"}
HANDLES = ("column-labels", "row-labels", "label-language")


def exercises(language: str) -> list[dict[str, str | None]]:
    """The labels of the exercises to which the page leads."""
    links = [it for it in Device().see(f"/{language}/class/").links if "/new/own/" in it]
    pages = [Device().get(where, headers=JSON, follow=True) for where in dict.fromkeys(links)]
    assert [page.status for page in pages] == [200] * 6
    return [{name: page.json().get(name) for name in HANDLES} for page in pages]


def test_six_exercises_begin_with_the_same_words_in_both_languages() -> None:
    english, german = exercises("en"), exercises("de")
    assert english == german
    assert [it["column-labels"] for it in english].count(None) == 0
    assert {it["label-language"] for it in english} == {None, "en", "de"}
    assert english[0]["column-labels"] == "-5;-4;-3;-2;-1;0;1;2;3;4;5"
    assert english[0]["row-labels"] == "5;4;3;2;1;0;-1;-2;-3;-4;-5", "y points up"


@pytest.mark.parametrize("language", ['de"><b>', "x", "deutsch", "de-", "de\n", "%s", "a" * 400])
def test_a_language_that_is_none_is_left_out(language: str) -> None:
    fields = {"column_labels": "1..8", "label_language": language, "action": "keep"}
    html = Device().post("/en/new/short/", fields, follow=True)
    assert (html.status, "data-column-labels" in html) == (200, True)
    assert ("data-label-language" in html) is (language.strip() == "de")
