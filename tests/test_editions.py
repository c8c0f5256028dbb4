"""A mind that decides otherwise raises the version of the minds: 200 decisions of each are kept."""

import pytest

from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION
from tests.support import editions

RUN = "new minds or presets have no rows yet: run python -m tests.support.editions"
RAISE = (
    f"a mind decides otherwise than in version {MINDS_VERSION}: raise MINDS_VERSION in "
    "game/players/registry.py, and run python -m tests.support.editions"
)


@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", MINDS)
def test_a_mind_decides_as_its_rows_say(name: str, part: int) -> None:
    """In `make test` each mind decides in every sixth preset, in `make long` in the others."""
    kept, own = editions.kept(), list(MINDS).index(name)
    for at, preset in enumerate(editions.PLAYED):
        if bool((at + own) % 6) is not bool(part):
            continue
        row = f"{name} {preset}"
        assert row in kept, RUN
        assert editions.decisions(name, preset) == kept[row], RAISE


def test_two_hundred_decisions_of_each_mind_are_kept() -> None:
    rows = editions.kept()
    assert rows.keys() == {f"{name} {preset}" for name in MINDS for preset in editions.PLAYED}, RUN
    for name in MINDS:
        acted = [row.split("; ")[1] for key, row in rows.items() if key.split()[0] == name]
        assert len(acted) + sum(len(actions.split()) for actions in acted) >= 200
