"""Responses of views: a page, a part of it for htmx, JSON, or a redirect."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRedirect, replace_url

from game.display.match_view import CallView
from game.views.page import Page
from game.views.requests import HtmxRequest, swaps
from game.web.page_json import call_json, is_in_json, json_response, match_json


def show(request: HtmxRequest, page: Page, *, status: int = 200) -> HttpResponse:
    """The page, the part of it that changes for htmx, or JSON."""
    if page.view and is_in_json(request):
        return json_response(match_json(page.view), address=page.address, status=status)
    is_part = bool(request.htmx)
    template = f"{page.folder}/{'fragment' if is_part else 'page'}.html"
    here = page.address if is_part else request.get_full_path()
    response = render(request, template, {**page.context, "here": here}, status=status)
    return replace_url(response, page.address) if is_part else response


def show_call(
    request: HttpRequest, template: str, call: CallView, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The page that a friend's link opens, or JSON."""
    if is_in_json(request):
        address = request.get_full_path() if status == 200 else ""
        return json_response(call_json(call), address=address, status=status)
    return render(request, template, {"call": call, **context}, status=status)


def panel(
    request: HtmxRequest, template: str, context: dict[str, Any], *, has_form: bool = False
) -> HttpResponse:
    """A part of a page for htmx, else a page of its own."""
    if is_in_json(request):  # it has nothing for programs, though perhaps a form
        page: dict[str, Any] = {"actions": []} if has_form else {}
        return json_response(page, address=request.get_full_path())
    is_part = bool(request.htmx)
    context = {"panel_title": "", **context, "panel": template, "is_part": is_part}
    return render(request, template if is_part else "game/panel.html", context)


@dataclass(frozen=True)
class Answer:
    """What a view answers to a form, with the cookies that are written at the end."""

    page: Page
    status: int = 200
    is_accepted: bool = False
    """Whether a browser without a script is led to the page's address."""
    keep: Callable[[HttpResponse], None] = lambda _response: None
    """Has the browser keep what has come of the form."""

    def response(self, request: HtmxRequest) -> HttpResponse:
        if self.is_accepted:
            response = fragment_or_redirect(request, self.page)
        else:
            response = show(request, self.page, status=self.status)
        self.keep(response)
        return response


def fragment_or_redirect(request: HtmxRequest, page: Page) -> HttpResponse:
    """The response to an accepted form: the page for a script or a program, else a redirect."""
    return show(request, page) if swaps(request) else see_other(page.address)


def lead_to(request: HtmxRequest, where: str) -> HttpResponse:
    """A redirect to a page that htmx doesn't swap in."""
    return HttpResponseClientRedirect(where) if request.htmx else see_other(where)


def see_other(where: str) -> HttpResponse:
    """A 303 redirect, which browsers follow with GET even after a POST."""
    return HttpResponseRedirect(where, status=303)
