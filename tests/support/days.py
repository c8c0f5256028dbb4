"""The days of all games: the site's chain, its clock, and how each game's day is played."""

import base64
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytest_django import Settings

from game.matches import daily
from game.matches.daily import Chain
from game.ops import secrets
from tests.support.day_games import Form, Game
from tests.support.device import Device
from tests.support.features import merged
from tests.support.matches import enemy_ships
from tests.support.page import Page

CHAIN = Chain(bytes(range(32)), 3650, date(2026, 11, 22))
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TODAY = date(2026, 12, 1)
SIGNS = {"water": "⬛", "hit": "🟨", "sunk": "🟩"}
"""The results of shots in a sentence to share."""
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
_ZONES = [ZoneInfo(f"Etc/GMT{-offset:+d}" if offset else "Etc/GMT") for offset in range(-12, 15)]


def dates_by_zones(now: datetime) -> tuple[date, ...]:
    """The dates that zones of whole hours show, from UTC-12 to UTC+14."""
    return tuple(sorted({now.astimezone(zone).date() for zone in _ZONES}))


def as_secret(chain: Chain) -> dict[str, Any]:
    """The chain as secrets hold it."""
    end = base64.b64encode(chain.end).decode()
    return {"end": end, "length": chain.length, "first": chain.first.isoformat()}


def with_chain(path: Path, chain: Chain | None = CHAIN) -> Path:
    """Writes a secrets file with new keys and that chain, if any."""
    found = secrets.make()
    del found["daily"]
    secrets.write(path, found | ({"daily": as_secret(chain)} if chain else {}))
    return path


def begun(client: Device, page: str, day: date | str | None = None) -> str:
    """Where the page of the day, `/en/daily/`, leads."""
    answer = client.get(page, {} if day is None else {"day": str(day)})
    assert answer.status == 302
    return answer.location


def acted(client: Device, where: str, *forms: Form) -> str:
    """Where a match is after these forms were sent."""
    for form in forms:
        where = client.pressed(where, form)
    return where


def sunk(client: Device, where: str) -> str:
    """Returns the address of a sea after shots at all its ships, with par counted."""
    where = acted(client, where, *({"cell": cell} for cell in enemy_ships(where)))
    while 'value="par"' in client.get(where):
        where = acted(client, where, {"action": "par"})
    return where


GAMES: dict[str, Game] = merged("DAY_GAMES")
"""The games that have a match of the day, each of a feature."""


BEGAN = datetime(2026, 5, 3, 17, 42, 9, tzinfo=UTC)
BEGAN_HOUR = int(datetime(2026, 5, 3, 17, tzinfo=UTC).timestamp()) // 3600
MATCH_DAYS = 30
LAST = datetime(2026, 6, 2, 17, 59, 59, tzinfo=UTC)
"""The last second in which a match of that hour is open."""
SENTENCES = {
    "en": "This match was begun on 3 May 2026; this site keeps matches open for 30 days.",
    "de": "Diese Partie hat am 3. Mai 2026 begonnen; auf dieser Website bleiben Partien 30 Tage"
    " lang offen.",
}


class Clock:
    """The site's clock, which a test sets."""

    now = BEGAN

    def __init__(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        monkeypatch.setattr(daily, "now", lambda: self.now)
        settings.MATCH_DAYS = MATCH_DAYS

    def expire(self) -> None:
        self.now = LAST + timedelta(seconds=1)


FORMS: list[dict[str, str]] = [
    {"action": "show"}, {"cell": "B3"}, {"action": "resign"}, {"action": "resign-yes"},
    {"hints": "on"}, {"action": "anew"}, {"action": "shown"}, {},
]  # fmt: skip
"""What a page that has expired may send."""


def refused(answer: Page, language: str = "en") -> None:
    """Asserts that a match has expired."""
    assert answer.status == 410
    assert answer.says == SENTENCES[language]
    assert answer.search(rf'class="button primary"\s+href="/{language}/\w')
    assert "data-cell" not in answer
    assert answer.headers["Cache-Control"] == "no-store"
