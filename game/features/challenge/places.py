"""What challenges add to pages: a link at the end of a match, and the challenger's pace."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import path
from django.utils.translation import gettext as _

from game.engine.observation import Observation, observe
from game.features.challenge import views, words
from game.features.challenge.model import Challenge
from game.features.challenge.words import ChallengeView, challenge_view
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.views.answers import address
from game.views.places import Joined, Places
from game.views.preferences import Preferences

_STYLES = ("challenge/challenge.css",)


def _placing(draft: Draft, visitor: Preferences | None) -> Joined:
    challenge = draft.part(Challenge)
    assert challenge is not None  # noqa: S101 (only then the feature is called)
    to_beat = words.result(challenge.score, is_solo=challenge.setup.is_solo)
    return Joined(ChallengeView(is_taken_up=True), tally=to_beat, styles=_STYLES)


def _playing(saved: SavedMatch, seen: Observation) -> Joined:
    shots = len(seen.counted)
    view = challenge_view(saved, shots)
    return Joined(view, caption=words.pace(saved, shots), styles=_STYLES)


def _ended(request: HttpRequest, saved: SavedMatch, token: str) -> Joined:
    link, taken_up = views.offered_link(request, saved), saved.part(Challenge)
    view = challenge_view(saved, len(observe(saved.match, saved.viewer).counted), link or None)
    links = {"challenge": address("send", token)} if link else {}
    if taken_up is None:
        return Joined(view, links)
    links["challenger"] = views.replay_of(taken_up)
    return Joined(view, links, [f"{view.compared} {view.own_times}"], styles=_STYLES)


ROW = Places(
    addresses=[
        path("challenge/<str:token>/", views.challenge, name="challenge"),
        path("challenge/<str:token>/send/", views.send, name="send"),
    ],
    bare=[path("challenge/<str:token>/", views.any_challenge, name="any_challenge")],
    templates={
        "result": "challenge/_compared.html",
        "end": "challenge/_end.html",
        "more": "challenge/_more.html",
    },
    always={"alone": "challenge/_alone.html", "stored": "challenge/_stored.html"},
    placing=_placing,
    playing=_playing,
    ended=_ended,
    after=views.marked,
    keep=views.keep_progress,
    call=words.call,
    outcome=words.compared,
    on_device=words.own_times,
    load_help=lambda: _("load, then the link of a challenge: take it up."),
)
