"""What views read from a request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

from game.matches.cell_names import CellNames
from game.web.page_json import is_in_json
from game.web.spelling import cleaned

View = Callable[..., HttpResponse]


class HtmxRequest(HttpRequest):
    """A request that django-htmx's middleware has handled."""

    htmx: HtmxDetails


def swaps(request: HtmxRequest) -> bool:
    """Whether a script or a program gets the response, which follows no redirect."""
    return bool(request.htmx) or is_in_json(request)


def typed(request: HttpRequest, longest: int, cell_names: CellNames | None = None) -> str:
    """The start of a text that was typed and refused, without what can't be typed.

    `longest` is for names such as `B7`; labels may be four times as long.
    """
    text = request.POST.get("cell", "") if "typed" in request.POST else ""
    longest = 4 * longest if cell_names and cell_names.is_labelled else longest
    return cleaned(text)[:longest]


def step_of(text: str, last: int, first: int = 0) -> int:
    """The step that a query asks for, clamped to `first` and `last`; `first` if it is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return min(max(int(text), first), last) if is_number else first
