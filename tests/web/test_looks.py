"""Checks of styles that need no browser: contrast, motion, and rules for templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from game.engine.geometry import LARGEST, SMALLEST
from tests.support.colours import CSS, DARK, LIGHT, STATIC, contrast

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("--ink", "--table", 7), ("--ink", "--paper", 7), ("--ink", "--sea", 7),
        ("--ink", "--own", 7), ("--soft", "--table", 4.5), ("--soft", "--paper", 4.5),
        ("--pen", "--table", 4.5), ("--pen", "--paper", 4.5), ("--pen", "--sea", 3),
        ("--pen", "--own", 4.5), ("--on-pen", "--pen", 4.5), ("--on-act", "--act", 4.5),
        ("--act", "--table", 3), ("--tick", "--sea", 4.5), ("--hatch", "--sea", 3),
        ("--fire", "--paper", 4.5), ("--fire", "--table", 4.5), ("--bone", "--wreck", 4.5),
        ("--hull", "--own", 3), ("--focus", "--sea", 3), ("--focus", "--table", 3),
        ("--focus", "--paper", 3), ("--focus", "--focus-gap", 3),
    ],
)  # fmt: skip
def test_colours_that_must_be_told_apart_have_contrast(
    theme: dict[str, str], front: str, back: str, least: float
) -> None:
    assert contrast(theme[front], theme[back]) >= least


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_hit_and_the_coachs_figures_stand_out(theme: dict[str, str]) -> None:
    marks = (STATIC / "marks.svg").read_text()
    [(burst, rim)] = re.findall(r'fill="(#\w+)" stroke="(#\w+)"', marks)
    assert max(contrast(colour, theme["--sea"]) for colour in (burst, rim)) >= 3
    assert contrast(burst, rim) >= 3
    [figure] = re.findall(r"^\.heat \{[^}]*?[^-]color: (#\w+);", CSS, re.MULTILINE)
    assert contrast(figure, theme["--coach"]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    "ground", ["--table", "--paper", "--sea", "--own", "--act", "--hull", "--wreck", "--coach"]
)
def test_one_of_the_two_colours_of_the_focus_ring_stands_out_wherever_it_lies(
    theme: dict[str, str], ground: str
) -> None:
    assert max(contrast(theme[side], theme[ground]) for side in ("--focus", "--focus-gap")) >= 3


def test_the_browsers_own_bar_has_the_colour_of_the_table() -> None:
    base = (ROOT / "templates/base.html").read_text()
    told = re.findall(r'name="theme-color" content="(#\w+)" data-of="(\w+)"', base)
    assert told == [(LIGHT["--table"], "light"), (DARK["--table"], "dark")]


def test_every_colour_with_a_name_has_a_value_for_light_and_one_for_dark() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert sum(LIGHT[name] != DARK[name] for name in LIGHT) >= 20
    assert "prefers-color-scheme" not in CSS
    for theme in ("light", "dark"):
        assert f'[data-theme="{theme}"] {{ color-scheme: {theme}; }}' in CSS


def test_every_colour_that_a_style_names_exists() -> None:
    for sheet in STATIC.glob("*.css"):
        css = sheet.read_text()
        for name in re.findall(r"(?:color|fill|stroke|background): var\((--[\w-]+)\)", css):
            assert f"{name}:" in CSS + css, f"{sheet.name}: {name}"


def test_no_style_lets_a_word_be_hyphenated_or_broken_where_it_could_go_on_in_the_next_line() -> (
    None
):
    css = (STATIC / "site.css").read_text() + (STATIC / "home.css").read_text()
    assert "hyphens" not in css
    assert "break-all" not in css
    breaking = re.findall(r"^([^{}]+)\{[^{}]*overflow-wrap: anywhere", css, re.MULTILINE)
    assert {rule.strip() for rule in breaking} <= {".to-copy", ".prose code"}


FRAMES = dict(re.findall(r"@keyframes ([\w-]+) \{(.*?\})\s*\}", CSS, re.DOTALL))
"""The steps of every animation, by its name."""
EFFECTS = re.findall(
    r"(?:animation|transition): ([\w-]+) calc\((\d+)ms \* (?:min\(1, )?var\(--beat\)", CSS
)
"""Each use of an animation or a transition, with its milliseconds at normal speed."""


def test_only_transforms_and_opacity_are_animated() -> None:
    for frames in FRAMES.values():
        for name in re.findall(r"([a-z-]+):", frames):
            assert name in {"transform", "opacity"}
    assert {name for name, _length in EFFECTS} == FRAMES.keys() | {"transform"}


def test_no_motion_lasts_longer_than_it_may_and_none_goes_on() -> None:
    assert max(int(length) for name, length in EFFECTS if name != "radar") <= 700
    assert "infinite" not in CSS
    used = re.findall(r"(?:animation|transition): [^;]*", CSS)
    assert len(used) == len(EFFECTS), "the chosen speed is for all of them"


def test_nothing_moves_for_those_who_asked_for_stillness() -> None:
    allowed = r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}\n"
    still, blocks = re.subn(allowed, "", CSS, flags=re.DOTALL)
    assert blocks == 2
    assert not re.search(r"(?:animation|transition):", still)


def test_every_piece_that_a_script_moves_has_a_look() -> None:
    script = (ROOT / "static/game/fx.js").read_text()
    pieces = set(re.findall(r'piece\("(\w+)"', script))
    assert pieces == set(re.findall(r"\.fx-(\w+)", CSS))


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
