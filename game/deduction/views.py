"""The views of the deduction game."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from game.deduction import forms, messages
from game.deduction.match import Mode, Phase, Result
from game.deduction.options import start_choices
from game.deduction.pages import LONGEST_TYPED, play_page, review_page
from game.deduction.presets import MEANS
from game.deduction.review import review
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, begin_daily, seal_match, unseal_match
from game.display.unfinished import ALONE, DEDUCTION, YOU, Unfinished, mark_of
from game.forms import Refused
from game.matches import daily
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.views import answers, places
from game.views.answers import HtmxRequest, hour_now, safe_token_view, show, token_view
from game.views.cookies import keep_unfinished
from game.views.days import KeptDays, asked_day, chain_or_404, redirect_to_kept, refuse_day

KEPT_DAYS = KeptDays("deduction-", seal_match, unseal_match)
DAILY_NAME = "deduction"
DAY_KIND = 1
"""The code of the deduction among the games of a day."""
"""What stands in place of a preset's name where the seed of a day is made: never changed."""


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HtmxRequest) -> HttpResponse:
    """The introduction to the deduction game, and the form that starts it."""
    fields, refused = request.POST.dict(), ""
    if request.method == "POST":
        try:
            started = forms.start(fields)
            return _follow(request, replace(started, started_hour=hour_now()))
        except Refused as error:
            refused = str(error)
    mean = messages.number(MEANS[MELBOURNE]["strong"], 2)
    context = {
        "mean": mean, "examples": _examples(), "distances": _distances(),
        "has_daily": daily.is_running(daily.chain(), daily.now()), "refused": refused,
        **start_choices(fields),
    }  # fmt: skip
    return render(request, "deduction/home.html", context, status=422 if refused else 200)


@require_safe
def daily_match(request: HttpRequest) -> HttpResponse:
    """Redirects to the match of the player's own day, which `?day=` names, or of UTC's."""
    chain = chain_or_404()
    day = asked_day(request, chain)
    if day is None:
        return refuse_day(
            request, chain, "deduction_daily", _("There is no deduction for that day now."),
            title=_("Another day"), back=("deduction", _("Deduction")),
            to_today=_("Today’s deduction"),
        )  # fmt: skip
    fresh = begin_daily(day, _seed(chain, day))
    fresh = replace(fresh, started_hour=hour_now())
    return redirect_to_kept(request, KEPT_DAYS, fresh, "deduction_play")


def daily_key(chain: Chain, day: date) -> tuple[str, bytes]:
    """What a match of that day has as its `day_key`; raises NoSuchDay."""
    return day.isoformat(), _seed(chain, day)


def _seed(chain: Chain, day: date) -> bytes:
    return daily.seed_of(chain.link(day), DAILY_NAME)


def _examples() -> list[tuple[str, str, tuple[int, int, int]]]:
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
    saved = _opened(token)
    if request.method != "POST":
        return show(request, play_page(saved, token))
    try:
        return _follow(request, forms.act(saved, request.POST))
    except Refused as refused:
        sentence = str(refused)
    is_typed = "typed" in request.POST
    chosen = [] if is_typed else request.POST.getlist("cell")
    page = play_page(saved, token, chosen=chosen, typed=answers.typed(request, LONGEST_TYPED))
    return show(request, page.refused(sentence), status=422)


@token_view
def lead_back(request: HtmxRequest, token: str) -> HttpResponse:
    """Redirects to a match that is still open, and refuses another one as its page does."""
    _opened(token)
    return redirect(answers.address("deduction_play", token))


def _opened(token: str) -> SavedMatch:
    """The match of a token; raises BadToken or Expired."""
    saved = unseal_match(token)
    if saved.match.phase is not Phase.OVER:
        answers.check_hour(saved.started_hour, is_of_a_day=saved.day is not None)
    return saved


def _follow(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    saved = KEPT_DAYS.marked(request, saved)
    token = seal_match(saved)
    response = answers.fragment_or_redirect(request, play_page(saved, token))
    KEPT_DAYS.set_cookie(request, response, saved, token)
    day = saved.day.isoformat() if saved.day else ALONE
    found = Unfinished(DEDUCTION, day, YOU, mark_of(saved.match.seed))
    is_over = saved.match.phase is Phase.OVER
    keep_unfinished(request, response, found, "deduction_play", token, is_over=is_over)
    if saved.day is not None and saved.par is not None:
        is_found, guesses = saved.result is Result.WON, saved.match.turn
        result = DayResult(saved.day, DAY_KIND, guesses, saved.par, is_found, saved.is_helped)
        places.day_ended(request, response, result)
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
    at = answers.step_of(asked or "", len(steps), first=1)
    return show(request, review_page(saved, token, search, steps, at, is_asked=asked is not None))
