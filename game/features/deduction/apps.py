"""What the deduction game adds to pages: its addresses, its cards, and a game of the day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from game.feature import DayGame, Feature, UnfinishedGame

if TYPE_CHECKING:
    from game.matches.setup import Setup


class DeductionConfig(Feature):
    name = "game.features.deduction"
    part = "game.features.deduction.searchers"
    public = ("deduction",)
    cookies = ("deduction-",)

    def new_match_link(self, request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
        resolved = request.resolver_match
        is_own = resolved is not None and str(resolved.url_name).startswith("deduction")
        return (reverse("deduction"), _("A new match")) if is_own else None

    def unfinished(self) -> Mapping[str, UnfinishedGame]:
        from game.features.deduction.views import GAME, lead_back

        return {"deduction_play": UnfinishedGame(lead_back, GAME, lambda: _("Deduction"))}

    def day_game(self) -> DayGame | None:
        from game.features.deduction.views import day_game

        return day_game()
