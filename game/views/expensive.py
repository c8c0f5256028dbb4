"""Expensive answers, of which each process computes one at a time."""

from __future__ import annotations

from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from game.responses import one_moment
from game.views.answers import View

PLACES = 2
"""How many answers are computed or wait for that. The other threads are for clicks."""
_places, _turn = BoundedSemaphore(PLACES), Lock()


def one_at_a_time(view: View) -> View:
    """Decorates a view that may take a tenth of a second; it answers 503 if all places are taken.

    Threads share Python's lock, so two such answers at once would not be ready sooner, but would
    slow down clicks.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _places.acquire(blocking=False):
            return one_moment(request, _("The server is busy with other pages of this kind."))
        try:
            with _turn:
                return view(request, *args, **kwargs)
        finally:
            _places.release()

    return wrapper
