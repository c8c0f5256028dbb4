"""Measures whether the time of an answer depends on hidden things, by pairs of clicks.

    .venv/bin/python -m tests.support.timing                (which is what `make timing` calls)
    .venv/bin/python -m tests.support.timing admiral alone  only the pairs with one of these words

In each pair the rules, the person's fleet, the public history and the click are the same, and but
for one kind of pair the seed. The hidden things, the enemy's positions and moves and the state of
par, differ as much as possible.

Each click is sent REPEATS times, in the order ABBA, with the garbage collector off. Student's t of
the differences is their mean in standard errors, for CPU time and for the wall clock. With so many
pairs, one sometimes reaches LIMIT by chance: it is measured again, and fails if it reaches LIMIT
again. The calls of functions are counted too, since their number has no noise.
"""

import gc
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, partial
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter_ns, process_time_ns

import django

from bench.client import COOKIE, Browser
from bench.clock import calls_of
from game.engine.actions import STAY, Steer
from game.engine.chance import Chance
from game.engine.fleets import (
    Course,
    Fleet,
    IllegalFleet,
    all_placements,
    complete,
    make_fleet,
    steered,
)
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Pair, Ruleset, Side
from game.matches.referee import play_minds
from game.matches.saved import Par, SavedMatch, start_par
from game.matches.setup import SEARCHED, Day, Learning, Setup
from game.players.minds import MINDS
from tests.support.features import brought
from tests.support.matches import address
from tests.support.memory import KEPT, in_memory
from tests.support.worlds import LEARNT

SEED = bytes(range(16))
CANDIDATES = 200
"""The number of random fleets, of which the two that differ most are taken."""
ONE_SHOT = replace(BONN, again=False)
MOVING_SALVO = replace(BONN, salvo=True, again=False, turns=75)
CLASSIC = PRESETS["milton"].ruleset
SALVO = PRESETS["salvo"].ruleset
QUESTIONS = PRESETS["ask"].ruleset
SOLO = replace(CLASSIC, solo=True)
SOLO_MOVING = replace(BONN, solo=True)
SOLO_ONE_SHOT = replace(ONE_SHOT, solo=True)
DAY = Day(date(2026, 11, 22), 1, bytes(32))
WARMING = 3
LONG = 60
"""The person's turns in matches in which the enemy has moved in all of its turns, or in none."""
FILLED_UP = "par begun"
"""Pairs of this name do different work, since the admiral's search for par depends on the hidden
fleet. The answer waits for a fixed time, so that only the work differs."""

MakePair = Callable[[], Pair[Match]]


@dataclass(frozen=True)
class Click:
    """A form that can be sent repeatedly with the same answer."""

    where: str
    fields: Mapping[str, str | list[str]]
    cookie: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)
    """What the match store held before the click."""

    def prepare(self) -> None:
        KEPT.clear()
        KEPT.update(self.kept)

    def send(self) -> None:
        """Sends it; raises AssertionError if it is refused."""
        browser = Browser({"Cookie": f"{COOKIE}; {self.cookie}"})
        answer = browser.send(self.where, self.fields, htmx=True)
        assert answer.status == 200, answer.status


Clicks = Pair[Click]


# --- matches with one public history ---


def begun(rules: Ruleset, enemy: Fleet) -> Match:
    """A match before its first shot; the person's fleet is always the same one."""
    own = () if rules.solo else complete(rules, (), Chance(SEED, "own", 0))
    return Match(rules, (own, enemy), SEED)


@cache
def fleets(rules: Ruleset) -> tuple[Fleet, ...]:
    """Legal fleets drawn by chance."""
    return tuple(complete(rules, (), Chance(SEED, "enemy", each)) for each in range(CANDIDATES))


def moves(match: Match) -> int:
    """How many moves the enemy's ships could make now."""
    return len(match.steers(Side.SECOND))


def edges(match: Match) -> int:
    """How many cells at the edge the enemy's ships lie on."""
    board, lie = match.ruleset.board, match.placements(Side.SECOND)
    inner = {cell for cell in board.cells if len(board.neighbours(cell)) == 8}
    return sum(cell not in inner for ship in lie for cell in ship.cells)


def apart(rules: Ruleset, by: Callable[[Match], int]) -> Pair[Match]:
    """After shots at water only: `by` is least in the first of the two, greatest in the second."""
    found = sorted((begun(rules, fleet) for fleet in fleets(rules)), key=by)
    return past((found[0], found[-1]), 8)


def stuck_and_free(rules: Ruleset) -> Pair[Match]:
    """After a hit on each ship but one, which can move only in the second of the two."""
    for fleet in fleets(rules):
        for ship in fleet:
            kept = tuple(one for one in fleet if one is not ship)
            found: dict[bool, Match] = {}
            for placement in all_placements(rules.board, ship.length):
                with suppress(IllegalFleet):
                    other = make_fleet(rules, (*kept, placement))
                    match = begun(rules, other)
                    last = other.index(placement)
                    can_move = any(steer.ship == last for steer in match.steers(Side.SECOND))
                    found.setdefault(can_move, match)
            if len(found) == 2:
                return past((found[False], found[True]), 3, tuple(one.bow for one in kept))
    raise AssertionError("no such fleets were found")


def stayed_and_moved(rules: Ruleset) -> Pair[Match]:
    """After many turns: the enemy has never moved in the first, and always in the second."""
    match = begun(rules, max(fleets(rules), key=lambda fleet: moves(begun(rules, fleet))))
    return past((match, match), LONG, is_restless=(False, True))


def stays_and_moves(rules: Ruleset, mind: str) -> Pair[Match]:
    """Before a click that a mind answers without a move in the first of the two, with one in the
    second, and in both with one shot at the same water. They differ in the seed.
    """
    pair, answers = apart(rules, moves), dict[Cell, dict[bool, Match]]()
    for number in range(400):
        match = replace(pair[1], seed=number.to_bytes(16, "big"))
        clicked = match.fire(match.ruleset.board.parse(fields_of((match, match))["cell"]))
        answered = play_minds(clicked, (None, MINDS[mind]))
        found = answers.setdefault(answered.shots[-1].cell, {})
        if len(answered.shots) == len(clicked.shots) + 1:
            found.setdefault(answered.actions[clicked.ply] != STAY, match)
        if len(found) == 2:
            return found[False], found[True]
    raise AssertionError("no such seeds were found")


def past(
    pair: Pair[Match],
    turns: int,
    hits: tuple[Cell, ...] = (),
    is_restless: Pair[bool] = (False, False),
) -> Pair[Match]:
    """The matches after so many turns of the person, where a click makes the enemy act.

    The person fires at `hits` first, then at water; the enemy fires at water, and where it is
    restless, moves a ship to and fro.
    """
    near = _may_lie(pair[0]) | _may_lie(pair[1])
    cells = pair[0].ruleset.board.cells
    targets = (*hits, *(cell for cell in cells if cell not in near))
    one, other = (_past(*it, turns, targets) for it in zip(pair, is_restless, strict=True))
    assert observe(one, Side.FIRST) == observe(other, Side.FIRST)
    assert one.fleets != other.fleets or one.actions != other.actions
    return one, other


def _may_lie(match: Match) -> set[Cell]:
    """The cells of the enemy's ships, and those that one move could bring them to."""
    lie = match.placements(Side.SECOND)
    ways = [steered(match.ruleset.board, ship, course) for ship in lie for course in Course]
    return {cell for ship in (*lie, *ways) if ship is not None for cell in ship.cells}


def _past(match: Match, is_restless: bool, turns: int, targets: tuple[Cell, ...]) -> Match:
    own = {cell for ship in match.fleets[Side.FIRST] for cell in ship.cells}
    beside = tuple(cell for cell in match.ruleset.board.cells if cell not in own)
    back: Steer | None = None
    while match.turn < 2 * turns or match.side is Side.SECOND or match.shots_left != 1:
        is_due = match.is_move_due and match.side is Side.SECOND
        if is_due and is_restless:
            action = back or match.steers(Side.SECOND)[0]
            opposite = Course.AFT if action.course is Course.FORE else Course.FORE
            back = None if back else Steer(action.ship, opposite)
            match = match.act(action)
        elif is_due and match.ruleset.solo:
            match = match.act(STAY)
        else:
            spent, shots = match.spent(match.side.opponent), (targets, beside)[match.side]
            match = match.fire(next(cell for cell in shots if cell not in spent))
    return match


def fields_of(pair: Pair[Match]) -> dict[str, str]:
    """What a person sends there: a shot at what is water in both."""
    match = pair[0]
    near = _may_lie(pair[0]) | _may_lie(pair[1]) | match.spent(Side.SECOND)
    board = match.ruleset.board
    return {"cell": board.name(next(cell for cell in reversed([*board.cells]) if cell not in near))}


# --- clicks of a person at one device ---


def against(mind: str, make: MakePair, learnt: tuple[int, ...] = ()) -> Clicks:
    """The same click in two matches against a computer player."""
    one, other = make()
    setup = Setup(one.ruleset, (None, mind), learning=Learning(learnt) if learnt else None)
    return _clicks((SavedMatch(setup, one), SavedMatch(setup, other)))


def searching(make: MakePair, *, par: bool = False, day: Day | None = None) -> Clicks:
    """The same click in two searches; with `par` the admiral is done in the first of them.

    Else it has not begun.
    """
    one, other = make()
    setup = Setup(one.ruleset, (None, SEARCHED), day=day)
    pars = [start_par(one), start_par(other)]
    if par:
        for ship in one.fleets[Side.SECOND]:
            for cell in ship.cells:
                pars[0] = pars[0].fire(cell)
        assert pars[0].outcome is not None
    return _clicks((SavedMatch(setup, one, Par(pars[0])), SavedMatch(setup, other, Par(pars[1]))))


def asking(make: MakePair) -> Clicks:
    """The same question in two matches, in whose rectangle lie many ship cells, or few."""
    pair = make()
    setup = Setup(pair[0].ruleset, (None, SEARCHED if pair[0].ruleset.solo else "admiral"))
    pars = [Par(start_par(one)) if one.ruleset.solo else None for one in pair]
    saved = [SavedMatch(setup, one, par) for one, par in zip(pair, pars, strict=True)]
    fields = _question(pair)
    return Click(address(saved[0]), fields), Click(address(saved[1]), fields)


def _question(pair: Pair[Match]) -> dict[str, str]:
    """A question that is answered yes in both, where the ship cells differ most in number."""
    board = pair[0].ruleset.board

    def difference(corners: tuple[Cell, Cell]) -> int:
        inside = board.rectangle(*corners)
        few, many = sorted(
            sum((ship.mask & inside).bit_count() for ship in match.fleets[Side.SECOND])
            for match in pair
        )
        return few and many - few

    corners = {board.corners(*cells) for cells in product(board.cells, repeat=2)}
    first, last = max(sorted(corners), key=difference)
    return {"action": "ask", "ask_from": board.name(first), "ask_to": board.name(last)}


def _clicks(pair: Pair[SavedMatch]) -> Clicks:
    fields = fields_of((pair[0].match, pair[1].match))
    return Click(address(pair[0]), fields), Click(address(pair[1]), fields)


# --- all of them ---


def pairs() -> dict[str, Callable[[], Clicks]]:
    """What makes each pair of clicks, by a name that says what differs."""
    found: dict[str, Callable[[], Clicks]] = {}
    for mind in MINDS:
        found |= {
            f"{mind}: no ship can move, or one": partial(against, mind, stuck(BONN)),
            f"{mind}: few moves, or many": partial(against, mind, partial(apart, BONN, moves)),
            f"{mind}: still, inside or at the edge": partial(against, mind, inside(CLASSIC)),
        }
    for mind in ("random", "sailor", "admiral"):
        found[f"{mind}: it never moved, or always"] = partial(against, mind, stayed(ONE_SHOT))
    for mind in ("random", "bonn-hard", "sailor", "admiral"):
        answers = partial(stays_and_moves, BONN, mind)
        found[f"{mind}: it answers without a move, or with one"] = partial(against, mind, answers)
    for mind in ("bonn-hard", "captain", "admiral"):
        name = f"{mind}: salvo, no ship can move, or one"
        found[name] = partial(against, mind, stuck(MOVING_SALVO))
    for of_feature in brought("timed_pairs").values():
        found |= of_feature()
    return found | {
        "admiral: salvo, inside or at the edge": partial(against, "admiral", inside(SALVO)),
        "admiral: it has learnt, inside or at the edge":
            partial(against, "admiral", inside(CLASSIC), LEARNT),
        "admiral: questions, inside or at the edge": partial(against, "admiral", inside(QUESTIONS)),
        "a question: many ship cells, or few": partial(asking, inside(QUESTIONS)),
        "alone, a question: many ship cells, or few":
            partial(asking, inside(replace(QUESTIONS, solo=True))),
        "alone: inside or at the edge": partial(searching, inside(SOLO)),
        "alone: no ship can move, or one": partial(searching, stuck(SOLO_MOVING)),
        "alone: it never moved, or always": partial(searching, stayed(SOLO_ONE_SHOT)),
        "alone, par begun: done, or not": partial(searching, inside(SOLO), par=True),
        "alone, par begun: moving, done, or not": partial(searching, inside(SOLO_MOVING), par=True),
        "today's sea: inside or at the edge": partial(searching, inside(SOLO), day=DAY),
    }  # fmt: skip


def inside(rules: Ruleset) -> MakePair:
    return partial(apart, rules, edges)


def stuck(rules: Ruleset) -> MakePair:
    return partial(stuck_and_free, rules)


def stayed(rules: Ruleset) -> MakePair:
    return partial(stayed_and_moved, rules)


# --- comparing them ---

REPEATS = 200
LIMIT = 4.0
CLOCKS: tuple[Callable[[], int], ...] = (process_time_ns, perf_counter_ns)
"""The clocks of CPU time and of real time, in nanoseconds."""


def warmed(clicks: Clicks) -> Clicks:
    """The clicks, after each was sent a few times, so that caches are filled."""
    for _time in range(WARMING):
        for click in clicks:
            click.prepare()
            click.send()
    return clicks


def calls(clicks: Clicks) -> Pair[int]:
    """How many calls of functions each click of a pair makes."""
    counts = []
    for click in clicks:
        click.prepare()
        counts.append(calls_of(click.send))
    return counts[0], counts[1]


def measured(clicks: Clicks, repeats: int = REPEATS) -> list[Pair[float]]:
    """How much longer the second click takes by each of CLOCKS, in milliseconds and as t.

    Preparing the clicks is not measured.
    """
    found: list[list[float]] = [[] for _clock in CLOCKS]
    gc.collect()
    gc.disable()
    try:
        for number in range(repeats):
            times = [[0], [0]]
            for which in (0, 1) if number % 2 else (1, 0):
                clicks[which].prepare()
                before = [clock() for clock in CLOCKS]
                clicks[which].send()
                after = [clock() for clock in CLOCKS]
                times[which] = [end - start for start, end in zip(before, after, strict=True)]
            for differences, one, other in zip(found, *times, strict=True):
                differences.append((other - one) / 1e6)
    finally:
        gc.enable()
    return [(fmean(each), fmean(each) / (stdev(each) / sqrt(repeats))) for each in found]


def is_told(found: list[Pair[float]], *, is_filled_up: bool = False) -> bool:
    """Whether the times differ; only the wall clock counts if the answer waits for a fixed time."""
    return any(abs(t) >= LIMIT for _more, t in (found[1:] if is_filled_up else found))


def main(words: list[str]) -> int:
    """Prints a line for each measurement of a pair; returns the number of pairs that failed."""
    print(f"{'':46}{'calls':>7}{'more':>6} | {'CPU ms':>7}{'t':>6} | wall t")
    failed = 0
    for name, make in pairs().items():
        if words and not any(word in name for word in words):
            continue
        clicks = warmed(make())
        first, second = calls(clicks)
        for said in (name, "   once more"):
            found = measured(clicks)
            (more, t), (_more, wall_t) = found
            print(
                f"{said:46}{first:7}{second - first:+6} | {more:+7.3f}{t:+6.1f} | {wall_t:+6.1f}",
                flush=True,
            )
            if not is_told(found, is_filled_up=FILLED_UP in name):
                break
        else:
            failed += 1
    print(f"{failed} pairs differ by {LIMIT:g} standard errors or more, twice")
    return failed


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    with in_memory():
        sys.exit(1 if main(sys.argv[1:]) else 0)
