"""What can be said of looks without eyes: contrast, motion, and what templates may not do."""

import re
from pathlib import Path

import pytest

from game.engine.geometry import LARGEST, SMALLEST

ROOT = Path(__file__).resolve().parents[2]
CSS = (ROOT / "static/game/site.css").read_text()
LIGHT, DARK = (
    dict(re.findall(r"(--[a-z-]+):\s*(#[0-9a-f]{6})", part))
    for part in (CSS.split("@media")[0], CSS.split("prefers-color-scheme: dark")[1].split("\n}")[0])
)


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2, section 1.4.3)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


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
    ],
)  # fmt: skip
def test_colours_that_must_be_told_apart_have_contrast(theme, front, back, least):
    assert contrast(theme[front], theme[back]) >= least


def test_only_transforms_and_opacity_are_animated():
    for frames in re.findall(r"@keyframes [\w-]+ \{(.*?\})\s*\}", CSS, re.DOTALL):
        for name in re.findall(r"([a-z-]+):", frames):
            assert name in {"transform", "opacity"}


def test_nothing_moves_for_those_who_asked_for_stillness():
    moving = CSS.split("prefers-reduced-motion: no-preference")
    assert "animation:" not in moving[0]
    assert "animation:" not in moving[1].split("\n}\n", 1)[1]
    assert "transition" not in CSS


def test_there_is_a_class_for_every_place_on_every_board():
    for side in range(SMALLEST, LARGEST + 1):
        assert f".cols-{side} {{" in CSS
        assert f".rows-{side} {{" in CSS
    for place in range(LARGEST):
        assert f".x{place} {{" in CSS
        assert f".y{place} {{" in CSS


def test_scripts_hold_no_words_for_players():
    for script in (ROOT / "static/game").glob("*.js"):
        code = re.sub(r"//.*", "", script.read_text())
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Z][a-z]+ [a-z]+ [a-z]+", text), text


def test_there_is_a_picture_for_every_length_of_ship():
    sprite = (ROOT / "templates/ships.svg").read_text()
    assert set(re.findall(r'id="ship-(\d)"', sprite)) == set("12345678")


def test_no_secret_stands_in_the_sources():
    for path in [*ROOT.glob("game/**/*.py"), *ROOT.glob("battleships_site/**/*.py")]:
        text = path.read_text()
        assert not re.search(r"SECRET_KEY\s*=\s*[\"']|django-insecure", text), path
