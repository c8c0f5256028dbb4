"""The numbers that a projector asks for every other second."""

import re

from django.http import HttpRequest, HttpResponse

from game.features.room import models
from game.features.room.models import Room
from game.ops import database

_COUNT = re.compile(r"/count/([A-Za-z0-9_-]{11,16})/", re.ASCII)


def answer_counting(request: HttpRequest) -> HttpResponse:
    """Answers /count/ID/: `24 20 4 open`, those who have joined, search, and have found.

    The word is `full` once nobody may join, and `closed` once the page should be loaded again.
    """
    asked = _COUNT.fullmatch(request.path_info)
    if asked is None or request.method != "GET" or not database.is_on():
        return _text("", 404)
    try:
        row = Room.find(id=asked[1])
        if row is None or row.is_closed:
            return _text("0 0 0 closed", 200)
        counts = models.counts_of(row)
    except database.DatabaseDown:
        return _text("", 503)
    word = "open" if row.is_joinable else "full"
    return _text("{joined} {searching} {found} ".format(**counts) + word, 200)


def _text(text: str, status: int) -> HttpResponse:
    headers = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
    return HttpResponse(text, content_type="text/plain", status=status, headers=headers)
