"""What rooms add to pages: a button for teachers, and at a pupil's end the way to the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse

from game.feature import Feature, PageAddition, PageName

if TYPE_CHECKING:
    from game.matches.saved import SavedMatch


class RoomConfig(Feature):
    name = "game.features.room"
    part = "game.features.room.parts"
    cookies = ("room",)

    def on_page(self, request: HttpRequest, page: PageName) -> PageAddition | None:
        from game.ops import database

        return PageAddition() if page == "setup" and database.is_on() else None

    def acted(self, request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
        from game.features.room.searching import recorded

        return recorded(request, before, acted)

    def on_saved(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str
    ) -> None:
        from game.features.room.searching import keep_ply

        keep_ply(request, response, saved)

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.room.searching import at_end

        return at_end(saved)
