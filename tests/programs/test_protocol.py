"""The engine protocol: an engine that is told no more than the lines say plays as well as any."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from game.engine.actions import Manoeuvre
from game.engine.chance import Chance
from game.engine.geometry import Cell, cells_of
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.features.programs.engine_process import EngineFailed, EngineProcess
from game.features.programs.engine_referee import InProcess, Seat, turns
from game.features.programs.protocol import Engine
from game.features.programs.terms import terms_to_json
from game.players.mind import Mind
from game.players.minds import MINDS
from tests.support.served import LATE, ROOT

SIX = Ruleset(columns=6, rows=6, fleet=(3, 3, 2), again=False, moving=False, turns=None)
RULES = {
    "bonn": BONN,
    "still": replace(BONN, moving=False),
    "touching": replace(SIX, columns=10, rows=10, fleet=(5, 4, 3, 3, 2), touching=True),
    "salvo": Ruleset(fleet=(4, 3, 2), again=False, moving=False, turns=60, salvo=True),
    "all": Ruleset(columns=7, rows=9, fleet=(3, 1, 2), touching=True, salvo=True, turns=40),
    "named": replace(SIX, touching=True, named=True),
    "named, moving": Ruleset(columns=6, rows=6, fleet=(3, 3, 1), touching=True, named=True),
    "asking": replace(SIX, questions=5),
}


def told(engine: Engine, line: str) -> str:
    answer = engine.answer(line)
    assert not answer.startswith("error"), (line, answer)
    return answer


def aimed(engine: Engine) -> str:
    """The cell that an engine fires at."""
    return told(engine, "aim").removeprefix("fire ")


def refereed(
    engines: list[Engine], rules: Ruleset, seed: int, *, wrecks: bool = False
) -> Iterator[Match]:
    """A whole match between two engines; yields it after every turn."""
    one, other = (
        Seat(side, partial(InProcess, engine), 0, lambda _line: None)
        for side, engine in zip(Side, engines, strict=True)
    )
    yield from turns((one, other), rules, (seed, seed + 1), wrecks=wrecks)


# --- what an engine comes to know ---


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


def listened(
    names: tuple[str, str], rules: str, seed: int = 5, *, wrecks: bool = False
) -> list[tuple[Observation, Observation]]:
    """For each turn of a match what an engine knew, and what it may know of the match."""
    minds = Listening(MINDS[names[0]]), Listening(MINDS[names[1]])
    matches = refereed([Engine(mind) for mind in minds], RULES[rules], seed, wrecks=wrecks)
    pairs = [
        (minds[before.side].told[before.turn], observe(before, before.side))
        for before, _after in pairwise(matches)
    ]
    assert len(pairs) > 5
    return pairs


def known(seen: Observation) -> dict[str, Any]:
    return {
        "turn": seen.turn,
        "shots": [[(shot.turn, *shot[3:]) for shot in of] for of in (seen.shots, seen.incoming)],
        "spent": seen.spent,
        "enemy left": seen.enemy_left,
        "shots left": seen.shots_left,
        "ships": [(ship.placement, ship.hits, ship.is_afloat) for ship in seen.ships],
    }


@pytest.mark.parametrize(
    ("name", "wrecks"),
    [(name, False) for name in ("bonn", "still", "salvo", "named", "named, moving")]
    + [(name, True) for name in ("bonn", "touching", "all")],
)
def test_an_engine_comes_to_know_what_its_side_of_the_match_may_know(
    name: str, wrecks: bool
) -> None:
    for mine, seen in listened(("bonn-hard", "random"), name, wrecks=wrecks):
        assert known(mine) == known(seen)


@pytest.mark.parametrize("name", ["touching", "all"])
def test_without_wrecks_an_engine_takes_none_for_true_that_may_be_another(name: str) -> None:
    untold = 0
    for seed in range(3):
        for mine, seen in listened(("bonn-hard", "bonn-hard"), name, seed):
            for one, true in zip(mine.shots, seen.shots, strict=True):
                assert one.wreck in (None, true.wreck)
                untold += one.wreck is not true.wreck
            assert len(mine.enemy_left) == len(seen.enemy_left)
            # What may not be fired at is known for sure: else a ship could hide there.
            assert mine.spent >= seen.spent
    assert untold


def test_an_engine_comes_to_know_all_questions_and_answers() -> None:
    for mine, seen in listened(("captain", "recruit"), "asking"):
        # The mind is listened to when it aims, which may be after a question.
        for one, true in zip(mine.asked, seen.asked, strict=False):
            assert (one.ask, one.is_yes, one.turn) == (true.ask, true.is_yes, true.turn)
        assert [one.ask for one in mine.asked_by_enemy] == [one.ask for one in seen.asked_by_enemy]
        assert mine.questions_left == 5 - len(mine.asked)
    assert len(seen.asked) > 2
    assert len(seen.asked_by_enemy) > 2


# --- talks ---


def begun(rules: Ruleset, *, name: str = "random", **terms: bool) -> Engine:
    """An engine whose match has begun."""
    engine = Engine(MINDS[name])
    told(engine, f"new 1 {terms_to_json(rules, **terms)}")
    return engine


def placed(rules: Ruleset, *, name: str = "random", **terms: bool) -> Engine:
    """An engine that has placed its fleet, too."""
    engine = begun(rules, name=name, **terms)
    told(engine, "deploy")
    return engine


def talk(engine: Engine, text: str) -> None:
    """Says each line, and compares the answer with the pattern behind the arrow, or with `ok`."""
    for exchange in text.strip().splitlines():
        line, _, expected = exchange.strip().partition(" -> ")
        answer = engine.answer(line)
        assert fnmatchcase(answer, expected or "ok"), (line, answer)


def test_a_malformed_line_gets_one_line_of_error_and_the_engine_goes_on() -> None:
    engine = placed(BONN)
    talk(
        engine,
        """
        deploy now -> error deploy takes 0 words, not 1: 'deploy now'
        Aim -> error unknown command: 'Aim'
        shot -> error shot takes 2 or 3 or 4 words, not 0: 'shot'
        shot A1 splash -> error not water, hit or sunk: splash
        shot Z1 hit -> error not a cell of this board: Z1
        shot ' hit -> error not a cell of this board: '
        shot \x1b[2J water -> error not a cell of this board: ?[[]2J
        shot A1 hit hard -> error after hit comes nothing
        shot A1 sunk A1h2 -> error after sunk comes nothing
        shot A1 water A1h2 -> error after water comes nothing
        incoming K1 water -> error not a cell of this board: K1
        incoming A1 hit 0 -> error incoming takes 2 words, not 3: 'incoming A1 hit 0'
        turn 1 -> error turn takes 0 words, not 1: 'turn 1'
        probabilities -> error unsupported
        answer yes -> error no question was asked
        asked Z1 A1 yes -> error not a cell of this board: not on a 10 by 10 board:
        asked B2 A1 yes -> error not the upper left and the lower right cell: B2 A1
        asked A1 B2 yes -> error the opponent may ask no question now
        """,
    )
    for line in ("", " ", "aim  ", "shot  A1 hit", "\0", "é", f"new {'9' * 5000} {{}}",
                 f"new 1 {'[' * 100_000}"):  # fmt: skip
        answer = engine.answer(line)
        assert answer.startswith("error ")
        assert answer.isprintable()
        assert len(answer) < 200
    talk(engine, "aim -> fire *")


@pytest.mark.parametrize(
    "line",
    ["", " ", "quit ", " quit", "Quit", "\tquit", "aim ", "uci", "MyReferee 1.0 (beta)", "'"],
)
def test_what_is_no_command_is_quoted(line: str) -> None:
    """B14: spaces at its ends are seen, and so is a line without a sign."""
    answer = placed(BONN).answer(line)
    assert answer.startswith("error ")
    assert answer.endswith(f": '{line}'".replace("\t", "?"))


# --- the order of play ---


def test_it_aims_once_before_the_result_is_told() -> None:
    engine, other = placed(BONN), placed(BONN)
    cell = aimed(engine)
    assert aimed(other) == cell
    talk(engine, "aim -> error a result is still to be told: say shot first")
    for one in (engine, other):
        talk(one, f"shot {cell} water")
    assert aimed(engine) == aimed(other), "what was refused has changed nothing"


def test_it_moves_once_in_a_turn_and_before_its_first_aim() -> None:
    late = "steer -> error a ship moves once in a turn, before its first shot"
    engine, other = placed(BONN), placed(BONN)
    assert told(engine, "steer") == told(other, "steer")
    talk(engine, late)
    cell = aimed(engine)
    talk(engine, f"{late}\nshot {cell} hit\n{late}\naim -> fire *\nturn\nsteer -> st*\nturn")
    assert aimed(other) == cell, "what was refused has changed nothing"
    talk(engine, "steer -> st*")
    talk(begun(BONN), "steer -> error no fleet: say deploy first")
    talk(placed(RULES["still"]), "steer -> error ships don't move in these rules")


@pytest.mark.parametrize("start", [begun, placed])
def test_a_volley_is_one_shot_for_each_ship_afloat(start: Callable[[Ruleset], Engine]) -> None:
    rules, wait = RULES["salvo"], "aim -> error a result is still to be told: say shot first"
    engine = start(rules)
    cells = [aimed(engine) for _ in rules.fleet]
    assert len(set(cells)) == len(rules.fleet)
    talk(engine, f"{wait}\nshot {cells[0]} water\n{wait}")
    for cell in cells[1:]:
        told(engine, f"shot {cell} water")
    talk(engine, "aim -> fire *")


# --- what results tell; questions ---

WRECKS = replace(SIX, fleet=(4, 3, 2), touching=True)
NAMED = replace(WRECKS, fleet=(4, 3, 3), named=True)


@pytest.mark.parametrize(
    ("engine", "text"),
    [
        (
            partial(placed, WRECKS, wrecks=True, name="bonn-hard"),
            """
            shot A1 hit
            shot B1 hit
            shot C1 sunk -> error after sunk comes a placement
            shot C1 sunk 0 -> error not a placement on this board: 0
            shot C1 sunk A1h3 A1h3 -> error after sunk comes a placement
            shot C1 sunk Z9h3 -> error not a placement on this board: Z9h3
            shot C1 sunk E1h3 -> error not a placement on this board: E1h3
            shot C1 sunk A1h2 -> error that can't be: A1h2 is no ship that sank with C1
            shot C1 sunk C1h3 -> error that can't be: C1h3 is no ship that sank with C1
            shot C1 sunk A1h4 -> error that can't be: A1h4 is no ship that sank with C1
            shot C1 sunk C1v2 -> error that can't be: C1v2 is no ship that sank with C1
            shot C1 sunk C1h1 -> error that can't be: C1h1 is no ship that sank with C1
            shot C1 hit A1h3 -> error after hit comes nothing
            shot C1 water A1h3 -> error after water comes nothing
            shot C1 sunk A1h3
            shot D1 sunk A1h4 -> error that can't be: A1h4 is no ship that sank with D1
            shot D1 hit
            shot E1 sunk C1h3 -> error that can't be: C1h3 is no ship that sank with E1
            shot E1 sunk D1h2
            shot F1 hit
            shot F2 hit
            shot F3 sunk F1v3 -> error that can't be: F1v3 is no ship that sank with F3
            """,
        ),
        (
            partial(placed, NAMED, name="admiral"),
            """
            shot A1 hit 1
            shot B1 hit 1
            shot E5 hit 0
            shot C1 hit -> error after hit comes a ship's number
            shot C1 sunk -> error after sunk comes a ship's number
            shot C1 hit 3 -> error no such ship: 3
            shot C1 hit -1 -> error no such ship: -1
            shot C1 hit a -> error no such ship: a
            shot C1 hit 1 1 -> error after hit comes a ship's number
            shot C1 water 1 -> error after water comes nothing
            shot C1 hit 1.0 -> error no such ship: 1.0
            shot C1 sunk ١ -> error no such ship: ١
            shot C1 hit 1 -> error that can't be: ship 1 has no place with all its hits
            shot C1 sunk 0 -> error that can't be: ship 0 lies not all on hits that name it
            shot C1 sunk 2 -> error that can't be: ship 2 lies not all on hits that name it
            shot A2 sunk 1 -> error that can't be: ship 1 lies not all on hits that name it
            shot A2 hit 1 -> error that can't be: ship 1 has no place with all its hits
            shot D1 hit 1 -> error that can't be: ship 1 has no place with all its hits
            shot C1 sunk 1
            shot D1 hit 1 -> error that can't be: ship 1 has sunk
            shot D1 sunk 1 -> error that can't be: ship 1 has sunk
            shot D1 hit 2
            """,
        ),
        (
            partial(placed, NAMED, wrecks=True, name="admiral"),
            """
            shot A1 hit 1
            shot B1 hit 1
            shot C1 sunk A1h3 -> error after sunk comes a ship's number, then a placement
            shot C1 sunk 1 -> error after sunk comes a ship's number, then a placement
            shot C1 sunk A1h3 1 -> error no such ship: A1h3
            shot C1 sunk 2 A1h3 -> error that can't be: A1h3 is no ship that sank with C1
            shot C1 sunk 1 A1h3
            """,
        ),
    ],
    ids=["a wreck", "a name", "a name before a wreck"],
)
def test_a_result_that_can_not_be_is_refused_and_changes_nothing(
    engine: Callable[[], Engine], text: str
) -> None:
    talk(engine(), text)


def test_a_result_that_its_own_fleet_contradicts_is_an_error_and_changes_nothing() -> None:
    engine = begun(BONN)
    bow, other = told(engine, "deploy").split(" ")[1].split("h")[0], "J10"
    otherwise = f"error that can't be: my fleet says otherwise of {bow}"
    talk(
        engine,
        f"""
        incoming {bow} water -> {otherwise}
        incoming {bow} sunk -> {otherwise}
        incoming {bow} hit
        incoming {bow} hit -> error that can't be: {bow} was hit before
        incoming {other} hit -> error that can't be: my fleet says otherwise of {other}
        incoming {other} water
        """,
    )


def test_answers_that_can_not_be_are_refused_and_change_nothing() -> None:
    engine = placed(RULES["asking"], name="captain")
    first = aimed(engine).split(" ")[1]
    talk(engine, f"answer no\nshot {first} hit -> error that can't be: no ship lies at {first}")
    engine = begun(RULES["asking"])
    bow = told(engine, "deploy").split(" ")[1][:2]
    talk(
        engine,
        f"""
        asked {bow} {bow} no -> error that can't be: my fleet says otherwise of {bow} {bow}
        asked {bow} {bow} perhaps -> error not yes or no: perhaps
        asked {bow} {bow} yes
        asked A1 F6 yes -> error the opponent may ask no question now
        """,
    )
    small = Ruleset(columns=4, rows=4, fleet=(2,), moving=False, turns=None, questions=1)
    engine = placed(small, name="recruit")
    _, start, last = told(engine, "aim").split(" ")
    box = small.board.rectangle(small.board.parse(start), small.board.parse(last))
    talk(engine, "answer yes")
    *cells, end = [small.board.name(cell) for cell in cells_of(box)]
    for cell in cells:
        talk(engine, f"shot {cell} water")
    none = "error that can't be: a rectangle with a ship has no cell left for it"
    talk(engine, f"shot {end} water -> {none}\nshot {end} hit")


# --- the rules of a match ---

GOOD = json.loads(terms_to_json(BONN))


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": [3, "10", True, 1e400], "turns": [0, 1.5], "at_limit": ["coin", None]},
        {"fleet": [[], [9], [2.5], [True], [8] * 30, [[[[]]]]], "begins": [0], "touching": [1]},
        {"questions": [True, 16, -1, 1], "questions_in_a_row": [1], "wrecks": [1]},
        {"named": [None], "more": [1]},
    ],
)
def test_rules_that_are_none_are_refused(changes: dict[str, list[Any]]) -> None:
    for key, value in [(key, value) for key, values in changes.items() for value in values]:
        text = json.dumps(GOOD | {key: value})
        answer = Engine(MINDS["random"]).answer(f"new 1 {text}")
        assert answer.startswith("error ")
        assert "'" not in answer


# --- belief, and the process ---


def test_a_mind_that_believes_tells_the_chance_of_every_cell() -> None:
    engine = begun(replace(BONN, columns=8), name="admiral")
    talk(engine, "aim -> fire *\nshot C4 hit\nshot F9 water")
    word, *chances = told(engine, "probabilities").split(" ")
    believed = [float(chance) for chance in chances]
    board = replace(BONN, columns=8).board
    assert word == "probabilities"
    assert len(believed) == board.size
    assert believed[board.parse("C4")] == 1
    assert believed[board.parse("F9")] == believed[board.parse("D5")] == 0
    assert sum(believed) == pytest.approx(sum(BONN.fleet), abs=0.2)


ENGINE = [sys.executable, str(ROOT / "manage.py"), "engine", "--player"]


def test_the_process_answers_each_line_at_once_and_ends_with_quit() -> None:
    process = EngineProcess([*ENGINE, "bonn-hard"])
    try:
        assert process.answer("hello 1", LATE) == "hello 1 bonn-hard"
        assert process.answer(f"new 3 {terms_to_json(BONN)}\r", LATE) == "ok"
        assert process.answer("aim", LATE).startswith("fire ")
        with pytest.raises(EngineFailed, match=r"^ended with status 0$"):
            process.answer("quit\nhello 1", LATE)
    finally:
        process.close()


def test_an_engine_starts_without_django_and_what_its_name_does_not_need() -> None:
    """It took most of the time of a short match."""
    code = (
        "import sys; sys.argv[:] = ['manage.py', 'engine', '--player', 'admiral']\n"
        "from battleships_site.command import main; main()\n"
        "print(sorted({'django', 'numpy', 'wasmtime'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input="hello 1\nquit\n", text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == "hello 1 admiral\n[]\n"
