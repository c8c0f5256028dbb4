"""Two worlds of a duel: what the other seat hides changes no byte that a seat or a stranger gets.

In each pair of duels the public history is the same; the other seat's fleet, its moves, whether it
has moved before its shot and whether any of its ships can move are not. The whole sequence of
answers has to be equal: pages, refusals, and what the page is told while it waits. Tokens, words to
wait by and codes are masked, but not their lengths. The end reveals both fleets, so there only how
it ended is compared.
"""

import itertools
import random
import re
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from game.engine.actions import STAY, Action, Ask, Fire, IllegalAction, Result, Stay, Steer
from game.engine.chance import Chance
from game.engine.fleets import IllegalFleet, complete
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Ruleset, Side
from game.features.duel import models, presence
from game.features.duel.state import DuelState, opened, poll_key
from game.matches.setup import Setup
from game.web.seats import Seats, seal_seats, seat_hash_of
from tests.duel.duels import Clock, Seat
from tests.support import times
from tests.support.device import HTMX
from tests.support.matches import opening
from tests.support.page import Page
from tests.support.worlds import CLASSIC, told

CRAMPED = Ruleset(columns=5, rows=5, fleet=(5, 3), again=False, turns=60)
"""Many fleets can't move on this board: the longest ship reaches from edge to edge."""
SEAS: dict[str, Ruleset] = {
    "bonn": BONN,
    "cramped": CRAMPED,
    "cramped, salvo": replace(CRAMPED, salvo=True, turns=40),
    "classic": CLASSIC,
    "named, moving": replace(BONN, named=True, again=False),
    "salvo": replace(CLASSIC, salvo=True),
    "moving salvo": replace(BONN, salvo=True, again=False, turns=75),
    "questions": replace(CLASSIC, touching=True, named=True, again=True, questions=8),
}
PAIRS = times(8, 40, 1020)
STEPS = (1, 2, 2, 4)
"""The number of shots of a pair that go through the pages; the earlier ones are only played."""


# --- a pair of duels; the proof, which is tried by planted leaks that have to be found ---


CLOCK = Clock()
"""Both worlds see the same times."""


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (presence, models):
        monkeypatch.setattr(module, "time", CLOCK)


class Watched(Seat):
    """A browser whose answers are compared."""

    def __init__(self, told: list[str]) -> None:
        super().__init__()
        self.told = told

    def _answer(self, *given: Any, **more: Any) -> Page:
        """Keeps the whole answer; of the end of a match it keeps only the outcome."""
        got = super()._answer(*given, **more)
        ended = re.search(r'data-outcome="(\w+)" data-reason="([\w-]+)"', got)
        self.told.append(f"{got.status} {ended[0]}" if ended else answer(got))
        return got


class World:
    """A duel with one watched seat: the answers to that seat, and those to a stranger."""

    def __init__(self, duel: DuelState, watched: Side, seats: tuple[Seats, Seats]) -> None:
        self.watched = watched
        self.told: list[str] = []
        self.seat, self.other = Watched(self.told), Seat()
        self.stranger = Watched(self.told)
        self.seat.cookies["seats"] = seal_seats(seats[watched])
        self.other.cookies["seats"] = seal_seats(seats[watched.opponent])
        self.duel, self.where = duel, f"/en/duel/{duel.id}/"
        models.add(duel)
        self.form, self.wait = f"{self.where}?step={duel.step}", ""
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
            return
        side = self.match.side if action is not None else Side(self.duel.step % 2)
        if side is self.watched:
            got = self.seat.post(self.form, words(self.match, action))
        else:
            form = f"{self.where}?step={self.duel.for_seat(side).form_step}"
            got = self.other.post(form, words(self.match, action))
        assert got.status == 303, got.content
        found = models.find(self.duel.id)
        assert found is not None
        self.duel = found

    def look(self, chance: random.Random) -> None:
        """What the watched seat and a stranger ask for after each step."""
        seat, stranger = self.seat, self.stranger
        self.now += chance.choice((1, 5, 40, 130, 700))
        CLOCK.now = self.now
        doing = chance.randrange(8)
        if self.wait:
            if doing > 1:  # else nobody has the page of the other seat open
                key = poll_key(self.duel.seat_hashes[self.watched.opponent])
                hides = "?hide" if doing == 2 else ""
                self.other.get(f"/wait/{self.duel.id}/{key}/{self.duel.step}/{hides}")
            if doing == 3:
                self.other.post(self.where, {"action": "nudge"})
            seat.get(self.wait)
            stranger.get(self.wait)
        if doing == 4:
            self.other.get(self.where)
        before = self.form
        got = seat.get(self.where, headers=HTMX if chance.random() < 0.3 else {})
        if got.status == 200:
            self.wait = got.attribute("data-wait")
            shown = re.search(r'action="(/[a-z]+/duel/[^"]+)"', got)
            self.form = shown[1] if shown else self.form  # who has been left can do nothing
        if "data-outcome" not in got:
            seat.get(self.where, headers={"accept": "application/json"})
        form, where = self.form, self.where
        asked: list[tuple[Seat, str, dict[str, str] | None]] = chance.choice([
            [(seat, before, None), (seat, before, {"cell": "Z9"})],
            [(seat, where.replace("/en/", "/de/", 1), None), (seat, f"{where}?look=enemy", None)],
            [(stranger, where, None), (seat, f"{where}?step=3", None)],
            [(stranger, self.wait, None), (seat, f"{self.wait}?hide", None)],
            [(seat, form, {"cell": "Z9"}), (seat, form, {"steer": "99-fore"})],
            [(seat, form, {"action": "ask", "ask_from": "A1", "ask_to": "Z9"})],
            [(seat, form, {"action": word}) for word in ("resign", "nudge", "nudge")],
            [(stranger, form, {"action": word}) for word in ("abandon", "nudge")],
            [(stranger, where, None), (stranger, form, {"cell": "A1"})],
        ])  # fmt: skip
        for client, at, fields in asked:
            headers = HTMX if chance.random() < 0.3 else {}
            if fields is None:
                client.get(at, headers=headers)
            else:
                client.post(at, fields, headers=headers)
        assert self.duel.is_over or 'data-phase="over' not in got


ACT = Match.act
"""The real rules: a planted leak in the rules must not choose what is played."""


def answer(got: Page) -> str:
    """Returns the whole answer without its random parts: tokens, words to wait by and codes."""
    text = told(got)
    if 'class="code"' in got:  # how much there is to draw depends on what it says
        text = re.sub(
            r'(<div class="code").*?</div>|Content-Length: \d+', r"\1", text, flags=re.DOTALL
        )
    text = re.sub("(duel|invite|wait)/([A-Za-z0-9_-]{12,}/?)+", r"\1/<word>/", text)
    return re.sub(r"'[\w-]{12}'\]", "'<id>']", text)


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


def pair(seed: int) -> tuple[World, World] | None:
    """Returns two duels, played up to a random moment; None if no such pair is found."""
    chance = random.Random(f"two duels/{seed}")
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
        following = matches
        if matches[0].is_move_due:
            moved = zip(matches, moves(matches, watched, chance), strict=True)
            following = [ACT(one, move) for one, move in moved]
        fire = shot(following, watched, chance)
        if fire is None:
            break
        following = [ACT(one, fire) for one in following]
        if any(one.outcome is not None for one in following):
            break
        matches = following
        ask = question(matches, watched, chance) if chance.random() < 0.3 else None
        if ask is not None:
            matches = [ACT(match, ask) for match in matches]
    worlds = []
    for match in matches:
        duel_id = urlsafe_b64encode(chance.randbytes(9)).decode()
        seats = Seats(chance.randbytes(16)), Seats(chance.randbytes(16))
        one, other = (seat_hash_of(seats[side].own_secret(duel_id, side)) for side in Side)
        names = ("Änne", "") if seed % 3 else ("", "")
        setup = Setup(rules, (None, None), remote=True, loser_begins=True, person_names=names)
        step = 2 + sum(isinstance(action, Fire | Ask) for action in match.actions)
        state = replace(opened(setup, duel_id, one, match.fleets[0], ""), setup=setup, begun=2)
        duel = replace(state, step=step, seat_hashes=(one, other), fleets=match.fleets, match=match)
        worlds.append(World(duel, watched, seats))
    return worlds[0], worlds[1]


def twins(
    rules: Ruleset, watched: Side, chance: random.Random, *, is_cramped: bool
) -> list[Match] | None:
    """Returns two matches that differ in the fleet of the side that isn't watched.

    The other fleets share a ship or two, which can be hit. In a cramped sea one of them can't move.
    """
    own = complete(rules, (), Chance(chance.randbytes(16), "fleet", 0))
    hidden, found = watched.opponent, list[Match]()
    for number in range(400):
        kept = found[0].fleets[hidden][: 1 + len(rules.fleet) // 3] if found else ()
        try:
            other = complete(rules, kept, Chance(chance.randbytes(16), "fleet", 0))
        except IllegalFleet:
            continue
        fleets = (own, other) if watched is Side.FIRST else (other, own)
        match = Match(rules, fleets, chance.randbytes(16))
        if found and other == found[0].fleets[hidden]:
            continue
        if not is_cramped or number > 200 or any(match.steers(hidden)) is bool(found):
            found.append(match)
        if len(found) == 2:
            return found
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
    enemy = matches[0].side.opponent
    spent = matches[0].spent(enemy)
    assert (matches[1].side.opponent, matches[1].spent(enemy)) == (enemy, spent)
    free = [cell for cell in matches[0].ruleset.board.cells if cell not in spent]
    chance.shuffle(free)
    if chance.random() < 0.4:  # ships first
        one, other = (
            {cell for it in match.placements(enemy) for cell in it.cells} for match in matches
        )
        free.sort(key=lambda cell: cell not in one & other)
    for cell in free[:14]:
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


class Different(Exception):
    """The worlds differ in that answer."""


def compare(seed: int) -> Counter[str]:
    """Plays a pair; returns what was compared, and raises Different if the worlds differ."""
    worlds = pair(seed)
    if worlds is None:
        return Counter()
    one, watched = worlds[0], worlds[0].watched
    seen = Counter({list(SEAS)[seed % len(SEAS)]: 1, "pairs": 1})
    chance = random.Random(f"two steps/{seed}")
    steps = chance.choice(STEPS)
    for number in range(steps + 1):
        matches = [world.match for world in worlds]
        is_theirs = matches[0].side is not watched
        if matches[0].is_move_due and number < steps:
            look(worlds, f"{seed}/{number}/before")
            actions = moves(matches, watched, chance)
            for world, action in zip(worlds, actions, strict=True):
                world.act(action)
            can_move = [bool(match.steers(match.side)) for match in matches]
            seen["different moves"] += actions[0] != actions[1]
            seen["one moves"] += (actions[0] == STAY) != (actions[1] == STAY)
            seen["one can move"] += is_theirs and can_move[0] != can_move[1]
        look(worlds, f"{seed}/{number}")
        if any(world.duel.is_over for world in worlds):
            break
        ask = question([world.match for world in worlds], watched, chance)
        if ask is not None:
            for world in worlds:
                world.act(ask)
            seen["questions of the watched" if not is_theirs else "questions of the other"] += 1
            look(worlds, f"{seed}/{number}/asked")
        fire = shot([world.match for world in worlds], watched, chance)
        if number == steps - 1 and chance.random() < 0.5:
            fire = None
        seen["given up"] += fire is None
        for world in worlds:
            world.act(fire)
        shots = one.match.shots
        seen["left"] += any(True in world.duel.left for world in worlds)
        seen["hits"] += bool(fire and shots and shots[-1].result is not Result.WATER)
    for name in ("Presence: here", "Presence: away", "Call: "):
        seen[name] += sum(name in told for told in one.told)
    return seen


def look(worlds: tuple[World, World], name: str) -> None:
    """Looks at both worlds; raises Different where they differ."""
    for world in worlds:
        world.look(random.Random(name))
    for at, (one, other) in enumerate(zip(worlds[0].told, worlds[1].told, strict=True)):
        if one != other:
            raise Different(f"pair {name}, answer {at}")


def play(count: int) -> Counter[str]:
    """Returns what was compared in this many pairs; raises Different where worlds differ."""
    seen: Counter[str] = Counter()
    for seed in itertools.count():
        if seen["pairs"] == count:
            break
        seen += compare(seed)
    return seen


@pytest.mark.fuzz
def test_what_the_other_seat_hides_changes_no_answer_of_a_whole_sequence() -> None:
    seen = play(PAIRS)
    print(dict(seen))
    assert set(SEAS) <= set(seen)
    for what in (
        "different moves", "one moves", "one can move", "hits", "given up", "left",
        "Presence: here", "Presence: away", "Call: ",
    ):  # fmt: skip
        assert seen[what] >= max(PAIRS // 20, 1), what
    for what in ("questions of the watched", "questions of the other"):
        assert seen[what] >= PAIRS // len(SEAS) // 4, what


@pytest.mark.parametrize("count", [2, pytest.param(500, marks=pytest.mark.long)])
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
    stranger, other = Watched(told), Seat()
    first, second = (other, Watched(told)) if number % 2 else (Watched(told), other)

    def place(by: Seat, where: str) -> str:
        ships = [str(ship) for ship in opening(PRESETS[preset].ruleset).match.fleets[0]]
        if by is other:
            for _try in range(tries):
                where = by.post(where, {"action": "random"}).location
            ships = by.get(where).ships
        return by.post(where, {"action": "start", "ship": ships}).location

    where = place(first, first.get(f"/en/new/friend/{preset}/").form)
    got = first.get(where)
    wait = got.attribute("data-wait")
    invite = "/en" + got.first(r'data-invite="http://localhost([^"]+)"')
    for client, at in ((stranger, where), (first, wait), (stranger, invite), (second, invite)):
        client.get(at)
    joined = second.post(invite, {"action": "join"}).location
    for client, at in ((first, wait), (first, where), (stranger, invite), (stranger, joined)):
        client.get(at)
    draft = second.get(joined)
    first.get(where)
    now = wait
    for _ask in range(3):
        CLOCK.now += chance.choice((1, 40, 130, 700))
        if chance.random() < 0.7:
            second.get(draft.attribute("data-present"))
        now = first.get(where, follow=True).attribute("data-wait")
        first.get(now)
        stranger.get(now)
    if chance.random() < 0.2:
        second.post(draft.form, {"action": "leave"})
        first.get(where, follow=True)
        first.get(now)
        return told
    begun = place(second, draft.form)
    for client, at in ((stranger, draft.form), (stranger, begun), (first, wait), (first, where)):
        client.get(at)
    second.get(begun)
    return told


def _shown(patch: pytest.MonkeyPatch) -> None:
    """A hidden move is shown to both seats."""
    patch.setattr(DuelState, "for_seat", lambda duel, _side: duel)


def _counted(patch: pytest.MonkeyPatch) -> None:
    """Polls compare the revision."""
    poll = models.poll

    def revised(duel_id: str, key: str) -> models.Polled | None:
        polled, row = poll(duel_id, key), models.Duel.objects.get(id=duel_id)
        return polled and polled._replace(step=row.revision)

    patch.setattr(models, "poll", revised)


def _presence(patch: pytest.MonkeyPatch) -> None:
    """A hidden move says that its player is there."""
    write = models.write

    def told(duel: DuelState, **more: bool) -> DuelState:
        written = write(duel, **more)
        if written.has_moved and written.match:
            side = written.match.side
            models.record(duel.id, side, presence.NEVER, duel.seen[side].after("", is_shown=True))
        return written

    patch.setattr(models, "write", told)


@pytest.mark.deep
@pytest.mark.parametrize("leak", [_shown, _counted, _presence])
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(Different):
        play(60)
