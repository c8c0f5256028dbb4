"""What can be said of the deduction game's looks without eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.deduction.boards import LEVELS
from tests.support.colours import DARK, LIGHT, contrast

STATIC = Path(__file__).resolve().parents[2] / "static/game"
CSS = (STATIC / "deduction.css").read_text()
STAGE = (STATIC / "stage.css").read_text()


def coach() -> tuple[str, str]:
    """The colour of the coach's disc in the light and in the dark."""
    [found] = re.findall(r"--coach: light-dark\((#\w{6}), (#\w{6})\)", STAGE)
    return found  # type: ignore[no-any-return]


def discs() -> dict[int, int]:
    """The radius of the disc of each level of heat that has one, in percent of the cell."""
    found = re.findall(r'\[data-heat="(\d)"\] \{ --radius: (\d+)%', CSS)
    return {int(level): int(radius) for level, radius in found}


def bare() -> set[int]:
    """The levels of heat whose figure stands on the sea."""
    [found] = re.findall(r":is\((\[data-heat[^)]*)\) > \.heat", CSS)
    return {int(level) for level in re.findall(r"\d", found)}


def test_every_level_of_heat_has_a_larger_disc_than_the_last_or_a_figure_alone() -> None:
    assert bare() | discs().keys() == set(range(1, len(LEVELS) + 1))
    assert not bare() & discs().keys()
    assert list(discs().values()) == sorted(set(discs().values()))


@pytest.mark.parametrize(("theme", "disc"), list(zip((LIGHT, DARK), coach(), strict=True)))
def test_the_number_in_a_cell_can_be_read_at_every_heat(theme: dict[str, str], disc: str) -> None:
    [figure] = re.findall(r"\.heat \{[^}]*?color: (#\w{6});", STAGE)
    assert contrast(figure, disc) >= 4.5
    assert contrast(theme["--ink"], theme["--sea"]) >= 4.5
    assert contrast(theme["--ink"], theme["--own"]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_word_for_luck_can_be_read(theme: dict[str, str]) -> None:
    light, dark = re.findall(r"\.luck\.is-good \{ color: light-dark\((#\w+), (#\w+)\)", CSS)[0]
    assert contrast(light if theme is LIGHT else dark, theme["--table"]) >= 4.5


def test_nothing_moves() -> None:
    assert not re.search(r"animation|transition|@keyframes", CSS)
