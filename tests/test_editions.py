"""Whoever changes what a mind decides raises the edition of the minds: 200 decisions are pinned."""

from __future__ import annotations

import pytest

from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION
from tests.support import editions

AGAIN = (
    f"other decisions than those of edition {MINDS_VERSION}: raise MINDS_VERSION in "
    "game/players/registry.py, and run python -m tests.support.editions"
)


@pytest.mark.parametrize("name", MINDS)
def test_a_mind_decides_as_its_edition_does(name: str) -> None:
    kept = [line for line in editions.kept() if line.startswith(f"{name} ")]
    assert sorted(editions.decisions(name)) == sorted(kept), AGAIN


def test_two_hundred_decisions_of_each_mind_are_kept() -> None:
    lines = editions.kept()
    assert len(lines) == len(MINDS) * len(editions.PLAYED)
    for name in MINDS:
        acted = [line.split("; ")[1] for line in lines if line.startswith(f"{name} ")]
        assert len(acted) + sum(len(actions.split()) for actions in acted) >= 200


def test_an_edition_that_is_kept_is_not_replaced() -> None:
    with pytest.raises(SystemExit, match=f"edition {MINDS_VERSION} is kept"):
        editions.main()
