"""The pages of the deduction game. A view reads: get, refuse, act, answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from django_htmx.http import replace_url

from game.deduction import boards, forms, messages
from game.deduction.match import Mode, Phase, Search
from game.deduction.presets import MEANS, SEA, SEAS
from game.deduction.review import Step, review
from game.deduction.rules import MELBOURNE
from game.deduction.saved import SavedMatch, seal_match, unseal_match
from game.deduction.tree import load
from game.forms import Refused
from game.matches.keyring import BadToken
from game.ops import metrics


def _render(
    request: HttpRequest, context: dict[str, Any], address: str, *, status: int = 200
) -> HttpResponse:
    """The game's part of the page for htmx, else the page."""
    is_htmx = bool(request.htmx)  # type: ignore[attr-defined]
    template = "deduction/fragment.html" if is_htmx else "deduction/page.html"
    response = render(request, template, {**context, "address": address}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return replace_url(response, address) if is_htmx else response


def _bad_token(request: HttpRequest) -> HttpResponse:
    return render(request, "deduction/400.html", {"address": reverse("deduction")}, status=400)


@csrf_exempt  # as everywhere: no cookie's authority could be borrowed, see game.views.of_a_game
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """What the deduction game is, and its start."""
    if request.method == "POST":
        return _after(request, forms.start(request.POST.dict()))
    mean = messages.number(MEANS[MELBOURNE]["strong"], 2)
    context = {"mean": mean, "examples": _examples(), "distances": _distances()}
    return render(request, "deduction/home.html", context)


def _examples() -> list[tuple[str, str, tuple[int, int, int]]]:
    """A few hiding places, guesses and their feedback, for the rules."""
    pairs = (("H1 B2 D3", "B3 C3 H3"), ("H1 B2 D3", "H1 B2 H2"), ("A1 D2 B3", "G3 H2 H4"))
    return [
        (place, guess, MELBOURNE.feedback(MELBOURNE.parse(place), MELBOURNE.parse(guess)))
        for place, guess in pairs
    ]


def _distances() -> list[list[int]]:
    """How far each cell of a picture is from its middle, with everything beyond two alike."""
    return [[min(max(abs(column - 4), abs(row - 3)), 3) for column in range(9)] for row in range(7)]


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest, token: str) -> HttpResponse:
    """A match, from hiding to its end."""
    try:
        saved = unseal_match(token)
    except BadToken as error:
        metrics.count_refusal(error.reason)
        return _bad_token(request)
    if request.method != "POST":
        return _render(request, _playing(saved, token), _address("play", token))
    try:
        return _after(request, forms.act(saved, request.POST))
    except Refused as refused:
        is_typed = "typed" in request.POST
        chosen = [] if is_typed else request.POST.getlist("cell")
        context = _playing(saved, token, chosen=chosen)
        context |= {"status": str(refused), "is_refused": True}
        if is_typed:
            context["typed"] = request.POST.get("cell", "")[:LONGEST_TYPED]
        return _render(request, context, _address("play", token), status=422)


LONGEST_TYPED = 40
"""Characters of typed cells that are given back where they were none."""


def _after(request: HttpRequest, saved: SavedMatch) -> HttpResponse:
    """The answer to a form that was followed: the game as it is now, or the way to it."""
    token = seal_match(saved)
    address = _address("play", token)
    if request.htmx:  # type: ignore[attr-defined]
        return _render(request, _playing(saved, token), address)
    response = HttpResponseRedirect(address)
    response.status_code = 303
    return response


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def judge(request: HttpRequest, token: str) -> HttpResponse:
    """The review of the person's search, or where it only hid, of the computer's."""
    try:
        saved = unseal_match(token)
    except BadToken as error:
        metrics.count_refusal(error.reason)
        return _bad_token(request)
    match = saved.match
    search = match.theirs if match.mode is Mode.HIDE else match.mine
    if match.phase is not Phase.OVER or search is None or not search.guesses:
        return redirect(_address("play", token))
    steps = review(match.rules, search.answers)
    at = _step(request.GET.get("guess", ""), len(steps))
    address = _address("review", token) + (f"?guess={at}" if "guess" in request.GET else "")
    return _render(request, _reviewed(saved, token, search, steps, at), address)


def _step(text: str, last: int) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < 4
    return min(max(int(text), 1), last) if is_number else 1


def _address(name: str, token: str) -> str:
    return reverse(f"deduction_{name}", args=[token])


def _playing(saved: SavedMatch, token: str, chosen: Sequence[str] = ()) -> dict[str, Any]:
    match = saved.match
    context: dict[str, Any] = {
        "phase": match.phase.value,
        "way": match.mode.value,
        "turn": match.turn,
        "rules": match.rules,
        "form_action": _address("play", token),
        "status": messages.status_message(saved),
        "rule_line": messages.rule_line(saved),
        "turn_line": messages.turn_line(match),
        "heat": saved.heat,
        "chosen": len(chosen),
        "full": messages.full(match.rules),
        "example": " ".join(("B3", "C4", "F1")[: match.rules.ships]),
    }
    if match.phase is Phase.HIDING:
        return context | {"own": boards.hiding(match.rules, chosen)}
    is_over = match.phase is Phase.OVER
    if match.theirs is not None:
        context |= _hidden(match.theirs, warm=saved.heat and not is_over)
    if match.mine is not None and is_over:
        context |= _found(match.mine)
    elif match.mine is not None:
        context |= _searched(match.mine, chosen, warm=saved.heat)
    return context | (_ended(saved, token) if is_over else {})


def _hidden(search: Search, *, warm: bool) -> dict[str, Any]:
    """The person's own sea, and what the computer has found out about it."""
    left = boards.warmth(boards.evidence(search)).left
    return {
        "own": boards.hidden(search, warm=warm),
        "theirs": boards.trail(search, counted=True),
        "own_left": messages.suspected(left),
    }


def _searched(search: Search, chosen: Sequence[str], *, warm: bool) -> dict[str, Any]:
    """The sea that the person searches, from the answers alone."""
    seen = boards.evidence(search)
    context: dict[str, Any] = {
        "enemy": boards.searched(seen, warm=warm, chosen=chosen),
        "mine": boards.trail(search, counted=warm),
    }
    if warm:
        left = boards.warmth(seen).left
        context |= {"left_count": left, "left": messages.places_left(left)}
    return context


def _found(search: Search) -> dict[str, Any]:
    """The sea that the person searched, with its ships: for matches that are over."""
    return {
        "enemy": boards.full_boards(search),
        "mine": boards.trail(search, counted=True),
    }


def _ended(saved: SavedMatch, token: str) -> dict[str, Any]:
    result, match = saved.result, saved.match
    headline, why = messages.verdict(saved)
    return {
        "outcome": result.value if result else "draw",
        "headline": headline,
        "why": why,
        "review_address": _address("review", token) if match.turn else "",
        "again": {"way": match.mode.value, "searcher": saved.searcher, "sea": _sea(saved)},
    }


def _sea(saved: SavedMatch) -> str:
    return next((name for name, rules in SEAS.items() if rules == saved.match.rules), SEA)


def _reviewed(
    saved: SavedMatch, token: str, search: Search, steps: Sequence[Step], at: int
) -> dict[str, Any]:
    rules, step = saved.match.rules, steps[at - 1]
    result = saved.result
    return {
        "phase": "over",
        "outcome": result.value if result else "draw",
        "way": saved.match.mode.value,
        "turn": saved.match.turn,
        "rules": rules,
        "at": at,
        "enemy": boards.judged(rules, search.answers[: at - 1], step),
        "steps": [messages.step_view(rules, number, one) for number, one in enumerate(steps, 1)],
        "step": messages.step_view(rules, at, step),
        "luck_line": messages.luck_line(steps, is_mine=saved.match.mode is not Mode.HIDE),
        "strongest": _strongest(search),
        "status": messages.step_line(rules, at, step),
        "play_address": _address("play", token),
        "review": True,
        "again": {
            "way": saved.match.mode.value, "searcher": saved.searcher, "sea": _sea(saved),
        },
    }  # fmt: skip


def _strongest(search: Search) -> str:
    """How soon the tree finds that place, in a sentence; nothing for a sea without a tree."""
    if search.rules != MELBOURNE:
        return ""
    return messages.strongest_line(load().needs(search.place))
