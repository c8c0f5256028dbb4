"""Every kind of page, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache

from game.deduction.match import Mode
from game.deduction.rules import MELBOURNE
from game.deduction.saved import begin_daily
from game.engine.actions import Ask, Fire
from game.engine.chance import SEED_BYTES
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches import daily
from game.matches.draft import Draft
from game.matches.referee import decide
from game.matches.saved import SavedMatch, begin
from game.matches.setup import LINK_BYTES, Assists, Day, solo
from game.matches.tokens import seal_match
from game.players.minds import MINDS
from game.puzzles import pool
from tests.support import deduction
from tests.support.browser import Page
from tests.support.challenges import link, made
from tests.support.deduction import MATCHES
from tests.support.matches import (
    MINE,
    STILL,
    address,
    begun,
    coached,
    draft_address,
    firing_late,
    lost,
    nearly_won,
    place_address,
    public_replay_address,
    replay_address,
    review_address,
    taught,
    won,
)
from tests.support.puzzles import worst

Address = Callable[[str], str]

EXPECTS = "status of (400|404|422)"
"""The errors that these pages are about."""


DAY = Day(date(2026, 11, 22), 1, bytes(LINK_BYTES))
"""Of no site: pages of a day look the same whatever chain its fleet comes from."""
DEDUCTION = begin_daily(DAY.date, bytes(SEED_BYTES))
PUZZLE = pool.puzzles()[0].name
PUZZLE_PAGE = f"/en/puzzles/{PUZZLE}/"
FAR = MELBOURNE.parse("A1 B1 C1")


def sea(misses: int = 5, hits: int = 6) -> SavedMatch:
    """A day's sea after so many shots at water and at ships."""
    milton = PRESETS["milton"]
    rules = daily.sea_rules(milton.ruleset)
    saved = begin(replace(solo(rules, milton), day=DAY), bytes(SEED_BYTES))
    match = saved.match
    ships = [cell for ship in match.placements(Side.SECOND) for cell in ship.cells]
    water = [cell for cell in match.ruleset.board.cells if cell not in ships]
    for cell in (*water[:misses], *ships[:hits]):
        match = match.fire(cell)
    return replace(saved, match=match)


def taken_up() -> SavedMatch:
    """A match that takes up the challenge of a sea, after some shots."""
    return replace(sea(), setup=replace(sea().setup, day=None), challenge=made(sea_sunk()))


@cache
def sea_sunk() -> SavedMatch:
    """A day's sea that was searched to its end, and its par."""
    return sea(hits=17).with_par_played(100)


def corners(text: str) -> tuple[Cell, Cell]:
    first, last = text.split()
    return STILL.board.parse(first), STILL.board.parse(last)


def asked() -> SavedMatch:
    """A match after two questions, one answered yes and one no, with the coach on."""
    saved = begun(replace(STILL, questions=5), assists=Assists(coach=True))
    match = saved.match
    for question, shot in (("A1 D2", 99), ("F9 H10", 9)):
        match = match.act(Ask(*corners(question))).act(Fire(Cell(shot)))
        while match.side is not Side.FIRST:
            match = decide(MINDS["random"], match)
    return replace(saved, match=match)


def _fixed(rest: str) -> Address:
    return lambda language: f"/{language}/{rest}"


ADDRESSES: dict[str, Address] = {
    "home": _fixed(""),
    "games": _fixed("games/"),
    "today": _fixed("today/"),
    "rules": _fixed("rules/"),
    "about": _fixed("about/"),
    "thinking": _fixed("thinking/"),
    "position": _fixed("position/?sea=milton&water=A1+B2&hit=C3+H6-4&sunk=D5h3+2@I1"),
    "position, refused": _fixed("position/?sea=milton&water=C2+B3+D3+C4&hit=C3"),
    "puzzle": _fixed(f"puzzles/{PUZZLE}/"),
    "puzzle, solved": _fixed(f"puzzles/{PUZZLE}/?cell={worst(PUZZLE_PAGE)}"),
    "puzzle, own": _fixed("puzzles/own/?sea=ask&water=A1+B2&hit=C3&sunk=D6h5+A8h3&cell=H1"),
    "puzzle, refused": _fixed(f"puzzles/{PUZZLE}/?cell=Z9"),
    "settings": _fixed("settings/"),
    "placing, empty": _fixed("new/bonn/"),
    "placing, part": lambda language: place_address("B2h5 J4v4", language),
    "placing, refused": lambda language: place_address("B2h5 B5h4", language),
    "placing, ready": lambda language: place_address(MINE, language),
    "firing, refused": lambda language: address(nearly_won(), language),
    "firing, late": lambda language: address(firing_late(), language),
    "own waters enlarged": lambda language: f"{address(firing_late(), language)}?look=own",
    "over": lambda language: address(lost(), language),
    "replay": lambda language: f"{replay_address(lost(), language)}?step=30",
    "options": _fixed("setup/uppsala/"),
    "composing, refused": _fixed("new/own/?columns=6&rows=6"),
    "search watched": lambda language: f"{replay_address(sea_sunk(), language)}?step=9",
    "curtain": lambda language: address(begun(minds=(None, None)), language),
    "radar": lambda language: address(begun(preset=PRESETS["uppsala"]), language),
    "review": lambda language: f"{review_address(won(), language)}?step=20&check=on",
    "review, at a hit": lambda language: review_address(won(), language),
    "share": lambda language: address(won(), language, page="share"),
    "challenge": lambda language: link(made(sea_sunk()), language),
    "challenge, taken up": lambda language: address(taken_up(), language),
    "challenge, over": lambda language: address(
        replace(sea_sunk(), challenge=made(sea_sunk())), language
    ),
    "challenge, sent": lambda language: f"/{language}/challenge/{seal_match(won())}/send/",
    "elsewhere": lambda language: address(begun(), language, page="elsewhere"),
    "shared replay": lambda language: f"{public_replay_address(lost(), language)}?step=30",
    "coach": lambda language: address(coached(), language),
    "asking": lambda language: address(asked(), language),
    "deduction": _fixed("deduction/"),
    "deduction, hiding": lambda language: deduction.address(MATCHES["hiding"], language),
    "deduction, searching": lambda language: deduction.address(
        deduction.saved(Mode.SEARCH, "A1 H1 A3", "C2 D3 F4", heat=True), language
    ),
    "deduction, watching": lambda language: deduction.address(MATCHES["watching"], language),
    "deduction, race": lambda language: deduction.address(
        deduction.saved(Mode.RACE, "A1 H1 A3"), language
    ),
    "deduction, over": lambda language: deduction.address(MATCHES["raced"], language),
    "deduction, review": lambda language: deduction.address(MATCHES["raced"], language, "review"),
    "over, noticed": lambda language: address(taught(), language),
    "placing, noticed": lambda language: draft_address(Draft(taught().next_round()), language),
    "404": _fixed("nowhere/"),
    "400": _fixed("play/forged/"),
    "daily": lambda language: address(sea(), language),
    "daily, over": lambda language: address(sea_sunk(), language),
    "daily, share": lambda language: address(sea_sunk(), language, page="share"),
    "daily, refused": _fixed("daily/?day=2000-01-01"),
    "deduction, daily": lambda language: deduction.address(DEDUCTION.guess(FAR), language),
    "deduction, daily, over": lambda language: deduction.address(
        DEDUCTION.guess(FAR).guess(DEDUCTION.match.mine.place), language
    ),
}


def show(page: Page, name: str, language: str) -> None:
    """Brings the page of that name, unfolded where it folds."""
    page.goto(ADDRESSES[name](language))
    if name == "placing, refused":
        with page.answered():
            page.click("button[value=start]", force=True)
    if name == "firing, refused":
        page.click("#text-view > summary")
        page.fill("#typed", "z9")
        with page.answered():
            page.keys("Enter")
    if name == "asking":
        page.check("#mode-ask")
    page.evaluate("""() => document.querySelectorAll("details").forEach((it) => {
      it.removeAttribute("name"); // of those with one name only one would stay open
      it.open = true;
    })""")
