"""`manage.py match`: two engines play, and a foul loses the match."""

import re
import shlex
import sys
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from game.engine.rules import Ruleset, Side
from game.features.programs.engine_process import EngineProcess
from game.features.programs.engine_referee import Seat, play_match
from tests.programs import samples

THIRTY = samples.THIRTY.read_text()


def matched(*engines: str, **options: str | None) -> str:
    """What the command prints, by default of one match by a known seed."""
    out, usual = StringIO(), {"games": "1", "preset": "short", "seed": "1"}
    call_command("match", *engines, stdout=out, **usual | options)
    return out.getvalue()


def engine(folder: Path, old: str = "", new: str = "") -> str:
    """The command of the documents' engine, with a change."""
    assert old in THIRTY
    file = folder / "engine.py"
    file.write_text(THIRTY.replace(old, new) if old else THIRTY)
    return shlex.join([sys.executable, str(file)])


# --- the engine of the documents ---


@pytest.mark.parametrize(
    "preset",
    [
        "ask",
        pytest.param("bonn", marks=pytest.mark.long),
        pytest.param("salvo", marks=pytest.mark.long),
    ],
)
def test_it_plays_legally_by_the_rules_of_every_preset(preset: str, tmp_path: Path) -> None:
    said = matched(engine(tmp_path), "mind:recruit", preset=preset, games="2")
    assert "A thirty against B recruit" in said
    assert "fouls    0 and 0" in said


@pytest.mark.parametrize(
    "rules",
    [
        Ruleset(columns=7, rows=9, fleet=(3, 1, 2), touching=True, salvo=True, turns=40),
        Ruleset(columns=6, rows=6, fleet=(3, 3, 1), named=True, salvo=True, again=False),
        Ruleset(columns=15, rows=6, fleet=(8, 1, 5), moving=False, turns=None),
    ],
    ids=["touching", "named", "wide"],
)
def test_it_plays_legally_by_other_rules(rules: Ruleset, tmp_path: Path) -> None:
    words = shlex.split(engine(tmp_path))
    seats = tuple(Seat(side, lambda: EngineProcess(words), 10, lambda text: None) for side in Side)
    try:
        assert play_match((seats[0], seats[1]), rules, (1, 2)).outcome
    finally:
        for seat in seats:
            seat.close()


# --- fouls ---

AIM = '"aim": fire'


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (AIM, '"aim": lambda: "fire Z9"', "answered aim with 'fire Z9': not on a 8 by 8 board.*"),
        (AIM, '"aim": lambda: "fire A1"', "broke a rule: nothing new to learn there: A1"),
        (AIM, '"aim": lambda: "ask A1 B2"', "broke a rule: no question is left"),
        (AIM, '"aim": lambda: ""', "answered aim with '': neither fire CELL nor ask .*"),
        (AIM, '"aim": lambda: " fire A1"', "answered aim with ' fire A1': .*"),
        (AIM, '"aim": lambda: "fire A1 "', "answered aim with 'fire A1 ': .*"),
        (AIM, '"aim": lambda: "\\ufeff" + fire()', "answered aim with '[?]fire .*"),
        (AIM, '"aim": lambda: "stay"', "answered aim with 'stay': neither fire CELL nor ask .*"),
        (AIM, '"aim": lambda: 1 / 0', "ended with status 1: ZeroDivisionError: division by zero"),
        (AIM, '"aim": sys.exit', "ended with status 0"),
        (AIM, '"aim": lambda: __import__("os").kill(__import__("os").getpid(), 9)',
         "was ended by SIGKILL"),
        (AIM, '"aim": lambda: __import__("time").sleep(60)', r"gave no answer to \w+ within 0.3 s"),
        (AIM, '"aim": lambda: "x" * 10**6', "answered with a line of more than 16384 bytes"),
        (AIM, '"aim": lambda: fire() + "\\n\\x1b" * 10**6',
         r"(said something before .* asked: '\?.*|answered .* with '\?.*)"),
        ('"steer": lambda: "stay"', '"steer": lambda: "steer 0 up"', "answered steer with .*"),
        ('"steer": lambda: "stay"', '"steer": lambda: "steer 99 fore"',
         "broke a rule: no such ship: 99"),
        ('"deploy": fleet', '"deploy": lambda: "fleet A1h4 A1h3 A1h3 A1h2 A1h2"',
         "answered deploy with 'fleet A1h4 .*"),
        ('"ok"', '"error what?"', r'answered new .*… with \'error what\?\': not ok'),
    ],
)  # fmt: skip
def test_a_foul_loses_the_match_and_the_output_says_why(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    said = matched(
        engine(tmp_path, old, new), "mind:random", seconds="0.3" if "sleep" in new else "10"
    )
    assert re.search(rf"^match 1: A loses, because it {reason}$", said, re.MULTILINE), said
    assert "points   0.000 for A" in said
    assert said.isascii() is ("…" not in said)
    assert len(said) < 600


# --- the command ---


def test_a_drawn_seed_is_promised_by_its_hash_and_repeats_the_matches_afterwards() -> None:
    def lines(seed: str | None = None) -> list[str]:
        said = matched("mind:bonn-easy", "mind:random", games="4", seed=seed)
        return re.sub("\nan aim .*", "", said).splitlines()

    (promised, *found, revealed), (_, *others, _) = lines(), lines()
    (seed,) = re.findall(r"^seed     (\d+); to check it: ", revealed)
    hashed = sha256(f"battleship-match-1|{seed}".encode()).hexdigest()
    assert promised == f"seed     SHA-256 {hashed} of battleship-match-1|SEED"
    known = f"seed     {seed}, known before: who knows it can compute both fleets"
    assert lines(seed) == [known, *found, known]
    assert found != others
    assert re.fullmatch(r"points   \d\.\d{3} ± \d\.\d{3} for A", found[-2])


@pytest.mark.parametrize(
    ("engines", "options"),
    [
        ([], {}), (["mind:random"], {}), (["mind:random"] * 3, {}),
        (["mind:nobody", "mind:random"], {}), (["", "mind:random"], {}),
        (["it's", "mind:random"], {}), (["/no/such/engine", "mind:random"], {}),
        (["true", "mind:random"], {}), (["echo hello 2 me", "mind:random"], {}),
        (["mind:random"] * 2, {"preset": "chess"}), (["mind:random"] * 2, {"games": "0"}),
        (["mind:random"] * 2, {"games": "many"}), (["mind:random"] * 2, {"seed": "x"}),
        (["mind:random"] * 2, {"seconds": "0"}), (["mind:random"] * 2, {"seconds": "nan"}),
        (["mind:random"] * 2, {"log": "/no/such/folder/log"}),
    ],
)  # fmt: skip
def test_a_bad_command_line_gets_one_sentence(engines: list[str], options: dict[str, str]) -> None:
    with pytest.raises(CommandError) as refused:
        matched(*engines, **options)
    assert re.fullmatch(r"[A-Z-][^\n]+\.", str(refused.value)), str(refused.value)
