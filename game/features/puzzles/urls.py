"""The addresses of puzzles."""

from django.urls import path

from game.features.puzzles import views
from game.views.site import in_own_language

urlpatterns = [
    path("puzzles/", views.today, name="puzzles"),
    path("puzzles/more/", views.more, name="more_puzzles"),
    path("puzzles/<slug:name>/", views.puzzle, name="puzzle"),
    path("puzzles/<slug:name>/share/", views.share, name="share_puzzle"),
]
without_language = [
    path("puzzles/", in_own_language, name="any_puzzles"),
    path("puzzles/<slug:name>/", in_own_language, name="any_puzzle"),
]
