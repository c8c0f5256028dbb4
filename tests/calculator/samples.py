"""Positions for tests of all pages and requests."""

from collections.abc import Iterator
from itertools import product

from django.urls import reverse

from bench.requests import Request
from game.matches.saved import SavedMatch

PAGES = {
    "position": "position/?sea=milton&water=A1+B2&hit=C3+H6-4&sunk=D5h3+2@I1",
    "position, refused": "position/?sea=milton&water=C2+B3+D3+C4&hit=C3",
}
PATHS = (
    "position/",
    "position/?sea=ask&water=A1+B2&hit=C3-4&sunk=D6h5+3@A8",
    "position/?sea=own&columns=8&rows=9&fleet=3-2-2&touching=nowhere&hit=B7+C8-3&sunk=2@D1",
)
FORMS = (("/en/position/?sea=milton", "td button:not([aria-disabled])"),)
"""Pages with a form, and what is pressed there."""
PRESSES = {"calculator": (lambda: "/en/position/?sea=milton", "td button", "position", "enemy-A1")}
PANELS = [lambda: "/en/position/"]


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """Positions whose fleets can't be counted, with large tables, many ships or a crowded sea."""
    marks = {"an empty sea": "", "many hits": "&hit=A1+C3+E5+G7+I9+K11+M13+A15+O1"}
    fleets = {"30 ships": "-".join("2" * 30), "ships of 8 lengths": "8-7-6-5-4-3-2-1"}
    where = reverse("position")
    for (what, fleet), (marked, fields) in product(fleets.items(), marks.items()):
        sea = f"?sea=own&columns=15&rows=15&touching=nowhere&fleet={fleet}{fields}"
        yield Request("position", f"{what}, {marked}", where + sea)
    small = "?sea=own&columns=8&rows=8&touching=anywhere&hit=A1+C3+E5+G7+B8&fleet="
    for fleet in ("6-5-5-4-4-4-3-2-2-2-1-1-1", "-".join("2" * 22)):
        yield Request("position", f"8 by 8, {fleet}", where + small + fleet)
