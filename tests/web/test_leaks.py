"""Two worlds: matches that differ in hidden things only must look the same to the last byte."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from game.engine.chance import Chance
from game.engine.match import IllegalAction, Match
from game.engine.observation import observe
from game.engine.rules import IllegalFleet, Side, complete
from game.presets import BONN
from game.sitting import Sitting
from tests.web.matches import address, opening, played, without_tokens

RULES = [BONN, replace(BONN, moving=False), replace(BONN, touching=True, again=False)]


def twin(sitting: Sitting, number: int) -> Sitting | None:
    """The same public history over another enemy fleet, or None where none was found."""
    match, rules = sitting.match, sitting.match.ruleset
    enemy = match.fleets[Side.SECOND]
    seen = observe(match, Side.FIRST)
    hit = {shot.cell for shot in seen.shots if shot.result.value != "water"}
    for attempt in range(60):
        chance = Chance(bytes(16), "twin", 1000 * number + attempt)
        kept = [ship for ship in enemy if hit & set(ship.cells)]
        try:
            fleet = complete(rules, kept, chance)
            other = Match(rules, (match.fleets[0], fleet), match.seed, match.actions)
        except (IllegalFleet, IllegalAction):
            continue
        if fleet != enemy and observe(other, Side.FIRST) == seen:
            return replace(sitting, match=other)
    return None


def answers(client: Client, sitting: Sitting, fields: dict[str, str]) -> list[str]:
    found = []
    for language in ("en", "de"):
        where = address(sitting, language=language)
        got = [client.get(where)]
        for headers in ({}, {"hx-request": "true"}):
            got.append(client.post(where, fields, headers=headers))
            if got[-1].status_code == 303:
                got.append(client.get(got[-1]["Location"]))
        for answer in got:
            head = sorted(f"{name}: {value}" for name, value in answer.items())
            whole = f"{answer.status_code}\n{head}\n{answer.content.decode()}"
            found.append(without_tokens(whole))
    return found


@pytest.mark.parametrize("rules", RULES, ids=["bonn", "still", "touching"])
def test_pages_of_two_worlds_with_the_same_public_history_are_the_same(rules):
    client = Client(headers={"host": "localhost"})
    compared = 0
    for number in range(10):
        sitting = played(opening(rules, number=number, mind="bonn-medium"), number)
        other = twin(sitting, number)
        if sitting.match.outcome or other is None:
            continue
        # Clicks whose public answer agrees in both worlds, refused ones among them.
        clicks = [{"cell": "Z9"}, {"hints": "on"}, {"steer": "stay"}]
        board = rules.board
        water = [
            cell for cell in board.cells
            if cell not in sitting.match.spent(Side.SECOND)
            and all(cell not in ship.cells for one in (sitting, other)
                    for ship in one.match.placements(Side.SECOND))
        ]  # fmt: skip
        clicks += [{"cell": board.name(cell)} for cell in water[:3]]
        for fields in clicks:
            assert answers(client, sitting, fields) == answers(client, other, fields)
            compared += 1
    assert compared >= 18


def test_no_page_before_the_end_holds_the_seed_or_the_enemys_fleet_in_any_spelling():
    client = Client(headers={"host": "localhost"})
    for number in range(5):
        sitting = played(opening(number=number + 2**90), number)
        match = sitting.match
        html = re.sub(r"[A-Za-z0-9_-]{60,}", "", client.get(address(sitting)).content.decode())
        own = {str(ship) for ship in match.fleets[0]}
        for ship in match.fleets[1]:
            if str(ship) not in own:
                assert str(ship) not in html
        assert match.seed.hex() not in html
        assert str(int.from_bytes(match.seed, "big")) not in html


def test_the_planted_leak_of_a_hull_is_caught(monkeypatch):
    """The audit itself is audited: a page that draws one hidden hull must not pass."""
    from game import boards

    honest = boards.enemy_waters

    def leaky(seen, **options):
        view = honest(seen, **options)
        hull = boards.Hull(0, 2, leak.pop(0), 0, False, "sunk")
        return view._replace(hulls=(*view.hulls, hull))

    leak = [1, 2]
    monkeypatch.setattr(boards, "enemy_waters", leaky)
    client = Client(headers={"host": "localhost"})
    where = address(opening())
    pages = [without_tokens(client.get(where).content.decode()) for _ in range(2)]
    assert pages[0] != pages[1]
