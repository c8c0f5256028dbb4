"""The deduction game for tests: seas and places by hypothesis, matches without playing, samples."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import islice
from random import Random

from django.urls import reverse
from hypothesis import strategies as st

from bench.client import Browser
from bench.requests import Request
from game.engine.chance import SEED_BYTES, Chance
from game.features.deduction.hiding_places import as_cells, every_place
from game.features.deduction.match import Mode, Search, anywhere, begin_match
from game.features.deduction.rules import MELBOURNE, SEAS, Cells, Rules
from game.features.deduction.saved import DeductionGame, begin_daily, seal_match, unseal_match
from game.features.deduction.searchers import SEARCHERS
from tests.support.day_games import Form, Game
from tests.support.matches import DAY

SMALL_SEAS = [
    MELBOURNE,
    Rules(columns=4, rows=4, ships=1),
    Rules(columns=6, rows=4, ships=2),
    Rules(columns=5, rows=5, ships=4),
]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Rules, Cells, Cells]:
    """A sea, a hiding place and a guess."""
    rules = draw(st.sampled_from(SMALL_SEAS))
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
) -> DeductionGame:
    """A match whose ships lie at `place`, and in which so much was guessed.

    The person has hidden at `own`, unless that is None.
    """
    match = begin_match(MELBOURNE, mode, bytes(range(16)))
    if match.mine:
        match = replace(match, mine=Search(MELBOURNE, place))
    found = DeductionGame(match, searcher, heat)
    if mode is not Mode.SEARCH and own:
        found = found.hide(own)
    for guess in guesses:
        found = found.guess(MELBOURNE.parse(guess))
    return found


def given_up(it: DeductionGame) -> DeductionGame:
    """The match after the person has given up."""
    return replace(it, match=it.match.give_up())


def address(it: DeductionGame, language: str = "en", page: str = "play") -> str:
    """Where a match is played."""
    return f"/{language}/deduction/{page}/{seal_match(it)}/"


def saved_at(where: str) -> DeductionGame:
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


# --- what the tests of all pages, tokens, days and requests find here ---

OF_DAY = begin_daily(DAY.date, bytes(SEED_BYTES))
FAR = MELBOURNE.parse("A1 B1 C1")
PAGES = {
    "deduction": "deduction/",
    "deduction, hiding": lambda: address(MATCHES["hiding"]),
    "deduction, searching": lambda: address(saved(Mode.SEARCH, MISSES[1], MISSES[2], heat=True)),
    "deduction, watching": lambda: address(MATCHES["watching"]),
    "deduction, race": lambda: address(saved(Mode.RACE, MISSES[1])),
    "deduction, over": lambda: address(MATCHES["raced"]),
    "deduction, review": lambda: address(MATCHES["raced"], page="review"),
    "deduction, daily": lambda: address(OF_DAY.guess(FAR)),
    "deduction, daily, over": lambda: address(OF_DAY.guess(FAR).guess(OF_DAY.match.mine.place)),
}
SAMPLED = ("deduction, searching",)
"""The pages that `make test` looks at in a browser."""
PANELS = [lambda: address(MATCHES["hiding"])]
FORMS = [(lambda: address(MATCHES["search"]), "#act-heat")]
PRESSES = {
    "deduction": (
        lambda: address(MATCHES["search"]), "#act-guess", "searching", "act-guess",
        tuple(f"input[value={it}]" for it in ("A1", "H1", "C3")),
    ),
    "heat": (lambda: address(MATCHES["search"]), "#act-heat", "searching", "act-heat"),
}  # fmt: skip
COMMANDS = [("deduction --seed 1", "a1 b2 c3\n", "1")]
"""Words of commands, what is typed, and what they say."""
PATHS = ("deduction/", "deduction/daily/", "deduction/play/T/", "deduction/review/T/")
PUBLIC = ("deduction/",)
"""The pages in the sitemap."""
ON_ABOUT = {"deduction-": "the deduction of a day"}
"""What the page about the game says of its cookie."""
ONLY_ITS_OWN = ("deduction",)
CARDS = {"deduction": "deduction"}
"""The ids of cards of games, and where they lead."""
GOLDEN_FORMS = {"deduction": (seal_match, unseal_match)}


def golden() -> dict[str, DeductionGame]:
    return {
        "deduction": replace(saved(Mode.SEARCH, *MISSES), started_hour=494_000),
        "deduction, a race": saved(Mode.RACE, MISSES[0], searcher="easy"),
        "deduction, of a day": replace(
            begin_daily(date(2026, 11, 22), bytes(16)), heat=True, was_helped=True
        ).guess(MELBOURNE.parse(PLACE)),
    }


class _OfDay(Game):
    """Today's deduction."""

    def saved_at(self, where: str) -> DeductionGame:
        return saved_at(where)

    def seed_name(self, day: date) -> str:
        return "deduction"

    def marks(self, where: str) -> tuple[str, ...]:
        return ("helped",) if saved_at(where).is_helped else ()

    def misses(self, where: str, count: int = 1) -> list[Form]:
        place = saved_at(where).match.mine.place
        others = (cells for cells in map(as_cells, every_place(MELBOURNE)) if cells != place)
        return [{"cell": MELBOURNE.names(cells).split()} for cells in islice(others, count)]

    def finish(self, where: str) -> list[Form]:
        place = saved_at(where).match.mine.place
        return [{"cell": MELBOURNE.names(place).split(), "action": "guess"}]


DAY_GAMES = {
    "deduction": _OfDay(
        page="deduction/daily/",
        front="deduction/",
        cookie="deduction-",
        purpose="deduction",
        sentence={
            "en": "There is no deduction for that day now.",
            "de": "Für diesen Tag gibt es gerade nichts zu kombinieren.",
        },
        give_up={"action": "surrender"},
        helps={"heat": "helped"},
        back=("helped",),
    )
}


def requests(_saved: object) -> Iterator[Request]:
    """The first guesses of a race in the largest sea, and all of a computer's at once."""
    for name in ("deduction", "deduction_daily"):
        yield Request(name, "GET", reverse(name))
    seed, sea = bytes(SEED_BYTES), SEAS["large"]
    for searcher in SEARCHERS:
        race = DeductionGame(begin_match(sea, Mode.RACE, seed), searcher).hide(None)
        for guess in range(3):
            where = reverse("deduction_play", args=[seal_match(race)])
            place = anywhere(sea, Chance(seed, "guess", guess))
            form, what = {"cell": sea.names(place)}, f"race, {searcher}"
            yield Request("deduction_play", f"{what}, guess {guess + 1}", where, form)
            race = race.guess(place)
        watched = DeductionGame(begin_match(sea, Mode.HIDE, seed), searcher).hide(None)
        where = reverse("deduction_play", args=[seal_match(watched)])
        yield Request("deduction_play", f"watch all, {searcher}", where, {"action": "all"})
        over = reverse("deduction_review", args=[seal_match(watched.watch(to_the_end=True))])
        yield Request("deduction_review", searcher, over)


def visit(browser: Browser, language: str, chance: Random) -> Iterator[int]:
    """A visit to a match up to the first guess; yields the status of each answer."""
    sea, way = chance.choice(("small", "original", "large")), chance.choice(("search", "hide"))
    answer = browser.send(f"{language}deduction/", {"sea": sea, "way": way})
    yield answer.status
    if answer.leads_to:
        yield browser.send(answer.leads_to).status
        yield browser.send(answer.leads_to, {"heat": "on"}, htmx=True).status
