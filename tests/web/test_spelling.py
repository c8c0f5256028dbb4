"""What people type is compared as a person compares it, and cleaned of what nobody sees."""

import re
from html import unescape

import pytest

from game.web.forms import clean_name
from game.web.spelling import cleaned, is_same
from tests.support.device import Device
from tests.support.matches import address, opening, place_address
from tests.support.spellings import APART, SAME


@pytest.mark.parametrize(("one", "other", "language"), SAME)
def test_spellings_of_one_word_are_the_same(one: str, other: str, language: str) -> None:
    assert is_same(one, other, language)


@pytest.mark.parametrize(("one", "other"), APART)
def test_different_words_are_not_the_same(one: str, other: str) -> None:
    assert not is_same(one, other)


CLEANED = {
    "Fu\xadß\u200bball": "Fußball", "\ufeffdog": "dog", "a\u2060b": "ab", "a\u202eb\u2066c": "abc",
    "a\0b\x1bc\x7fd\x9f": "abcd", "a\tb\r\nc\x0bd": "a b c d", " a\xa0\u3000b ": "a b",
    "a\u3164b": "a b", "می\u200cخواهم": "می\u200cخواهم", "ക\u0d4d\u200d": "ക\u0d4d\u200d",
    "क\u094d\u200dष": "क\u094d\u200dष", "क\u094d\u200cष": "क\u094d\u200cष",
    "a\u200cb\u200dc": "abc",
    "👨\u200d👩\u200d👧": "👨\u200d👩\u200d👧", "❤\ufe0f": "❤\ufe0f",
    "1\ufe0f\u20e3": "1\ufe0f\u20e3",
    "👩🏽\u200d🚀": "👩🏽\u200d🚀", "x\ufe0fy": "xy", "葛\U000e0100": "葛\U000e0100",
    "🏴\U000e0067\U000e0062\U000e007f": "🏴\U000e0067\U000e0062\U000e007f", "a\U000e0067": "a",
    "\U0001fae8": "\U0001fae8", "\ue000a\ud800": "a", "e" + "\u0301" * 9: "é\u0301\u0301",
}  # fmt: skip
"""B3: what nobody sees is dropped, joiners and selectors stay where they are seen."""


@pytest.mark.parametrize("text", CLEANED)
def test_what_nobody_sees_is_dropped_and_joiners_stay_where_they_are_seen(text: str) -> None:
    assert cleaned(text) == CLEANED[text]


ODD = "a\x01\x1b[2J\x00\x85\x9f\x7f\u202e\u2066\ufeff\u200bb"
FIELDS = (
    "cell ask_from ask_to steer look name name1 name2 place turn size columns rows turns questions"
    " n5 column_labels row_labels label_language line sea hit water guess text kept deal day"
)
UNSEEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067\ufeff\u200b]")


@pytest.mark.parametrize("typed", [*FIELDS.split(), "all"])
def test_control_characters_that_were_typed_stand_on_no_page(client: Device, typed: str) -> None:
    """S3"""
    fields = dict.fromkeys(FIELDS.split() if typed == "all" else [typed], ODD)
    fields |= {"typed": "on", "players": "2", "action": "ask"}
    names = ("setup/own", "new/own", "calculator", "deduction", "logbook", "settings")
    pages = (address(opening()), place_address(), *(f"/en/{name}/" for name in names))
    for number, where in enumerate(pages, len(typed)):
        ask = (client.get, client.post)[number % 2]
        assert not UNSEEN.search(unescape(str(ask(where, fields)))), where


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("\u3164", ""), ("\u115f\u2800 \u0301", ""), ("-", ""),
        ("A" + "\u0337" * 19, "A\u0337\u0337"),
        ("A\u0308nna", "\u00c4nna"), ("\u0ba8\u0bbf", "\u0ba8\u0bbf"), ("7", "7"),
        ("\U0001f600", "\U0001f600"),
    ],
)  # fmt: skip
def test_a_name_can_be_seen_and_stays_on_its_line(typed: str, kept: str) -> None:
    assert clean_name(typed) == clean_name(kept) == kept
