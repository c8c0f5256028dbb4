"""Two worlds: matches that differ in hidden things only must look the same to the last byte.

In each pair of requests the public history and the click are the same, the enemy's fleet is not.
Tokens and the commitment are masked, but not their lengths; all else has to be equal: status,
headers, body. The audit is itself audited, by leaks that are planted and have to be found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

import pytest
from django.test import Client

from game.display import boards, review_page
from game.engine.chance import Chance
from game.engine.fleets import IllegalFleet, complete
from game.engine.match import IllegalAction, Match, Phase
from game.engine.observation import observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches import saved
from game.matches.saved import SavedMatch
from game.players.originals.drifter import Drifter
from game.views import play
from tests.web.matches import address, opening, played, without_tokens

Fields = dict[str, str]

STILL = replace(BONN, moving=False)
CLASSIC = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
WORLDS: dict[str, tuple[Ruleset, str]] = {
    "bonn": (BONN, "bonn-medium"),
    "one shot, moving": (replace(BONN, again=False), "drifter"),
    "still": (STILL, "bonn-hard"),
    "classic": (CLASSIC, "bonn-medium"),
    "classic, by a belief": (CLASSIC, "recruit"),
    "touching": (replace(CLASSIC, touching=True), "bonn-easy"),
    "salvo": (replace(CLASSIC, salvo=True), "drifter"),
    "moving salvo": (replace(BONN, salvo=True, again=False), "drifter"),
}
PAIRS = 130
"""Pairs of requests in each of the worlds above: over a thousand in all."""
HTMX = {"hx-request": "true"}


@dataclass(frozen=True)
class Click:
    """The same request in two worlds."""

    pair: tuple[SavedMatch, SavedMatch]
    fields: Fields | None
    """None for a look at the page."""


# --- the worlds ---


def twin(one: SavedMatch, number: int) -> SavedMatch | None:
    """The same public history over another enemy fleet, or None where none was found."""
    match, rules = one.match, one.match.ruleset
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
            return replace(one, match=other)
    return None


def clicks(pair: tuple[SavedMatch, SavedMatch]) -> Iterator[Click]:
    """Looks and clicks whose public answers agree in both worlds, refused ones among them."""
    match = pair[0].match
    board = match.ruleset.board
    yield Click(pair, None)
    for fields in ({"cell": "Z9"}, {"hints": "on"}, {"coach": "on"}, {"steer": "0-fore"}, {}):
        yield Click(pair, fields)
    if match.phase is Phase.MOVING:
        yield Click(pair, {"steer": "stay"})
        for steer in match.steers(Side.FIRST)[:3]:
            yield Click(pair, {"steer": f"{steer.ship}-{steer.course.value}"})
        return
    ships = [
        {
            cell
            for index, ship in enumerate(one.match.placements(Side.SECOND))
            if one.match.is_afloat(Side.SECOND, index)
            for cell in ship.cells
        }
        for one in pair
    ]
    spent = match.spent(Side.SECOND)
    if match.aimed and (ships[0] | ships[1]) & set(match.aimed):
        return  # the results of the salvo would be told, and they may differ
    water = [cell for cell in board.cells if cell not in spent | ships[0] | ships[1]]
    yield from (
        Click(pair, {"cell": board.name(cell)}) for cell in (*water[:3], *sorted(spent)[:1])
    )
    # Hits too, on ships that are the same in both worlds: the end of them is told in both.
    same = [
        ship.cells
        for index, ship in enumerate(match.placements(Side.SECOND))
        if ship == pair[1].match.placements(Side.SECOND)[index] and set(ship.cells) & spent
    ]
    hits = [cell for ship in same for cell in ship if cell not in spent][:2]
    yield from (Click(pair, {"cell": board.name(cell)}) for cell in hits)


@cache
def worlds(name: str) -> tuple[tuple[SavedMatch, SavedMatch], ...]:
    """Pairs of matches with one public history, at many of their moments."""
    rules, mind = WORLDS[name]
    found = []
    for number in range(40):
        one = played(opening(rules, number=number, mind=mind), number)
        if number % 4 == 1:
            one = replace(one, setup=one.setup.switched(hints=True))
        if number % 10 == 3:
            one = replace(one, setup=one.setup.switched(coach=True))
        other = None if one.match.outcome else twin(one, number)
        if other is not None:
            found.append((one, other))
    return tuple(found)


def audit(name: str) -> Iterator[Click]:
    """All clicks in a world, over and over its matches."""
    return (click for pair in worlds(name) for click in clicks(pair))


# --- what the world outside sees ---


def answer(client: Client, one: SavedMatch, fields: Fields | None, number: int) -> str:
    """All that is answered, but for what a token or the commitment spells."""
    where = address(one, language=("en", "de")[number % 2])
    headers = HTMX if number % 3 else {}
    got = client.get(where) if fields is None else client.post(where, fields, headers=headers)
    text = _told(got)
    if got.status_code == 303:
        text += _told(client.get(got["Location"]))
    return text


def _told(got: Any) -> str:
    head = sorted(f"{name}: {value}" for name, value in got.items())
    return without_tokens(f"{got.status_code}\n{head}\n{got.content.decode()}")


def is_over(text: str) -> bool:
    return 'data-phase="over"' in text


def first_difference(name: str, count: int) -> tuple[int, bool]:
    """How many of so many pairs were compared until one differed, and whether one did."""
    client = Client(headers={"host": "localhost"})
    compared = 0
    for number, click in enumerate(islice(audit(name), count)):
        one, other = (answer(client, world, click.fields, number) for world in click.pair)
        if is_over(one) and is_over(other):
            continue  # the reveal is lawful
        compared += 1
        if one != other:
            return compared, True
    return compared, False


@pytest.mark.parametrize("name", WORLDS)
def test_pages_of_two_worlds_with_the_same_public_history_are_the_same(name: str) -> None:
    compared, is_different = first_difference(name, PAIRS)
    assert not is_different
    assert compared >= PAIRS - 5, "too few pairs were found to tell"


def test_the_worlds_differ_in_what_is_hidden_and_in_nothing_else() -> None:
    for name in WORLDS:
        assert len(worlds(name)) >= 12
        for one, other in worlds(name):
            assert one.match.fleets != other.match.fleets
            assert observe(one.match, Side.FIRST) == observe(other.match, Side.FIRST)


# --- planted leaks ---


def hidden(one: SavedMatch) -> int:
    """A number that follows from what must not be known."""
    return one.match.placements(Side.SECOND)[-1].bow


Plant = Callable[[pytest.MonkeyPatch], None]


def in_context(change: Callable[[dict[str, Any], int], None]) -> Plant:
    """A leak that changes what the template is told of a match."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest = play._playing

        def leaky(request: Any, one: SavedMatch, token: str) -> dict[str, Any]:
            context = honest(request, one, token)
            change(context, hidden(one))
            return context

        monkeypatch.setattr(play, "_playing", leaky)

    return plant


def _class(context: dict[str, Any], secret: int) -> None:
    view = context["enemy"]
    cells = [cell for row in view.rows for cell in row]
    cells[secret] = cells[secret]._replace(is_last=True)
    rows = tuple(tuple(cells[at : at + view.columns]) for at in range(0, len(cells), view.columns))
    context["enemy"] = view._replace(rows=rows)


def _hull(context: dict[str, Any], secret: int) -> None:
    view = context["enemy"]
    hull = boards.Hull(-1, 2, secret % 9, 0, False, "sunk")
    context["enemy"] = view._replace(hulls=(*view.hulls, hull))


def _attribute(context: dict[str, Any], secret: int) -> None:
    context["turn"] = f"{context['turn']}{'0' * (secret % 2)}"


def _length(context: dict[str, Any], secret: int) -> None:
    context["rule_line"] += " " * (secret % 3)


def _order(context: dict[str, Any], secret: int) -> None:
    if secret % 2:
        context["enemy_fleet"] = context["enemy_fleet"][::-1]


def in_header(name: str) -> Plant:
    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        honest, secrets = play._playing, []

        def noting(request: Any, one: SavedMatch, token: str) -> dict[str, Any]:
            secrets.append(hidden(one))
            return honest(request, one, token)

        def leaky(*args: Any, **kwargs: Any) -> Any:
            response = answering(*args, **kwargs)
            response[name] = f'"{secrets[-1] if secrets else 0}"'
            return response

        answering = play._answer
        monkeypatch.setattr(play, "_playing", noting)
        monkeypatch.setattr(play, "_answer", leaky)

    return plant


def in_token(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = play.seal_match
    monkeypatch.setattr(play, "seal_sitting", lambda one: honest(one) + "AAAA" * (hidden(one) % 2))


class Careless(Drifter):
    """A mind whose shots tell where its own ships lie."""

    def aim(self, seen: Any, chance: Chance) -> Any:
        return seen.targets[seen.ships[-1].placement.bow % len(seen.targets)]


def in_aim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "MINDS", dict.fromkeys(saved.MINDS, Careless()))


def in_coach(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, secrets = play._playing, []

    def noting(request: Any, one: SavedMatch, token: str) -> dict[str, Any]:
        secrets.append(hidden(one))
        return honest(request, one, token)

    def leaky(drawn: Any, seen: Any, view: Any, now: Any = None) -> Any:
        chances = view.cells.copy()
        chances[secrets[-1]] += 0.01
        return warming(drawn, seen, replace(view, cells=chances), now)

    warming = review_page.with_chances
    monkeypatch.setattr(play, "_playing", noting)
    monkeypatch.setattr(review_page, "warmed", leaky)


LEAKS: dict[str, Plant] = {
    "a class": in_context(_class),
    "a hull": in_context(_hull),
    "an attribute": in_context(_attribute),
    "the length of the page": in_context(_length),
    "the order of a list": in_context(_order),
    "an ETag": in_header("ETag"),
    "a header": in_header("Server-Timing"),
    "the length of the token": in_token,
    "the computer's shots": in_aim,
    "the coach": in_coach,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert first_difference("bonn", 60)[1], f"nobody noticed {leak}"


def test_no_page_before_the_end_holds_the_seed_or_the_enemys_fleet_in_any_spelling() -> None:
    client = Client(headers={"host": "localhost"})
    for number in range(5):
        one = played(opening(number=number + 2**90), number)
        match = one.match
        html = re.sub(r"[A-Za-z0-9_-]{60,}", "", client.get(address(one)).content.decode())
        own = {str(ship) for ship in match.fleets[0]}
        for ship in match.fleets[1]:
            if str(ship) not in own:
                assert str(ship) not in html
        assert match.seed.hex() not in html
        assert str(int.from_bytes(match.seed, "big")) not in html
