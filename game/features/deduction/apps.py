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
    urls = "game.features.deduction.urls"
    part = "game.features.deduction.parts"
    public = ("deduction",)
    cookies = ("deduction-",)

    def new_match_link(self, request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
        resolved = request.resolver_match
        is_own = resolved is not None and str(resolved.url_name).startswith("deduction")
        return (reverse("deduction"), _("A new match")) if is_own else None

    def unfinished(self) -> Mapping[str, UnfinishedGame]:
        from game.features.deduction import views

        game = UnfinishedGame(views.lead_back, views.GAME, lambda: _("Deduction"))
        return {"deduction_play": game}

    def day_game(self) -> DayGame:
        from game.features.deduction.day import DAY_GAME

        return DAY_GAME
