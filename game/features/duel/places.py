"""What duels add to pages: the ways to invite a friend, and the other player beside each match."""

from __future__ import annotations

from django.urls import path
from django.utils.translation import gettext as _

from game.features.duel import claims, invitation, pages, views, waiting
from game.ops import match_store
from game.views.places import Joined, Places, TwoDevices

ROW = Places(
    addresses=[
        path("new/friend/<slug:preset>/", claims.new_invitation, name="new_invitation"),
        path("duel/<str:token>/", views.duel, name="duel"),
        path("invite/<str:token>/", invitation.invite, name="invite"),
        path("keep/<str:token>/", invitation.keep_seat, name="keep"),
    ],
    bare=[path("invite/<str:token>/", invitation.any_invite, name="any_invite")],
    early={"/wait/": waiting.answer},
    templates={
        "caption": "duel/_presence.html",
        "controls": "duel/_controls.html",
        "game": "duel/_script.html",
        "leave": "duel/_leave.html",
        "quit": "duel/_leave_link.html",
        "rematch": "duel/_rematch.html",
        "settings": "duel/_settings.html",
        "start": "duel/_start.html",
        "waters": "duel/_waters.html",
        "ways": "duel/_way.html",
    },
    always={
        "kept": "duel/_about.html",
        "stored": "duel/_stored.html",
        "together": "duel/_together.html",
    },
    switches=lambda: {"presence": _("Show a friend that I’m there")},
    home=lambda _request: Joined(None) if match_store.is_on() else None,
    two_devices=TwoDevices("duel", claims.lead_to_invitation, ("duel/duel.css",)),
    draft=claims.draft_view,
    start=claims.start,
    placing=pages.placing,
    resume={"duel": views.lead_back},
)
