"""Reviews for tests of all pages and requests."""

from collections.abc import Iterator

from django.urls import reverse

from bench.matches import begun
from bench.requests import LATE, Request, late
from game.engine.rules import Side
from game.features.review import review_progress
from game.features.review.review_progress import ReviewProgress
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match
from tests.support.matches import address, won

PAGES = {
    "review": lambda: address(won(), page="review") + "?step=20&check=on",
    "review, at a hit": lambda: address(won(), page="review"),
}
ENDED_PAGES = ("review",)
"""The path components of pages of an ended match."""
PATHS = ("review/T/",)
ONLY_ITS_OWN = ("review",)
SHORT_LIVED = {review_progress.PURPOSE: "a review in progress that can't be opened starts again"}
"""Purposes of tokens that no later version has to read, and why."""


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """A whole review, a late step of it, and the check of the computer's first decisions."""
    for what in LATE:
        over = late(what).resigned(Side.FIRST)
        where = reverse("review", args=[seal_match(over)])
        yield Request("review", what, where, leads_on=True)
        yield Request("review", f"{what}, a late step", f"{where}?step={over.match.ply - 1}")
        setup = Setup(over.match.ruleset, (None, "admiral"))
        short = begun(setup).play_ai_batch().resigned(Side.FIRST)
        done = review_progress.seal(short.match, ReviewProgress().judging(short.match))
        where = reverse("review", args=[seal_match(short), done])
        yield Request("review", f"{what}, check", f"{where}?check=on")
