"""The views of the deduction game."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from game.deduction import forms, messages
from game.deduction.match import Mode, Phase
from game.deduction.pages import play_page, review_page
from game.deduction.presets import MEANS
from game.deduction.review import review
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, seal_match, unseal_match
from game.forms import Refused
from game.views.answers import HtmxRequest, follow, safe_token_view, show, step_of, token_view


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HtmxRequest) -> HttpResponse:
    """The introduction to the deduction game, and the form that starts it."""
    if request.method == "POST":
        return _follow(request, forms.start(request.POST.dict()))
    mean = messages.number(MEANS[MELBOURNE]["strong"], 2)
    context = {"mean": mean, "examples": _examples(), "distances": _distances()}
    return render(request, "deduction/home.html", context)


def _examples() -> list[tuple[str, str, tuple[int, int, int]]]:
    """Hiding places, guesses and their feedback as examples of the rules."""
    pairs = (("H1 B2 D3", "B3 C3 H3"), ("H1 B2 D3", "H1 B2 H2"), ("A1 D2 B3", "G3 H2 H4"))
    return [
        (place, guess, MELBOURNE.feedback(MELBOURNE.parse(place), MELBOURNE.parse(guess)))
        for place, guess in pairs
    ]


def _distances() -> list[list[int]]:
    """The distance of each cell of a picture from its middle, 3 for all beyond two."""
    return [[min(max(abs(column - 4), abs(row - 3)), 3) for column in range(9)] for row in range(7)]


@token_view
def play(request: HtmxRequest, token: str) -> HttpResponse:
    """A match from hiding to its end."""
    saved = unseal_match(token)
    if request.method != "POST":
        return show(request, play_page(saved, token))
    try:
        return _follow(request, forms.act(saved, request.POST))
    except Refused as refused:
        sentence = str(refused)
    is_typed = "typed" in request.POST
    page = play_page(
        saved, token,
        chosen=[] if is_typed else request.POST.getlist("cell"),
        typed=request.POST.get("cell", "") if is_typed else "",
        refused=sentence,
    )  # fmt: skip
    return show(request, page, status=422)


def _follow(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    return follow(request, play_page(saved, seal_match(saved)))


@safe_token_view
def judge(request: HtmxRequest, token: str) -> HttpResponse:
    """The review of the person's search, or of the computer's if the person only hid."""
    saved = unseal_match(token)
    match = saved.match
    search = match.theirs if match.mode is Mode.HIDE else match.mine
    if match.phase is not Phase.OVER or search is None or not search.guesses:
        return redirect(reverse("deduction_play", args=[token]))
    steps = review(match.rules, search.answers)
    asked = request.GET.get("guess")
    at = step_of(asked or "", len(steps), first=1)
    return show(request, review_page(saved, token, search, steps, at, is_asked=asked is not None))
