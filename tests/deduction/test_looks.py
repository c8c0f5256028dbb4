"""What can be said of the deduction game's looks without eyes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.deduction.boards import LEVELS
from tests.support.colours import DARK, LIGHT, contrast, palette

CSS = (Path(__file__).resolve().parents[2] / "static/game/deduction.css").read_text()
OWN_LIGHT, OWN_DARK = palette(CSS)
THEMES = [LIGHT | OWN_LIGHT, DARK | OWN_DARK]


def mixed(front: str, back: str, percent: int) -> str:
    """A share of one colour over another, as color-mix in srgb has it."""
    pairs = ((int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5))
    parts = (round((one * percent + other * (100 - percent)) / 100) for one, other in pairs)
    return "#" + "".join(f"{part:02x}" for part in parts)


def shades() -> list[int]:
    """The percent of each level of heat."""
    return [int(found) for found in re.findall(r'\[data-heat="\d"\] \{ --heat: (\d+)%', CSS)]


def test_every_level_of_heat_has_a_shade_hotter_than_the_last() -> None:
    assert len(shades()) == len(LEVELS)
    assert shades() == sorted(set(shades()))


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
def test_the_number_in_a_cell_can_be_read_at_every_heat(theme: dict[str, str]) -> None:
    for percent in shades():
        for back in ("--cool", "--sea", "--sea-deep"):
            shade = mixed(theme["--warm"], theme[back], percent)
            assert contrast(theme["--on-warm"], shade) >= 4.5, (percent, back)


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [("--lucky", "--page", 4.5), ("--lucky", "--card", 4.5), ("--accent", "--sea", 3),
     ("--accent", "--sea-deep", 3), ("--grid", "--cool", 3)],
)  # fmt: skip
def test_colours_that_must_be_told_apart_have_contrast(
    theme: dict[str, str], front: str, back: str, least: float
) -> None:
    assert contrast(theme[front], theme[back]) >= least


def test_nothing_moves() -> None:
    assert not re.search(r"animation|transition|@keyframes", CSS)
