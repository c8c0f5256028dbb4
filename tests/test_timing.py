"""The work of an answer doesn't follow from what is hidden, so its time tells nothing of it.

Work is counted in calls of functions, which is the same number in each run. `make timing` measures
the same pairs of clicks by clocks.
"""

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from game.engine.actions import STAY
from game.engine.match import Match
from game.engine.rules import Side
from game.matches import referee
from game.matches.tokens import unseal_match
from game.players.mind import Mind
from tests.support.timing import FILLED_UP, calls, pairs, warmed

PAIRS = pairs()
QUICK = "random", "camlship:", "a question", "alone:", "two devices", "admiral: still"
"""How pairs begin that take little time."""
MOST_MORE = 0.0025
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


def test_a_mind_that_is_not_asked_where_no_ship_can_move_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decide = referee.decide

    def hasty(mind: Mind, match: Match, learnt: tuple[int, ...] = ()) -> Match:
        is_stuck = match.is_move_due and not match.steers(match.side)
        return match.act(STAY) if is_stuck else decide(mind, match, learnt)

    monkeypatch.setattr(referee, "decide", hasty)
    for mind in ("random", "admiral", "bonn-hard"):
        assert more_calls(f"{mind}: no ship can move, or one") > MOST_MORE


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
