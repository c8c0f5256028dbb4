"""What games on paper add to pages: a link to print on the page of a preset and of a match."""

from __future__ import annotations

from django.urls import path

from game.features.paper import views
from game.views.places import Places

ROW = Places(
    addresses=[
        path("paper/<slug:preset>/", views.paper, name="paper"),
        path("sheet/<str:token>/", views.paper_of, name="paper_of"),
    ],
    always={"choices": "paper/_choices.html", "playing": "paper/_link.html"},
    playing_links=("paper_of",),
)
