"""Two worlds of a duel: what the other seat hides changes no byte that a seat or a stranger gets.

In each pair of duels the public history is the same; the other seat's fleet, its moves and whether
any of its ships can move are not. The whole sequence of answers has to be equal: pages, refusals,
and what the page is told while it waits. Tokens, words to wait by and codes are masked, but not
their lengths. The end reveals both fleets, so there only how it ended is compared.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from game.engine.actions import STAY, Action, Fire, Phase, Steer
from game.engine.chance import Chance
from game.engine.fleets import Fleet, IllegalFleet, complete
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import duel_store, tokens
from game.matches.duel import Duel, poll_key
from game.matches.seats import Seats, seat_hash_of
from game.matches.setup import Setup
from game.matches.tokens import seal_kept_seat, seal_seats, unseal_duel
from game.ops import match_store
from game.views import duel as views
from game.views.pages.playing import play_page
from tests.support.client import FormClient
from tests.support.duels import HTMX, address_of
from tests.support.matches import opening
from tests.support.pages import find, without_tokens

CLASSIC = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
CRAMPED = Ruleset(columns=5, rows=5, fleet=(5, 3), again=False, turns=60)
"""Here many a fleet can't move at all: the longest ship reaches from edge to edge."""
SEAS: dict[str, Ruleset] = {
    "bonn": BONN,
    "one shot, moving": replace(BONN, again=False),
    "cramped": CRAMPED,
    "cramped, again": replace(CRAMPED, again=True),
    "cramped, salvo": replace(CRAMPED, salvo=True, turns=40),
    "classic": CLASSIC,
    "touching": replace(CLASSIC, touching=True),
    "named": replace(CLASSIC, touching=True, named=True),
    "named, moving": replace(BONN, named=True, again=False),
    "salvo": replace(CLASSIC, salvo=True),
    "moving salvo": replace(BONN, salvo=True, again=False, turns=75),
    "a limit": replace(BONN, again=False, turns=12),
}
STEPS = (1, 2, 2, 4)
"""Actions of a pair that go through the pages, after those that are only played."""


# --- a pair of duels ---


class World:
    """A duel, one seat of which is watched: what it is answered, and what a stranger is."""

    def __init__(self, duel: Duel, watched: Side, seats: tuple[Seats, Seats]) -> None:
        self.watched = watched
        self.clients = [FormClient(headers=FROM_HERE) for _side in Side]
        for client, one in zip(self.clients, seats, strict=True):
            client.cookies["seats"] = seal_seats(one)
        self.stranger = FormClient(headers=FROM_HERE)
        self.duel = duel_store.write(duel)
        self.where = self.first = address_of(duel)
        self.wait = ""
        self.told: list[str] = []

    @property
    def match(self) -> Match:
        assert self.duel.match is not None
        return self.duel.match

    def act(self, action: Action | None) -> None:
        """The side to act does it; None gives up, for the watched seat or the other one in turn."""
        side = self.match.side if action is not None else Side(self.duel.step % 2)
        where = self.where if side is self.watched else address_of(self.duel)
        got = self.clients[side].post(where, words(self.match, action))
        if side is self.watched:
            self.tell(got)
        assert got.status_code == 303, got.content
        self.duel = unseal_duel(got["Location"].split("/")[3])

    def look(self, chance: random.Random) -> None:
        """What the watched seat and a stranger ask for after each step."""
        seat = self.clients[self.watched]
        if self.wait:
            self.tell(seat.get(self.wait))
            self.tell(self.stranger.get(self.wait))
        got = seat.get(self.where, headers=HTMX if chance.random() < 0.3 else {})
        self.tell(got)
        if got.status_code == 303:
            self.where = got["Location"]
            got = seat.get(self.where)
            self.tell(got)
        html = got.content.decode()
        self.wait = find(r'data-wait="([^"]+)"', html)[1]
        self.where = find(r'action="(/[a-z]+/duel/[^"]+)"', html)[1]
        match chance.randrange(8):
            case 0:
                self.tell(seat.get(self.first))
            case 1:
                self.tell(seat.post(self.where, {"cell": "Z9"}))
            case 2:
                self.tell(seat.post(self.where, {"steer": "99-fore"}))
            case 3:
                self.tell(seat.post(self.where, {"action": "resign"}))
            case 4:
                self.tell(self.stranger.get(self.where))
            case 5:
                self.tell(self.stranger.post(self.where, {"cell": "A1"}, headers=HTMX))
            case 6:
                self.tell(seat.get(self.where.replace("/en/", "/de/", 1)))
            case 7:
                self.tell(seat.get(f"{self.where}?look=enemy"))
        assert self.duel.is_over or 'data-phase="over' not in html

    def tell(self, got: Any) -> None:
        """Keeps an answer: all of it, but of the end only how it ended."""
        ended = re.search(r'data-outcome="(\w+)" data-reason="([\w-]+)"', got.content.decode())
        self.told.append(f"{got.status_code} {ended[0]}" if ended else answer(got))


ACT = Match.act
"""The rules as they are: a leak that is planted in them must not choose what is played."""
FROM_HERE = {"host": "localhost", "origin": "http://localhost"}


def answer(got: Any) -> str:
    """All of an answer, masked."""
    text = got.content.decode()
    heads = sorted(f"{name}: {value}" for name, value in got.items())
    if 'class="code"' in text:  # how much there is to draw depends on what it says
        heads = [head for head in heads if not head.startswith("Content-Length")]
    cookies = sorted(cookie.OutputString() for cookie in got.cookies.values())
    return masked("\n".join([str(got.status_code), *heads, *cookies, text]))


def masked(text: str) -> str:
    """A text without what is drawn by chance: tokens, words to wait by, codes, days."""
    text = re.sub(r'(<div class="code").*?</div>', r"\1", text, flags=re.DOTALL)
    text = re.sub("/wait/[A-Za-z0-9_-]{22}/", "/wait/<word>/", text)
    return without_tokens(re.sub("expires=[^;]+;", "", text))


def words(match: Match, action: Action | None) -> dict[str, str]:
    """The fields of a form."""
    if action is None:
        return {"action": "resign-yes"}
    if isinstance(action, Fire):
        return {"cell": match.ruleset.board.name(action.cell)}
    word = f"{action.ship}-{action.course.value}" if isinstance(action, Steer) else "stay"
    return {"steer": word}


def pair(seed: int) -> tuple[World, World, Counter[str]] | None:
    """Two duels played on to a moment somewhere in them; None where no such pair is found."""
    chance = random.Random(f"duels/{seed}")
    name = list(SEAS)[seed % len(SEAS)]
    watched = Side(chance.randrange(2))
    rules = replace(SEAS[name], begins=Side(chance.randrange(2)))
    matches = twins(rules, watched, chance, is_cramped=name.startswith("cramped"))
    if matches is None:
        return None
    before = chance.choice((0, 3, 10, 30))
    for ply in range(100):
        # What the other side hides is in its moves: they are not to be missed.
        if ply >= before and not (rules.moving and matches[0].side is watched):
            break
        actions = step(matches, watched, chance)
        if actions is None:
            break
        following = [
            ACT(one, action, stays=False) for one, action in zip(matches, actions, strict=True)
        ]
        if any(one.outcome is not None for one in following):
            break
        matches = following
    worlds = []
    for match in matches:
        duel_id = chance.randbytes(16)
        seats = Seats(chance.randbytes(16)), Seats(chance.randbytes(16))
        one, other = (seat_hash_of(seats[side].seat_secret(duel_id, side)) for side in Side)
        setup = Setup(
            rules, (None, None), remote=True, loser_begins=True,
            names=("Änne", "") if seed % 3 else ("", ""),
        )  # fmt: skip
        duel = Duel(duel_id, 2 + match.ply, (one, other), setup, match.fleets, match)
        worlds.append(World(duel, watched, seats))
    return worlds[0], worlds[1], Counter({name: 1})


def twins(
    rules: Ruleset, watched: Side, chance: random.Random, *, is_cramped: bool
) -> list[Match] | None:
    """Two matches with the same fleet of the watched side and two of the other one.

    Those share a ship or two, so that it can be hit. Where the sea is cramped, one can't move.
    """
    own, number = fleet(rules, (), chance), 0
    assert own is not None
    found: list[Fleet] = []
    while len(found) < 2 and number < 400:
        number += 1
        shared = found[0][: 1 + len(found[0]) // 3] if found else ()
        other = fleet(rules, shared, chance)
        if other is None or other in found:
            continue
        pairs = (own, other) if watched is Side.FIRST else (other, own)
        can_move = any(Match(rules, pairs, bytes(16)).steers(watched.opponent))
        if not is_cramped or number > 200 or can_move is bool(found):
            found.append(other)
    if len(found) < 2:
        return None
    return [
        Match(rules, (own, one) if watched is Side.FIRST else (one, own), chance.randbytes(16))
        for one in found
    ]


def fleet(rules: Ruleset, kept: Fleet, chance: random.Random) -> Fleet | None:
    try:
        return complete(rules, kept, Chance(chance.randbytes(16), "fleet", 0))
    except IllegalFleet:
        return None


def step(
    matches: list[Match], watched: Side, chance: random.Random
) -> tuple[Action, Action] | None:
    """An action in each world that keeps the public history the same; None if none is found."""
    one, other = matches
    assert (one.side, one.phase) == (other.side, other.phase)
    if one.phase is Phase.MOVING:
        if one.side is watched:
            steers: list[Action] = [STAY, *one.steers(watched)]
            assert steers == [STAY, *other.steers(watched)]
            same = chance.choice(steers)
            return same, same
        moves: list[list[Action]] = [[STAY, *match.steers(match.side)] for match in matches]
        return chance.choice(moves[0]), chance.choice(moves[1])
    enemy = one.side.opponent
    assert one.spent(enemy) == other.spent(enemy)
    for cell in candidates(matches, enemy, chance):
        fire = Fire(cell)
        after = [ACT(match, fire, stays=False) for match in matches]
        if observe(after[0], watched) == observe(after[1], watched):
            return fire, fire
    return None


def candidates(matches: list[Match], enemy: Side, chance: random.Random) -> Iterator[Cell]:
    """Cells on which both worlds have the same ship, or none; those with a ship sooner."""
    lie = [
        {
            cell: (index, ship)
            for index, ship in enumerate(match.placements(enemy))
            if match.is_afloat(enemy, index)
            for cell in ship.cells
        }
        for match in matches
    ]
    spent = matches[0].spent(enemy)
    free = [cell for cell in matches[0].ruleset.board.cells if cell not in spent]
    same = [cell for cell in free if lie[0].get(cell) == lie[1].get(cell)]
    chance.shuffle(same)
    hits = [cell for cell in same if cell in lie[0]]
    yield from [*hits[:2], *same[:12]] if chance.random() < 0.4 else same[:12]


def compare(seed: int) -> tuple[str, Counter[str]]:
    """Plays a pair; where the worlds differ (empty if they don't), and what was compared."""
    found = pair(seed)
    if found is None:
        return "", Counter()
    one, other, seen = found
    chance = random.Random(f"steps/{seed}")
    watched = one.watched
    seen["pairs"] += 1
    steps = chance.choice(STEPS)
    for number in range(steps + 1):
        looks = chance.random()
        for world in (one, other):
            world.look(random.Random(f"{seed}/{number}/{looks}"))
        if one.told != other.told:
            at = next(at for at, told in enumerate(one.told) if told != other.told[at])
            return f"pair {seed}, answer {at}", seen
        if one.duel.is_over or other.duel.is_over:
            break
        matches = [one.match, other.match]
        actions: Any = step(matches, watched, chance)
        if actions is None or (number == steps - 1 and chance.random() < 0.5):
            actions = (None, None)
        if actions[0] != actions[1]:
            seen["different moves"] += 1
        if one.match.phase is Phase.MOVING and one.match.side is not watched:
            able = [any(match.steers(match.side)) for match in matches]
            seen["one can move"] += able[0] != able[1]
            seen["none can move"] += not any(able)
        seen["given up"] += actions[0] is None
        for world, action in zip((one, other), actions, strict=True):
            world.act(action)
        seen["hits"] += observe(one.match, watched) == observe(other.match, watched) and bool(
            one.match.shots and one.match.shots[-1].result.value != "water"
        )
    seen["answers"] += len(one.told)
    return "", seen


def play(count: int) -> tuple[str, Counter[str]]:
    """As compare does, for so many pairs or until one differs."""
    seen: Counter[str] = Counter()
    seed = 0
    while seen["pairs"] < count:
        difference, found = compare(seed)
        seen += found
        if difference:
            return difference, seen
        seed += 1
    return "", seen


# --- the proof ---


@pytest.mark.parametrize("count", [60, pytest.param(1020, marks=pytest.mark.long)])
def test_what_the_other_seat_hides_changes_no_answer_of_a_whole_sequence(count: int) -> None:
    difference, seen = play(count)
    print(f"{seen['pairs']} pairs: {dict(seen)}")
    assert not difference
    assert set(SEAS) <= set(seen)
    for what in ("different moves", "one can move", "hits", "given up"):
        assert seen[what] >= count // 20, what


def test_nor_do_the_other_seats_fleet_and_the_time_it_takes_to_place_it() -> None:
    for number in range(4):
        worlds = [sequence_of_placing(number, tries) for tries in (1, 3)]
        assert worlds[0] == worlds[1]
        assert len(worlds[0]) > 9


def sequence_of_placing(number: int, tries: int) -> list[str]:
    """What the watched seat and a stranger are answered until the match has begun.

    The other seat asks that often for another fleet. The watched seat is the second one if the
    number is odd.
    """
    told: list[str] = []
    preset = ("bonn", "salvo", "milton", "uppsala")[number]
    clients = [FormClient(headers=FROM_HERE) for _one in range(3)]
    first, second, stranger = clients
    seat = clients[number % 2]

    def tell(got: Any, by: FormClient) -> Any:
        if by in (seat, stranger):
            told.append(answer(got))
        return got

    def get(by: FormClient, where: str) -> Any:
        return tell(by.get(where), by)

    def place(by: FormClient, where: str) -> str:
        if by is seat:
            ships = [str(ship) for ship in opening(PRESETS[preset].ruleset).match.fleets[0]]
        else:
            for _try in range(tries):
                where = by.post(where, {"action": "random"})["Location"]
            ships = re.findall(r'name="ship" value="(\w+)"', by.get(where).content.decode())
        return str(by.post(where, {"action": "start", "ship": ships})["Location"])

    html = first.get(f"/en/new/{preset}/?opponent=friend").content.decode()
    where = place(first, find(r'action="(/en/place/[^"]+)"', html)[1])
    got = get(first, where)
    waits = [find(r'data-wait="([^"]+)"', got.content.decode())[1]]
    invite = find(r'data-invite="http://localhost([^"]+)"', got.content.decode())[1]
    get(stranger, where)
    get(first, waits[0])
    get(stranger, invite)
    get(second, invite)
    joined = tell(second.post(invite, {"action": "join"}), second)["Location"]
    get(first, waits[0])
    get(first, where)
    get(stranger, invite)
    get(stranger, joined)
    draft = get(second, joined)
    action = find(r'action="(/en/place/[^"]+)"', draft.content.decode())[1]
    get(first, where)
    begun = place(second, action)
    get(stranger, action)
    get(stranger, begun)
    get(first, waits[0])
    get(first, where)
    get(second, begun)
    return told


# --- the proof is tried: leaks are planted, and have to be found ---


def able(match: Match) -> int:
    """How many moves the side to act could make: nobody else may know."""
    return sum(1 for _steer in match.steers(match.side)) if match.phase is Phase.MOVING else 0


def _steps_by_itself(patch: pytest.MonkeyPatch) -> None:
    act = Match.act
    patch.setattr(Match, "act", lambda match, action, *, stays=True: act(match, action))


def _page(change: Callable[[Any, Match], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            views,
            "play_page",
            lambda request, saved, *args, **more: change(
                play_page(request, saved, *args, **more), saved.match
            ),
        )

    return plant


def _token(patch: pytest.MonkeyPatch) -> None:
    def longer(duel_id: bytes, seat_secret: bytes) -> str:
        duel = duel_store.find(duel_id)
        leaks = duel is not None and duel.match is not None and bool(able(duel.match))
        return seal_kept_seat(duel_id, seat_secret) + "AAAA" * leaks

    patch.setattr(tokens, "seal_kept_seat", longer)


def _wait(patch: pytest.MonkeyPatch) -> None:
    write = duel_store.write

    def told(duel: Duel) -> Duel:
        """The seat that waits is not told of a step after which the other one has no move."""
        written = write(duel)
        if duel.match and duel.match.phase is Phase.MOVING and not able(duel.match):
            words = [poll_key(duel.id, side) for side in Side]
            match_store.put({f"wait:{word}": str(duel.step - 1) for word in words})
        return written

    patch.setattr(duel_store, "write", told)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a turn ends by itself if no ship can move": _steps_by_itself,
    "the phase says so where a ship can move": _page(
        lambda page, match: page.having(phase="moving") if able(match) else page
    ),
    "a number on the page": _page(
        lambda page, match: page.having(shots=int(page.values["shots"]) + able(match))
    ),
    "the length of a token": _token,
    "what a waiting page is told": _wait,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert play(60)[0], f"nobody noticed that {leak}"
