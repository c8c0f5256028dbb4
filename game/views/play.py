"""The view of a match, from the first shot to its result."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from game.display import messages
from game.display.refusals import refusal
from game.engine.actions import IllegalAction
from game.engine.geometry import NotACell
from game.forms import Refused, parse_action
from game.matches.draft import Draft
from game.matches.referee import most_at_once
from game.matches.saved import PAR, SavedMatch
from game.matches.tokens import seal_draft, seal_match, unseal_match
from game.ops import metrics
from game.views import logbook
from game.views.answers import (
    HtmxRequest,
    address,
    check_open,
    fragment_or_redirect,
    see_other,
    show,
    token_view,
)
from game.views.daily import KEPT_SEAS
from game.views.onboarding import after_action
from game.views.pages import (
    CurtainPage,
    OverPage,
    PlayPage,
    match_curtain,
    over_page,
    placing_page,
    play_page,
    watching_page,
)
from game.views.preferences import Preferences, keep, preferences_of
from game.views.setup import watch_on

SEARCH_SECONDS = 0.012
"""What an answer takes where one searches alone, at least: the admiral plays along for par, and how
long it thinks would tell how it fares in the same sea. On ten by ten an answer needs half of it."""


@token_view
def play(request: HtmxRequest, token: str) -> HttpResponse:
    """A match.

    If two persons share a device, GET shows neither board; only the response to pressing the
    button does, so that going back or reloading reveals nothing.
    """
    began, saved = monotonic(), unseal_match(token)
    response = _answer(request, saved, token)
    if saved.par is not None and saved.match.outcome is None:
        sleep(max(0.0, began + SEARCH_SECONDS - monotonic()))
    return response


def _answer(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    check_open(saved.setup, saved.match)
    if not saved.setup.persons and saved.match.outcome is None:
        if request.method == "POST":
            return watch_on(request, saved)
        return show(request, watching_page(saved, token))
    if request.method != "POST":
        if saved.setup.is_shared and saved.match.outcome is None:
            return show(request, match_curtain(saved, token))
        return show(request, _boards(request, saved, token))
    match request.POST.get("action"):
        case "show":
            return show(request, _boards(request, saved, token))
        case "resign" if saved.match.outcome is None:
            page = _boards(request, saved, token, has_effects=False, asks_to_resign=True)
            return show(request, page)
        case "par" if saved.match.outcome is not None:
            return _count_par(request, saved)
        case "anew":
            draft = Draft(saved.setup.renewed())
            if draft.setup.is_solo:
                return see_other(address("place", seal_draft(draft)))
            draft = draft.committed()
            anew = placing_page(draft, seal_draft(draft), visitor=preferences_of(request))
            return fragment_or_redirect(request, anew)
        case "forget" if saved.match.outcome is not None:
            saved = saved.forgetting()
            return fragment_or_redirect(
                request, _over(request, saved, seal_match(saved), has_effects=False)
            )
    try:
        return _act(request, saved)
    except Refused as refused:
        sentence = str(refused)
    except (IllegalAction, NotACell) as error:
        sentence = refusal(error)
    typed = request.POST.get("cell", "") if "typed" in request.POST else ""
    page = _boards(request, saved, token, refused=sentence, typed=typed)
    return show(request, page, status=422)


def _count_par(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    """The response to a form that has the admiral play on, once the person is done."""
    played = saved.with_par_played(_par_steps(saved))
    token = seal_match(played)
    response = fragment_or_redirect(request, _over(request, played, token, has_effects=False))
    if KEPT_SEAS.has(request, saved):  # whoever opens a friend's address has not played it
        logbook.keep_match(request, response, played)
        KEPT_SEAS.set_cookie(request, response, played, token)
    return response


def _par_steps(saved: SavedMatch) -> int:
    """The most shots that the admiral fires for par in one answer: one while the person fires."""
    if saved.match.outcome is None:
        return 1
    return max(1, most_at_once(saved.match.ruleset) // 2)


def _over(request: HtmxRequest, saved: SavedMatch, token: str, **how: Any) -> OverPage:
    """The page of an ended match, with the opponent that its player's logbook proposes."""
    return over_page(saved, token, suggested_rank=logbook.proposed(request, saved), **how)


def _act(request: HtmxRequest, saved: SavedMatch) -> HttpResponse:
    """The response to a form; raises Refused, IllegalAction or NotACell."""
    if switched := _switched(request):
        acted = replace(saved, setup=saved.setup.switched(**switched))
    elif request.POST.get("action") == "resign-yes":
        acted = saved.resigned(saved.viewer)
        metrics.count_action("resign")
    else:
        acted = _with_action(request, saved)
        with metrics.time_mind(saved.setup.opponent if saved.par is None else PAR):
            acted = acted.play_ai_batch()
            acted = acted.with_par_played(_par_steps(acted))
    acted = KEPT_SEAS.marked(request, acted)
    visitor = after_action(preferences_of(request), saved, acted)
    token = seal_match(acted)
    is_handed_over = acted.match.outcome is None and acted.viewer is not saved.viewer
    if acted.setup.is_shared and is_handed_over:
        page: PlayPage | OverPage | CurtainPage = match_curtain(acted, token)
    else:
        shots_already_shown = len(saved.match.shots) if saved.is_minds_turn else None
        page = _boards(
            request,
            acted,
            token,
            visitor=visitor,
            has_effects=not switched,
            shots_already_shown=shots_already_shown,
        )
    response = fragment_or_redirect(request, page)
    keep(request, response, visitor)
    if saved.match.outcome is None:  # the address of one that has ended may be a friend's
        logbook.keep_match(request, response, acted)
        KEPT_SEAS.set_cookie(request, response, acted, token)
    return response


def _with_action(request: HtmxRequest, saved: SavedMatch) -> SavedMatch:
    """The match after the person's action; raises Refused, IllegalAction or NotACell.

    Where the last answer didn't wait for all that the computer does, there is none.
    """
    if saved.is_minds_turn:
        if request.POST.get("action") != "go on":
            raise Refused(messages.computer_plays_on())
        return saved
    action = parse_action(saved.match.ruleset, request.POST.dict())
    metrics.count_action(type(action).__name__.lower())
    return saved.acted(action)


def _boards(
    request: HtmxRequest,
    saved: SavedMatch,
    token: str,
    *,
    has_effects: bool = True,
    asks_to_resign: bool = False,
    refused: str = "",
    typed: str = "",
    visitor: Preferences | None = None,
    shots_already_shown: int | None = None,
) -> PlayPage | OverPage:
    """The page of a match with its boards, or with its result once over."""
    if saved.match.outcome is not None:
        return _over(
            request,
            saved,
            token,
            has_effects=has_effects,
            refused=refused,
            shots_already_shown=shots_already_shown,
        )
    return play_page(
        saved, token, shows_enemy=_shows_enemy(request), has_effects=has_effects,
        look=request.GET.get("look", ""), asks_to_resign=asks_to_resign, refused=refused,
        typed=typed, visitor=visitor or preferences_of(request),
        shots_already_shown=shots_already_shown,
    )  # fmt: skip


def _switched(request: HtmxRequest) -> dict[str, bool]:
    """The help that a form switches on or off, if any."""
    asked = ((name, request.POST.get(name)) for name in ("hints", "coach"))
    return {name: said == "on" for name, said in asked if said in ("on", "off")}


def _shows_enemy(request: HtmxRequest) -> bool:
    return settings.DEBUG and request.GET.get("show") == "enemy"
