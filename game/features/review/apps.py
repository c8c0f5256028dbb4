"""What the review adds to pages: its addresses, and a link on all pages of an ended match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from game.feature import Feature

if TYPE_CHECKING:
    from game.matches.saved import SavedMatch


class ReviewConfig(Feature):
    name = "game.features.review"
    urls = "game.features.review.urls"

    def links(self, saved: SavedMatch, token: str) -> Mapping[str, str]:
        from game.features.review.views import links

        return links(saved, token)
