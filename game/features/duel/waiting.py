"""The address that pages ask every second: whether there is a newer step, and who is there."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse

from game.features.duel import presence
from game.ops import match_store
from game.web.middleware import answers_early, is_foreign

_WAIT = re.compile(r"/wait/([A-Za-z0-9_-]{22})/([0-9]+|placing)/", re.ASCII)
"""The key is printed on one seat's pages only; the step is the newest that they have shown."""
_WHO = re.compile(r"(?:of=([A-Za-z0-9_-]{22}))?&?(hide)?", re.ASCII)
"""Whose presence is asked for, and whether the page's own is not to be shown."""


@answers_early
def answer_waiting(request: HttpRequest) -> HttpResponse | None:
    """Answers /wait/KEY/STEP/?of=KEY, which pages ask every second: 204 while the step is the same.

    200 without content means that the page should ask for itself again. A page on which a fleet is
    placed asks only to be known to be there, and a page that is closed says so by POST. It is one
    read of the match store, and a write every five seconds at most, before anything else: nothing
    is unsealed, and a stranger learns nothing.
    """
    if not request.path_info.startswith("/wait/"):
        return None
    found = _WAIT.fullmatch(request.path_info)
    who = _WHO.fullmatch(request.META.get("QUERY_STRING", ""))
    if found is None or who is None or not match_store.is_on():
        return _empty(404)
    if request.method not in ("GET", "POST"):
        return _empty(405, Allow="GET, POST")
    if request.method == "POST" and is_foreign(request):
        return _empty(403)
    is_shown, state = not who[2], request.headers.get("Presence", "")
    try:
        if request.method == "POST":
            if is_shown:
                presence.close(found[1])
            return _empty(204)
        step, there = presence.ask(found[1], who[1] or "", is_shown=is_shown, state=state)
    except match_store.MatchStoreDown:
        return _empty(503, **{"Retry-After": "5"})
    headers = {"Presence": str(there)} if str(there) else {}
    if there.nudge:
        headers["Nudge"] = str(there.nudge)
    return _empty(204 if found[2] in (step, "placing") else 200, **headers)


def _empty(status: int, **headers: str) -> HttpResponse:
    headers |= {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
    return HttpResponse(content_type="text/plain", status=status, headers=headers)
