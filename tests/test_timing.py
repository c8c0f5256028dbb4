"""The work of an answer doesn't follow from what is hidden, so its time tells nothing of it.

Work is counted in calls of functions, which is the same number in each run. `make timing` measures
the same pairs of clicks by clocks.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from game.engine.actions import Manoeuvre, Stay
from game.engine.chance import Chance
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.rules import Side
from game.matches import referee
from game.matches.tokens import unseal_match
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer
from tests.support import timing
from tests.support.timing import FILLED_UP, calls, pairs, warmed

PAIRS = pairs()
QUICK = "random", "camlship:", "a question", "alone:", "two devices", "admiral: still"
"""How pairs begin that take little time."""
MOST_MORE = 0.005
"""By what part the calls of two clicks may differ: numbers are drawn again now and then."""


def more_calls(name: str) -> float:
    """By what part of the first click's calls the second one's differ."""
    first, second = calls(warmed(PAIRS[name]()))
    return abs(second - first) / first


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name.startswith(QUICK) else pytest.mark.deep)
        for name in PAIRS
        if FILLED_UP not in name
    ],
)
def test_what_is_hidden_makes_no_work(name: str) -> None:
    assert more_calls(name) <= MOST_MORE


# --- leaks by time are planted, and have to be found ---


def test_a_mind_that_is_not_asked_where_no_ship_can_move_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decide = referee.decide

    def hasty(mind: Mind, match: Match, learnt: tuple[int, ...] = ()) -> Match:
        is_stuck = match.is_move_due and not match.steers(match.side)
        return match.stay() if is_stuck else decide(mind, match, learnt)

    monkeypatch.setattr(referee, "decide", hasty)
    for mind in ("random", "admiral", "bonn-hard"):
        assert more_calls(f"{mind}: no ship can move, or one") > MOST_MORE


class Pensive(RandomPlayer):
    """A mind that looks longer the more moves there are."""

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        for _steer in seen.steers:
            Chance(bytes(16), "pensive", 0).shuffle(list(range(5)))
        return super().steer(seen, chance)


class Busy(RandomPlayer):
    """A mind that looks longer for a target when it has moved."""

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        move = super().steer(seen, chance)
        for _time in range(0 if isinstance(move, Stay) else 20):
            Chance(bytes(16), "busy", 0).below(2)
        return move


@pytest.mark.parametrize(
    ("mind", "name"),
    [(Pensive(), "few moves, or many"), (Busy(), "it answers without a move, or with one")],
)
def test_a_mind_whose_work_follows_from_its_moves_is_found(
    mind: Mind, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MINDS, "random", mind)
    assert more_calls(f"random: {name}") > MOST_MORE


Answer = Callable[[HttpRequest], HttpResponse]


def pausing(get_response: Answer) -> Answer:
    """Middleware that works the longer, the farther down the enemy's last ship lies."""

    def answered(request: HttpRequest) -> HttpResponse:
        saved = unseal_match(request.path.split("/")[3])
        for _cell in range(saved.match.placements(Side.SECOND)[-1].bow):
            bin(0)
            hex(0)
        return get_response(request)

    return answered


def test_work_that_follows_from_where_ships_lie_is_found(settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.pausing"]
    assert more_calls("recruit: still, inside or at the edge") > MOST_MORE


# --- the script's arithmetic ---


@pytest.mark.parametrize(("slower", "is_told"), [(0, False), (9, True)])
def test_a_click_that_takes_longer_is_told_from_its_twin(
    slower: int, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0]

    def take(milliseconds: int) -> Any:
        def send() -> None:
            now[0] += 1_000_000 * (milliseconds + now[0] // 1_000_000 % 7)

        return send

    monkeypatch.setattr(timing, "CLOCKS", (lambda: now[0],) * 2)
    clicks: Any = [SimpleNamespace(send=take(each), prepare=int) for each in (20, 20 + slower)]
    found = timing.measured(clicks, 50)
    assert timing.is_told(found) is is_told
