"""What the review adds to pages: its addresses, and a link on all pages of an ended match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from game.feature import Feature

if TYPE_CHECKING:
    from game.matches.saved import SavedMatch


class ReviewConfig(Feature):
    name = "game.features.review"

    def links(self, saved: SavedMatch, token: str) -> Mapping[str, str]:
        from game.views.addresses import address

        return {"review": address("review", token) + ("?side=second" if saved.setup.seat else "")}
