"""Refusals and faults, each a page with one sentence."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse

from game.ops import metrics


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own refusals: a form too large, a host unknown."""
    metrics.count_refusal("form")
    return render(request, "400_form.html", {"address": "/"}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """An address where nothing is."""
    return render(request, "404.html", {"address": reverse("home")}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours: a page that needs nothing which could be at fault."""
    try:
        looks = f'<link rel="stylesheet" href="{static("game/site.css")}">'
    except ValueError:  # the static files were never collected: perhaps that is the fault
        looks = ""
    return HttpResponse(FAULT.replace("<title>", f"{looks}<title>"), status=500)


FAULT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Battleship · Schiffe versenken</title>
</head>
<body>
<main id="main">
<div class="card lost">
<h1>Something went wrong here</h1>
<p>It was our fault, and your match is not lost: go back and try the same again.</p>
<div lang="de">
<h1>Hier ist etwas schiefgegangen</h1>
<p>Das lag an uns, und deine Partie ist nicht verloren: Geh zurück und versuche dasselbe noch
einmal.</p>
</div>
<p><a class="button primary" href="/">Battleship · Schiffe versenken</a></p>
</div>
</main>
</body>
</html>
"""
