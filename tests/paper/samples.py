"""Pages to print, for tests of all pages and requests."""

from collections.abc import Iterator

from django.urls import reverse

from bench.requests import Request
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match
from tests.support.matches import address, begun

TIGHT = "size=15&n3=30&touching=nowhere&moving=off&turns=none"
"""The rules whose fleets take longest to be dealt."""
PAGES = {
    "paper": "paper/milton/",
    "paper, of a match": lambda: address(begun(), page="sheet"),
    "paper, dealt": "paper/short/?deal=class",
}
SAMPLED = ("paper",)
"""The pages that `make test` looks at in a browser."""
ANY_PAGES = ("sheet",)
"""The path components of pages of any match."""
PATHS = ("paper/bonn/", "paper/own/?deal=x&size=9", "sheet/T/")
FUZZED = {"learning": "sheet/{}/"}


def requests(saved: SavedMatch) -> Iterator[Request]:
    """Empty sheets, those of a match, and a deal that is hard to find."""
    where = reverse("paper", args=["own"])
    yield Request("paper", "15 by 15", f"{where}?size=15&turns=none")
    yield Request("paper", "30 ships that never touch, dealt", f"{where}?{TIGHT}&deal=x")
    yield Request("paper_of", "Bonn", reverse("paper_of", args=[seal_match(saved)]))
