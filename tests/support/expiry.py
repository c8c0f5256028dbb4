"""A site that keeps matches open for 30 days, and a match that was begun on it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from game.matches import daily

BEGAN = datetime(2026, 5, 3, 17, 42, 9, tzinfo=UTC)
HOUR = int(datetime(2026, 5, 3, 17, tzinfo=UTC).timestamp()) // 3600
DAYS = 30
LAST = datetime(2026, 6, 2, 17, 59, 59, tzinfo=UTC)
"""The last second in which a match of that hour is open."""
SENTENCES = {
    "en": "This match was begun on 3 May 2026; this site keeps matches open for 30 days.",
    "de": "Diese Partie hat am 3. Mai 2026 begonnen; auf dieser Seite bleiben Partien 30 Tage lang"
    " offen.",
}


class Clock:
    """The site's clock, which a test sets."""

    now = BEGAN

    def __init__(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        monkeypatch.setattr(daily, "now", lambda: self.now)
        settings.MATCH_DAYS = DAYS

    def expire(self) -> None:
        self.now = LAST + timedelta(seconds=1)
