"""Names of cells as persons type them: labels in any spelling, and what is said of other text."""

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from game.engine.geometry import LETTERS
from game.features.axes.labels import parse_labels
from game.features.axes.names import LabelNames
from game.features.axes.parts import Axes
from game.web.forms import Refused, typed_cell
from tests.axes.samples import HOSTILE, WORDS, labelled
from tests.support import in_both_languages, times
from tests.support.device import Device
from tests.support.matches import address, saved_at, with_setup
from tests.support.spellings import SAME


def axes(columns: str, rows: str) -> Axes:
    return Axes(parse_labels(columns), parse_labels(rows))


def read(it: Axes, text: str) -> str:
    """The handle of the cell that is typed so on a board with these labels."""
    names = LabelNames(it)
    return names.board.name(typed_cell(names, text))


COLOURS = axes("red;green;blue;pink;Grün;dark red", "dog;cat;cow;Tür;3;sea lion")
XY = axes("-3..4", "4..-3")
TURNED = axes("H;G;F;E;D;C;B;A", "1..8")
LETTERED = axes("1..8", "A;B;C;D;E;F;G;H")
CLOCK = axes("1..8", ":00;:05;:10;:15;:20;:30;:45;:50")
ABC = axes("a;a b;x;y;z;v", "c;b c;1;2;3;4")
ALIKE = axes("sie;Sie;a;Ａ;schon;schön", "dog;Dog;b;Ｂ;0,5;0.5")
ODD = axes("(a);[b];he/she;1,5;C;´", "{d};-;--x;a b c;7;0")
READ = [
    (COLOURS, "red dog", "A1"), (COLOURS, "red / dog", "A1"), (COLOURS, "red/dog", "A1"),
    (COLOURS, "RED  Dog", "A1"), (COLOURS, "(red | dog)", "A1"), (COLOURS, "red, dog", "A1"),
    (COLOURS, "red;dog", "A1"), (COLOURS, "red\tdog", "A1"), (COLOURS, "red ／ dog", "A1"),
    (COLOURS, "ｒｅｄ　ｄｏｇ", "A1"), (COLOURS, "dog red", "A1"), (COLOURS, "dog / red", "A1"),
    (COLOURS, "dark red sea lion", "F6"), (COLOURS, "sea lion dark red", "F6"),
    (COLOURS, "grün tür", "E4"), (COLOURS, "Gruen Tuer", "E4"), (COLOURS, "grun tur", "E4"),
    (COLOURS, "gru\u0308n tu\u0308r", "E4"), (COLOURS, "red3", "A5"), (COLOURS, "3red", "A5"),
    (COLOURS, "B4", "B4"), (COLOURS, "b 4", "B4"), (COLOURS, "4b", "B4"),
    (XY, "(-3|4)", "A1"), (XY, "(−3 | 4)", "A1"), (XY, "-3 4", "A1"), (XY, "-3/4", "A1"),
    (XY, "4 -3", "H8"), (XY, "-3-3", "A8"), (XY, "–3 ‑3", "A8"), (XY, "[4,4]", "H1"),
    (XY, "B7", "B7"), (XY, "0 0", "D5"),
    (TURNED, "B7", "G7"), (TURNED, "b 7", "G7"), (TURNED, "7b", "G7"), (TURNED, "H1", "A1"),
    (LETTERED, "B2", "B2"), (LETTERED, "H1", "A8"), (LETTERED, "1h", "A8"),
    (CLOCK, "3:15", "C4"), (CLOCK, "3 :15", "C4"), (CLOCK, "3 / :15", "C4"),
    (ALIKE, "sie dog", "A1"), (ALIKE, "Sie Ｂ", "B4"), (ALIKE, "SCHÖN b", "F3"),
    (ALIKE, "SCHON Dog", "E2"), (ALIKE, "a / b", "C3"), (ALIKE, "Ａ 0,5", "D5"),
    (ABC, "a / b c", "A2"), (ABC, "a b / c", "B1"), (ABC, "a/b c", "A2"), (ABC, "a c", "A1"),
    (ODD, "(a) / {d}", "A1"), (ODD, "(a) {d}", "A1"), (ODD, "he/she / -", "C2"),
    (ODD, "he/she 7", "C5"), (ODD, "(1,5 | 0)", "D6"), (ODD, "1,5 7", "D5"), (ODD, "´ / --x", "F3"),
    (ODD, "[b] / a b c", "B4"), (ODD, "C7", "E5"), (ODD, "C5", "C5"),
]  # fmt: skip


@pytest.mark.parametrize(("it", "text", "cell"), READ)
def test_a_cell_is_read_in_any_spelling_of_its_labels(it: Axes, text: str, cell: str) -> None:
    assert read(it, text) == cell


@pytest.mark.parametrize(("label", "typed", "language"), SAME)
def test_a_label_is_read_however_a_keyboard_writes_it(
    label: str, typed: str, language: str
) -> None:
    """B1, B3 and B12"""
    for written, read_as in ((label, typed), (typed, label)):
        labels = (written, "q", *"ghijkl")
        it = Axes(labels, labels, language)
        assert (read(it, f"{read_as} g"), read(it, f"g / {read_as}")) == ("A3", "C1")


TYPE, DOG = "Type a column and a row, such as {}.", "There is no row “dgo”. Did you mean dog?"
RED = "There is no column “rde”. Did you mean red?"
REFUSED = [
    (COLOURS, "red dgo", DOG), (COLOURS, "dgo red", DOG), (COLOURS, "red d\u202eg\x1bo", DOG),
    (COLOURS, "rde dog", RED), (COLOURS, "dog rde", RED),
    (COLOURS, "red / elephant", "There is no row “elephant”."),
    (COLOURS, "elephant dog", "There is no column “elephant”."),
    (COLOURS, "dark red see lion", "There is no row “see lion”. Did you mean sea lion?"),
    (COLOURS, "red %(typed)s%s{0}", "There is no row “%(typed)s%s{0}”."),
    *((COLOURS, text, TYPE.format("green / cat")) for text in
      ("red", "red /", "", "Z99", "\u202e\0\x1b")),
    (XY, "(9|4)", "There is no column “9”."), (XY, "4 / 9", "There is no row “9”."),
    (XY, "x", TYPE.format("(−2 | 3)")),
    (ABC, "a b c", "That can be a b / c or a / b c: type a / between."),
    (ALIKE, "SIE dog", "That can be sie / dog or Sie / dog: type a / between."),
]  # fmt: skip


@pytest.mark.parametrize(("it", "text", "said"), REFUSED)
def test_other_text_gets_one_sentence_that_helps(it: Axes, text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(it, text)
    assert str(refused.value) == said


# --- a property: each cell's own name is read as that cell ---

PARTS = [
    *"abcABCäöüßéñøıİ0123456789", " ", " ", "/", "|", " / ", " | ", ",", ";", ":", ".", "-",
    "\N{MINUS SIGN}", "(", ")", "[", "]", "<", "&", "%", "'", '"', "\u0301", "\u0323", "\u05d0",
    "\u0627", "語", "か", "が", "한", "／", "Ａ", "\N{PILE OF POO}", "´", "^", "ﷺ", "ﬁ", "²", "½",
]  # fmt: skip
"""What random labels consist of."""


def any_labels(chance: random.Random, count: int) -> tuple[str, ...]:
    if (kind := chance.randrange(4)) == 0:
        first = chance.randrange(-20, 20)
        return parse_labels(f"{first}..{first + count - 1}")
    if kind == 1:
        return tuple(reversed(LETTERS[:count]))
    found: dict[str, None] = {}
    while len(found) < count:
        text = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 8)))
        try:
            found |= dict.fromkeys(parse_labels(text.replace(";", ""))[:1])
            parse_labels("\n".join(found))
        except Refused:
            found = {}
    return tuple(found)


@pytest.mark.fuzz
def test_each_cells_own_name_is_read_as_that_cell_and_any_text_soon() -> None:
    hostile = "x " * 2000, "ﷺ" * 4000, "/" * 4000, "a\u0301\u0323" * 1300, "1a" * 2000
    for seed in range(times(60, 500, 5000)):
        chance = random.Random(f"labels/{seed}")
        it = Axes(any_labels(chance, chance.randint(4, 9)), any_labels(chance, 6))
        names = LabelNames(it)
        called = [names.name(cell) for cell in names.board.cells]
        for cell, name in enumerate(called):
            small = name.upper().lower() if name.isascii() else name
            for typed in (name, f" {name} ", small):
                wanted = called.index(typed) if typed in called else cell
                assert names.read(typed) == wanted, (seed, it, typed)
        with suppress(Refused):
            names.read(f"{chance.choice(it.columns)} / {chance.choice(hostile)}")


# --- on pages ---


def test_a_bare_cell_is_the_handle_and_a_typed_one_is_called_by_its_labels(client: Device) -> None:
    saved = with_setup(labelled(TURNED), minds=(None, None), person_names=("", ""))
    setup = saved.setup.with_part(replace(TURNED, is_typed=True))
    where = address(replace(saved, setup=setup))
    for fields, cell in (({"cell": "B7"}, "B7"), ({"cell": "B7", "typed": "on"}, "G7")):
        fired = saved_at(client.pressed(where, fields)).match.shots[-1]
        assert saved.match.ruleset.board.name(fired.cell) == cell


@in_both_languages
def test_a_name_that_is_not_there_is_refused_with_the_text_kept(
    client: Device, language: str
) -> None:
    where, form = address(labelled(WORDS), language), {"cell": "she wnet", "typed": "on"}
    html = client.post(where, form)
    assert html.status == 422
    assert "wnet" in html.says
    assert "went" in html.says
    assert html.first(r'<input id="typed"[^>]*value="([^"]*)"') == "she wnet"
    got = client.post(where, form, headers={"accept": "application/json"})
    assert (got.status, got.json()["status"]) == (422, html.says)


@pytest.mark.parametrize("field", ["cell", "ask_from", "ask_to", "look"])
def test_a_query_with_any_text_opens_the_page(client: Device, field: str) -> None:
    assert client.get(f"{address(labelled(HOSTILE))}?typed=on&{field}=nonsense").status == 200
