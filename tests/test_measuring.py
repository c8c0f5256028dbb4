"""The commands that measure minds: what they take, and what they print."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bench.calibration import Tenth, calibrate
from bench.seas import SEAS
from bench.selfplay import Correspondent, Fleets, Told, game_seed, play_solo, solo
from bench.uniform_fleets import uniform_fleet
from game.engine.actions import Phase
from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation, observe
from game.engine.rules import Side
from game.management.commands.selfplay import RULES
from game.matches.referee import deploy
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer


def printed(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_solo_games_are_told_to_machines_too() -> None:
    words = "--solo --players random --preset five-touching --games 3 --json"
    told = json.loads(printed("selfplay", *words.split()))
    assert (told["player"], told["games"], told["unfinished"]) == ("random", 3, 0)
    assert 17 < told["shots"]["mean"] <= told["shots"]["worst"] <= 100


@pytest.mark.parametrize(
    "words",
    ["--players nobody --solo", "--players random", "--players random --solo --target nobody",
     "--players random --solo --games 1", "--players random random --told wrecks"],
)  # fmt: skip
def test_what_can_not_be_played_is_an_error_in_one_sentence(words: str) -> None:
    with pytest.raises(CommandError, match=r"^(no such|not one|not a number|only solo)"):
        printed("selfplay", *words.split())


def test_the_fleet_that_is_looked_for_is_drawn_evenly_or_the_targets_own() -> None:
    rules, seed, admiral = SEAS["bonn-still"], game_seed(1, 0), MINDS["admiral"]
    shooter = MINDS["random"]
    sought = {
        source: play_solo(shooter, rules, seed, target=admiral, fleets=source).fleets[1]
        for source in Fleets
    }
    alone = play_solo(shooter, rules, seed).ruleset
    assert sought[Fleets.OWN] == deploy(admiral, alone, Side.SECOND, seed)
    assert sought[Fleets.UNIFORM] == uniform_fleet(alone, Chance(seed, "selfplay/fleet", 0))


def test_a_tenth_tells_how_far_hits_and_chances_are_apart() -> None:
    tenth = Tenth()
    for is_hit in (True, True, False, True):
        tenth = tenth.with_shot(0.5, is_hit=is_hit)
    assert (tenth.shots, tenth.hits, tenth.points, tenth.error) == (4, 3, 25, 25)


class Listening(RandomPlayer):
    """A mind that keeps what it sees before each shot."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.seen.append(seen)
        return super().aim(seen, chance)


@pytest.mark.parametrize("name", ["five-touching", "milton", "bonn-moving"])
@pytest.mark.parametrize("told", Told)
def test_through_the_protocol_a_mind_is_told_what_it_could_see(name: str, told: Told) -> None:
    rules = replace(RULES[name], columns=6, rows=6, fleet=(3, 2, 2), turns=None)
    mind = Listening()
    match = play_solo(Correspondent(mind, told), rules, game_seed(1, 0))
    mine = [stage for stage in match.stages() if stage.side is Side.FIRST]
    seens = [observe(stage, Side.FIRST) for stage in mine if stage.phase is Phase.FIRING]
    assert len(mind.seen) == len(seens) > 10
    untold = 0
    for known, seen in zip(mind.seen, seens, strict=True):
        assert known.turn == seen.turn
        for one, other in zip(known.shots, seen.shots, strict=True):
            assert (one.cell, one.result, one.ship) == (other.cell, other.result, other.ship)
            assert one.wreck in (None, other.wreck)
            untold += one.wreck != other.wreck
        if told is Told.WRECKS:
            assert (known.spent, known.enemy_left) == (seen.spent, seen.enemy_left)
    assert bool(untold) is (told is Told.SINKINGS and name == "five-touching")


def test_the_command_plays_through_the_protocol() -> None:
    words = "--solo --players random --preset five-touching --games 3 --json"
    on_site = json.loads(printed("selfplay", *words.split()))
    told = json.loads(printed("selfplay", *words.split(), "--told", "wrecks"))
    assert told["shots"] != on_site["shots"], "a seed of the protocol has fewer bits"
    assert told["unfinished"] == 0


def test_a_mind_that_looks_for_lengths_finds_the_last_ship_without_wrecks() -> None:
    rules = RULES["five-touching"]
    shots = solo(MINDS["bonn-hard"], rules, games=6, seed=1, told=Told.SINKINGS).shots
    assert shots.worst < 75


def test_calibration_counts_every_shot_in_its_tenth() -> None:
    tenths = calibrate(SEAS["five-touching"], shots=60, seed=1)
    assert sum(tenth.shots for tenth in tenths) >= 60
    for at, tenth in enumerate(tenths):
        assert at * tenth.shots <= 10 * tenth.believed <= (at + 1) * tenth.shots
        assert tenth.hits <= tenth.shots


def test_calibration_prints_a_line_for_every_tenth() -> None:
    lines = printed("calibration", "--seas", "five-touching", "--shots", "30").splitlines()
    assert lines[0].startswith("five-touching, ")
    spans = [f"{at / 10:.1f} to {(at + 1) / 10:.1f}" for at in range(10)]
    assert [line[:10] for line in lines[2:]] == spans
