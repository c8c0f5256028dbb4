"""The review of an ended match in parts: each response computes one and leads to the next."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from game.matches.fairness import Replay, decided_again, placed_again
from game.matches.keyring import BadToken
from game.matches.referee import most_at_once
from game.matches.review_progress import ReviewProgress
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_review_progress, unseal_review_progress

PARTS_IN_A_ROW = 15
"""After so many redirects a page shows the progress, as browsers follow only twenty."""


def look_back(
    request: HttpRequest, saved: SavedMatch, so_far: str
) -> tuple[ReviewProgress, HttpResponse | None]:
    """The progress after one more part of the shots is judged, and the response that leads on.

    `so_far` is the progress in the address, which is ignored if it is not genuine. There is no
    response if all shots have been judged already.
    """
    try:
        done = unseal_review_progress(saved.match, so_far)
    except BadToken:
        done = ReviewProgress()
    if done.is_judged(saved.match):
        return done, None
    done = done.judging(saved.match)
    return done, _lead_on(request, saved, done)


def ask_again(
    request: HttpRequest, saved: SavedMatch, done: ReviewProgress
) -> tuple[Replay, HttpResponse | None]:
    """The computer's decisions so far, asked again, and the response that leads to the next part.

    There is no response after the last part, or after one with a decision that differs.
    """
    match, setup = saved.match, saved.setup
    again = decided_again(match, setup.minds, setup.learnt, same=done.same)
    asked = tuple(islice(again, done.same + most_at_once(setup.ruleset)))
    whole = sum(setup.minds[side] is not None for side in match.sides)
    if len(asked) < whole and all(one.is_same for one in asked):
        more = replace(done, same=len(asked), parts=done.parts + 1)
        return Replay((None, None), asked), _lead_on(request, saved, more)
    return Replay(placed_again(match, setup.minds), asked), None


def _lead_on(request: HttpRequest, saved: SavedMatch, done: ReviewProgress) -> HttpResponse:
    """The response that leads on: a redirect, or now and then a page that shows the progress."""
    found = request.resolver_match
    assert found is not None  # noqa: S101 (views have one)
    token = found.kwargs["token"]
    try:
        sealed = seal_review_progress(saved.match, done)
    except ValueError:  # the progress is too long for an address
        links = {f"{page}_address": reverse(page, args=[token]) for page in ("replay", "record")}
        return render(request, "looking_back.html", links, status=422)
    where = reverse(str(found.url_name), args=[token, sealed])
    query = request.GET.urlencode()
    where = f"{where}?{query}" if query else where
    where += "#check" if request.GET.get("check") == "on" else ""
    if done.parts % PARTS_IN_A_ROW:
        return redirect(where)
    whole = len(saved.match.shots)
    context = {"where": where, "judged": len(done.judged), "whole": whole, "same": done.same}
    response = render(request, "looking_back.html", context)
    response["Refresh"] = f"0; url={where}"
    return response
