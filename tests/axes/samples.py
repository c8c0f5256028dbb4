"""Matches with labels for tests of all pages, tokens, worlds and requests."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.urls import reverse

from bench.matches import begun
from bench.requests import Request
from game.engine.geometry import LARGEST
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Side
from game.features.axes.parts import MOST_BYTES, Axes
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, solo
from game.matches.tokens import seal_match
from tests.support import golden as golden_samples
from tests.support.matches import address, draft_address, played, public_replay_address

WORDS = Axes(
    ("I", "you", "he", "she", "we", "they", "the cat", "my friends"),
    ("went", "saw", "bought", "caught", "thought", "wrote", "ate", "sang"),
    "en",
    is_typed=True,
)
"""An exercise of eight by eight cells, which are typed."""
NUMBERS = Axes(tuple(map(str, range(-5, 6))), tuple(map(str, range(5, -6, -1))))
"""The coordinates from -5 to 5, with y upwards."""
HOSTILE = Axes(
    ("<b>", "&amp;", "\"'", "%(cell)s", "{{ it }}", "B7", "\u05d0\u05d1", "W" * 14),
    ("</td>", "%s", "{0}", "1,5", "--", "stay", "a\u0301\u0302", "\N{PILE OF POO}" * 14),
    "ar",
)
"""Labels that mean something in HTML, in formats, or as the names of other things."""


def labelled(axes: Axes, *, mind: str | None = "random", number: int = 0) -> SavedMatch:
    """A match with those labels before its first shot."""
    columns, rows = len(axes.columns), len(axes.rows)
    rules = replace(OWN.ruleset, columns=columns, rows=rows, fleet=(4, 3, 3, 2, 2))
    saved = begun(Setup(rules, (None, "random"), OWN).with_part(axes), number)
    return replace(saved, setup=replace(saved.setup, minds=(None, mind))).with_minds_played()


def over(axes: Axes) -> SavedMatch:
    return played(labelled(axes), 12).resigned(Side.FIRST)


# --- what the tests of all pages, tokens and requests find here ---

PAGES = {
    "class": "class/",
    "exercise, new": "class/new/?title=Words&column_labels=a;b&row_labels=1..6",
    "exercise": "class/exercise/?title=Words&task=Say+it&column_labels=1..8&row_labels=1..6",
    "labels": lambda: played(labelled(WORDS), 12),
    "labels, placing": lambda: draft_address(Draft(labelled(NUMBERS).setup)),
    "labels, firing": lambda: played(labelled(NUMBERS), 12),
    "labels, refused": "new/short/?column_labels=a;b&cells=typed",
    "labels, over": lambda: over(WORDS),
    "labels, replay": lambda: f"{public_replay_address(over(NUMBERS))}?step=9",
    "labels, hostile": lambda: played(labelled(HOSTILE), 12),
}
CROWDED = {name for name in PAGES if name.startswith("labels")}
"""The pages whose labels overlap where text is enlarged: a board has no room for them."""
SAMPLED = ("labels",)
"""The pages that `make test` looks at in a browser."""
PATHS = ("class/", "class/new/", "class/exercise/?column_labels=1..8&row_labels=1..6")
PUBLIC = ("class/",)
"""The pages in the sitemap."""
FUZZED = {"labels": "play/{}/", "replay, with labels": "film/{}/"}


def golden() -> dict[str, Any]:
    """A match, a search alone, a replay and a draft."""
    ask = PRESETS["ask"]
    setup = golden_samples.Setup(ask.ruleset, (None, "sailor"), ask).with_part(WORDS)
    match = golden_samples.match_of(ask.ruleset, 9)
    ended = SavedMatch(setup, match.resign(Side.FIRST))
    alone = golden_samples.solo(ask.ruleset, ask).with_part(replace(WORDS, language=""))
    search = golden_samples.match_of(alone.ruleset, 4)
    return {
        "labels": SavedMatch(setup, match),
        "labels, alone": SavedMatch(alone, search),
        "replay, with labels": replace(ended, match=replace(ended.match, seed=bytes(16))),
        "draft, with labels": Draft(setup, match.fleets[0][:2]),
    }


def joined(saved: SavedMatch) -> SavedMatch:
    """The match with words in place of letters and numbers."""
    rules = saved.match.ruleset
    columns = tuple(f"col <{column}>" for column in range(rules.columns))
    rows = tuple(f"row & {row}" for row in range(rules.rows))
    return replace(saved, setup=saved.setup.with_part(Axes(columns, rows, "en")))


def joined_and_typed(saved: SavedMatch) -> SavedMatch:
    """The same, and the cells are typed."""
    found = joined(saved)
    axes = found.setup.part(Axes)
    assert axes is not None
    return replace(found, setup=found.setup.with_part(replace(axes, is_typed=True)))


WORLDS = {
    "labels": (replace(PRESETS["milton"].ruleset, touching=True, named=True), "recruit", joined),
    "labels, alone": (replace(PRESETS["short"].ruleset, solo=True), "random", joined_and_typed),
    "labels, questions": (PRESETS["ask"].ruleset, "", joined_and_typed),
}
"""Worlds of matches that differ in hidden things only, with labels in both."""


def longest(saved: SavedMatch) -> SavedMatch:
    """The match with labels of as many bytes as a token may have of them."""
    rules = saved.match.ruleset
    room = MOST_BYTES - (rules.columns + rules.rows - 1)
    count = rules.columns + rules.rows
    sizes = [room // count + (number < room % count) for number in range(count)]
    labels = tuple(f"{number:02}".ljust(size, "x") for number, size in enumerate(sizes))
    axes = Axes(labels[: rules.columns], labels[rules.columns :], "x" * 8, is_typed=True)
    assert len(axes.text.encode()) == MOST_BYTES
    return replace(saved, setup=saved.setup.with_part(axes))


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """The largest board with the longest labels, alone: looked at, and a cell typed."""
    rules = replace(OWN.ruleset, columns=LARGEST, rows=LARGEST)
    saved = longest(begun(solo(rules, OWN)))
    where = reverse("play", args=[seal_match(saved)])
    yield Request("play", "the longest labels", where)
    hostile = {"cell": "x " * 2000, "typed": "on"}
    yield Request("play", "a typed name of no cell", where, hostile)
    yield Request("setup", "refused labels", reverse("setup", args=["own"]) + "?column_labels=a")
    yield Request("class", "GET", reverse("class"))
    yield Request("replay", "labels", address(over(WORDS), page="replay"))


def _in_terminal() -> tuple[str, str, list[str]]:
    where = address(labelled(HOSTILE, mind="random"))
    says = [
        "Columns: A <b>, B &amp;,", "Rows: 1 </td>, 2 %s, 3 {0},",
        "There is no row “stya”. Did you mean stay?", "You: B7 / stay,",
    ]  # fmt: skip
    return where, "B7 / stya\nb7 stay\n", says


TERMINAL = [_in_terminal]
"""A path that the terminal loads, what is typed there, and what it says."""

IN_ENGLISH = ("game/features/axes/management/commands/exercises.py",)
"""What an operator reads."""
