"""The page on how the computer thinks: always the same match."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.display.thinking_page import pictures
from game.matches import thinking

FILE = Path(thinking.__file__).with_suffix(".json")


@cache
def story() -> thinking.Story:
    return thinking.read(FILE.read_text(encoding="utf-8"))


@require_safe
def thinking_page(request: HttpRequest) -> HttpResponse:
    """How the computer thinks, in five moments of a match."""
    return render(request, "thinking.html", {"pictures": pictures(story())})
