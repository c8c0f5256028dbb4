"""The views of challenges: the panel that makes a link, and the page that a link opens."""

from dataclasses import replace
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.match_view import Action
from game.display.names import preset_card
from game.display.rule_words import rule_line
from game.display.unfinished import of_match
from game.engine.observation import Observation
from game.feature import PageAddition
from game.features.challenge import words
from game.features.challenge.model import (
    ENDED,
    KIND,
    LONGEST_ADDRESS,
    Challenge,
    challenge_of,
    goes_on_from,
    is_newer,
    may_challenge,
    progress,
    take_up,
)
from game.features.challenge.parts import seal_challenge, unseal_challenge
from game.features.challenge.words import ChallengeCall, ChallengeView, challenge_view
from game.matches import daily
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import LONGEST_NAME
from game.matches.tokens import seal_draft, seal_match, seal_replay, unseal_match
from game.views.addresses import address, address_elsewhere, path_if_any
from game.views.answers import panel, see_other, show_call
from game.views.cookies import keep_results, keep_unfinished, results_of
from game.views.decorators import ended_match_view, token_view
from game.views.expiry import hour_now
from game.views.preferences import preferences_of, save_preferences
from game.views.requests import HtmxRequest
from game.views.site import in_own_language
from game.web.forms import clean_name


def offered_link(request: HttpRequest, saved: SavedMatch) -> str:
    """The link by which an ended match challenges a friend, or sends a challenge back; or ""."""
    return _link(request, _made(saved, _own_name(request)))


def same_fleet(saved: SavedMatch) -> dict[str, object]:
    """The address at which anybody may play against the fleet of a replay."""
    made = _made(saved, "")
    try:
        return {"same_fleet": address("challenge", seal_challenge(made))} if made else {}
    except ValueError:  # it is too long for an address
        return {}


def _made(saved: SavedMatch, name: str) -> Challenge | None:
    """The challenge of a match that one person has played to its end, else None."""
    taken_up = saved.part(Challenge)
    if not may_challenge(saved.setup, saved.match):
        return None
    return challenge_of(
        saved.setup, saved.match, name, was_known=taken_up is not None and taken_up.is_known,
        answers=taken_up.score if taken_up else None,
    )  # fmt: skip


def _own_name(request: HttpRequest) -> str:
    """The name that the form or the query gives, if one does, else that of the preferences."""
    asked = request.POST.get("name", request.GET.get("name"))
    return preferences_of(request).name if asked is None else clean_name(asked)


def _link(request: HttpRequest, made: Challenge | None) -> str:
    """The absolute address of a challenge, which has no language; empty if it is too long."""
    if made is None:
        return ""
    try:
        path = reverse("any_challenge", args=[seal_challenge(made)])
    except ValueError:
        return ""
    link = address_elsewhere(request, path)
    return link if len(link) <= LONGEST_ADDRESS else ""


# --- pages of a match ---


_STYLES = ("challenge/challenge.css",)


def placing(draft: Draft) -> PageAddition:
    challenge = draft.part(Challenge)
    assert challenge is not None  # noqa: S101 (only then the feature is called)
    to_beat = words.result(challenge.score, is_solo=challenge.setup.is_solo)
    call = words.call(challenge)
    return PageAddition(ChallengeView(is_taken_up=True), tally=to_beat, call=call, styles=_STYLES)


def playing(saved: SavedMatch, seen: Observation) -> PageAddition:
    challenge, shots = saved.part(Challenge), len(seen.counted)
    assert challenge is not None  # noqa: S101 (only then the feature is called)
    view, call = challenge_view(saved, shots), words.call(challenge)
    return PageAddition(view, caption=words.pace(saved, shots), call=call, styles=_STYLES)


def ended(request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition:
    link, taken_up = offered_link(request, saved), saved.part(Challenge)
    view = challenge_view(saved, len(saved.seen.counted), link or None)
    links = {"challenge": address("send", token)} if link else {}
    if taken_up is None:
        return PageAddition(view, links)
    links["challenger"] = replay_of(taken_up)
    results = [f"{view.compared} {view.own_times}"]
    return PageAddition(view, links, results, styles=_STYLES)


# --- a link, and what it opens ---


@ended_match_view(unseal_match, ("GET", "HEAD", "POST"))
def send(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The link of a challenge, or of one sent back, with the sentence that goes with it.

    Only the form has the browser keep anything, because other sites can lead to any address.
    """
    name, is_reply = _own_name(request), saved.part(Challenge) is not None
    made = _made(saved, name)
    link = _link(request, made)
    context = {
        "panel_title": _("Send it back") if is_reply else _("Challenge a friend"),
        "sentence": words.to_send(made) if made else "",
        "challenge_link": link,
        "send_address": request.path,
        "name": name,
        "is_reply": is_reply,
        "longest_name": LONGEST_NAME,
        "play_address": address("play", token),
    }
    response = panel(request, "challenge/_send.html", context, has_form=bool(link))
    if request.method == "POST":
        if made and link:
            _keep(request, response, made, ENDED)
        save_preferences(request, response, replace(preferences_of(request), name=name))
    return response


@token_view
def challenge(request: HtmxRequest, token: str) -> HttpResponse:
    """The page of a challenge. It shows no cell, and Start begins the match."""
    received = unseal_challenge(token)
    result = results_of(request).of(KIND, received.key)
    if request.POST.get("action") == "accept":
        return _accept(request, replace(received, answers=None, is_known=result is not None))
    setup, where = received.setup, address("challenge", token)
    is_reply, score, links = received.answers is not None, received.score, {}
    if is_reply:
        following = Draft(received.for_friend.for_new_match()).with_server_share()
        links["next"] = address("place", seal_draft(following))
        if result == ENDED:
            links["challenger"] = replay_of(received)
    call = ChallengeCall(
        sentence=words.call(received),
        rules=rule_line(setup.ruleset),
        results=words.results(received),
        actions=[Action(where, (("action", "accept"),))],
        links=links,
        won="yes" if score.is_won else "no",
        shots=score.total if setup.is_solo else None,
        turns=None if setup.is_solo else score.total,
    )
    context = {
        "replay_title": words.replay_title(received.name),
        "is_reply": is_reply,
        "is_known": result is not None,
        "is_todays_sea": _open_day(received) is not None,
        "setup": setup.public,
        "preset_card": preset_card(setup.preset),
        "shared_path": address("any_challenge", token),
    }
    return show_call(
        request, "challenge/challenge.html", call, context, status=422 if request.POST else 200
    )


def any_challenge(request: HtmxRequest, token: str) -> HttpResponse:
    """The address of a challenge that is sent, which has no language."""
    return challenge(request, token) if request.method == "POST" else in_own_language(request)


def _accept(request: HtmxRequest, received: Challenge) -> HttpResponse:
    """Begins the search, or the placing of a fleet against the computer.

    As long as everybody searches today's sea, its challenge leads there.
    """
    if day := _open_day(received):
        return see_other(f"{path_if_any('daily')}?day={day.isoformat()}")
    if received.setup.is_solo:
        started = take_up(received, hour=hour_now())
        token = seal_match(started)
        response = see_other(address("play", token))
        keep_unfinished(request, response, of_match(started), "play", token)
    else:
        draft = Draft(received.for_friend, parts=(received,))
        response = see_other(address("place", seal_draft(draft)))
    keep_results(request, response, results_of(request).with_first(KIND, received.key))
    return response


def _open_day(received: Challenge) -> date | None:
    """The day of whose sea it is the challenge, if that sea can still be begun; else None."""
    day, chain = received.setup.day, daily.chain()
    if day is None or chain is None or chain.first_link != day.first_link:
        return None
    is_open = day.date in daily.open_days(daily.now()) and path_if_any("daily")
    return day.date if is_open else None


# --- what this browser has seen of a challenge ---


def replay_of(received: Challenge) -> str:
    """The address of a challenger's replay, only for a player who has been shown the fleet."""
    return address("public_replay", seal_replay(SavedMatch(received.setup, received.match)))


def marked(request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
    """The match, marked if it goes on from an older address than this browser has seen."""
    taken_up = acted.part(Challenge)
    if taken_up is None or taken_up.is_known:  # then its result says so already
        return acted
    seen = results_of(request).of(KIND, taken_up.key)
    if not seen or goes_on_from(acted.match, seen):
        return acted
    return acted.marked_as(acted, went_back=True)


def keep_progress(request: HttpRequest, response: HttpResponse, saved: SavedMatch) -> None:
    """Has the browser remember how far a match with a challenge has come."""
    taken_up = saved.part(Challenge)
    if taken_up is None:  # a match of its own
        return
    if saved.match.outcome is not None:
        _keep(request, response, taken_up, ENDED)
    elif not taken_up.is_known:
        seen = results_of(request).of(KIND, taken_up.key) or 0
        if is_newer(saved.match, seen):
            _keep(request, response, taken_up, progress(saved.match, saved.match.ply))


def _keep(request: HttpRequest, response: HttpResponse, played: Challenge, result: int) -> None:
    keep_results(request, response, results_of(request).with_result(KIND, played.key, result))
