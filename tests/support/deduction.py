"""The deduction game for tests: seas and places by hypothesis, and matches without playing."""

from dataclasses import replace
from datetime import date

from hypothesis import strategies as st

from game.deduction import referee
from game.deduction.match import Mode, Search
from game.deduction.rules import MELBOURNE, Cells, Rules
from game.deduction.saved import SavedMatch, begin_daily, seal_match, unseal_match

SEAS = [
    MELBOURNE,
    Rules(columns=4, rows=4, ships=1),
    Rules(columns=6, rows=4, ships=2),
    Rules(columns=5, rows=5, ships=4),
]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rules, Cells, Cells]:
    """A sea, a hiding place and a guess."""
    rules = draw(st.sampled_from(SEAS))
    cells = st.lists(
        st.sampled_from(list(rules.board.cells)),
        min_size=rules.ships, max_size=rules.ships, unique=True,
    )  # fmt: skip
    return rules, rules.cells(draw(cells)), rules.cells(draw(cells))


# --- matches ---

PLACE = "B1 C3 H4"
MISSES = ("E1 E2 E3", "A1 H1 A3", "C2 D3 F4")
OWN = MELBOURNE.parse("A1 D2 G4")


def saved(
    mode: Mode,
    *guesses: str,
    searcher: str = "strong",
    heat: bool = False,
    place: Cells = MELBOURNE.parse(PLACE),  # noqa: B008 (cells never change)
    own: Cells | None = OWN,
) -> SavedMatch:
    """A match whose ships lie at `place`, and in which so much was guessed.

    The person has hidden at `own`, unless that is None.
    """
    match = referee.begin(MELBOURNE, mode, bytes(range(16)))
    if match.mine:
        match = replace(match, mine=Search(MELBOURNE, place))
    found = SavedMatch(match, searcher, heat)
    if mode is not Mode.SEARCH and own:
        found = found.hide(own)
    for guess in guesses:
        found = found.guess(MELBOURNE.parse(guess))
    return found


def given_up(it: SavedMatch) -> SavedMatch:
    """The match after the person has given up."""
    return replace(it, match=it.match.give_up())


def address(it: SavedMatch, language: str = "en", page: str = "play") -> str:
    """Where a match is played."""
    return f"/{language}/deduction/{page}/{seal_match(it)}/"


def saved_at(where: str) -> SavedMatch:
    """The match at an address or a path."""
    return unseal_match(where.rstrip("/").rsplit("/", 1)[1])


MATCHES = {
    "search": saved(Mode.SEARCH, *MISSES[:2], searcher="middle"),
    "heat": saved(Mode.SEARCH, *MISSES, searcher="middle", heat=True),
    "hiding": saved(Mode.HIDE, own=None, searcher="middle"),
    "watching": saved(Mode.HIDE, searcher="middle", heat=True).watch(to_the_end=False),
    "race": saved(Mode.RACE, MISSES[0], searcher="middle"),
    "won": saved(Mode.SEARCH, MISSES[0], PLACE, searcher="easy"),
    "raced": saved(Mode.RACE, MISSES[0], PLACE, searcher="middle"),
    "found": saved(Mode.HIDE, searcher="middle").watch(to_the_end=True),
    "given up": given_up(saved(Mode.SEARCH, MISSES[0])),
    "of a day": begin_daily(date(2026, 5, 3), bytes(16)),
}
"""Matches of all ways to play, in each of their phases."""
