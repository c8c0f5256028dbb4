"""What responses of views and of middleware have in common: cookies and error pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _


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
        name, value, max_age=max_age, path=path, samesite="Lax", secure=request.is_secure(),
        httponly=True,
    )  # fmt: skip


def error_page(
    request: HttpRequest, status: int, title: str, sentence: str, **context: Any
) -> HttpResponse:
    """A page with one sentence that leads to the home page and to a new match."""
    context = {"new_address": reverse("new", args=["bonn"]), **context}
    context |= {"title": title, "sentence": sentence}
    return render(request, "error.html", context, status=status)


def unreadable_form(request: HttpRequest, status: int) -> HttpResponse:
    """The response to a body that no form of this site sends."""
    sentence = _("This form did not come from this site.")
    return error_page(request, status, _("That can’t be read"), sentence, address="/")


def foreign_form(request: HttpRequest) -> HttpResponse:
    sentence = _("For your safety, this site takes moves from its own pages only.")
    return error_page(request, 403, _("Sent from another site"), sentence)
