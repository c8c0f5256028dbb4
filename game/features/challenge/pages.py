"""What challenges add to the pages of a match."""

from __future__ import annotations

from django.http import HttpRequest

from game.engine.observation import Observation
from game.feature import PageAddition
from game.features.challenge import views, words
from game.features.challenge.model import Challenge
from game.features.challenge.words import ChallengeView, challenge_view
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.views.addresses import address

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
    link, taken_up = views.offered_link(request, saved), saved.part(Challenge)
    view = challenge_view(saved, len(saved.seen.counted), link or None)
    links = {"challenge": address("send", token)} if link else {}
    if taken_up is None:
        return PageAddition(view, links)
    links["challenger"] = views.replay_of(taken_up)
    results = [f"{view.compared} {view.own_times}"]
    return PageAddition(view, links, results, styles=_STYLES)
