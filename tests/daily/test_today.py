"""The row of today's games on the home page, and the page of today."""

import re
from datetime import datetime
from html import unescape

import pytest

from game.views import hooks
from tests.support.days import DAY, GAMES, NOON, acted, begun
from tests.support.device import HTMX, Device
from tests.support.features import needs_features
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("chain_file", "clock")


def row(html: Page) -> dict[str, str]:
    """What the row of today's games says: its heading, and each game with its state."""
    part = html.split('<section class="today"')[1].split("</section>")[0]
    cards = re.findall(r"<b>(.*?)</b> <span>(.*?)</span>", part, re.DOTALL)
    heading = part.split("</h2>")[0].rpartition(">")[2]
    streak = re.search(r'"streak">(.*?)<', part)
    words = {unescape(name): re.sub("<.*?>", "", state).strip() for name, state in cards}
    return {"day": heading, "row": streak[1] if streak else "", **words}


@needs_features("logbook")
def test_the_row_of_today_says_how_far_this_browser_is(
    client: Device, clock: list[datetime]
) -> None:
    assert row(client.see("/en/")) == {
        "day": "Today, 1 December", "row": "",
        **{game.title(): "new" for game in hooks.day_games()},
    }  # fmt: skip
    sea = GAMES["sea"]
    where = begun(client, f"/en/{sea.page}")
    where = acted(client, where, *sea.misses(where, 2))
    assert row(client.see("/en/"))["Today’s sea"] == "2 so far"
    shots = sea.finish(where)
    acted(client, where, *shots)
    german = row(client.see("/de/"))
    assert german["Tagesmeer"] == f"{len(shots) + 2} Schüsse"
    assert german["day"] == "Heute, 1. Dezember"

    clock[0] = NOON + DAY
    assert row(client.see("/en/"))["Today’s sea"] == "new"
    where = begun(client, f"/en/{sea.page}")
    end = acted(client, where, *sea.misses(where), sea.give_up)
    assert "2 days in a row." in client.see(end)
    assert "in a row" not in Device().see(end), "another's sea"
    today = client.see("/en/today/")
    assert today.count("is-done") == 1, "it has been played, too"
    found = row(today)
    assert (found["Today’s sea"], found["row"]) == ("not found", "2 days in a row")


def test_a_script_asks_for_the_row_of_the_players_own_day(client: Device) -> None:
    for asked, day in (("2026-12-02", "2 December"), ("2026-11-01", "1 December")):
        answer = client.get(f"/en/today/?day={asked}", headers=HTMX)
        assert answer.lstrip().startswith("<section")
        assert row(answer)["day"] == f"Today, {day}"
