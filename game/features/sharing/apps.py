"""What sharing adds to pages: links on those of a match, and the facts of a public replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest

from game.feature import Feature, PageAddition

if TYPE_CHECKING:
    from game.matches.saved import SavedMatch


class SharingConfig(Feature):
    name = "game.features.sharing"
    playing_links = ("elsewhere",)

    def links(self, saved: SavedMatch, token: str) -> Mapping[str, str]:
        from game.views.addresses import address

        return {"share": address("share", token)}

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.sharing.moment import ended

        return ended(saved)

    def public_replay(self, saved: SavedMatch, token: str) -> Mapping[str, object]:
        from game.features.sharing.views import told

        return told(saved, token)
