"""What the review adds to pages: its addresses, and a link on all pages of an ended match."""

from __future__ import annotations

from django.urls import path

from game.features.review import views
from game.matches.saved import SavedMatch
from game.views.answers import address
from game.views.places import Places


def _links(saved: SavedMatch, token: str) -> dict[str, str]:
    return {"review": address("review", token) + ("?side=second" if saved.setup.seat else "")}


ROW = Places(
    addresses=[
        path("review/<str:token>/", views.review, name="review"),
        path("review/<str:token>/<str:so_far>/", views.review, name="review"),
    ],
    always={
        "afterwards": "review/_afterwards.html",
        "check": "review/_check.html",
        "more": "review/_link.html",
        "replay": "review/_link.html",
    },
    ended_links=_links,
)
