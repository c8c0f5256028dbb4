"""What is compiled: that it comes from its source, and that it can't be led astray."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from game.engine.chance import Chance
from game.engine.presets import BONN
from game.engine.rules import Ruleset
from game.players.belief.belief import believe
from game.players.belief.tables import Floats, Knowledge
from tests.support import compiled
from tests.support.boards import PLAIN

LARGE = tuple(range(8, 0, -1)), tuple(sorted([*range(2, 9)] * 4, reverse=True)), (1,) * 225
"""Fleets for the largest board."""


@pytest.mark.deep
def test_the_program_is_what_the_compiler_makes_of_its_source(tmp_path: Path) -> None:
    compiled.build(tmp_path / "compiled.wasm", tmp_path)
    assert (tmp_path / "compiled.wasm").read_bytes() == compiled.PROGRAM.read_bytes(), (
        "run make compiled"
    )


def before_any_shot(rules: Ruleset, number: int = 0) -> Floats:
    known = Knowledge(rules, (), rules.fleet, turn=0, offset=0)
    return believe(known, Chance(bytes(16), "compiled", number), expects_habits=True).cells


@pytest.mark.parametrize(
    ("fleet", "moving"), [*zip(LARGE, (True, False, True), strict=True)], ids=str
)
def test_the_largest_fleets_fit_into_its_memory(fleet: tuple[int, ...], moving: bool) -> None:
    switches = {**PLAIN, "touching": True, "moving": moving}
    rules = Ruleset(columns=15, rows=15, fleet=fleet, **switches)
    cells = before_any_shot(rules)
    assert cells.sum() == pytest.approx(sum(rules.fleet), rel=0.05)


def test_threads_at_work_at_the_same_time_do_not_disturb_one_another() -> None:
    alone = [before_any_shot(BONN, number) for number in range(8)]
    together = Barrier(4)

    def believed(number: int) -> Floats:
        together.wait(timeout=60)
        return before_any_shot(BONN, number)

    with ThreadPoolExecutor(4) as threads:
        for one, other in zip(alone, threads.map(believed, range(8)), strict=True):
            assert np.array_equal(one, other)
