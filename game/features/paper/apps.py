"""What games on paper add to pages: a link to print on the page of a preset and of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from game.feature import Feature

if TYPE_CHECKING:
    from game.matches.saved import SavedMatch


class PaperConfig(Feature):
    name = "game.features.paper"
    urls = "game.features.paper.urls"

    def links(self, saved: SavedMatch, token: str) -> Mapping[str, str]:
        from game.views.answers import address

        return {} if saved.match.outcome else {"paper_of": address("paper_of", token)}
