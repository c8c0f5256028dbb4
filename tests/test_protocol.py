"""The engine protocol: an engine that is told no more than the lines say plays as well as any."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from game.engine.chance import Chance
from game.engine.fleets import Course, make_fleet, parse_placement
from game.engine.geometry import Cell
from game.engine.match import Match, Phase
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.players.mind import Mind
from game.players.protocol import BadLine, Engine, rules_from_json, rules_json
from game.players.registry import MINDS

PATIENCE = 60
"""Seconds after which a process that says nothing has hung."""
ROOT = Path(__file__).resolve().parent.parent
RULES = {
    "bonn": BONN,
    "still": replace(BONN, moving=False),
    "touching": Ruleset(
        fleet=(5, 4, 3, 3, 2), touching=True, again=False, moving=False, turns=None
    ),
    "salvo": Ruleset(fleet=(4, 3, 2), again=False, moving=False, turns=60, salvo=True),
    "all": Ruleset(columns=7, rows=9, fleet=(3, 1, 2), touching=True, salvo=True, turns=40),
}


def told(engine: Engine, line: str) -> str:
    answer = engine.answer(line)
    assert not answer.startswith("error"), (line, answer)
    return answer


def refereed(engines: list[Engine], rules: Ruleset, seed: int) -> Iterator[Any]:
    """A whole match between two engines; yields it after every turn."""
    fleets = []
    for number, engine in enumerate(engines):
        assert told(engine, f"new {seed + number} {rules_json(rules)}") == "ok"
        word, *ships = told(engine, "deploy").split(" ")
        assert word == "fleet"
        placed = [parse_placement(rules.board, ship) for ship in ships]
        assert make_fleet(rules, placed) == tuple(placed)
        fleets.append(tuple(placed))
    match = Match(rules, (fleets[0], fleets[1]), bytes(16))
    while match.outcome is None:
        match = one_turn(engines, match)
        yield match


def one_turn(engines: list[Engine], match: Match) -> Match:
    side, turn, board = match.side, match.turn, match.ruleset.board
    while match.outcome is None and match.turn == turn:
        if match.phase is Phase.MOVING:
            answer = told(engines[side], "steer").split(" ")
            if answer == ["stay"]:
                match = match.stay()
            else:
                match = match.steer(int(answer[1]), Course(answer[2]))
            continue
        untold = len(match.shots)
        for _ in range(match.shots_left):
            word, cell = told(engines[side], "aim").split(" ")
            assert word == "fire"
            match = match.fire(board.parse(cell))
        for shot in match.shots[untold:]:
            words = f"{board.name(shot.cell)} {shot.result.value}"
            assert told(engines[side], f"shot {words}") == "ok"
            assert told(engines[side.opponent], f"incoming {words}") == "ok"
    assert told(engines[side.opponent], "turn") == "ok"
    return match


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
@pytest.mark.parametrize("names", [("bonn-hard", "drifter"), ("drifter", "bonn-easy")])
def test_two_engines_play_whole_matches_of_any_rules(
    rules: Ruleset, names: tuple[str, str]
) -> None:
    for seed in range(3):
        engines = [Engine(MINDS[name]) for name in names]
        *_, match = refereed(engines, rules, seed)
        assert match.outcome is not None


class Listening:
    """A mind that keeps what it was told for the first shot of each turn."""

    def __init__(self, mind: Mind) -> None:
        self.name, self.deploy, self.steer = mind.name, mind.deploy, mind.steer
        self.mind, self.told = mind, dict[int, Observation]()

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.told.setdefault(seen.turn, seen)
        return self.mind.aim(seen, chance)


@pytest.mark.parametrize("name", ["bonn", "still", "salvo"])
def test_an_engine_comes_to_know_what_its_side_of_the_match_may_know(name: str) -> None:
    minds = Listening(MINDS["bonn-hard"]), Listening(MINDS["drifter"])
    compared = 0
    for before, _after in pairwise(refereed([Engine(mind) for mind in minds], RULES[name], 5)):
        seen, known = observe(before, before.side), minds[before.side].told[before.turn]
        for mine, theirs in zip(known.shots + known.incoming, seen.shots + seen.incoming,
                                strict=True):  # fmt: skip
            assert mine[3:] == theirs[3:]
            assert mine.turn == theirs.turn
        assert known.turn == seen.turn
        assert known.spent == seen.spent
        assert known.enemy_left == seen.enemy_left
        assert known.shots_left == seen.shots_left
        assert [s.placement for s in known.ships] == [s.placement for s in seen.ships]
        assert [s.hits for s in known.ships] == [s.hits for s in seen.ships]
        compared += 1
    assert compared > 10


def test_the_same_seed_and_lines_always_get_the_same_answers() -> None:
    lines = [f"new 9 {rules_json(BONN)}", "deploy", "aim", "shot A1 water", "steer", "turn", "aim"]
    answers = {tuple(map(Engine(MINDS["bonn-medium"]).answer, lines)) for _ in range(3)}
    assert len(answers) == 1
    others = [f"new 10 {rules_json(BONN)}", *lines[1:]]
    assert tuple(map(Engine(MINDS["bonn-medium"]).answer, others)) not in answers


GOOD = json.loads(rules_json(BONN))


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 3}, {"columns": "10"}, {"columns": True}, {"fleet": []}, {"fleet": [9]},
        {"fleet": [2.5]}, {"fleet": [True]}, {"touching": 1}, {"turns": 0}, {"turns": 1.5},
        {"at_limit": "coin"}, {"more": 1}, {"fleet": [8] * 30},
    ],
)  # fmt: skip
def test_rules_that_are_none_are_refused(change: Any) -> None:
    with pytest.raises(BadLine):
        rules_from_json(json.dumps(GOOD | change))
    assert Engine(MINDS["drifter"]).answer(f"new 1 {json.dumps(GOOD | change)}")[:6] == "error "


def test_rules_with_a_key_missing_are_refused() -> None:
    for key in GOOD:
        with pytest.raises(BadLine):
            rules_from_json(json.dumps({k: v for k, v in GOOD.items() if k != key}))


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "hello", "hello 2", "hello 1 1", "new", "new 1", "new x {}", "new -1 {}",
        f"new {1 << 64} " + rules_json(BONN), "new 1 {", "new 1 []", "deploy now", "aim  ", "Aim",
        "shot", "shot A1", "shot A1 splash", "shot Z1 hit", "shot A1 hit hard", "incoming K1 water",
        "turn 1", "nonsense", "steer 1", "probabilities all", "shot  A1 hit", "\0", "é",
    ],
)  # fmt: skip
def test_a_malformed_line_gets_one_line_of_error_and_the_engine_goes_on(line: str) -> None:
    engine = Engine(MINDS["drifter"])
    told(engine, f"new 1 {rules_json(BONN)}")
    told(engine, "deploy")
    answer = engine.answer(line)
    assert answer.startswith("error ")
    assert "\n" not in answer
    assert told(engine, "aim").startswith("fire ")


def test_before_a_match_all_but_hello_and_new_are_errors() -> None:
    engine = Engine(MINDS["drifter"])
    for line in ("deploy", "aim", "shot A1 hit", "steer", "incoming A1 hit", "turn",
                 "probabilities"):  # fmt: skip
        assert engine.answer(line) == "error no match: say new first"


def test_no_move_is_asked_of_ships_that_lie_still() -> None:
    engine = Engine(MINDS["drifter"])
    told(engine, f"new 1 {rules_json(RULES['still'])}")
    told(engine, "deploy")
    assert engine.answer("steer").startswith("error ")


def test_a_shot_that_its_own_fleet_contradicts_is_an_error_and_changes_nothing() -> None:
    engine = Engine(MINDS["drifter"])
    told(engine, f"new 1 {rules_json(BONN)}")
    ship = parse_placement(BONN.board, told(engine, "deploy").split(" ")[1])
    bow = BONN.board.name(ship.bow)
    assert engine.answer(f"incoming {bow} water").startswith("error ")
    assert engine.answer(f"incoming {bow} sunk").startswith("error ")
    assert engine.answer(f"incoming {bow} hit") == "ok"
    assert engine.answer(f"incoming {bow} hit").startswith("error ")


def test_a_mind_that_believes_nothing_says_so() -> None:
    engine = Engine(MINDS["bonn-hard"])
    told(engine, f"new 1 {rules_json(BONN)}")
    assert engine.answer("probabilities") == "error unsupported"


def test_a_mind_that_believes_tells_the_chance_of_every_cell() -> None:
    engine = Engine(MINDS["admiral"])
    told(engine, f"new 1 {rules_json(replace(BONN, columns=8))}")
    assert told(engine, "aim").startswith("fire ")
    told(engine, "shot C4 hit")
    told(engine, "shot F9 water")
    word, *chances = told(engine, "probabilities").split(" ")
    believed = [float(chance) for chance in chances]
    board = replace(BONN, columns=8).board
    assert word == "probabilities"
    assert len(believed) == board.size
    assert believed[board.parse("C4")] == 1
    assert believed[board.parse("F9")] == believed[board.parse("D5")] == 0
    assert sum(believed) == pytest.approx(sum(BONN.fleet), abs=0.2)


@contextmanager
def killed_after(seconds: float, process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kills a process that still runs by then, so that no read waits for ever for what it says."""
    timer = Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_the_process_answers_each_line_at_once_and_ends_with_quit() -> None:
    with subprocess.Popen(
        [sys.executable, "manage.py", "engine", "--player", "bonn-hard"], cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process, killed_after(PATIENCE, process):  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for line, answer in (
            (b"hello 1\n", b"hello 1 bonn-hard\n"), (b"\xff\xfe\n", b"error "),
            (f"new 3 {rules_json(BONN)}\r\n".encode(), b"ok\n"), (b"aim\n", b"fire "),
        ):  # fmt: skip
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().startswith(answer)
        process.stdin.write(b"quit\nhello 1\n")
        process.stdin.flush()
        assert process.stdout.read() == b""
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


def test_the_process_ends_well_with_its_input_and_ill_without_a_mind() -> None:
    def run(name: Any, text: Any) -> Any:
        return subprocess.run(
            [sys.executable, "manage.py", "engine", "--player", name], cwd=ROOT, input=text,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    ended = run("drifter", "hello 1")
    assert (ended.returncode, ended.stdout) == (0, "hello 1 drifter\n")
    refused = run("nobody", "")
    assert refused.returncode != 0
    assert "no such mind" in refused.stderr


def test_a_seed_decides_the_whole_fleet() -> None:
    chance = Chance((4).to_bytes(16, "big"), "first/deploy", 0)
    engine = Engine(MINDS["drifter"])
    told(engine, f"new 4 {rules_json(BONN)}")
    fleet = MINDS["drifter"].deploy(Observation.opening(BONN, Side.FIRST), chance)
    assert told(engine, "deploy") == " ".join(("fleet", *map(str, fleet)))
