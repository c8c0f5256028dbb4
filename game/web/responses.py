"""What responses of views and of middleware have in common: cookies and error pages."""

from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from game.web.page_json import is_in_json, json_response
from game.web.spelling import cleaned

SECONDS = 1
"""The time after which a request that was refused for the moment may be repeated."""


def set_cookie(
    request: HttpRequest,
    response: HttpResponse,
    name: str,
    value: str,
    max_age: int,
    *,
    path: str = "/",
) -> None:
    """Has the browser keep a value that no script reads, for `max_age` seconds."""
    response.set_cookie(
        name, value, max_age, path=path, secure=request.is_secure(), httponly=True, samesite="Lax"
    )


class SwitchedOff(Http404):
    """What is asked for is switched off on this site, as the message says in one sentence."""


def error_page(
    request: HttpRequest,
    status: int,
    title: str,
    sentence: str,
    why: str = "",
    *,
    ways: Sequence[tuple[str, str]] = (),
    drawing: str = "water",
    template: str = "error.html",
    address: str = "",
) -> HttpResponse:
    """A page that says what happened and why, under a drawing of that name.

    `ways` are the addresses and texts of its first links, the best way on first. The links
    to other languages lead to `address` instead of the request's own.
    """
    if is_in_json(request):
        return json_response({"status": sentence}, status=status)
    ways = ways or [(reverse("home"), _("To the home page"))]
    context = {"title": title, "sentence": sentence, "why": why, "ways": ways, "drawing": drawing}
    if address:
        context["address"] = address
    return render(request, template, context, status=status)


def one_moment(request: HttpRequest, sentence: str) -> HttpResponse:
    """A 503 page; a browser asks for the other one again by itself, and a proxy another copy."""
    why, ways = _("Nothing has changed. Go back and try again."), []
    if request.method == "GET":
        why = _("This page tries again by itself.")
        ways = [(request.get_full_path(), _("Try again"))]
    title = _("One moment")
    response = error_page(request, 503, title, sentence, why, ways=ways, drawing="bonn-still")
    response["Retry-After"] = str(SECONDS)
    if request.method == "GET":
        response["Refresh"] = str(SECONDS)
    return response


def unreadable_form(request: HttpRequest, status: int) -> HttpResponse:
    """The response to a body that no form of this site sends."""
    sentence = _("This form did not come from this site.")
    if status == 413:
        sentence = _("It is longer than any form of this site.")
    title, why = _("That can’t be read"), _("Nothing has changed. Go back and try again.")
    return error_page(request, status, title, sentence, why, drawing="wreck", address=settings.PATH)


def other_body(request: HttpRequest, kind: str) -> HttpResponse:
    """The response to a body of another type, or in another character set, which it names."""
    words = {"form": "application/x-www-form-urlencoded; charset=utf-8", "kind": cleaned(kind[:60])}
    sentence = _("This site reads %(form)s, but this is “%(kind)s”.") % words
    title, why = _("That can’t be read"), _("Nothing has changed. Go back and try again.")
    return error_page(request, 415, title, sentence, why, drawing="wreck", address=settings.PATH)


def foreign_form(request: HttpRequest) -> HttpResponse:
    sentence = _("For your safety, this site takes moves from its own pages only.")
    why = _("Nothing has changed. If you pressed a button of this site, go back and load its page.")
    return error_page(request, 403, _("Sent from another site"), sentence, why)


def unknown_host(request: HttpRequest) -> HttpResponse:
    """The response at a name or a port that is not the site's, where none of its links lead."""
    with override(get_language_from_request(request, check_path=True)):
        sentence = _("This site does not answer under this name. Check the address.")
    return HttpResponse(f"{sentence}\n", content_type="text/plain; charset=utf-8", status=400)
