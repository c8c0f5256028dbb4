"""JSON at the addresses of matches (docs/api.md): the marked values of views, by their names."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from game.display.match_view import Action, CallView, MatchView

JSON, HTML = "application/json", "text/html"
_RANGE = re.compile(r'([\w.+*-]+/[\w.+*-]+)((?:\s*;(?:[^",]|"[^"]*")*)?)')
_QUALITY = re.compile(r";\s*q\s*=\s*([01](?:\.\d*)?)\s*(?:;|$)")
_LONGEST_ACCEPT = 1000
"""A longer header gets HTML, as to read it would take long."""


@lru_cache(maxsize=64)
def prefers_json(accept: str) -> bool:
    """Whether a header `Accept` prefers JSON to HTML, by the precedence of RFC 9110.

    Parameters such as `charset` don't matter, apart from the quality.
    """
    if len(accept) > _LONGEST_ACCEPT:
        return False
    qualities = dict[str, float]()
    for kind, parameters in _RANGE.findall(accept.lower()):
        quality = _QUALITY.search(parameters)
        qualities.setdefault(kind, min(1, float(quality[1])) if quality else 1)
    return _weight(qualities, JSON) > _weight(qualities, HTML)


def _weight(qualities: Mapping[str, float], kind: str) -> tuple[float, int]:
    """Returns the quality of a type by the range that is nearest to it, and how near that is."""
    near = (kind, f"{kind.partition('/')[0]}/*", "*/*")
    weighed = next(((qualities[it], -at) for at, it in enumerate(near) if it in qualities), (0, 0))
    return weighed if weighed[0] else (0, 0)


def is_in_json(request: HttpRequest) -> bool:
    """Whether the response to a request is to be JSON, as the middleware has found."""
    return getattr(request, "is_in_json", False)


def json_response(page: Mapping[str, Any], *, address: str = "", status: int = 200) -> HttpResponse:
    """A response with the values of a page; `address` is the page's own, if it has one."""
    content = {"address": address, **page} if address else page
    return HttpResponse(json.dumps(content, ensure_ascii=False), JSON, status)


def to_json(response: HttpResponse, asked: str) -> None:
    """Turns what is left of a redirect after a form, and of responses without a page, into JSON.

    A page with nothing for programs leaves the address that was `asked` for. Other redirects stay,
    and so does what is no page, such as a record.
    """
    is_html = response.get("Content-Type", "").startswith(HTML)
    if not is_html or response.status_code in (301, 302):
        return
    where = response.get("Location", asked if response.status_code == 200 else "")
    response.headers.pop("Location", None)
    if response.status_code == 303:
        response.status_code = 200
    page = {"address": where} if where else {}
    if response.status_code == 405:
        page["status"] = _("This address takes no request of this kind.")
    response.content = json.dumps(page, ensure_ascii=False).encode()
    response["Content-Type"] = JSON
    response["Content-Length"] = str(len(response.content))


def match_json(view: MatchView) -> dict[str, Any]:
    """What a page of a match tells programs."""
    status = f"{view.status.whole} {view.first_ages}"
    page = _page(status, view.handles, view.actions.values(), view.links)
    page["boards"] = {
        board.kind: {
            "rows": [[cell.state for cell in row] for row in board.rows],
            "cells": {name: cell.figures for name, cell in board.named_cells if cell.figures},
        }
        for board in (view.enemy, view.own)
        if board
    }
    fleets = {"enemy": view.fleets.enemy, "own": view.fleets.own}
    asked = view.questions.asked if view.questions else ()
    parts = {
        "fleets": {
            side: [kind.handles for kind in fleet] for side, fleet in fleets.items() if fleet
        },
        "asked": [box.handles for box in asked],
        **view.proof.handles,
        **view.fleet.handles,
        "statement": view.proof.statement,
        "title": view.setup.title,
        "task": view.setup.task,
        "rules": _text(view.rules),
        "results": [_text(line) for line in view.results],
    }
    return page | {key: value for key, value in parts.items() if value}


def call_json(call: CallView) -> dict[str, Any]:
    """What the page that a friend's link opens tells programs."""
    page = _page(call.sentence, call.handles, call.actions, call.links)
    told = {"rules": _text(call.rules), "results": [_text(line) for line in call.results]}
    return {key: value for key, value in (page | told).items() if value or value == 0}


def _page(
    status: str,
    handles: Mapping[str, str | int],
    actions: Iterable[Action],
    links: Mapping[str, str],
) -> dict[str, Any]:
    return {
        **({"status": _text(status)} if _text(status) else {}),
        **handles,
        "actions": [
            {
                "address": action.address,
                "fields": _grouped(action.fields),
                "buttons": _grouped(action.buttons),
            }
            for action in actions
            if action.buttons
        ],
        "links": {name.replace("_", "-"): where for name, where in links.items()},
    }


def _text(words: str) -> str:
    """The words with single spaces."""
    return " ".join(words.split())


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped
