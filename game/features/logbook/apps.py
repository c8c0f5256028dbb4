"""What the logbook adds to pages: its address, and what it keeps of each match and day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import Feature, PageAddition

if TYPE_CHECKING:
    from game.matches.day_results import DayResult
    from game.matches.saved import SavedMatch


class LogbookConfig(Feature):
    name = "game.features.logbook"
    cookies = ("logbook",)

    def menu(self) -> Sequence[tuple[str, str]]:
        from game.matches import daily

        return [(reverse("logbook"), _("Logbook"))] if daily.is_offered() else []

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.logbook.cookie import ended

        return ended(request, saved)

    def on_saved(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str
    ) -> None:
        from game.features.logbook.cookie import keep_match

        keep_match(request, response, saved)

    def day_ended(self, request: HttpRequest, response: HttpResponse, result: DayResult) -> None:
        from game.features.logbook.cookie import keep_day

        keep_day(request, response, result)

    def day_results(self, request: HttpRequest) -> Sequence[DayResult]:
        from game.features.logbook.cookie import kept_book

        return kept_book(request).days

    def judged(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, skill: int
    ) -> None:
        from game.features.logbook.cookie import keep_skill

        keep_skill(request, response, saved, skill)
