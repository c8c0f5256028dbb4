"""The review of an ended match in parts: each response computes one and leads to the next."""

from dataclasses import replace
from itertools import islice

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.match_view import Shots
from game.display.messages import Status
from game.engine.observation import observe
from game.engine.rules import Side
from game.feature import Link, features
from game.features.review import review_progress
from game.features.review.model import Review
from game.features.review.review_progress import ReviewProgress
from game.features.review.words import decisions, review_view
from game.matches.fairness import Replay, decided_again, placed_again
from game.matches.keyring import BadToken
from game.matches.referee import most_at_once
from game.matches.saved import SavedMatch
from game.matches.tokens import unseal_match
from game.players.registry import MINDS_VERSION
from game.views.addresses import address
from game.views.answers import show
from game.views.decorators import ended_match_view, one_at_a_time
from game.views.page import Page
from game.views.pages.base import match_page
from game.views.pages.ended import ended_view
from game.views.position_query import asked_about
from game.views.requests import HtmxRequest, step_of

GOOD = 0.9
"""The least share of the best chance of a shot that isn't offered to be tried again."""
PARTS_IN_A_ROW = 15
"""After so many redirects a page shows the progress, as browsers follow only twenty."""


@one_at_a_time
@ended_match_view(unseal_match)
def review(request: HtmxRequest, saved: SavedMatch, token: str, so_far: str = "") -> HttpResponse:
    """The review of an ended match: the chance of each shot, and whether the computer played fair.

    In the query, `step` selects the board before that ply, `side` the other side's shots, and
    `check` has every decision of the computer repeated. `so_far` is the progress in the address,
    which is ignored if it is not genuine.
    """
    try:
        done = review_progress.unseal(saved.match, so_far)
    except BadToken:
        done = ReviewProgress()
    if not done.is_judged(saved.match):
        return _lead_on(request, saved, token, done.judging(saved.match))
    check = None
    if _asks_to_check(request) and saved.setup.minds_version == MINDS_VERSION:
        check, more = _ask_again(saved, done)
        if more is not None:
            return _lead_on(request, saved, token, more)
    account = done.review
    response = show(request, _review_page(request, saved, token, account, check))
    skill = account.accounts[saved.setup.person].skill
    if skill is not None:
        for feature in features():
            feature.judged(request, response, saved, round(skill))
    return response


def _asks_to_check(request: HttpRequest) -> bool:
    return request.GET.get("check") == "on"


def _review_page(
    request: HtmxRequest, saved: SavedMatch, token: str, review: Review, check: Replay | None
) -> Page:
    match, setup = saved.match, saved.setup
    named = request.GET.get("side", "")
    is_other = named in ("first", "second") and not setup.is_solo
    side = Side[named.upper()] if is_other else setup.person
    step = step_of(request.GET["step"], match.ply) if "step" in request.GET else None
    shown = review_view(setup, match, review, side, step)
    seen = observe(match.at(shown["step"]), side)
    judged = review.judged(shown["step"])
    is_wrong = judged is not None and judged.side is side and judged.share < GOOD
    retries = list[Link]()
    if judged and is_wrong:
        found_links = (it.retry(seen, setup.preset, judged.cell) for it in features())
        retries = list(filter(None, found_links))
    asked = asked_about(seen, setup.preset)
    query, where = request.GET.urlencode(), request.path
    view = ended_view(saved, token)
    view = replace(
        view,
        address=f"{where}?{query}" if query else where,
        title=_("Review"),
        turn=match.at(shown["step"]).turn,
        status=Status(shown["says"]),
        end=view.end and replace(view.end, shots=None, par=None),
        shots=Shots(len(saved.seen.shots)),
    )
    return match_page(
        "review",
        view,
        styles=("review/review.css",),
        body="review/_review.html",
        kind="review",
        is_text=True,
        play_address=address("play", token),
        review=shown,
        step=shown["step"],
        plain_address=where,
        position_address=asked.address if asked else "",
        retries=retries,
        check=check,
        decisions=decisions(setup, match, check.decisions) if check else [],
        is_dated=_asks_to_check(request) and check is None,
    )


def _ask_again(saved: SavedMatch, done: ReviewProgress) -> tuple[Replay, ReviewProgress | None]:
    """The computer's decisions so far, asked again, and the progress from which to go on.

    There is none after the last part, or after one with a decision that differs.
    """
    match, setup = saved.match, saved.setup
    again = decided_again(match, setup.minds, setup.learnt, same=done.same)
    asked = tuple(islice(again, done.same + most_at_once(setup.ruleset)))
    whole = sum(setup.minds[side] is not None for side in match.sides)
    if len(asked) < whole and all(one.is_same for one in asked):
        more = replace(done, same=len(asked), parts=done.parts + 1)
        return Replay((None, None), asked), more
    return Replay(placed_again(match, setup.minds), asked), None


def _lead_on(
    request: HttpRequest, saved: SavedMatch, token: str, done: ReviewProgress
) -> HttpResponse:
    """The response that leads on: a redirect, or now and then a page that shows the progress."""
    try:
        sealed = review_progress.seal(saved.match, done)
    except ValueError:  # the progress is too long for an address
        links = {f"{page}_address": reverse(page, args=[token]) for page in ("replay", "record")}
        return render(request, "review/progress.html", links, status=422)
    where = reverse("review", args=[token, sealed])
    query = request.GET.urlencode()
    where = f"{where}?{query}" if query else where
    where += "#check" if _asks_to_check(request) else ""
    if done.parts % PARTS_IN_A_ROW:
        return redirect(where)
    whole = len(saved.match.shots)
    context = {"where": where, "judged": len(done.judged), "whole": whole, "same": done.same}
    response = render(request, "review/progress.html", context)
    response["Refresh"] = f"0; url={where}"
    return response
