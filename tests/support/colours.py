"""The colours of the style sheets, and how well two of them can be told apart."""

from __future__ import annotations

import re
from pathlib import Path

Palette = dict[str, str]


def palette(css: str) -> tuple[Palette, Palette]:
    """The named colours in the light and in the dark, each as `#12303f`."""
    roots = "".join(re.findall(r"^:root \{(.*?)^\}", css, re.DOTALL | re.MULTILINE))
    pairs = re.findall(r"(--[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", roots)
    same = re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", roots)
    light = {name: bright for name, bright, _dark in pairs}
    dark = {name: deep for name, _bright, deep in pairs}
    return light | dict(same), dark | dict(same)


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2, section 1.4.3)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


STATIC = Path(__file__).resolve().parents[2] / "static/game"
CSS = "".join((STATIC / name).read_text() for name in ("site.css", "stage.css", "match.css"))
LIGHT, DARK = palette(CSS)
