"""What can be said of looks without eyes: contrast, motion, and what templates may not do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.engine.geometry import LARGEST, SMALLEST
from tests.support.colours import CSS, DARK, LIGHT, contrast

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("--ink", "--page", 7), ("--ink", "--card", 7), ("--muted", "--page", 4.5),
        ("--muted", "--card", 4.5), ("--accent", "--page", 4.5), ("--accent", "--card", 4.5),
        ("--on-accent", "--accent", 4.5), ("--warn", "--card", 4.5), ("--warn", "--page", 4.5),
        ("--water", "--sea", 4.5), ("--water", "--sea-deep", 4.5), ("--hit", "--sea", 3),
        ("--hit", "--sea-deep", 3), ("--on-hit", "--hit", 3), ("--hull", "--sea", 3),
        ("--grid", "--sea", 3), ("--grid", "--sea-deep", 3),
        ("--hull", "--sea-deep", 3), ("--ring", "--sea", 3), ("--focus", "--sea", 3),
        ("--focus", "--page", 3), ("--focus", "--card", 3), ("--on-sunk", "--sunk", 4.5),
        ("--ink", "--heat", 4.5), ("--ink", "--sea", 4.5), ("--ring", "--heat", 1.5),
        ("--focus", "--focus-gap", 3), ("--ring", "--sea-deep", 3),
    ],
)  # fmt: skip
def test_colours_that_must_be_told_apart_have_contrast(
    theme: dict[str, str], front: str, back: str, least: float
) -> None:
    assert contrast(theme[front], theme[back]) >= least


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    "ground",
    ["--page", "--card", "--sea", "--sea-deep", "--hit", "--sunk", "--accent", "--hull", "--heat"],
)
def test_one_of_the_two_colours_of_the_focus_ring_stands_out_wherever_it_lies(
    theme: dict[str, str], ground: str
) -> None:
    assert max(contrast(theme[side], theme[ground]) for side in ("--focus", "--focus-gap")) >= 3


def test_the_focus_ring_is_three_pixels_wide_and_has_two_colours() -> None:
    [ring] = re.findall(r"^:focus-visible \{(.*?)\}", CSS, re.DOTALL | re.MULTILINE)
    assert "outline: 3px solid var(--focus)" in ring
    assert "box-shadow: 0 0 0 2px var(--focus-gap)" in ring


def test_the_browsers_own_bar_has_the_colour_of_the_page() -> None:
    base = (ROOT / "templates/base.html").read_text()
    told = re.findall(r'name="theme-color" content="(#\w+)" data-of="(\w+)"', base)
    assert told == [(LIGHT["--page"], "light"), (DARK["--page"], "dark")]


def test_every_colour_with_a_name_has_a_value_for_light_and_one_for_dark() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert sum(LIGHT[name] != DARK[name] for name in LIGHT) >= 20
    assert "prefers-color-scheme" not in CSS
    for theme in ("light", "dark"):
        assert f'[data-theme="{theme}"] {{ color-scheme: {theme}; }}' in CSS


FRAMES = dict(re.findall(r"@keyframes ([\w-]+) \{(.*?\})\s*\}", CSS, re.DOTALL))
"""The steps of every animation, by its name."""
EFFECTS = re.findall(r"animation: (\w+) (?:calc\()?([\d.]+)(m?s)", CSS)
"""Each use of an animation, with how long it lasts at normal speed."""


def milliseconds(number: str, unit: str) -> float:
    return float(number) * (1 if unit == "ms" else 1000)


def test_only_transforms_and_opacity_are_animated() -> None:
    assert FRAMES.keys() == {name for name, _number, _unit in EFFECTS}
    for frames in FRAMES.values():
        for name in re.findall(r"([a-z-]+):", frames):
            assert name in {"transform", "opacity"}


def test_effects_last_as_long_as_they_are_told_and_none_goes_on() -> None:
    lasting = {name: milliseconds(number, unit) for name, number, unit in EFFECTS}
    assert lasting == {
        "splash": 350, "burst": 400, "explode": 400, "shake": 300, "surface": 700, "strike": 700,
        "pass": 1000, "radar": 1600, "rise": 500,
    }  # fmt: skip
    assert "infinite" not in CSS
    every = re.findall(r"animation: \w+ [^;]*", CSS)
    assert all("var(--beat)" in effect for effect in every), "the chosen speed is for all of them"


def test_nothing_flashes_and_what_shakes_shakes_a_little_when_a_ship_sinks() -> None:
    flashes = {name: frames.count("opacity: 1") for name, frames in FRAMES.items()}
    assert max(flashes.values()) <= 3
    jolts = [abs(float(far)) for far in re.findall(r"translateX\((-?\d+)px\)", FRAMES["shake"])]
    assert 0 < max(jolts) <= 4
    [shaking] = re.findall(r"^.*animation: shake.*$", CSS, re.MULTILINE)
    assert re.findall(r'data-(?:you|foe)="(\w+)"', shaking) == ["sunk", "sunk"]


def test_nothing_moves_for_those_who_asked_for_stillness() -> None:
    moving = CSS.split("prefers-reduced-motion: no-preference")
    assert "animation:" not in moving[0]
    assert "animation:" not in moving[1].split("\n}\n", 1)[1]
    assert "transition" not in CSS


def test_there_is_a_class_for_every_place_on_every_board() -> None:
    for side in range(SMALLEST, LARGEST + 1):
        assert f'[data-columns="{side}"] {{' in CSS
        assert f'[data-rows="{side}"] {{' in CSS
    for place in range(LARGEST):
        assert f'[data-x="{place}"] {{' in CSS
        assert f'[data-y="{place}"] {{' in CSS


def test_scripts_hold_no_words_for_players() -> None:
    for script in (ROOT / "static/game").glob("*.js"):
        code = re.sub(r"//.*", "", script.read_text())
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text), text


def test_there_is_a_picture_for_every_length_of_ship() -> None:
    sprite = (ROOT / "templates/ships.svg").read_text()
    assert set(re.findall(r'id="ship-(\d)"', sprite)) == set("12345678")


def test_no_secret_stands_in_the_sources() -> None:
    for path in [*ROOT.glob("game/**/*.py"), *ROOT.glob("battleships_site/**/*.py")]:
        text = path.read_text()
        assert not re.search(r"SECRET_KEY\s*=\s*[\"']|django-insecure", text), path
