"""The address that pages ask every second: whether there is a newer step, and who is there."""

import re

from django.http import HttpRequest, HttpResponse

from game.features.duel import models
from game.ops import database
from game.web.middleware import is_foreign

_WAIT = re.compile(r"/wait/([A-Za-z0-9_-]{11,16})/([A-Za-z0-9_-]{22})/([0-9]+|placing)/", re.ASCII)
"""The key is printed on one seat's pages only; the step is the newest that they have shown."""


def answer_waiting(request: HttpRequest) -> HttpResponse:
    """Answers /wait/ID/KEY/STEP/, which pages ask every second: 204 while the step is the same.

    200 without content means that the page should ask for itself again. A page on which a fleet is
    placed asks only to be known to be there, and a page that is closed says so by POST. With `hide`
    the page's presence isn't shown. It is one SELECT, and an UPDATE every ten seconds at most.
    """
    path, query = _WAIT.fullmatch(request.path_info), request.META.get("QUERY_STRING", "")
    if path is None or query not in ("", "hide") or not database.is_on():
        return _empty(404)
    if request.method not in ("GET", "POST"):
        return _empty(405, Allow="GET, POST")
    if request.method == "POST" and is_foreign(request):
        return _empty(403)
    duel_id, key, step = path.groups()
    try:
        row = models.poll(duel_id, key)
        if row is None:  # the inviting player has yet to start, or the row was deleted
            return _empty(204 if step == "placing" else 200)
        if request.method == "POST":
            models.record(duel_id, row.side, row.own, row.own.closed())
            return _empty(204)
        after = row.own.after(request.META.get("HTTP_PRESENCE", ""), is_shown=not query)
        models.record(duel_id, row.side, row.own, after)
    except PermissionError:
        return _empty(404)
    except database.DatabaseDown:
        return _empty(503, **{"Retry-After": "5"})
    headers = {"Presence": str(row.other), "Call": str(row.other.call or "")}
    headers = {name: text for name, text in headers.items() if text}
    return _empty(204 if step in (str(row.step), "placing") else 200, **headers)


def _empty(status: int, **headers: str) -> HttpResponse:
    headers |= {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
    return HttpResponse(content_type="text/plain", status=status, headers=headers)
