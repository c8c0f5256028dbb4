"""The referee: it asks each mind in its turn, tells it what it may know, and does as it says."""

import gc
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from game.engine.actions import Ask, Manoeuvre
from game.engine.chance import Chance
from game.engine.fleets import Fleet, make_fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches.referee import decide, deploy, most_at_once, play_minds
from game.players.mind import Mind
from game.players.originals.random_player import RandomPlayer
from tests.support.boards import SEED, play, start

FIRST, SECOND = Side
RANDOM = RandomPlayer()

LAID = """
    aa...  .aa..
    .....  .....
    b....  ..b..
    b....  ..b..
"""
VARIANTS: list[dict[str, Any]] = [
    {},
    {"again": True},
    {"salvo": True},
    {"moving": True, "turns": 30},
    {"moving": True, "turns": None},
    {"moving": True, "again": True, "salvo": True, "turns": 20},
    {"touching": True, "begins": SECOND},
]


class Spy:
    """A mind that notes what it is asked, and answers as another would."""

    name = "spy"

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any, Any]] = []
        self.drawn: list[int] = []

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return RANDOM.deploy(seen, self.noted("deploy", seen, chance))

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        return RANDOM.aim(seen, self.noted("aim", seen, chance))

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return RANDOM.steer(seen, self.noted("steer", seen, chance))

    def ask(self, seen: Observation, chance: Chance) -> Ask | None:
        self.noted("ask", seen, chance)
        return Ask(Cell(0), Cell(len(seen.shots))) if len(self.asked) % 2 else None

    def noted(self, question: str, seen: Observation, chance: Chance) -> Chance:
        self.asked.append((question, seen, chance))
        self.drawn.append(chance.bits(64))
        return chance


def reachable(root: object) -> Iterator[object]:
    """Every value that can be had from one by any attribute or item, classes' own aside."""
    waiting, met = [root], set()
    while waiting:
        value = waiting.pop()
        if id(value) in met or isinstance(value, type | ModuleType | FunctionType):
            continue
        met.add(id(value))
        yield value
        waiting.extend(gc.get_referents(value))


# --- who is asked ---


@pytest.mark.parametrize(
    ("match", "minds"),
    [
        (start(LAID), (None, None)),
        (start(LAID), (None, RANDOM)),
        (play(start(LAID, turns=1), "A1"), (RANDOM, RANDOM)),
    ],
)
def test_a_person_is_waited_for_and_a_match_that_is_over_is_left_as_it_is(
    match: Match, minds: tuple[Mind | None, Mind | None]
) -> None:
    assert play_minds(match, minds) is match


def test_minds_act_no_more_often_at_once_than_they_may() -> None:
    assert play_minds(start(LAID), (RANDOM, RANDOM), most=3).ply == 3
    sizes = [(10, 0), (15, 0), (10, 5), (4, 5)]
    rules = (Ruleset(columns=n, rows=n, fleet=(1,), moving=False, questions=q) for n, q in sizes)
    assert [most_at_once(one) for one in rules] == [14, 6, 7, 43]


@pytest.mark.parametrize("switches", VARIANTS)
def test_the_minds_act_until_the_person_is_to_act_again(switches: dict[str, Any]) -> None:
    match = play_minds(start(LAID, **switches), (None, RANDOM))
    while match.outcome is None:
        assert match.side is FIRST, "the mind has left off too early"
        acted = decide(RANDOM, match)
        match = play_minds(acted, (None, RANDOM))
        assert match.actions[: acted.ply] == acted.actions
        assert set(match.sides[acted.ply :]) <= {SECOND}, "the mind has acted for the person"


# --- chance ---


@pytest.mark.parametrize("switches", VARIANTS)
def test_a_match_broken_off_anywhere_goes_on_as_it_would_have_and_another_seed_plays_another(
    switches: dict[str, Any],
) -> None:
    match = play_minds(start(LAID, **switches), (RANDOM, RANDOM))
    assert match.outcome is not None
    assert {FIRST, SECOND} == set(match.sides)
    for ply in range(match.ply + 1):
        assert play_minds(match.at(ply), (RANDOM, RandomPlayer())) == match
    other = play_minds(start(LAID, seed=bytes(16), **switches), (RANDOM, RANDOM))
    assert other.actions != match.actions


def test_a_deployment_follows_from_the_rules_the_side_and_the_seed() -> None:
    fleets = [deploy(RANDOM, BONN, side, seed) for side in Side for seed in (SEED, bytes(16)) * 2]
    assert fleets[0] == fleets[2]
    assert fleets[4] == fleets[6]
    assert len(set(fleets)) == 4
    assert all(make_fleet(BONN, each) == each for each in fleets)
    assert deploy(RANDOM, Ruleset(touching=True), FIRST, SEED) != fleets[0]


def test_each_question_has_a_chance_of_its_own() -> None:
    spies = (Spy(), Spy())
    for side in Side:
        deploy(spies[side], BONN, side, SEED)
    match = play_minds(start(LAID, moving=True, turns=12), spies)
    drawn = spies[FIRST].drawn + spies[SECOND].drawn
    assert len(set(drawn)) == len(drawn) == len(match.actions) + 2


def test_a_mind_may_ask_before_each_shot_while_a_question_is_left() -> None:
    spies = (Spy(), Spy())
    match = play_minds(start(LAID, questions=3, turns=40), spies)
    for side in Side:
        chances = [then for then in match.stages() if then.side is side and then.may_ask]
        asked = [seen for question, seen, _ in spies[side].asked if question == "ask"]
        assert asked == [observe(then, side) for then in chances]
        assert len([one for one in match.questions if one.side is side]) == 3


# --- fair play ---


@pytest.mark.parametrize("switches", VARIANTS)
def test_minds_are_given_an_observation_and_a_chance_and_nothing_else(
    switches: dict[str, Any],
) -> None:
    spy, match = Spy(), start(LAID, **switches)
    deploy(spy, match.ruleset, SECOND, SEED)
    assert spy.asked[0][:2] == ("deploy", Observation.opening(match.ruleset, SECOND))
    while match.outcome is None:
        asked = len(spy.asked)
        seen, is_move_due = observe(match, match.side), match.is_move_due
        match = decide(spy, match)
        assert len(spy.asked) == asked + 1, "one question, one action"
        assert spy.asked[-1][0] == ("steer" if is_move_due else "aim")
        assert spy.asked[-1][1] == seen
    for _, seen, chance in spy.asked:
        assert (type(seen), type(chance)) == (Observation, Chance)
        for value in (*reachable(seen), *reachable(chance)):
            assert type(value).__name__ not in ("Match", "MatchState")
