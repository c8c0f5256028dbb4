"""Every kind of page, for tests that look at all of them."""

from collections.abc import Callable
from dataclasses import replace

from game.engine.actions import Ask, Fire
from game.engine.geometry import Cell
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.referee import decide
from game.matches.saved import SavedMatch
from game.matches.setup import Assists
from game.players.minds import MINDS
from tests.support import features
from tests.support.browser import Page
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
    sea_sunk,
    taught,
)

CROWDED = {name for found in features.brought("CROWDED").values() for name in found}
"""The pages of features that have no room for enlarged text."""
EXPECTS = "status of (400|404|422)"
"""The errors that these pages are about."""


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


ADDRESSES: dict[str, str | Callable[[], str | SavedMatch]] = {
    "home": "",
    "games": "games/",
    "rules": "rules/",
    "about": "about/",
    "thinking": "thinking/",
    "settings": "settings/",
    "placing, empty": "new/bonn/",
    "placing, part": lambda: place_address("B2h5 J4v4"),
    "placing, refused": lambda: place_address("B2h5 B5h4"),
    "placing, ready": lambda: place_address(MINE),
    "firing, refused": nearly_won,
    "firing, late": firing_late,
    "own waters enlarged": lambda: f"{address(firing_late())}?look=own",
    "over": lost,
    "replay": lambda: f"{replay_address(lost())}?step=30",
    "options": "setup/uppsala/",
    "composing, refused": "new/own/?columns=6&rows=6",
    "search watched": lambda: f"{replay_address(sea_sunk())}?step=9",
    "search shown": lambda: f"{public_replay_address(sea_sunk())}?step=9",
    "curtain": lambda: begun(minds=(None, None)),
    "radar": lambda: begun(preset=PRESETS["uppsala"]),
    "shared replay": lambda: f"{public_replay_address(lost())}?step=30",
    "coach": coached,
    "asking": asked,
    "over, noticed": taught,
    "placing, noticed": lambda: draft_address(Draft(taught().next_round())),
    "404": "nowhere/",
    "400": "play/forged/",
    **features.merged("PAGES"),
}
"""Paths behind the language, and addresses in English or what they are of."""


def address_of(name: str, language: str) -> str:
    """Where the page of that name is."""
    found = ADDRESSES[name]
    where = f"/en/{found}" if isinstance(found, str) else found()
    if isinstance(where, SavedMatch):
        where = address(where)
    return where.replace("/en/", f"/{language}/", 1)


def show(page: Page, name: str, language: str) -> None:
    """Brings the page of that name, unfolded where it folds."""
    page.goto(address_of(name, language))
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
    unfold(page)


def unfold(page: Page) -> None:
    """Opens all that folds, at once."""
    page.evaluate("""() => document.querySelectorAll("details").forEach((it) => {
      it.removeAttribute("name"); // of those with one name only one would stay open
      it.open = true;
    })""")
