"""The coach, who shows the chances before a shot."""

import re
from dataclasses import replace

from game.engine.observation import observe
from game.engine.rules import Ruleset, Side
from game.matches.cell_chances import cell_chances
from game.matches.saved import SavedMatch
from tests.support.device import Device
from tests.support.matches import address, opening, played, saved_at, waters

SMALL = Ruleset(columns=8, rows=8, fleet=(4, 3, 2, 2), turns=40)


def firing(coach: bool = True) -> SavedMatch:
    saved = played(opening(SMALL, number=5, mind="recruit"), 6)
    return replace(saved, setup=saved.setup.with_help(coach=coach))


def test_the_coach_shows_the_chances_and_names_the_best_three(client: Device) -> None:
    saved = firing()
    html = client.get(address(saved))
    seen = observe(saved.match, Side.FIRST)
    best = cell_chances(seen).ranked(seen.targets)
    assert re.findall(r"([A-H]\d), (\d+)%", html.first(r'coach-line">([^<]+)<')) == [
        (seen.board.name(cell), str(round(100 * chance))) for cell, chance in best
    ]
    figures = dict(re.findall(r'data-cell="(\w+)"[^>]*><span class="heat"[^>]*>(\d+)<', html))
    assert figures == {seen.board.name(at): str(round(100 * likely)) for at, likely in best}
    assert len(re.findall(r'aria-label="[^"]*chance \d+%"', html)) == len(seen.targets)
    name, chance = seen.board.name(best[0][0]), round(100 * best[0][1])
    assert re.search(rf'aria-label="{name}, [a-z ,0-9]*chance {chance}%"', html)


def test_the_coach_says_nothing_of_where_to_fire_while_the_computer_acts(client: Device) -> None:
    saved = firing()
    match = saved.match.fire(SMALL.board.parse(waters(saved.match, Side.SECOND)[0]))
    assert match.side is Side.SECOND
    html = client.get(address(replace(saved, match=match)))
    assert "Coach: back at your next shot." in html
    assert 'class="heat"' not in html


def test_using_the_coach_marks_the_match_for_good_and_takes_no_turn(client: Device) -> None:
    before = firing(coach=False)
    html = client.get(where := address(before))
    assert 'class="heat"' not in html
    assert "coach-line" not in html
    assert html.search(r'name="coach" value="on"\s+aria-pressed="false"')
    where = client.pressed(client.pressed(where, {"coach": "on"}), {"coach": "off"})
    after = saved_at(where)
    assert after.match == before.match
    assert not after.setup.assists.coach
    assert after.setup.assists.used == ("coach",)
    assert before.setup.assists.used == ()
    html = client.get(address(played(after, 10_000)))
    assert saved_at(client.pressed(html.again, {"action": "quick"})).setup.assists.used == ()
