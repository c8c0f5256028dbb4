"""Labels that a form asks for: what is read, and one sentence that names what is refused."""

from contextlib import nullcontext
from html import unescape
from urllib.parse import urlencode

import pytest

from game.engine.presets import PRESETS
from game.features.axes.labels import LONGEST, parse_labels, with_labels
from game.features.axes.parts import MOST_BYTES, Axes
from game.web.forms import Refused, parse_setup
from tests.support.device import Device

EIGHT = "a;b;c;d;e;f;g;h"
READ = {
    "red\nblue\r\ngreen": ("red", "blue", "green"),
    " red ; dark   blue;;\n\n": ("red", "dark blue"),
    "-2..1": ("-2", "-1", "0", "1"), "−2 .. 1": ("-2", "-1", "0", "1"),
    "2..-1": ("2", "1", "0", "-1"), "10..40/10": ("10", "20", "30", "40"), "5..5": ("5",),
    "a..b": ("a..b",), "1..3;4": ("1..3", "4"), "-5": ("-5",), "−5;5": ("−5", "5"),
    "−2…1": ("-2", "-1", "0", "1"),
    "٣..٥": ("3", "4", "5"), "１..３": ("1", "2", "3"),
    "he / she": ("he/she",), "a\u202eb\0c": ("abc",), "?;!": ("?", "!"),
    "हिन्दी;語;\N{PILE OF POO}": ("हिन्दी", "語", "\N{PILE OF POO}"),
    "e" + "\u0301" * 9: ("é\u0301\u0301",), "x" * LONGEST: ("x" * LONGEST,),
    "x" * LONGEST + "\u0323": ("x" * LONGEST + "\u0323",),
    "": (), " \n;": (),
}  # fmt: skip
"""What is written for an axis, and its labels."""


@pytest.mark.parametrize("written", READ)
def test_labels_stand_on_lines_between_semicolons_or_in_a_range(written: str) -> None:
    assert parse_labels(written) == READ[written]


SEPARATED = {
    "a,b,c": "a|b|c", "a, b, c\n": "a|b|c", "a\tb\tc": "a|b|c", "a\t\tb\r\n": "a|b",
    "أ،ب،ت": "أ|ب|ت", "أ؛ب": "أ|ب", "一、二、三": "一|二|三", "一；二": "一|二", "一，二": "一|二",
    "a\u2028b\u2029c": "a|b|c", "a\vb\fc\x85d\re": "a|b|c|d|e", "a\r\n\r\nb": "a|b",
    "Doe, J;Roe, R": "Doe, J|Roe, R", "a, b\nc": "a, b|c", "0,5;1,0": "0,5|1,0",
    "0,5, 1,0, 1,5": "0,5|1,0|1,5", "1,2,3": "1|2|3", "1, 2, 3": "1|2|3", "1,5": "1,5",
    '"red, dark","say ""hi""",c': 'red, dark|say "hi"|c',
    '"a\tb"\tc': "a b|c", '"a\nb"\nc': "a b|c",
    '"a;b",c': "a,b|c", '<b>;"\';x': "<b>|\"'|x", ",,": "",
}  # fmt: skip


@pytest.mark.parametrize("written", SEPARATED)
def test_labels_are_separated_as_spreadsheets_and_other_scripts_do(written: str) -> None:
    """B6"""
    assert "|".join(parse_labels(written)) == SEPARATED[written]


TWICE = "Two labels are the same: “{}”."
TOO_LONG = f"A label has at most {LONGEST} characters: “{{}}”."
NO_RANGE = "Not a range of 6 to 15 numbers: “{}”."
UNSEEN = "A label has to be seen: “{}”."
REFUSED = {
    "e\u0301;é": TWICE.format("é"), "dog;dog\u200b": TWICE.format("dog"),
    "a/b;a / b": TWICE.format("a/b"), "a;a": TWICE.format("a"),
    **{it: TOO_LONG.format(it) for it in ("x" * 15, "語" * 15, "a" + "\u0903" * 14, "%s" * 8)},
    "ok;%(label)s%(most)": TOO_LONG.format("%(label)s%(most)"),
    **{f"a;{it}": UNSEEN.format(f"U+{ord(it):04X}") for it in "\u200b\u202e\u2800\u0301\0\u3164"},
    **{it: NO_RANGE.format(it) for it in
       ("1..40", "1..9999", "1..10/2", "1..10/0", "1..16")},
}  # fmt: skip
"""What is written, and why it is refused."""


@pytest.mark.parametrize("written", REFUSED)
def test_labels_that_cannot_be_used_are_refused_by_name(written: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_labels(written)
    assert str(refused.value) == REFUSED[written]


def fields(columns: str = EIGHT, rows: str = EIGHT, **more: str) -> dict[str, str]:
    return {"column_labels": columns, "row_labels": rows, **more}


def labels_of(preset: str, asked: dict[str, str]) -> Axes:
    """The labels of a setup that is asked for."""
    axes = with_labels(parse_setup(PRESETS[preset], asked), asked).part(Axes)
    assert axes is not None
    return axes


def test_an_axis_without_labels_keeps_its_letters_or_numbers() -> None:
    assert labels_of("short", fields(rows="")).rows == tuple("12345678")
    assert labels_of("short", fields(columns="")).columns == tuple("ABCDEFGH")


def test_in_own_rules_the_labels_set_the_size() -> None:
    asked = fields("1..7", "-5..5") | {"fleet": "3-2", "columns": "15", "rows": "6"}
    setup = with_labels(parse_setup(PRESETS["own"], asked), asked)
    assert (setup.ruleset.columns, setup.ruleset.rows) == (7, 11)


def test_a_token_has_room_for_all_labels_of_as_many_bytes_and_no_more() -> None:
    labels = [f"{number:x}{'é' * 11}x" for number in range(16)]
    labels[15] += "x" * (MOST_BYTES - len("\n".join(labels).encode()))
    for more in ("", "x"):
        labels[0] += more
        asked = fields(";".join(labels[:8]), ";".join(labels[8:]))
        with pytest.raises(Refused, match="for a link: shorten") if more else nullcontext():
            assert len(labels_of("short", asked).text.encode()) == MOST_BYTES


COUNTED = "The board has {} {}, but there are {} labels, up to “{}”."
WIDE = ";".join(f"{'語' * 13}{number}" for number in range(8))
REFUSED_IN_A_SETUP = [
    ("short", fields("a;b"), COUNTED.format(8, "columns", 2, "b")),
    ("short", fields(rows="1..9"), COUNTED.format(8, "rows", 9, "9")),
    ("own", fields("1..15", "<b>;" * 2), TWICE.format("<b>")),
    ("ask", fields(WIDE, WIDE), "The labels are too long"),
    ("own", fields("a;b", "1..6"), COUNTED.format("6 to 15", "columns", 2, "b")),
    ("own", fields("1..7", "a b"), "The board has 6 to 15 rows, but there is 1 label, “a b”."),
    ("own", fields("a|b|c"), "The board has 6 to 15 columns, but there is 1 label, “a|b|c”."),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "asked", "said"), REFUSED_IN_A_SETUP)
def test_the_page_of_the_preset_says_why_and_keeps_what_was_written(
    client: Device, preset: str, asked: dict[str, str], said: str
) -> None:
    """B6"""
    asked = {**asked, "label_language": "de", "cells": "typed"}
    for send, language in ((client.get, "en"), (client.post, "en"), (client.get, "de")):
        where = f"/{language}/new/{preset}/"
        html = send(where, asked)
        assert html.status == 422
        assert language != "en" or html.says.startswith(said)
        for name in ("column_labels", "row_labels"):
            kept = html.first(rf'<textarea name="{name}"[^>]*>(.*?)</textarea>')
            assert unescape(kept).strip() == asked[name].strip()
        assert html.search(r'<option value="de"[^>]* selected')
        assert html.search(r'name="cells" value="typed" checked')
        assert html.search(r'<details [^>]*id="axes" open')
        got = send(where, asked, headers={"accept": "application/json"})
        assert (got.status, got.json()) == (422, {"status": html.says})


ALIKE = [
    ("dog", "Dog"), ("sie", "Sie"), ("Tur", "Tür"), ("A", "Ａ"), ("ﬁn", "fin"), ("ß", "SS"),
    ("-1", "–1"), ("don’t", "don't"), ("كتب", "كَتَبَ"), ("0,5", "0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_labels_that_read_alike_are_refused_only_where_cells_are_typed(
    one: str, other: str
) -> None:
    """T5: pressed cells don't need a difference that ears or a keyboard lack."""
    asked = fields(f"{one};{other};c;d;e;f;g;h")
    assert labels_of("short", asked).columns[:2] == (one, other)
    with pytest.raises(Refused, match=f"by more than case or accents: “{one}” and “{other}”."):
        labels_of("short", asked | {"cells": "typed"})


def test_a_field_of_any_length_is_refused_in_a_short_sentence(client: Device) -> None:
    for text in ("a;" * 2500, "\u0301" * 1300, "ﷺ;" * 600, "1" * 5000 + "..2", "-" * 7000):
        html = client.post("/en/new/short/", fields(text))
        assert html.status == 422
        assert len(html.says) < 200


def test_the_address_of_a_setup_is_the_exercise(client: Device) -> None:
    """Labels come back as they were written, whatever an address does with their signs."""
    columns = "a&b;a%26;a+b;a=b;a#b;&amp,;%2541;a)"
    where = f"/en/new/short/?{urlencode(fields(columns, '1..8', cells='typed'))}"
    got = client.get(where, headers={"accept": "application/json"}, follow=True)
    assert got.json()["column-labels"] == columns
