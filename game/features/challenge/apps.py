"""What challenges add to pages: a link at the end of a match, and the challenger's pace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse

from game.feature import Feature, PageAddition

if TYPE_CHECKING:
    from game.engine.observation import Observation
    from game.matches.draft import Draft
    from game.matches.saved import SavedMatch


class ChallengeConfig(Feature):
    name = "game.features.challenge"
    part = "game.features.challenge.parts"

    def placing(self, draft: Draft, *, is_presence_shown: bool) -> PageAddition | None:
        from game.features.challenge.views import placing

        return placing(draft)

    def playing(self, saved: SavedMatch, seen: Observation) -> PageAddition | None:
        from game.features.challenge.views import playing

        return playing(saved, seen)

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        from game.features.challenge.views import ended

        return ended(request, saved, token)

    def public_replay(self, saved: SavedMatch, token: str) -> Mapping[str, object]:
        from game.features.challenge.views import same_fleet

        return same_fleet(saved)

    def acted(self, request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
        from game.features.challenge.views import marked

        return marked(request, before, acted)

    def on_saved(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str
    ) -> None:
        from game.features.challenge.views import keep_progress

        keep_progress(request, response, saved)

    def outcome(self, saved: SavedMatch, *, on_device: bool) -> str:
        from game.features.challenge import words

        compared = words.compared(saved)
        return f"{compared} {words.own_times(saved)}" if on_device else compared
