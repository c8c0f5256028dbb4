"""Names of cells as persons type them: labels in any spelling, and what is said of other text."""

import random
from collections.abc import Iterator
from dataclasses import replace
from time import process_time

import pytest

from game.engine.geometry import LETTERS
from game.features.axes.labels import parse_labels
from game.features.axes.names import LabelNames
from game.features.axes.parts import Axes
from game.matches.setup import Setup
from game.web.forms import Refused, typed_cell
from tests.axes.samples import HOSTILE, NUMBERS, WORDS, labelled
from tests.support import times
from tests.support.device import Device
from tests.support.matches import address, saved_at, with_setup
from tests.support.spellings import SAME


def axes(columns: str, rows: str) -> Axes:
    return Axes(parse_labels(columns), parse_labels(rows))


def read(it: Axes, text: str) -> str:
    """The handle of the cell that is typed so on a board with these labels."""
    names = LabelNames(it)
    return names.board.name(typed_cell(names, text))


def why_not(it: Axes, text: str) -> str:
    with pytest.raises(Refused) as refused:
        read(it, text)
    return str(refused.value)


COLOURS = axes("red;green;blue;pink;Grün;dark red", "dog;cat;cow;Tür;3;sea lion")
XY = axes("-3..4", "4..-3")
TURNED = axes("H;G;F;E;D;C;B;A", "1..8")
LETTERED = axes("1..8", "A;B;C;D;E;F;G;H")
CLOCK = axes("1..8", ":00;:05;:10;:15;:20;:30;:45;:50")
ABC = axes("a;a b;x;y;z;v", "c;b c;1;2;3;4")
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
    (ABC, "a / b c", "A2"), (ABC, "a b / c", "B1"), (ABC, "a/b c", "A2"), (ABC, "a c", "A1"),
    (ODD, "(a) / {d}", "A1"), (ODD, "(a) {d}", "A1"), (ODD, "he/she / -", "C2"),
    (ODD, "he/she 7", "C5"), (ODD, "(1,5 | 0)", "D6"), (ODD, "1,5 7", "D5"), (ODD, "´ / --x", "F3"),
    (ODD, "[b] / a b c", "B4"), (ODD, "C7", "E5"), (ODD, "C5", "C5"),
]  # fmt: skip


@pytest.mark.parametrize(("it", "text", "cell"), READ)
def test_a_cell_is_read_in_any_spelling_of_its_labels(it: Axes, text: str, cell: str) -> None:
    assert read(it, text) == cell


EIGHT = [*"ghijklmn"]
"""Labels that are beside the one that is typed."""


def reads(label: str, typed: str, language: str = "", other: str = "") -> bool:
    """Whether a label is read in that spelling, beside another one, as column and as row."""
    columns = [label, other or "q", *EIGHT[:6]]
    it = Axes(tuple(columns), tuple(columns), language)
    try:
        return read(it, f"{typed} g") == "A3" and read(it, f"g / {typed}") == "C1"
    except Refused:
        return False


@pytest.mark.parametrize(("label", "typed", "language"), SAME)
def test_a_label_is_read_however_a_keyboard_writes_it(
    label: str, typed: str, language: str
) -> None:
    """B1, B3 and B12"""
    assert reads(label, typed, language)
    assert reads(typed, label, language)


@pytest.mark.parametrize(
    ("label", "other"),
    [
        ("sie", "Sie"),
        ("schon", "schön"),
        ("كُتِبَ", "كَتَبَ"),
        ("0,5", "0.5"),
        ("Tuer", "Tür"),
        ("A", "Ａ"),
    ],
)
def test_the_exact_spelling_is_found_before_any_other(label: str, other: str) -> None:
    assert reads(label, label, other=other)
    assert reads(other, other, other=label)


def test_what_can_be_two_labels_is_asked() -> None:
    it = axes("sie;Sie;er;wir;ihr;es", "dog;cat;pig;cow;hen;fox")
    assert why_not(it, "SIE dog") == "That can be sie / dog or Sie / dog: type a / between."


REFUSED = [
    (COLOURS, "red dgo", "There is no row “dgo”. Did you mean dog?"),
    (COLOURS, "dgo red", "There is no row “dgo”. Did you mean dog?"),
    (COLOURS, "rde dog", "There is no column “rde”. Did you mean red?"),
    (COLOURS, "dog rde", "There is no column “rde”. Did you mean red?"),
    (COLOURS, "red / elephant", "There is no row “elephant”."),
    (COLOURS, "elephant dog", "There is no column “elephant”."),
    (COLOURS, "dark red see lion", "There is no row “see lion”. Did you mean sea lion?"),
    (COLOURS, "red", "Type a column and a row, such as green / cat."),
    (COLOURS, "red /", "Type a column and a row, such as green / cat."),
    (COLOURS, "", "Type a column and a row, such as green / cat."),
    (COLOURS, "Z99", "Type a column and a row, such as green / cat."),
    (COLOURS, "\u202e\0\x1b", "Type a column and a row, such as green / cat."),
    (COLOURS, "red d\u202eg\x1bo", "There is no row “dgo”. Did you mean dog?"),
    (COLOURS, "red %(typed)s%s{0}", "There is no row “%(typed)s%s{0}”."),
    (XY, "(9|4)", "There is no column “9”."),
    (XY, "4 / 9", "There is no row “9”."),
    (XY, "x", "Type a column and a row, such as (−2 | 3)."),
    (ABC, "a b c", "That can be a b / c or a / b c: type a / between."),
]  # fmt: skip


@pytest.mark.parametrize(("it", "text", "said"), REFUSED)
def test_other_text_gets_one_sentence_that_helps(it: Axes, text: str, said: str) -> None:
    assert why_not(it, text) == said


def test_each_offered_reading_can_be_typed() -> None:
    words = why_not(ABC, "a b c").removeprefix("That can be ").partition(":")[0]
    one, other = words.split(" or ")
    assert {read(ABC, one), read(ABC, other)} == {"A2", "B1"}


# --- a property: each cell's own name is read as that cell ---

PARTS = [
    *"abcABCäöüßéñøıİ0123456789", " ", " ", "/", "|", " / ", " | ", ",", ";", ":", ".", "-",
    "\N{MINUS SIGN}", "(", ")", "[", "]", "<", "&", "%", "'", '"', "\u0301", "\u0323", "\u05d0",
    "\u0627", "語", "か", "が", "한", "／", "Ａ", "\N{PILE OF POO}", "´", "^", "ﷺ", "ﬁ", "²", "½",
]  # fmt: skip
"""What random labels consist of."""


def any_labels(chance: random.Random, count: int) -> tuple[str, ...]:
    kind = chance.randrange(4)
    if kind == 0:
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


def label_sets(seeds: range) -> Iterator[tuple[int, Axes]]:
    for seed in seeds:
        chance = random.Random(f"labels/{seed}")
        yield seed, Axes(any_labels(chance, chance.randint(4, 9)), any_labels(chance, 6))


@pytest.mark.fuzz
def test_each_cells_own_name_is_read_as_that_cell() -> None:
    for seed, it in label_sets(range(times(150, 150, 5000))):
        names = LabelNames(it)
        for cell in names.board.cells:
            name = names.name(cell)
            for typed in (name, name.upper().lower() if name.isascii() else name, f" {name} "):
                assert names.read(typed) == cell, (seed, it, typed)


@pytest.mark.fuzz
def test_any_text_is_a_cell_or_refused_with_a_short_sentence_and_soon() -> None:
    chance = random.Random("hostile")
    for _seed, it in label_sets(range(times(20, 60, 600))):
        names = LabelNames(it)
        for text in ("x " * 2000, "ﷺ" * 4000, "/" * 4000, "a\u0301\u0323" * 1300, "1a" * 2000):
            labels = chance.choice(it.columns), chance.choice(it.rows)
            for typed in (text, f"{labels[0]} {text}", f"{text} / {labels[1]}"):
                began, said = process_time(), ""
                try:
                    assert names.read(typed) in names.board.cells
                except Refused as refused:
                    said = str(refused)
                assert len(said) < 300
                assert process_time() - began < 0.1


# --- on pages ---


def test_a_bare_cell_is_the_handle_and_a_typed_one_is_called_by_its_labels(client: Device) -> None:
    saved = with_setup(labelled(TURNED), minds=(None, None), names=("", ""))
    setup: Setup = replace(saved.setup.with_part(replace(TURNED, is_typed=True)))
    where = address(replace(saved, setup=setup))
    board = saved.match.ruleset.board
    for fields, cell in (({"cell": "B7"}, "B7"), ({"cell": "B7", "typed": "on"}, "G7")):
        fired = saved_at(client.pressed(where, fields)).match.shots[-1]
        assert board.name(fired.cell) == cell


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_name_that_is_not_there_is_refused_with_the_text_kept(
    client: Device, language: str
) -> None:
    where = address(labelled(WORDS), language)
    html = client.post(where, {"cell": "she wnet", "typed": "on"})
    assert html.status == 422
    assert "wnet" in html.says
    assert "went" in html.says
    assert html.first(r'<input id="typed"[^>]*value="([^"]*)"') == "she wnet"
    got = client.post(
        where, {"cell": "she wnet", "typed": "on"}, headers={"accept": "application/json"}
    )
    assert (got.status, got.json()["status"]) == (422, html.says)


@pytest.mark.parametrize("field", ["cell", "ask_from", "ask_to", "look"])
@pytest.mark.parametrize("it", [WORDS, NUMBERS, HOSTILE])
def test_a_query_with_any_text_opens_the_page(client: Device, field: str, it: Axes) -> None:
    where = address(labelled(it))
    assert client.get(f"{where}?typed=on&{field}=nonsense").status == 200
