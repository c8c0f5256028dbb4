"""Labels are text wherever they stand: each page is that of plain labels, with others in place.

Every page of a match is asked for twice, with plain labels and with hostile ones of the same
length. The elements have to be the same, and so have all texts once the labels in them are
exchanged: in HTML with all its attributes, in JSON and in the terminal.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from typing import Any
from urllib.parse import unquote_plus, urlencode

import pytest
from django.core.management import call_command

from game.engine.actions import Ask
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.axes import names
from game.features.axes.labels import parse_labels
from game.features.axes.parts import Axes
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match
from tests.axes.samples import labelled
from tests.support import features
from tests.support.device import Device
from tests.support.matches import address, draft_address, played, with_setup
from tests.support.page import Page

KINDS = {
    "an element": "<b>x</b>", "the end of a cell": "</td></tr>", "a script": "<script>1//",
    "the end of an attribute": '"><img src=x', "an event": "' onclick='1",
    "a comment": "<!-- ]]>", "a template": "{{ it }}", "a template's tag": "{% now 1 %}",
    "a format": "%(cell)s", "formats": "%s %d %%", "braces": "{0}{cell}{", "a group": r"\1\g<0>\n",
    "entities": "&lt;&amp;&#60", "the rest of an entity": "lt;", "SQL": "' OR 1=1;--",
    "an address": "//x.example/?a", "a script's address": "javascript:1", "a shell": "$(id) `id`",
    "a letter with marks": "Z" + "\u0301\u0323\u0335\u0488" * 9, "marks alone": "\u0301a\u0323",
    "null and controls": "a\0b\x1b[2J\x7fc", "a direction": "a\u202eb\u2066c\u200f",
    "right to left": "\u05e9\u05dc\u05d5\u05dd", "Arabic": "\u0645\u0631\u062d\u0628\u0627",
    "joined emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467", "wide": "W" * 14,
    "wider": "\ufdfd\ufdfd", "lines": "a\u2028b\u2029c\x85d", "an option": "--help",
    "a handle": "B7", "stay": "stay", "ask": "ask a1", "a number": "1,5", "minus": "-0.5",
    "a separator": "he/she|it", "brackets": "(a)", "quotes": "«“'\"”»", "nothing": "None",
    "a hidden mark": "named\0cell\0",
}  # fmt: skip
SIDE, ARMENIAN = 8, 0x561
SETS = range(-(-len(KINDS) // SIDE))


def labels(texts: list[str]) -> tuple[str, ...]:
    """The labels, each as a form reads it."""
    return tuple(parse_labels(text.replace(";", ","))[0] for text in texts)


def plain_label(label: str, number: int) -> str:
    """A label of letters that stands nowhere else, of the same length."""
    return chr(ARMENIAN + number) * len(label)


def pairs_of_axes(number: int) -> tuple[Axes, Axes]:
    """Plain and hostile labels: of these the columns are one set, and the rows the next one."""
    texts, words = [*KINDS.values()], [f"word {chr(97 + place)}" for place in range(SIDE)]
    columns = (texts[SIDE * number : SIDE * (number + 1)] + words)[:SIDE]
    at = SIDE * ((number + 1) % len(SETS))
    rows = (texts[at : at + SIDE] + words)[:SIDE]
    is_turned = number % 2 == 1
    hostile = labels(columns), labels(rows)
    numbered = ([plain_label(it, place + SIDE * axis) for place, it in enumerate(them)]
                for axis, them in enumerate(hostile))  # fmt: skip
    first, second = numbered
    if is_turned:
        return Axes(tuple(second), tuple(first), "ar"), Axes(hostile[1], hostile[0], "ar")
    return Axes(tuple(first), tuple(second), "ar"), Axes(*hostile, "ar")


def with_hostile(text: str, axes: tuple[Axes, Axes]) -> str:
    """The text with hostile labels in the place of the plain ones."""
    for one, other in zip(*(it.columns + it.rows for it in axes), strict=True):
        text = text.replace(one, other)
    return text


# --- what an answer says ---

MASKED = re.compile(r"[A-Za-z0-9_-]{60,}|(?<=deal=)[\w-]+")
OF_WORDS = "Alinethatnamesacellisacell.Foracommandtype/beforeit:/quit."
"""What the terminal says where a label is the word of a command, without its spaces."""
OF_LENGTHS = {"data-longest-label", "viewbox", "transform", "d"}
"""Attributes that depend on the lengths of labels, or of an address."""
PARTS = list[tuple[str, Any]]


class Reader(HTMLParser):
    """Reads the elements of a page, their attributes and all text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: PARTS = []
        self.texts: list[str] = [""]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = [(name, value or "") for name, value in attrs if name not in OF_LENGTHS]
        self.elements.append((tag, [name for name, _value in given]))
        self.texts += [*(unquote_plus(value) for _name, value in given), ""]

    def handle_endtag(self, tag: str) -> None:
        self.elements.append((f"/{tag}", None))
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.elements.append(("comment", data))


def told(answer: Page) -> tuple[PARTS, list[str]]:
    """The elements of an answer, and all its texts without tokens."""
    masked = MASKED.sub("…", answer).replace("\N{MINUS SIGN}", "-")
    reader = Reader()
    reader.feed(masked)
    reader.close()
    return reader.elements, reader.texts


def assert_same(answers: tuple[Page, Page], axes: tuple[Axes, Axes]) -> None:
    one, other = answers
    assert one.status == other.status, one.where
    assert one.headers.get("Content-Type") == other.headers.get("Content-Type")
    if one.startswith("{"):
        shown = [with_hostile(text, axes) for text in texts_of(one.json())]
        assert shown == texts_of(other.json()), one.where
        return
    (elements, texts), (others, hostile) = told(one), told(other)
    assert elements == others, one.where
    changed = [with_hostile(text, axes) for text in texts]
    different = [it for it in zip(changed, hostile, strict=True) if it[0] != it[1]]
    assert different == [], one.where


def texts_of(value: Any) -> list[str]:
    """All texts in a value of JSON, keys and numbers among them."""
    if isinstance(value, dict):
        return [text for key, it in value.items() for text in (key, *texts_of(it))]
    if isinstance(value, list):
        return [text for it in value for text in texts_of(it)]
    text = unquote_plus(str(value)) if str(value).startswith("/") else str(value)
    return [MASKED.sub("…", text).replace("\N{MINUS SIGN}", "-")]


# --- the pages ---


def asked(axes: Axes) -> SavedMatch:
    """A match with questions, the coach and hints, after an answer and some shots."""
    ask = PRESETS["ask"]
    saved = with_setup(labelled(axes), preset=ask, ruleset=ask.ruleset)
    saved = replace(saved, match=played(opening_of(saved), 3).match)
    first, last = saved.match.ruleset.board.corners(Cell(3), Cell(20))
    saved = replace(saved, match=saved.match.act(Ask(first, last)))
    return with_setup(saved, assists=saved.setup.with_help(hints=True, coach=True).assists)


def opening_of(saved: SavedMatch) -> SavedMatch:
    started = Draft(saved.setup).filled().start(0, "")
    assert isinstance(started, SavedMatch)
    return started.with_minds_played()


def salvo(axes: Axes) -> SavedMatch:
    """A match in which a turn has many shots, and hits are named."""
    saved = labelled(axes)
    rules = replace(saved.match.ruleset, salvo=True, again=False, named=True)
    return opening_of(with_setup(saved, ruleset=rules))


MATCHES: dict[str, Callable[[Axes], SavedMatch]] = {
    "moving": lambda axes: played(labelled(axes), 14),
    "asked": asked,
    "salvo": lambda axes: played(salvo(axes), 25),
    "typed": lambda axes: played(labelled(replace(axes, is_typed=True)), 3),
    "two persons": lambda axes: with_setup(labelled(axes), minds=(None, None), names=("A", "B")),
    "over": lambda axes: played(labelled(axes), 14).resigned(Side.FIRST),
    "asked, over": lambda axes: asked(axes).resigned(Side.FIRST),
    "salvo, over": lambda axes: played(salvo(axes), 25).resigned(Side.FIRST),
}
FORMS: list[dict[str, str]] = [
    {"cell": "nonsense", "typed": "on"}, {"cell": "Z99"}, {"action": "show"}, {"action": "resign"},
    {"cell": "C3"}, {"cell": "A1", "wreck": "ask"}, {"steer": "0-fore"}, {"steer": "1-aft"},
    {"action": "ask", "ask_from": "A1", "ask_to": "C4"}, {"hints": "on"}, {"coach": "on"},
]  # fmt: skip
DRAFTS: list[dict[str, Any]] = [
    {"place": "C4"}, {"place": "H8"}, {"turn": "C4", "ship": "C4h4"},
    {"ship": ["C4h4", "C5h3"], "action": "keep"}, {"place": "C5", "ship": "C4h4"},
    {"action": "random"},
]  # fmt: skip


def clicks(name: str, axes: Axes) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Addresses of a match, and what is sent to them; None for a GET."""
    saved = MATCHES[name](axes)
    where = address(saved)
    if saved.match.outcome is None:
        yield from ((where, form) for form in (None, *FORMS))
        return
    yield where, None
    for page in (*features.ended_pages(), "challenge", "sheet"):
        yield f"/en/{page}/{seal_match(saved)}/", None
    for step in range(0, saved.match.ply, 3):
        yield f"{address(saved, page='replay')}?step={step}", None


def drafts(axes: Axes) -> Iterator[tuple[str, dict[str, Any] | None]]:
    where = draft_address(Draft(labelled(axes).setup))
    yield from ((where, form) for form in (None, *DRAFTS))
    fields = {"column_labels": "\n".join(axes.columns), "row_labels": "\n".join(axes.rows)}
    for page in ("setup", "new", "paper"):
        yield f"/en/{page}/short/?{urlencode(fields)}", None
        yield f"/en/{page}/milton/?{urlencode(fields)}", None


WAYS: tuple[dict[str, str], ...] = ({}, {"accept": "application/json"}, {"hx-request": "true"})


def compare(
    clicks: Callable[[Axes], Iterator[tuple[str, Any]]], axes: tuple[Axes, Axes], language: str
) -> int:
    """Compares the answers to all clicks and what they link to; how many there were."""
    seen: set[str] = set()
    compared = 0
    for pair in zip(*map(clicks, axes), strict=True):
        for headers in WAYS:
            answers = tuple(
                answer(where.replace("/en/", f"/{language}/", 1), form, headers)
                for where, form in pair
            )
            one, other = answers
            assert_same((one, other), axes)
            compared += 1
            for links in zip(one.links, other.links, strict=False):
                kind = re.sub("[0-9]", "", MASKED.sub("…", links[0]))
                if "…" not in kind or not links[0].startswith("/") or kind in seen:
                    continue
                seen.add(kind)
                first, second = (re.sub("deal=.*", "deal=same", link) for link in links)
                assert_same((answer(first, None, {}), answer(second, None, {})), axes)
                compared += 1
    return compared


def answer(where: str, form: dict[str, Any] | None, headers: dict[str, str]) -> Page:
    device = Device()
    return (
        device.get(where, headers=headers, follow=True)
        if form is None
        else device.post(where, form, headers=headers, follow=True)
    )


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws zeros, so that both matches are the same."""
    monkeypatch.setattr("os.urandom", bytes)


EACH = [
    pytest.param(name, number, marks=[pytest.mark.deep] * bool((place + number) % 7))
    for place, name in enumerate(MATCHES)
    for number in SETS
]


@pytest.mark.parametrize(("name", "number"), EACH)
def test_labels_are_text_on_every_page_of_a_match(name: str, number: int) -> None:
    language = ("en", "de")[number % 2]
    compared = compare(lambda axes: clicks(name, axes), pairs_of_axes(number), language)
    assert compared > 20


@pytest.mark.parametrize("number", SETS)
def test_labels_are_text_on_every_page_before_a_match(number: int) -> None:
    language = ("de", "en")[number % 2]
    assert compare(drafts, pairs_of_axes(number), language) > 20


@features.needs_features("terminal")
@pytest.mark.parametrize("number", SETS)
def test_labels_are_text_in_the_terminal(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines are broken elsewhere where labels have spaces, so these are left out."""
    said, pair = [], pairs_of_axes(number)
    for axes in pair:
        typed = f"{axes.columns[1]} / {axes.rows[2]}", "§§ / §§", "boards", "resign yes", "replay"
        monkeypatch.setattr("sys.stdin", StringIO("\n".join((*typed, "3", "", "q", ""))))
        call_command("play", address(MATCHES["moving"](axes)), lang="en")
        said.append("".join(MASKED.sub("", capsys.readouterr().out).split()).replace(OF_WORDS, ""))
    one, other = (text.replace("\N{MINUS SIGN}", "-") for text in said)
    plain, hostile = (
        replace(it, columns=without_spaces(it.columns), rows=without_spaces(it.rows)) for it in pair
    )
    assert with_hostile(one, (plain, hostile)) == other


def without_spaces(them: tuple[str, ...]) -> tuple[str, ...]:
    return tuple("".join(label.split()) for label in them)


@pytest.mark.parametrize("planted", ["conditional_escape", "escape"])
def test_a_label_that_is_not_escaped_is_found(
    planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, planted, str)
    names.names_of.cache_clear()
    with pytest.raises(AssertionError):
        compare(lambda axes: clicks("moving", axes), pairs_of_axes(0), "en")
    names.names_of.cache_clear()
