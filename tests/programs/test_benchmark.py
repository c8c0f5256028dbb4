"""`manage.py benchmark`, and the environment of PettingZoo: both play by the engine."""

import re
import sys
import warnings
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from game.features.programs import benchmark
from tests.support.documents import ROOT


def measured(engine: str, *seas: str, jobs: str = "1") -> str:
    out = StringIO()
    call_command("benchmark", engine, seas=list(seas), jobs=jobs, stdout=out, verbosity=0)
    return out.getvalue()


def test_it_gives_the_same_numbers_in_any_number_of_processes() -> None:
    said = measured("mind:bonn-easy", "4x4-3", "study", jobs="2")
    assert said == measured("mind:bonn-easy", "4x4-3", "study")
    head, small, study = said.splitlines()
    assert head == f"benchmark {benchmark.VERSION}: bonn-easy"
    assert re.fullmatch(r"4x4-3 +\d\.\d\d ± 0\.\d\d  shots, perfect play 5\.625", small)
    assert re.fullmatch(r"study +0\.\d{3} ± 0\.\d{3}  F1 on the 18 boards", study)


def test_fleets_and_seeds_of_this_version_stay_what_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(benchmark, "FLEETS", 4)
    monkeypatch.setattr(benchmark, "MATCHES", 2)
    assert measured("mind:random", "classic", "recruit").splitlines() == [
        "benchmark 1: random",
        "classic                     93.00 ± 3.11  shots, sinkings told;   93.00 ± 3.11 untold",
        "recruit                    0.000 ± 0.000  points in short",
    ]


def test_a_foul_ends_it_with_a_sentence() -> None:
    with pytest.raises(CommandError, match=r"^echo hi, in 4x4-2: it answered hello 1 with 'hi': "):
        measured("echo hi", "4x4-2")
    with pytest.raises(CommandError, match=r"There is no “atlantis” for --seas"):
        measured("mind:random", "atlantis")


def test_the_environment_passes_the_tests_of_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    source = ROOT / "docs/pettingzoo_env.py"
    assert len(source.read_text().splitlines()) <= 80
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo_env import Battleship  # type: ignore[import-not-found]

        tests.api_test(Battleship(), num_cycles=300)
    sys.modules.pop("pettingzoo_env")
