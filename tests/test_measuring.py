"""How minds are measured: solo games, games through the engine protocol, and calibration."""

from dataclasses import replace

import pytest

from bench.calibration import Tenth, calibrate
from bench.seas import RULES, SEAS
from bench.selfplay import OWN, TOLD, Correspondent, game_seed, play_solo, solo
from bench.uniform_fleets import uniform_fleet
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation, observe
from game.engine.rules import Side
from game.matches.referee import deploy
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer


def test_the_fleet_that_is_searched_for_is_uniform_or_the_targets_own() -> None:
    rules, seed, admiral = SEAS["bonn-still"], game_seed(1, 0), MINDS["admiral"]
    shooter = MINDS["random"]
    own = play_solo(shooter, rules, seed, target=admiral, fleets=OWN)
    assert own.fleets[1] == deploy(admiral, own.ruleset, Side.SECOND, seed)
    drawn = play_solo(shooter, rules, seed, target=admiral)
    assert drawn.fleets[1] == uniform_fleet(own.ruleset, Chance(seed, "selfplay/fleet", 0))


def test_a_tenth_tells_how_far_hits_and_chances_are_apart() -> None:
    tenth = Tenth()
    for is_hit in (True, True, False, True):
        tenth.add(0.5, is_hit=is_hit)
    assert (tenth.shots, tenth.hits, tenth.points, tenth.error) == (4, 3, 25, 25)


class Listening(RandomPlayer):
    """A mind that keeps what it sees before each shot."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.seen.append(seen)
        return super().aim(seen, chance)


@pytest.mark.parametrize("name", ["five-touching", "milton", "bonn-moving"])
@pytest.mark.parametrize("told", TOLD)
def test_through_the_protocol_a_mind_is_told_what_it_could_see(name: str, told: str) -> None:
    rules = replace(RULES[name], columns=6, rows=6, fleet=(3, 2, 2), turns=None)
    mind = Listening()
    match = play_solo(Correspondent(mind, told), rules, game_seed(1, 0))
    mine = [stage for stage in match.stages() if stage.side is Side.FIRST]
    seens = [
        observe(stage, Side.FIRST) for stage in mine if not (stage.is_move_due or stage.outcome)
    ]
    assert len(mind.seen) == len(seens) > 10
    untold = 0
    for known, seen in zip(mind.seen, seens, strict=True):
        assert known.turn == seen.turn
        for one, other in zip(known.shots, seen.shots, strict=True):
            assert (one.cell, one.result, one.ship) == (other.cell, other.result, other.ship)
            assert one.wreck in (None, other.wreck)
            untold += one.wreck != other.wreck
        if told == "wrecks":
            assert (known.spent, known.enemy_left) == (seen.spent, seen.enemy_left)
    assert bool(untold) is (told == "sinkings" and name == "five-touching")


def test_a_mind_that_looks_for_lengths_finds_the_last_ship_without_wrecks() -> None:
    rules = RULES["five-touching"]
    shots = solo(MINDS["bonn-hard"], rules, games=6, seed=1, told="sinkings").shots
    assert shots.worst < 75


def test_calibration_counts_every_shot_in_its_tenth() -> None:
    tenths = calibrate(SEAS["five-touching"], shots=60, seed=1)
    assert sum(tenth.shots for tenth in tenths) >= 60
    for at, tenth in enumerate(tenths):
        assert at * tenth.shots <= 10 * tenth.believed <= (at + 1) * tenth.shots
        assert tenth.hits <= tenth.shots
