"""Two worlds of a duel: what the other seat hides changes no byte that a seat or a stranger gets.

In each pair of duels the public history is the same; the other seat's fleet, its moves, whether it
has moved before its shot and whether any of its ships can move are not. The whole sequence of
answers has to be equal: pages, refusals, and what the page is told while it waits. Tokens, words to
wait by and codes are masked, but not their lengths. The end reveals both fleets, so there only how
it ended is compared.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from game.engine.actions import STAY, Action, Ask, Fire, IllegalAction, Result, Stay, Steer
from game.engine.chance import Chance
from game.engine.fleets import Fleet, IllegalFleet, complete
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches import duel_store, presence, tokens
from game.matches.duel import Duel, poll_key
from game.matches.presence import here_key
from game.matches.seats import Seats, seat_hash_of
from game.matches.setup import Setup
from game.matches.tokens import seal_kept_seat, seal_seats, unseal_duel
from game.ops import match_store
from game.views import duel as views
from game.views.pages.playing import play_page
from tests.support import times
from tests.support.device import HTMX, Device
from tests.support.duels import Seat, address_of
from tests.support.matches import opening
from tests.support.page import Page, without_tokens

CLASSIC = Ruleset(fleet=(5, 4, 3, 3, 2), again=False, moving=False, turns=None)
CRAMPED = Ruleset(columns=5, rows=5, fleet=(5, 3), again=False, turns=60)
"""Many fleets can't move on this board: the longest ship reaches from edge to edge."""
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
    "questions": replace(CLASSIC, touching=True, named=True, again=True, questions=8),
}
PAIRS = times(15, 40, 1020)
STEPS = (1, 2, 2, 4)
"""The number of shots of a pair that go through the pages; the earlier ones are only played."""


# --- a pair of duels ---


class Clock:
    """The time of presence: both worlds see the same times."""

    now = 0

    def __call__(self) -> float:
        return self.now


CLOCK = Clock()


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "time", CLOCK)


class World:
    """A duel with one watched seat: the answers to that seat, and those to a stranger."""

    def __init__(self, duel: Duel, watched: Side, seats: tuple[Seats, Seats]) -> None:
        self.watched = watched
        self.clients = [Seat() for _side in Side]
        for client, one in zip(self.clients, seats, strict=True):
            client.cookies["seats"] = seal_seats(one)
        self.stranger = Seat()
        self.duel = duel_store.write(duel)
        self.where = self.theirs = self.first = address_of(duel)
        self.wait = ""
        self.told: list[str] = []
        self.now = 1_763_930_400

    @property
    def match(self) -> Match:
        assert self.duel.match is not None
        return self.duel.match

    def act(self, action: Action | None) -> None:
        """The side to act does it; with None the watched seat and the other one end it in turn.

        Staying needs no click.
        """
        CLOCK.now = self.now
        if isinstance(action, Stay):
            self.theirs = address_of(self.duel)
            return
        side = self.match.side if action is not None else Side(self.duel.step % 2)
        where = self.where if side is self.watched else address_of(self.duel)
        got = self.clients[side].post(where, words(self.match, action))
        if side is self.watched:
            self.tell(got)
        else:
            self.theirs = got.location
        assert got.status == 303, got.content
        self.duel = unseal_duel(got.location.split("/")[3])

    def look(self, chance: random.Random) -> None:
        """What the watched seat and a stranger ask for after each step."""
        seat, other = self.clients[self.watched], self.watched.opponent
        self.now += chance.choice((1, 5, 40, 130, 700))
        CLOCK.now = self.now
        doing = chance.randrange(8)
        if self.wait:
            if doing > 1:  # else nobody has the page of the other seat open
                of = here_key(poll_key(self.duel.id, self.watched))
                key = poll_key(self.duel.id, other)
                hides = "&hide" if doing == 2 else ""
                self.clients[other].get(f"/wait/{key}/{self.duel.step}/?of={of}{hides}")
            if doing == 3:
                self.clients[other].post(address_of(self.duel), {"action": "nudge"})
            self.tell(seat.get(self.wait))
            self.tell(self.stranger.get(self.wait))
        got = seat.get(self.where, headers=HTMX if chance.random() < 0.3 else {})
        self.tell(got)
        if got.status == 303:
            self.where = got.location
            got = seat.get(self.where)
            self.tell(got)
        if got.status == 200:
            self.wait = got.attribute("data-wait")
            form = re.search(r'action="(/[a-z]+/duel/[^"]+)"', got)
            self.where = form[1] if form else self.where  # who has been left can do nothing
        if "data-outcome" not in got:
            self.tell(seat.get(self.where, headers={"accept": "application/json"}))
        match chance.randrange(13):
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
            case 8:
                self.tell(seat.get(self.theirs))
                self.tell(self.stranger.get(self.theirs))
            case 9:
                asked = {"action": "ask", "ask_from": "A1", "ask_to": "Z9"}
                self.tell(seat.post(self.where, asked))
            case 10:
                self.tell(seat.post(self.where, {"action": "nudge"}))
                self.tell(seat.post(self.where, {"action": "nudge"}, headers=HTMX))
            case 11:
                self.tell(self.stranger.post(self.where, {"action": "abandon"}))
                self.tell(self.stranger.post(self.where, {"action": "nudge"}))
            case 12:
                self.tell(self.stranger.get(self.wait))
                self.tell(seat.get(f"{self.wait}&hide"))
        assert self.duel.is_over or 'data-phase="over' not in got

    def tell(self, got: Page) -> None:
        """Keeps the whole answer; of the end of a match it keeps only the outcome."""
        ended = re.search(r'data-outcome="(\w+)" data-reason="([\w-]+)"', got)
        self.told.append(f"{got.status} {ended[0]}" if ended else answer(got))


ACT = Match.act
"""The real rules: a planted leak in the rules must not choose what is played."""


def answer(got: Page) -> str:
    """Returns the whole answer with its tokens masked."""
    heads = sorted(f"{name}: {value}" for name, value in got.headers.items())
    if 'class="code"' in got:  # how much there is to draw depends on what it says
        heads = [head for head in heads if not head.startswith("Content-Length")]
    cookies = sorted(cookie.OutputString() for cookie in got.cookies.values())
    return masked("\n".join([str(got.status), *heads, *cookies, got]))


def masked(text: str) -> str:
    """Returns a text without its random parts: tokens, words to wait by, codes and days."""
    text = re.sub(r'(<div class="code").*?</div>', r"\1", text, flags=re.DOTALL)
    text = re.sub(r"(unfinished=[a-z.-]+\.)[0-9a-f]{8}", r"\1<mark>", text)
    text = re.sub("(/wait/|of=)[A-Za-z0-9_-]{22}", r"\1<word>", text)
    return without_tokens(re.sub("expires=[^;]+;", "", text))


def words(match: Match, action: Action | None) -> dict[str, str]:
    """The fields of a form."""
    if action is None:
        return {"action": "leave" if len(match.shots) % 2 else "resign-yes"}
    if isinstance(action, Fire):
        return {"cell": match.ruleset.board.name(action.cell)}
    if isinstance(action, Ask):
        names = map(match.ruleset.board.name, (action.first, action.last))
        return {"action": "ask", **dict(zip(("ask_from", "ask_to"), names, strict=True))}
    assert isinstance(action, Steer)
    return {"steer": f"{action.ship}-{action.course.value}"}


def pair(seed: int) -> tuple[World, World, Counter[str]] | None:
    """Returns two duels, played up to a random moment; None if no such pair is found."""
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
        following = (
            [
                ACT(one, move)
                for one, move in zip(matches, moves(matches, watched, chance), strict=True)
            ]
            if matches[0].is_move_due
            else matches
        )
        fire = shot(following, watched, chance)
        if fire is None:
            break
        following = [ACT(one, fire) for one in following]
        if any(one.outcome is not None for one in following):
            break
        matches = asked_too(following, watched, chance)
    worlds = []
    for match in matches:
        duel_id = chance.randbytes(16)
        seats = Seats(chance.randbytes(16)), Seats(chance.randbytes(16))
        one, other = (seat_hash_of(seats[side].seat_secret(duel_id, side)) for side in Side)
        setup = Setup(
            rules, (None, None), remote=True, loser_begins=True,
            names=("Änne", "") if seed % 3 else ("", ""),
        )  # fmt: skip
        step = 2 + len(match.shots) + len(match.questions)
        duel = Duel(duel_id, step, (one, other), setup, match.fleets, match)
        worlds.append(World(duel, watched, seats))
    return worlds[0], worlds[1], Counter({name: 1})


def twins(
    rules: Ruleset, watched: Side, chance: random.Random, *, is_cramped: bool
) -> list[Match] | None:
    """Returns two matches that differ in the fleet of the side that isn't watched.

    The other fleets share a ship or two, which can be hit. In a cramped sea one of them can't move.
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


def moves(matches: list[Match], watched: Side, chance: random.Random) -> list[Action]:
    """Returns a move for each world, the same if the watched side moves."""
    options: list[list[Action]] = [[STAY, *match.steers(match.side)] for match in matches]
    if matches[0].side is watched:
        assert options[0] == options[1]
        return [chance.choice(options[0])] * 2
    # Often only one of the two worlds moves.
    return [chance.choice([STAY, chance.choice(one)]) for one in options]


def shot(matches: list[Match], watched: Side, chance: random.Random) -> Fire | None:
    """Returns a shot that keeps the public history the same in both worlds, or None."""
    one, other = matches
    enemy = one.side.opponent
    assert (one.side, one.spent(enemy)) == (other.side, other.spent(enemy))
    for cell in candidates(matches, enemy, chance):
        after = [ACT(match, Fire(cell)) for match in matches]
        if observe(after[0], watched) == observe(after[1], watched):
            return Fire(cell)
    return None


def question(matches: list[Match], watched: Side, chance: random.Random) -> Ask | None:
    """Returns a question with the same answer in both worlds; None if none is to be asked."""
    board = matches[0].ruleset.board
    for _try in range(8 if matches[0].may_ask else 0):
        ask = Ask(*board.corners(*chance.sample([*board.cells], 2)))
        try:
            after = [ACT(match, ask) for match in matches]
        except IllegalAction:
            continue
        if observe(after[0], watched) == observe(after[1], watched):
            return ask
    return None


def asked_too(matches: list[Match], watched: Side, chance: random.Random) -> list[Match]:
    """Returns the matches after a question by the side to act, every now and then."""
    ask = question(matches, watched, chance) if chance.random() < 0.3 else None
    return matches if ask is None else [ACT(match, ask) for match in matches]


def candidates(matches: list[Match], enemy: Side, chance: random.Random) -> Iterator[Cell]:
    """Returns the cells that are the same in both worlds, those with a ship first."""
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
    """Plays a pair; returns where the worlds differ (empty if they don't) and what was compared."""
    found = pair(seed)
    if found is None:
        return "", Counter()
    one, other, seen = found
    chance = random.Random(f"steps/{seed}")
    watched, worlds = one.watched, (one, other)
    seen["pairs"] += 1
    steps = chance.choice(STEPS)
    for number in range(steps + 1):
        matches = [world.match for world in worlds]
        may_move, is_theirs = matches[0].is_move_due, matches[0].side is not watched
        if may_move and number < steps:
            if difference := looked(worlds, f"{seed}/{number}/before"):
                return difference, seen
            actions = moves(matches, watched, chance)
            for world, action in zip(worlds, actions, strict=True):
                world.act(action)
            can_move = [bool(match.steers(match.side)) for match in matches]
            seen["different moves"] += actions[0] != actions[1]
            seen["one moves"] += (actions[0] == STAY) != (actions[1] == STAY)
            seen["one can move"] += is_theirs and can_move[0] != can_move[1]
        if difference := looked(worlds, f"{seed}/{number}"):
            return difference, seen
        if any(world.duel.is_over for world in worlds):
            break
        ask = question([world.match for world in worlds], watched, chance)
        if ask is not None:
            for world in worlds:
                world.act(ask)
            seen["questions of the watched" if not is_theirs else "questions of the other"] += 1
            if difference := looked(worlds, f"{seed}/{number}/asked"):
                return difference, seen
        fire = shot([world.match for world in worlds], watched, chance)
        if number == steps - 1 and chance.random() < 0.5:
            fire = None
        seen["given up"] += fire is None
        for world in worlds:
            world.act(fire)
        shots = one.match.shots
        seen["left"] += any(True in world.duel.left for world in worlds)
        seen["hits"] += bool(fire and shots and shots[-1].result is not Result.WATER)
    seen["answers"] += len(one.told)
    for name in ("Presence: here", "Presence: away", "Nudge: "):
        seen[name] += sum(name in told for told in one.told)
    return "", seen


def looked(worlds: tuple[World, World], name: str) -> str:
    """Looks at both worlds and returns where they differ; empty if they don't."""
    for world in worlds:
        world.look(random.Random(name))
    pairs = zip(*(world.told for world in worlds), strict=True)
    at = next((at for at, told in enumerate(pairs) if told[0] != told[1]), None)
    return "" if at is None else f"pair {name}, answer {at}"


def play(count: int) -> tuple[str, Counter[str]]:
    """Does what `compare` does for this many pairs, or until a pair differs."""
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


@pytest.mark.fuzz
def test_what_the_other_seat_hides_changes_no_answer_of_a_whole_sequence() -> None:
    difference, seen = play(PAIRS)
    print(f"{seen['pairs']} pairs: {dict(seen)}")
    assert not difference
    assert set(SEAS) <= set(seen)
    for what in (
        "different moves", "one moves", "one can move", "hits", "given up", "left",
        "Presence: here", "Presence: away", "Nudge: ",
    ):  # fmt: skip
        assert seen[what] >= max(PAIRS // 20, 1), what
    for what in ("questions of the watched", "questions of the other"):
        assert seen[what] >= max(PAIRS // len(SEAS) // 2, 1), what


@pytest.mark.parametrize("count", [4, pytest.param(500, marks=pytest.mark.long)])
def test_nor_do_the_other_seats_fleet_and_the_time_it_takes_to_place_it(count: int) -> None:
    for number in range(count):
        worlds = [sequence_of_placing(number, tries) for tries in (1, 3)]
        assert worlds[0] == worlds[1]
        assert len(worlds[0]) > 9


def sequence_of_placing(number: int, tries: int) -> list[str]:
    """Returns the answers to the watched seat and to a stranger until the match has begun.

    The other seat asks `tries` times for another fleet. The watched seat is the second one if the
    number is odd.
    """
    told: list[str] = []
    preset = ("bonn", "salvo", "milton", "uppsala")[number % 4]
    chance = random.Random(f"placing/{number}")
    CLOCK.now = 1_763_930_400
    clients = [Seat() for _one in range(3)]
    first, second, stranger = clients
    seat = clients[number % 2]

    def tell(got: Page, by: Device) -> Page:
        if by in (seat, stranger):
            told.append(answer(got))
        return got

    def get(by: Device, where: str) -> Page:
        return tell(by.get(where), by)

    def place(by: Device, where: str) -> str:
        if by is seat:
            ships = [str(ship) for ship in opening(PRESETS[preset].ruleset).match.fleets[0]]
        else:
            for _try in range(tries):
                where = by.post(where, {"action": "random"}).location
            ships = by.get(where).ships
        return by.post(where, {"action": "start", "ship": ships}).location

    def follow(by: Device, where: str) -> Page:
        got = get(by, where)
        return get(by, got.location) if got.status == 303 else got

    where = place(first, first.get(f"/en/new/friend/{preset}/").form)
    got = get(first, where)
    waits = [got.attribute("data-wait")]
    invite = "/en" + got.first(r'data-invite="http://localhost([^"]+)"')
    get(stranger, where)
    get(first, waits[0])
    get(stranger, invite)
    get(second, invite)
    joined = tell(second.post(invite, {"action": "join"}), second).location
    get(first, waits[0])
    get(first, where)
    get(stranger, invite)
    get(stranger, joined)
    draft = get(second, joined)
    action = draft.form
    get(first, where)
    present = draft.attribute("data-present")
    for _ask in range(3):
        CLOCK.now += chance.choice((1, 40, 130, 700))
        if chance.random() < 0.7:
            get(second, present)
        waits.append(follow(first, where).attribute("data-wait"))
        get(first, waits[-1])
        get(stranger, waits[-1])
    if chance.random() < 0.2:
        tell(second.post(action, {"action": "leave"}), second)
        follow(first, where)
        get(first, waits[-1])
        return told
    begun = place(second, action)
    get(stranger, action)
    get(stranger, begun)
    get(first, waits[0])
    get(first, where)
    get(second, begun)
    return told


# --- the proof is tried: leaks are planted, and have to be found ---


def able(match: Match) -> int:
    """Returns the number of moves of the side to act, which nobody else may know."""
    return len(match.steers(match.side)) if match.is_move_due else 0


def _step(patch: pytest.MonkeyPatch) -> None:
    """A move is a step of its own."""

    def decide(moved: Duel) -> Duel:
        return duel_store.write(replace(moved, step=moved.step + 1))

    patch.setattr(duel_store, "decide", decide)


def _hint(patch: pytest.MonkeyPatch) -> None:
    decide = duel_store.decide

    def told(moved: Duel) -> Duel:
        match_store.put({f"wait:{poll_key(moved.id, side)}": "0" for side in Side})
        return decide(moved)

    patch.setattr(duel_store, "decide", told)


def _shown(patch: pytest.MonkeyPatch) -> None:
    moved = duel_store.moved

    def anybodys(duel: Duel, side: Side, held: Duel | None = None) -> Duel:
        return moved(duel, duel.match.side if duel.match else side, held)

    patch.setattr(duel_store, "moved", anybodys)


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
        if duel.match and duel.match.is_move_due and not able(duel.match):
            words = [poll_key(duel.id, side) for side in Side]
            match_store.put({f"wait:{word}": str(duel.step - 1) for word in words})
        return written

    patch.setattr(duel_store, "write", told)


def _presence(patch: pytest.MonkeyPatch) -> None:
    """A hidden move says that its player is there."""
    decide = duel_store.decide

    def told(moved: Duel) -> Duel:
        side = moved.match.side if moved.match else Side.FIRST
        presence.record(moved, side, is_shown=True)
        return decide(moved)

    patch.setattr(duel_store, "decide", told)


LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a move is a step": _step,
    "a move changes what a waiting page is told": _hint,
    "a move is shown to both seats": _shown,
    "the address of a move shows it": lambda patch: patch.setattr(
        Duel, "for_seat", lambda duel, side: duel
    ),
    "a handle says where a ship can move": _page(
        lambda page, match: page.having(may_move=True) if able(match) else page
    ),
    "a number on the page": _page(
        lambda page, match: page.having(shots=int(page.values["shots"]) + able(match))
    ),
    "the length of a token": _token,
    "what a waiting page is told": _wait,
    "a move records presence": _presence,
}


@pytest.mark.deep
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    assert play(60)[0], f"nobody noticed that {leak}"
