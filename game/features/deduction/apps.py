"""What the deduction game adds to pages: its addresses, its cards, and a game of the day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest

from game.feature import DayGame, Feature, UnfinishedGame

if TYPE_CHECKING:
    from game.matches.setup import Setup


class DeductionConfig(Feature):
    name = "game.features.deduction"
    urls = "game.features.deduction.urls"
    part = "game.features.deduction.searchers"
    public = ("deduction",)
    cookies = ("deduction-",)

    def new_match_link(self, request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
        from game.features.deduction.views import new_match_link

        return new_match_link(request, setup)

    def unfinished(self) -> Mapping[str, UnfinishedGame]:
        from game.features.deduction.views import unfinished

        return unfinished()

    def day_game(self) -> DayGame | None:
        from game.features.deduction.views import day_game

        return day_game()
