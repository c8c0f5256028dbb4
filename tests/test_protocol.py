"""The engine protocol: an engine that is told no more than the lines say plays as well as any."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from game.engine.actions import STAY, Manoeuvre
from game.engine.chance import Chance
from game.engine.fleets import parse_placement
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.management.match_referee import InProcess, Seat, turns
from game.players.mind import Mind
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer
from game.players.protocol import Engine
from game.players.protocol_rules import BadLine, Terms, terms_from_json, terms_to_json

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
    "named": Ruleset(
        columns=6, rows=6, fleet=(3, 3, 2), touching=True, again=False, moving=False, named=True,
        turns=None,
    ),
    "named, moving": Ruleset(columns=6, rows=6, fleet=(3, 3, 1), touching=True, named=True),
    "asking": Ruleset(
        columns=6, rows=6, fleet=(3, 3, 2), again=False, moving=False, turns=None, questions=5
    ),
}  # fmt: skip


def told(engine: Engine, line: str) -> str:
    answer = engine.answer(line)
    assert not answer.startswith("error"), (line, answer)
    return answer


def refereed(
    engines: list[Engine], rules: Ruleset, seed: int, *, wrecks: bool = False
) -> Iterator[Match]:
    """A whole match between two engines; yields it after every turn."""
    one, other = (
        Seat(side, partial(InProcess, engine), 0, lambda _line: None)
        for side, engine in zip(Side, engines, strict=True)
    )
    yield from turns((one, other), rules, (seed, seed + 1), wrecks=wrecks)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
@pytest.mark.parametrize("names", [("bonn-hard", "random"), ("random", "bonn-easy")])
@pytest.mark.parametrize("wrecks", [False, True], ids=["untold", "wrecks"])
def test_two_engines_play_whole_matches_of_any_rules(
    rules: Ruleset, names: tuple[str, str], wrecks: bool
) -> None:
    for seed in range(3):
        engines = [Engine(MINDS[name]) for name in names]
        *_, match = refereed(engines, rules, seed, wrecks=wrecks)
        assert match.outcome is not None


class Listening:
    """A mind that keeps what it was told at the beginning of each turn."""

    def __init__(self, mind: Mind) -> None:
        self.name, self.deploy, self.ask = mind.name, mind.deploy, mind.ask
        self.mind, self.told = mind, dict[int, Observation]()

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        self.told.setdefault(seen.turn, seen)
        return self.mind.steer(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.told.setdefault(seen.turn, seen)
        return self.mind.aim(seen, chance)


class Still(RandomPlayer):
    """A mind that never moves a ship."""

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return STAY


@pytest.mark.parametrize(
    ("name", "wrecks"),
    [
        ("bonn", False), ("still", False), ("salvo", False), ("named", False),
        ("named, moving", False), ("bonn", True), ("touching", True), ("all", True),
    ],
)  # fmt: skip
def test_an_engine_comes_to_know_what_its_side_of_the_match_may_know(
    name: str, wrecks: bool
) -> None:
    minds = Listening(MINDS["bonn-hard"]), Listening(MINDS["random"])
    engines = [Engine(mind) for mind in minds]
    compared = 0
    for before, _after in pairwise(refereed(engines, RULES[name], 5, wrecks=wrecks)):
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


@pytest.mark.parametrize("name", ["touching", "all"])
def test_without_wrecks_an_engine_takes_none_for_true_that_may_be_another(name: str) -> None:
    untold = 0
    for seed in range(4):
        minds = Listening(MINDS["bonn-hard"]), Listening(MINDS["bonn-hard"])
        engines = [Engine(mind) for mind in minds]
        for before, _after in pairwise(refereed(engines, RULES[name], seed)):
            seen, known = observe(before, before.side), minds[before.side].told[before.turn]
            for mine, theirs in zip(known.shots, seen.shots, strict=True):
                assert mine.wreck in (None, theirs.wreck)
                untold += mine.wreck is not theirs.wreck
            assert len(known.enemy_left) == len(seen.enemy_left)
            # What may not be fired at is known for sure: else a ship could hide there.
            assert set(known.spent) >= set(seen.spent)
    assert untold


def test_an_engine_comes_to_know_all_questions_and_answers() -> None:
    minds = Listening(MINDS["captain"]), Listening(MINDS["recruit"])
    engines = [Engine(mind) for mind in minds]
    for before, _after in pairwise(refereed(engines, RULES["asking"], 5)):
        seen, known = observe(before, before.side), minds[before.side].told[before.turn]
        # The mind is listened to when it aims, which may be after a question.
        for mine, theirs in zip(known.asked, seen.asked, strict=False):
            assert (mine.ask, mine.is_yes, mine.turn) == (theirs.ask, theirs.is_yes, theirs.turn)
        assert [one.ask for one in known.asked_by_enemy] == [one.ask for one in seen.asked_by_enemy]
        assert known.questions_left == 5 - len(known.asked)
    assert len(seen.asked) > 2
    assert len(seen.asked_by_enemy) > 2


@pytest.mark.parametrize("in_a_row", [False, True])
def test_several_questions_before_a_shot_need_leave(in_a_row: bool) -> None:
    engine = Engine(MINDS["recruit"])
    told(engine, f"new 3 {terms_to_json(RULES['asking'], in_a_row=in_a_row)}")
    assert told(engine, "aim").startswith("ask ")
    for line in ("aim", "shot A1 water", "incoming A1 water", "turn", "asked A1 B2 yes"):
        answer = "error a question is still to be answered: say answer first"
        assert engine.answer(line) == answer
    assert engine.answer("answer perhaps") == "error not yes or no: perhaps"
    assert told(engine, "answer yes") == "ok"
    assert engine.answer("answer yes") == "error no question was asked"
    assert told(engine, "aim").startswith("ask " if in_a_row else "fire ")


def test_answers_that_can_not_be_are_refused_and_change_nothing() -> None:
    engine = Engine(MINDS["captain"])
    told(engine, f"new 3 {terms_to_json(RULES['asking'])}")
    _, first, last = told(engine, "aim").split(" ")
    assert told(engine, "answer no") == "ok"
    assert engine.answer(f"shot {first} hit") == f"error that can't be: no ship lies at {first}"
    assert engine.answer(f"asked {last} {first} yes").startswith("error ") is (first != last)
    told(engine, f"new 3 {terms_to_json(RULES['asking'])}")
    fleet = told(engine, "deploy").split(" ")[1:]
    bow = fleet[0][:2]
    refused = f"error that can't be: my fleet says otherwise of {bow} {bow}"
    assert engine.answer(f"asked {bow} {bow} no") == refused
    assert told(engine, f"asked {bow} {bow} yes") == "ok"
    assert engine.answer("asked A1 F6 yes") == "error the opponent may ask no question now"
    without = Engine(MINDS["captain"])
    told(without, f"new 3 {terms_to_json(RULES['touching'])}")
    assert without.answer("asked A1 B2 yes") == "error the opponent may ask no question now"


def test_the_same_seed_and_lines_always_get_the_same_answers() -> None:
    lines = [
        f"new 9 {terms_to_json(BONN)}",
        "deploy",
        "steer",
        "aim",
        "shot A1 water",
        "turn",
        "aim",
    ]
    answers = {tuple(map(Engine(MINDS["bonn-medium"]).answer, lines)) for _ in range(3)}
    assert len(answers) == 1
    others = [f"new 10 {terms_to_json(BONN)}", *lines[1:]]
    assert tuple(map(Engine(MINDS["bonn-medium"]).answer, others)) not in answers


GOOD = json.loads(terms_to_json(BONN))


@pytest.mark.parametrize(
    "change",
    [
        {"columns": 3}, {"columns": "10"}, {"columns": True}, {"fleet": []}, {"fleet": [9]},
        {"fleet": [2.5]}, {"fleet": [True]}, {"touching": 1}, {"turns": 0}, {"turns": 1.5},
        {"at_limit": "coin"}, {"at_limit": None}, {"more": 1}, {"fleet": [8] * 30}, {"wrecks": 1},
        {"named": None}, {"begins": 0}, {"columns": 1e400}, {"fleet": [[[[]]]]},
        {"questions": True}, {"questions": 16}, {"questions": -1}, {"questions": 1},
        {"questions_in_a_row": 1},
    ],
)  # fmt: skip
def test_rules_that_are_none_are_refused(change: Any) -> None:
    with pytest.raises(BadLine):
        terms_from_json(json.dumps(GOOD | change))
    answer = Engine(MINDS["random"]).answer(f"new 1 {json.dumps(GOOD | change)}")
    assert answer.startswith("error ")
    assert "'" not in answer


def test_rules_with_a_key_missing_are_refused() -> None:
    for key in GOOD.keys() - {"wrecks", "named", "questions", "questions_in_a_row"}:
        with pytest.raises(BadLine):
            terms_from_json(json.dumps({k: v for k, v in GOOD.items() if k != key}))


def test_what_is_told_may_be_left_out_and_is_then_little() -> None:
    rules = replace(BONN, named=True)
    for wrecks in (False, True):
        assert terms_from_json(terms_to_json(rules, wrecks=wrecks)) == Terms(rules, wrecks)
    short = {key: value for key, value in GOOD.items() if key not in ("wrecks", "named")}
    assert terms_from_json(json.dumps(short)) == Terms(BONN, wrecks=False)


@pytest.mark.parametrize("key", ["columns", "wrecks"])
def test_rules_with_a_key_given_twice_are_refused_and_change_nothing(key: str) -> None:
    engine = Engine(MINDS["random"])
    told(engine, f"new 1 {terms_to_json(BONN)}")
    cell = told(engine, "aim").split(" ")[1]
    twice = terms_to_json(BONN).replace("{", f'{{"{key}": {json.dumps(GOOD[key])}, ')
    assert engine.answer(f"new 1 {twice}") == f"error the rules have a key twice: {key}"
    assert engine.answer("deploy").startswith("error "), "the former match goes on"
    assert told(engine, f"shot {cell} water") == "ok"


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "hello", "hello 2", "hello 1 1", "new", "new 1", "new x {}", "new -1 {}",
        f"new {1 << 64} " + terms_to_json(BONN), "new 1 {", "new 1 []", "deploy now",
        "aim  ", "Aim",
        "shot", "shot A1", "shot A1 splash", "shot Z1 hit", "shot A1 hit hard", "incoming K1 water",
        "turn 1", "nonsense", "steer 1", "probabilities all", "shot  A1 hit", "\0", "é", "it's",
        "shot A1 hit 0", "shot A1 sunk A1h2", "shot A1 water A1h2", "incoming A1 hit 0",
        f"new {'9' * 5000} {{}}", f"new 1 {'[' * 100_000}", "shot \x1b[2J water", "shot ' hit",
    ],
)  # fmt: skip
def test_a_malformed_line_gets_one_line_of_error_and_the_engine_goes_on(line: str) -> None:
    engine = Engine(MINDS["random"])
    told(engine, f"new 1 {terms_to_json(BONN)}")
    told(engine, "deploy")
    answer = engine.answer(line)
    assert answer.startswith("error ")
    assert answer.isprintable()
    assert "\\" not in answer
    assert len(answer) < 200
    assert told(engine, "aim").startswith("fire ")


def test_before_a_match_all_but_hello_and_new_are_errors() -> None:
    engine = Engine(MINDS["random"])
    for line in ("deploy", "aim", "shot A1 hit", "steer", "incoming A1 hit", "turn",
                 "probabilities"):  # fmt: skip
        assert engine.answer(line) == "error no match: say new first"


# --- the order of play ---


def asked(rules: Ruleset, *, wrecks: bool = False, name: str = "random") -> Engine:
    """An engine whose match has begun."""
    engine = Engine(MINDS[name])
    told(engine, f"new 1 {terms_to_json(rules, wrecks=wrecks)}")
    told(engine, "deploy")
    return engine


def test_it_aims_once_before_the_result_is_told() -> None:
    engine, other = asked(BONN), asked(BONN)
    cells = [told(one, "aim").split(" ")[1] for one in (engine, other)]
    assert engine.answer("aim") == "error a result is still to be told: say shot first"
    assert engine.answer("aim").startswith("error ")
    for one in (engine, other):
        told(one, f"shot {cells[0]} water")
    assert told(engine, "aim") == told(other, "aim"), "what was refused has changed nothing"


def test_it_moves_once_in_a_turn_and_before_its_first_aim() -> None:
    refused = "error a ship moves once in a turn, before its first shot"
    engine, other = asked(BONN), asked(BONN)
    assert told(engine, "steer") == told(other, "steer")
    assert engine.answer("steer") == refused
    cell = told(engine, "aim").split(" ")[1]
    assert engine.answer("steer") == refused
    assert told(other, "aim") == f"fire {cell}", "what was refused has changed nothing"
    told(engine, f"shot {cell} hit")
    assert engine.answer("steer") == refused, "nor after a hit"
    told(engine, f"shot {told(engine, 'aim').split(' ')[1]} water")
    told(engine, "turn")
    assert told(engine, "steer")
    told(engine, "turn")
    assert told(engine, "steer"), "alone in a turn"


def test_a_referee_that_leaves_steer_out_lets_the_ships_stay() -> None:
    """The engine then decides as after an answer of `stay`."""
    engines = [Engine(Still()), Engine(Still())]
    for engine in engines:
        told(engine, f"new 1 {terms_to_json(BONN)}")
        told(engine, "deploy")
    assert told(engines[0], "steer") == "stay"
    assert told(engines[0], "aim") == told(engines[1], "aim")
    told(engines[1], "turn")
    assert told(engines[1], "steer") == "stay"


def test_a_shot_that_it_never_chose_comes_in_place_of_the_one_it_did() -> None:
    engine = asked(RULES["still"], name="bonn-hard")
    chosen = told(engine, "aim").split(" ")[1]
    told(engine, f"shot {'A1' if chosen != 'A1' else 'B1'} water")
    cells = set()
    for _ in range(99):
        cells.add(cell := told(engine, "aim").split(" ")[1])
        told(engine, f"shot {cell} water")
    assert chosen in cells


@pytest.mark.parametrize("is_placed", [True, False])
def test_a_volley_is_one_shot_for_each_ship_afloat(is_placed: bool) -> None:
    rules = RULES["salvo"]
    engine = Engine(MINDS["random"])
    told(engine, f"new 1 {terms_to_json(rules)}")
    if is_placed:
        told(engine, "deploy")
    cells = [told(engine, "aim").split(" ")[1] for _ in rules.fleet]
    assert len(set(cells)) == len(rules.fleet)
    assert engine.answer("aim").startswith("error ")
    told(engine, f"shot {cells[0]} water")
    assert engine.answer("aim").startswith("error "), "all are aimed before any result is told"
    for cell in cells[1:]:
        told(engine, f"shot {cell} water")
    assert told(engine, "aim").startswith("fire ")


@pytest.mark.parametrize("line", ["aim", "shot A1 water", "turn", "incoming A1 water", "steer"])
def test_no_fleet_is_deployed_in_mid_match(line: str) -> None:
    rules = Ruleset(columns=15, rows=15, fleet=(2,), moving=line == "steer")
    engine = asked(rules)
    fleet = told(engine, "deploy")
    assert "A1" not in fleet
    told(engine, line)
    assert engine.answer("deploy").startswith("error ")
    told(engine, f"new 1 {terms_to_json(rules)}")
    assert told(engine, "deploy") == fleet


# --- what a result tells ---

WRECKS = Ruleset(
    columns=6, rows=6, fleet=(4, 3, 2), touching=True, again=False, moving=False, turns=None
)


@pytest.mark.parametrize(
    "wrong",
    [
        "shot C1 sunk", "shot C1 sunk 0", "shot C1 sunk A1h3 A1h3", "shot C1 sunk Z9h3",
        "shot C1 sunk c1h3", "shot C1 sunk E1h3",  # no placement on this board
        "shot C1 sunk A1h2",  # without the cell that sank it
        "shot C1 sunk C1h3", "shot C1 sunk A1h4", "shot C1 sunk C1v2",  # not on hits
        "shot C1 sunk C1h1",  # no such length
        "shot C1 hit A1h3", "shot C1 water A1h3",
    ],
)  # fmt: skip
def test_a_wreck_that_can_not_be_is_refused_and_changes_nothing(wrong: str) -> None:
    engine = asked(WRECKS, wrecks=True, name="bonn-hard")
    for line in ("shot A1 hit", "shot B1 hit"):
        told(engine, line)
    assert engine.answer(wrong).startswith("error ")
    assert told(engine, "shot C1 sunk A1h3") == "ok"
    assert engine.answer("shot D1 sunk A1h4").startswith("error "), "those hits are spoken for"
    told(engine, "shot D1 hit")
    assert engine.answer("shot E1 sunk C1h3").startswith("error ")
    assert engine.answer("shot E1 sunk D1h2") == "ok"
    told(engine, "shot F1 hit")
    told(engine, "shot F2 hit")
    assert engine.answer("shot F3 sunk F1v3").startswith("error "), "there was one of three"


def test_hits_that_may_have_sunk_are_not_followed_by_the_scorer() -> None:
    beside = 0
    for seed in range(8):
        engine = Engine(MINDS["bonn-hard"])
        told(engine, f"new {seed} {terms_to_json(RULES['touching'])}")
        for line in ("shot C3 hit", "shot D3 hit", "shot E3 sunk"):
            told(engine, line)
        beside += told(engine, "aim") in {f"fire {cell}" for cell in ("B3", "C2", "C4", "D2", "D4")}
    assert beside <= 2


def test_a_mind_that_looks_for_lengths_finds_the_last_ship_without_wrecks() -> None:
    for seed in range(4):
        engines = [Engine(MINDS["bonn-hard"]), Engine(Still())]
        *_, match = refereed(engines, RULES["touching"], seed)
        assert sum(shot.side is Side.FIRST for shot in match.shots) < 75


NAMED = replace(WRECKS, fleet=(4, 3, 3), named=True)


@pytest.mark.parametrize(
    "wrong",
    [
        "shot C1 hit", "shot C1 sunk", "shot C1 hit 3", "shot C1 hit -1", "shot C1 hit a",
        "shot C1 hit 1 1", "shot C1 water 1", "shot C1 sunk 1 A1h3", "shot C1 hit 1.0",
        "shot C1 sunk ١",
        "shot C1 hit 1",  # three hits, and afloat
        "shot C1 sunk 0", "shot C1 sunk 2",  # not those that were hit
        "shot A2 sunk 1", "shot A2 hit 1", "shot D1 hit 1",  # not in line, or too far
        "shot E5 sunk 2",
    ],
)  # fmt: skip
def test_a_name_that_can_not_be_is_refused_and_changes_nothing(wrong: str) -> None:
    engine = asked(NAMED, name="admiral")
    for line in ("shot A1 hit 1", "shot B1 hit 1", "shot E5 hit 0"):
        told(engine, line)
    assert engine.answer(wrong).startswith("error ")
    assert told(engine, "shot C1 sunk 1") == "ok"
    for again in ("shot D1 hit 1", "shot D1 sunk 1"):
        assert engine.answer(again) == "error that can't be: ship 1 has sunk"
    assert told(engine, "shot D1 hit 2") == "ok"


@pytest.mark.parametrize("moving", [False, True])
def test_no_ship_lies_across_the_hits_of_another(moving: bool) -> None:
    engine = asked(replace(NAMED, moving=moving))
    for line in ("shot E5 hit 0", "shot D5 hit 2"):
        told(engine, line)
    assert engine.answer("shot F5 hit 2").startswith("error ")
    assert engine.answer("shot C5 hit 0").startswith("error ")
    assert told(engine, "shot C5 hit 2") == "ok"
    # Where ships move, water at B2 says nothing of a ship that is hit there later.
    for line in ("shot B2 water", "shot A2 hit 1"):
        told(engine, line)
    assert engine.answer("shot C2 hit 1").startswith("error ") is not moving


def test_where_both_are_told_the_name_comes_first() -> None:
    engine = asked(NAMED, wrecks=True, name="admiral")
    for line in ("shot A1 hit 1", "shot B1 hit 1"):
        told(engine, line)
    for wrong in ("A1h3", "1", "A1h3 1", "2 A1h3"):
        assert engine.answer(f"shot C1 sunk {wrong}").startswith("error ")
    assert told(engine, "shot C1 sunk 1 A1h3") == "ok"


def test_no_move_is_asked_of_ships_that_lie_still() -> None:
    assert asked(RULES["still"]).answer("steer").startswith("error ")


def test_a_shot_that_its_own_fleet_contradicts_is_an_error_and_changes_nothing() -> None:
    engine = Engine(MINDS["random"])
    told(engine, f"new 1 {terms_to_json(BONN)}")
    ship = parse_placement(BONN.board, told(engine, "deploy").split(" ")[1])
    bow = BONN.board.name(ship.bow)
    assert engine.answer(f"incoming {bow} water").startswith("error ")
    assert engine.answer(f"incoming {bow} sunk").startswith("error ")
    assert engine.answer(f"incoming {bow} hit") == "ok"
    assert engine.answer(f"incoming {bow} hit").startswith("error ")


def test_a_mind_that_believes_nothing_says_so() -> None:
    engine = Engine(MINDS["bonn-hard"])
    told(engine, f"new 1 {terms_to_json(BONN)}")
    assert engine.answer("probabilities") == "error unsupported"


def test_a_mind_that_believes_tells_the_chance_of_every_cell() -> None:
    engine = Engine(MINDS["admiral"])
    told(engine, f"new 1 {terms_to_json(replace(BONN, columns=8))}")
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
            (f"new 3 {terms_to_json(BONN)}\r\n".encode(), b"ok\n"), (b"aim\n", b"fire "),
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

    ended = run("random", "hello 1")
    assert (ended.returncode, ended.stdout) == (0, "hello 1 random\n")
    refused = run("nobody", "")
    assert refused.returncode != 0
    assert "no such mind" in refused.stderr


def test_a_seed_decides_the_whole_fleet() -> None:
    chance = Chance((4).to_bytes(16, "big"), "first/deploy", 0)
    engine = Engine(MINDS["random"])
    told(engine, f"new 4 {terms_to_json(BONN)}")
    fleet = MINDS["random"].deploy(Observation.opening(BONN, Side.FIRST), chance)
    assert told(engine, "deploy") == " ".join(("fleet", *map(str, fleet)))
