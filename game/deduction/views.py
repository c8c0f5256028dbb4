"""The views of the deduction game, and what a browser keeps of a day's match while it goes on.

The browser keeps the token of the match in a cookie, so that the page of the day leads back to it,
and so that a match is marked that goes on from an older address, or without help that was used.
"""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from game.deduction import forms, messages
from game.deduction.match import Mode, Phase, Result
from game.deduction.pages import play_page, review_page
from game.deduction.presets import MEANS
from game.deduction.review import review
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, seal_match, unseal_match
from game.forms import Refused
from game.matches import daily
from game.matches.keyring import BadToken
from game.views.answers import (
    HtmxRequest,
    check_hour,
    fragment_or_redirect,
    hour_now,
    safe_token_view,
    show,
    step_of,
    token_view,
)
from game.views.logbook import keep_deduction

COOKIE_AGE = 3 * 24 * 60 * 60
"""Seconds: longer than any day lasts between the first clock of the world and the last."""


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HtmxRequest) -> HttpResponse:
    """The introduction to the deduction game, and the form that starts it."""
    if request.method == "POST":
        started = forms.start(request.POST.dict())
        return _follow(request, replace(started, started_hour=hour_now()))
    mean = messages.number(MEANS[MELBOURNE]["strong"], 2)
    context = {
        "mean": mean, "examples": _examples(), "distances": _distances(),
        "has_daily": daily.is_running(daily.chain(), daily.now()),
    }  # fmt: skip
    return render(request, "deduction/home.html", context)


@require_safe
def daily_match(request: HttpRequest) -> HttpResponse:
    """Leads to the match of the day: of the player's own date, which `?day=` names, or UTC's."""
    chain, now = daily.chain(), daily.now()
    if chain is None:
        raise Http404("the site has no chain")
    try:
        saved = forms.start_daily(chain, request.GET.get("day"), now)
    except Refused as refused:
        context = {
            "refused": str(refused), "address": reverse("deduction_daily"),
            "has_utc": chain.first <= now.date() <= chain.last,  # the day the button leads to
        }  # fmt: skip
        response = render(request, "deduction/not_today.html", context, status=422)
    else:
        begun = _kept(request, saved) or replace(saved, started_hour=hour_now())
        response = redirect("deduction_play", seal_match(begun))
    response.headers["Cache-Control"] = "no-store"  # tomorrow it is another match
    response.headers["X-Robots-Tag"] = "noindex"
    return response


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
    if saved.match.phase is not Phase.OVER:
        check_hour(saved.started_hour, is_of_a_day=saved.day is not None)
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
    kept = _kept(request, saved)
    if kept is not None:
        saved = saved.marked_by(kept)
    response = fragment_or_redirect(request, play_page(saved, seal_match(saved)))
    if saved.day is not None:
        is_behind = kept is not None and saved.leads_to(kept)
        _keep(request, response, kept.marked_by(saved) if kept and is_behind else saved)
    if saved.day is not None and saved.par is not None:
        keep_deduction(
            request, response, day=saved.day, guesses=saved.match.turn, par=saved.par,
            is_found=saved.result is Result.WON, is_helped=saved.is_helped,
        )  # fmt: skip
    return response


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


# --- what the browser keeps ---


def _cookie(saved: SavedMatch) -> str:
    """The name of the cookie: one for each day, as two or three days are open at a time."""
    return f"deduction-{saved.day}"


def _kept(request: HttpRequest, saved: SavedMatch) -> SavedMatch | None:
    """The newest state of the same day's match that the browser keeps; None if it keeps none."""
    if saved.day is None:
        return None
    try:
        kept = unseal_match(request.COOKIES.get(_cookie(saved), ""))
    except BadToken:
        return None
    is_same = (kept.day, kept.match.seed) == (saved.day, saved.match.seed)
    return kept if is_same else None


def _keep(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    response.set_cookie(
        _cookie(saved), seal_match(saved), max_age=COOKIE_AGE, samesite="Lax",
        secure=request.is_secure(), httponly=True, path=reverse("front_door"),
    )  # fmt: skip
