"""The commands that measure minds: what they take, and what they print."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from game.bench.calibration import Tenth, calibrate
from game.bench.seas import SEAS
from game.bench.selfplay import Fleets, game_seed, play_solo
from game.engine.chance import Chance
from game.engine.rules import Side
from game.engine.uniform_fleets import uniform_fleet
from game.matches.referee import deploy
from game.players.registry import MINDS


def printed(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_solo_games_are_told_to_machines_too() -> None:
    words = "--solo --players drifter --preset five-touching --games 3 --json"
    told = json.loads(printed("selfplay", *words.split()))
    assert (told["player"], told["games"], told["unfinished"]) == ("drifter", 3, 0)
    assert 17 < told["shots"]["mean"] <= told["shots"]["worst"] <= 100


@pytest.mark.parametrize(
    "words",
    ["--players nobody --solo", "--players drifter", "--players drifter --solo --target nobody",
     "--players drifter --solo --games 1"],
)  # fmt: skip
def test_what_can_not_be_played_is_an_error_in_one_sentence(words: str) -> None:
    with pytest.raises(CommandError, match=r"^(no such mind|not one player|not a number)"):
        printed("selfplay", *words.split())


def test_the_fleet_that_is_looked_for_is_drawn_evenly_or_the_targets_own() -> None:
    rules, seed, admiral = SEAS["bonn-still"], game_seed(1, 0), MINDS["admiral"]
    shooter = MINDS["drifter"]
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
