"""What today's sea adds to pages: its row on the home page, its results, and the days."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import DayGame, Feature, PageAddition, PageName

if TYPE_CHECKING:
    from game.engine.observation import Observation
    from game.engine.position import Position
    from game.matches.saved import SavedMatch
    from game.matches.setup import Setup


class DailyConfig(Feature):
    name = "game.features.daily"
    part = "game.features.daily.parts"
    cookies = ("sea-",)

    def menu(self) -> Sequence[tuple[str, str]]:
        from game.matches import daily

        return [(reverse("today"), _("Today"))] if daily.is_offered() else []

    def on_page(self, request: HttpRequest, page: PageName) -> PageAddition | None:
        from game.features.daily.views import on_page

        return on_page(request, page)

    def new_match_link(self, request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
        from game.features.daily.views import new_match_link

        return new_match_link(setup)

    def playing(self, saved: SavedMatch, seen: Observation) -> PageAddition | None:
        from game.features.daily.views import playing

        return playing(saved)

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.daily.views import ended

        return ended(request, saved)

    def acted(self, request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
        from game.features.daily.views import KEPT_SEAS

        return KEPT_SEAS.marked(request, acted)

    def on_saved(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str
    ) -> None:
        from game.features.daily.views import KEPT_SEAS

        KEPT_SEAS.keep(request, response, saved, token)

    def helped(self, request: HttpRequest, response: HttpResponse, position: Position) -> None:
        from game.features.daily.views import mark_helped

        mark_helped(request, response)

    def day_game(self) -> DayGame | None:
        from game.features.daily.views import day_game

        return day_game()
