"""Labels are text wherever they stand: each page is that of plain labels, with others in place.

Every page of a match is asked for twice, with plain labels and with hostile ones of the same
length. The elements have to be the same, and so have all texts once the labels in them are
exchanged: in HTML with all its attributes, and in JSON.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import chain
from typing import Any
from urllib.parse import unquote_plus, urlencode

import pytest

from game.engine.actions import Ask
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.axes.labels import parse_labels
from game.features.axes.parts import Axes
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match
from tests.axes.samples import labelled
from tests.support import features
from tests.support.device import HTMX, JSON, Device
from tests.support.matches import address, draft_address, played, with_setup
from tests.support.page import Page

HOSTILE = [
    "<b>x</b>", "</td></tr>", "<script>1//", '"><img src=x', "' onclick='1", "<!-- ]]>",
    "{{ it }}", "{% now 1 %}", "%(cell)s", "%s %d %%", "{0}{cell}{", r"\1\g<0>\n", "&lt;&amp;&#60",
    "lt,", "' OR 1=1,--", "//x.example/?a", "javascript:1", "$(id) `id`",
    "Z" + "\u0301\u0323\u0335\u0488" * 9, "\u0301a\u0323", "a\0b\x1b[2J\x7fc", "a\u202eb\u2066c",
    "\u05e9\u05dc\u05d5\u05dd", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "W" * 14,
    "\ufdfd" * 2, "a\u2028b",
    "--help", "B7", "ask a1", "1,5", "-0.5", "he/she|it", "(a)", "«“'\"”»", "None",
    "named\0cell\0", "stay", "word a", "word b",
]  # fmt: skip
SIDE, ARMENIAN = 8, 0x561
SETS = range(len(HOSTILE) // SIDE)


def pairs_of_axes(number: int) -> tuple[Axes, Axes]:
    """Plain and hostile labels, each as a form reads it: two of the sets.

    Plain ones have letters that stand nowhere else, and the same length.
    """
    labels = [parse_labels(f'"{it.replace(chr(34), chr(34) * 2)}"')[0] for it in HOSTILE]
    at = SIDE * ((number + 1) % len(SETS))
    columns, rows = labels[SIDE * number : SIDE * (number + 1)], labels[at : at + SIDE]
    plain = [chr(ARMENIAN + place) * len(it) for place, it in enumerate(columns + rows)]
    return Axes((*plain[:SIDE],), (*plain[SIDE:],), "ar"), Axes((*columns,), (*rows,), "ar")


def with_hostile(text: str, axes: tuple[Axes, Axes]) -> str:
    """The text with hostile labels in the place of the plain ones."""
    for one, other in zip(*(it.columns + it.rows for it in axes), strict=True):
        text = text.replace(one, other)
    return text


# --- what an answer says ---

MASKED = re.compile(r"[A-Za-z0-9_-]{60,}|(?<=deal=)[\w-]+")
OF_LENGTHS = {"data-longest-label", "viewbox", "transform", "d"}
"""Attributes that depend on the lengths of labels, or of an address."""


class Reader(HTMLParser):
    """Reads the elements of a page with the names of their attributes, and all texts."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.append(f"<{tag}")
        for name, value in attrs:
            self.parts += [name, ""] if name in OF_LENGTHS else [name, unquote_plus(value or "")]

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"</{tag}")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    handle_comment = handle_data


def parts_of(answer: Page) -> list[str]:
    """All elements and texts of an answer, or all texts in its JSON, without tokens."""
    if answer.startswith("{"):
        parts = list(texts_of(answer.json()))
    else:
        reader = Reader()
        reader.feed(MASKED.sub("…", answer))
        reader.close()
        parts = reader.parts
    return [MASKED.sub("…", it).replace("\N{MINUS SIGN}", "-") for it in parts]


def texts_of(value: Any) -> Iterator[str]:
    """Yields all texts in a value of JSON, keys and numbers among them."""
    if isinstance(value, dict | list):
        for it in chain.from_iterable(value.items()) if isinstance(value, dict) else value:
            yield from texts_of(it)
    else:
        yield unquote_plus(str(value)) if str(value).startswith("/") else str(value)


def assert_same(one: Page, other: Page, axes: tuple[Axes, Axes]) -> None:
    kinds = [(it.status, it.headers.get("Content-Type")) for it in (one, other)]
    assert kinds[0] == kinds[1], one.where
    assert [with_hostile(it, axes) for it in parts_of(one)] == parts_of(other), one.where


# --- the pages ---


def asked(axes: Axes) -> SavedMatch:
    """A match with questions, the coach and hints, after an answer and some shots."""
    ask = PRESETS["ask"]
    saved = started(with_setup(labelled(axes), preset=ask, ruleset=ask.ruleset))
    first, last = saved.match.ruleset.board.corners(Cell(3), Cell(20))
    saved = replace(saved, match=played(saved, 3).match.act(Ask(first, last)))
    return with_setup(saved, assists=saved.setup.with_help(hints=True, coach=True).assists)


def salvo(axes: Axes) -> SavedMatch:
    """A match in which a turn has many shots, and hits are named."""
    saved = labelled(axes)
    rules = replace(saved.match.ruleset, salvo=True, again=False, named=True)
    return played(started(with_setup(saved, ruleset=rules)), 25)


def started(saved: SavedMatch) -> SavedMatch:
    begun = Draft(saved.setup).filled().start(0, "")
    assert isinstance(begun, SavedMatch)
    return begun.with_minds_played()


MATCHES: dict[str, Callable[[Axes], SavedMatch]] = {
    "moving": lambda axes: played(labelled(axes), 14),
    "asked": asked,
    "salvo": salvo,
    "typed": lambda axes: played(labelled(replace(axes, is_typed=True)), 3),
    "two persons": lambda axes: with_setup(
        labelled(axes), minds=(None, None), person_names=("A", "B")
    ),
    "over": lambda axes: played(labelled(axes), 14).resigned(Side.FIRST),
    "asked, over": lambda axes: asked(axes).resigned(Side.FIRST),
    "salvo, over": lambda axes: salvo(axes).resigned(Side.FIRST),
}
FORMS: list[dict[str, Any] | None] = [
    None, {"cell": "nonsense", "typed": "on"}, {"cell": "Z99"}, {"action": "show"}, {"cell": "C3"},
    {"action": "resign"}, {"cell": "A1", "wreck": "ask"}, {"steer": "0-fore"}, {"coach": "on"},
    {"action": "ask", "ask_from": "A1", "ask_to": "C4"}, {"hints": "on"},
]  # fmt: skip
DRAFTS: list[dict[str, Any] | None] = [
    None, {"place": "C4"}, {"place": "H8"}, {"turn": "C4", "ship": "C4h4"}, {"action": "random"},
    {"ship": ["C4h4", "C5h3"], "action": "keep"}, {"place": "C5", "ship": "C4h4"},
]  # fmt: skip


def clicks(name: str, axes: Axes) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Addresses of a match, and what is sent to them; None for a GET."""
    saved = MATCHES[name](axes)
    if saved.match.outcome is None:
        yield from ((address(saved), form) for form in FORMS)
        return
    for page in ("play", *features.ended_pages(), "challenge", "sheet"):
        yield f"/en/{page}/{seal_match(saved)}/", None
    for step in range(0, saved.match.ply, 9):
        yield f"{address(saved, page='replay')}?step={step}", None


def drafts(_name: str, axes: Axes) -> Iterator[tuple[str, dict[str, Any] | None]]:
    where = draft_address(Draft(labelled(axes).setup))
    yield from ((where, form) for form in DRAFTS)
    fields = {"column_labels": "\n".join(axes.columns), "row_labels": "\n".join(axes.rows)}
    for page in ("setup", "new", "paper"):
        yield f"/en/{page}/short/?{urlencode(fields)}", None
        yield f"/en/{page}/milton/?{urlencode(fields)}", None


WAYS: tuple[dict[str, str], ...] = ({}, JSON, HTMX)
"""What requests ask for, in turn: a page, JSON, and a part of a page."""


def answer(where: str, form: dict[str, Any] | None, headers: dict[str, str]) -> Page:
    if form is None:
        return Device().get(where, headers=headers, follow=True)
    return Device().post(where, form, headers=headers, follow=True)


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws zeros, so that both matches are the same."""
    monkeypatch.setattr("os.urandom", bytes)


SAMPLED = "moving", "asked, over", "salvo", "before", "two persons"
"""What `make test` asks for, each with another set."""
EACH = [
    pytest.param(name, number, marks=[pytest.mark.long] * (name != SAMPLED[number]))
    for name in (*MATCHES, "before")
    for number in SETS
]


@pytest.mark.parametrize(("name", "number"), EACH)
def test_labels_are_text_on_every_page_and_on_those_that_it_links_to(
    name: str, number: int
) -> None:
    axes, language = pairs_of_axes(number), ("en", "de")[number % 2]
    clicked = drafts if name == "before" else clicks
    seen: set[str] = set()
    pairs = zip(*(clicked(name, it) for it in axes), strict=True)
    for at, pair in enumerate(pairs, number):
        one, other = (
            answer(where.replace("/en/", f"/{language}/", 1), form, WAYS[at % 3])
            for where, form in pair
        )
        assert_same(one, other, axes)
        for links in zip(one.links, other.links, strict=False):
            kind = re.sub("[0-9]", "", MASKED.sub("…", links[0]))
            if "…" in kind and links[0].startswith("/") and kind not in seen:
                seen.add(kind)
                first, second = (re.sub("deal=.*", "deal=same", link) for link in links)
                assert_same(answer(first, None, {}), answer(second, None, {}), axes)
