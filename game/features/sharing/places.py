"""What sharing adds to pages: links on those of a match, and the facts of a public replay."""

from __future__ import annotations

from django.urls import path

from game.features.sharing import views
from game.views.answers import address
from game.views.places import Places

ROW = Places(
    addresses=[
        path("film/<str:token>/card.png", views.card, name="card"),
        path("share/<str:token>/", views.share, name="share"),
        path("elsewhere/<str:token>/", views.elsewhere, name="elsewhere"),
    ],
    always={
        "playing": "sharing/_elsewhere_link.html",
        "day-ways": "sharing/_link.html",
        "more": "sharing/_more.html",
        "replay": "sharing/_link.html",
        "review": "sharing/_link.html",
    },
    playing_links=("elsewhere",),
    ended_links=lambda _saved, token: {"share": address("share", token)},
    public_replay=views.told,
)
