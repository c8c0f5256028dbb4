"""What duels add to pages: the ways to invite a friend, and the other player beside each match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest

from game.feature import Feature, PageAddition, PageName, UnfinishedGame

if TYPE_CHECKING:
    from game.matches.draft import Draft


class DuelConfig(Feature):
    name = "game.features.duel"
    part = "game.features.duel.parts"

    def on_page(self, request: HttpRequest, page: PageName) -> PageAddition | None:
        from game.ops import database

        return PageAddition() if page != "about" and database.is_on() else None

    def placing(self, draft: Draft, *, is_presence_shown: bool) -> PageAddition | None:
        from game.features.duel.pages import placing

        return placing(draft, is_presence_shown=is_presence_shown)

    def unfinished(self) -> Mapping[str, UnfinishedGame]:
        from game.features.duel.views import lead_back

        return {"duel": UnfinishedGame(lead_back)}
