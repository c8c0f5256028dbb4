"""The audit of leaks is audited: each leak that is planted here must make two worlds differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from game import referee, sitting, views
from game.engine.match import Fire, Match, Phase
from game.engine.rules import Side
from game.presets import BONN
from game.sitting import Sitting
from tests.web.matches import opening, played
from tests.web.test_leaks import answers, twin

Leak = Callable[[HttpResponse, int], None]
"""Changes a page by one bit that only the enemy's fleet decides."""


def bit(match: Match) -> int:
    """What must not be known: something of where the enemy lies."""
    return sum(int(ship.bow) for ship in match.fleets[Side.SECOND])


def replaced(old: str, new: str) -> Leak:
    def leak(response: HttpResponse, hidden: int) -> None:
        assert old.encode() in response.content
        if hidden % 3:
            response.content = response.content.replace(old.encode(), new.encode(), 1)

    return leak


def header(name: str) -> Leak:
    def leak(response: HttpResponse, hidden: int) -> None:
        response.headers[name] = f'"{hidden}"'

    return leak


def reordered(response: HttpResponse, hidden: int) -> None:
    lines = response.content.split(b"\n")
    lines[-9:-1] = sorted(lines[-9:-1], reverse=bool(hidden % 2))
    response.content = b"\n".join(lines)


def lengthened(response: HttpResponse, hidden: int) -> None:
    response.content += b" " * (hidden % 50)


def cookie(response: HttpResponse, hidden: int) -> None:
    response.set_cookie("language", str(hidden))


IN_PAGES: dict[str, Leak] = {
    "a class": replaced('data-state="unknown"', 'data-state="unknown" class="is-near"'),
    "an attribute": replaced('data-board="enemy"', 'data-board="enemy" data-n="1"'),
    "the order of attributes": replaced('data-turn="', 'data-x="" data-turn="'),
    "an ETag": header("ETag"),
    "a header": header("X-Cache"),
    "the page's length": lengthened,
    "the order of lines": reordered,
}


def differ(number: int, until: Phase) -> bool:
    """Whether two worlds with the same public history can be told apart by a click or two."""
    client = Client(headers={"host": "localhost"})
    one = played(opening(BONN, number=number, mind="bonn-medium"), 6 + number)
    one = played(one, 9, until=until)
    other = twin(one, number)
    if other is None:
        return False
    board, spent = BONN.board, one.match.spent(Side.SECOND)
    taken = {
        cell for world in (one, other) for ship in world.match.placements(Side.SECOND)
        for cell in ship.cells
    }  # fmt: skip
    water = next(cell for cell in board.cells if cell not in spent | taken)
    fields = {"cell": board.name(water)} if one.match.phase is Phase.FIRING else {"steer": "stay"}
    return answers(client, one, fields) != answers(client, other, fields)


def is_caught(until: Phase = Phase.FIRING) -> bool:
    return any(differ(number, until) for number in range(12))


def test_without_a_leak_the_worlds_are_the_same() -> None:
    assert not is_caught()
    assert not is_caught(Phase.MOVING)


@pytest.mark.parametrize("leak", IN_PAGES.values(), ids=IN_PAGES)
def test_a_leak_in_a_page_is_caught(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views._shown

    def leaky(request: Any, shown: Sitting, token: str, **more: Any) -> HttpResponse:
        response = honest(request, shown, token, **more)
        if response.status_code == 200:
            leak(response, bit(shown.match))
        return response

    monkeypatch.setattr(views, "_shown", leaky)
    assert is_caught()


def test_a_leak_in_a_tokens_length_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = sitting.tokens.seal

    def leaky(purpose: Any, content: bytes) -> str:
        shown = sitting.codec.decode(content[10:])
        return honest(purpose, content + bytes(bit(shown) % 40))

    monkeypatch.setattr(sitting.tokens, "seal", leaky)
    assert is_caught()


def test_a_mind_whose_shots_tell_where_it_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = referee.decide

    def leaky(mind: Any, match: Match) -> Match:
        if match.phase is Phase.MOVING:
            return honest(mind, match)
        targets = sorted(set(match.ruleset.board.cells) - match.spent(match.side.opponent))
        return match.act(Fire(targets[bit(match) % len(targets)]))

    monkeypatch.setattr(referee, "decide", leaky)
    assert is_caught(Phase.MOVING)
