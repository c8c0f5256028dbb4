"""The ships of templates/ships.svg as images, so that cards show the ships of the pages.

It reads what that file uses of SVG: paths of lines and Bézier curves, circles and ellipses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

from django.conf import settings
from PIL import Image, ImageDraw

Point: TypeAlias = tuple[float, float]
UNITS = 40
_STEPS = 8
"""The pieces of a curve."""
_SYMBOL = re.compile(r'<symbol id="ship-([\w-]+)" viewBox="0 0 (\d+) 40"[^>]*>(.*?)</symbol>')
_SHAPE = re.compile(r'<(path|circle|ellipse) class="ship-(\w+)" ([^>]*?)/>')
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?\d*\.?\d+")
_COUNTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "q": 4, "t": 2, "z": 0}
"""The numbers that each command takes at a time."""


class Colours(NamedTuple):
    """The colours of the parts, as the style sheet names them."""

    hull: str
    deck: str
    house: str
    gun: str


class _Style(NamedTuple):
    fill: str | None
    stroke: str | None = None
    width: float = 0


def _styles(colours: Colours) -> Mapping[str, _Style]:
    """The rules of the style sheet for each class of shape."""
    hull, deck, house, gun = colours
    return {
        "body": _Style(hull, gun, 1.2), "deck": _Style(deck), "house": _Style(house, gun, 0.8),
        "turret": _Style(gun), "gun": _Style(None, gun, 1.8), "detail": _Style(None, gun, 0.8),
        "lines": _Style(None, "#ffffff", 0.8),
    }  # fmt: skip


@cache
def _symbols() -> dict[str, tuple[int, list[tuple[str, list[list[Point]]]]]]:
    """Each symbol's width in units, and its shapes: a class, and closed or open lines."""
    text = (settings.BASE_DIR / "templates" / "ships.svg").read_text()
    return {
        name: (int(width), [*_shapes(content)]) for name, width, content in _SYMBOL.findall(text)
    }


def _shapes(content: str) -> Iterator[tuple[str, list[list[Point]]]]:
    for kind, part, attributes in _SHAPE.findall(content):
        found = dict(_ATTRIBUTE.findall(attributes))
        if "opacity" in found:  # a shade, which a small picture doesn't show
            continue
        yield part, [*_path(found["d"])] if kind == "path" else [_ellipse(found)]


def _ellipse(found: Mapping[str, str]) -> list[Point]:
    x, y = float(found["cx"]), float(found["cy"])
    wide, high = (float(found.get(name, found.get("r", "0"))) for name in ("rx", "ry"))
    angles = [2 * pi * step / (4 * _STEPS) for step in range(4 * _STEPS + 1)]
    return [(x + wide * cos(angle), y + high * sin(angle)) for angle in angles]


def _path(text: str) -> Iterator[list[Point]]:
    """The subpaths of a path, in which curves are made of short lines."""
    line: list[Point] = []
    at = control = (0.0, 0.0)
    for letter, values in _COMMAND.findall(text):
        kind, numbers = letter.lower(), [float(value) for value in _NUMBER.findall(values)]
        if kind == "z":
            at = line[0]
            line.append(at)
            continue
        count = _COUNTS[kind]
        for start in range(0, len(numbers), count):
            some = numbers[start : start + count]
            x, y = at if letter.islower() else (0.0, 0.0)
            if kind in "hv":
                some = [some[0] + x, at[1]] if kind == "h" else [at[0], some[0] + y]
                x = y = 0.0
            points = [(x + some[n], y + some[n + 1]) for n in range(0, len(some), 2)]
            if kind == "m" and start == 0:
                if line:
                    yield line
                line = [points[0]]
            elif kind == "t":
                points.insert(0, (2 * at[0] - control[0], 2 * at[1] - control[1]))
            if kind in "cqt":
                line += [_bezier([at, *points], step / _STEPS) for step in range(1, _STEPS)]
            control, at = (points[-2] if kind in "qt" else points[-1]), points[-1]
            line.append(at)
    yield line


def _bezier(points: list[Point], share: float) -> Point:
    """The point of a Bézier curve by de Casteljau's algorithm."""
    while len(points) > 1:
        points = [
            (x + share * (to_x - x), y + share * (to_y - y))
            for (x, y), (to_x, to_y) in pairwise(points)
        ]
    return points[0]


def draw(image: Image.Image, picture: str, length: int, unit: float, colours: Colours) -> None:
    """Draws a ship of that many cells, its bow at the left, with `unit` pixels a cell."""
    width, shapes = _symbols()[picture.removeprefix("ship-")]
    wide, high = length * unit / width, unit / UNITS
    styles, paint = _styles(colours), ImageDraw.Draw(image)
    for part, lines in shapes:
        style = styles[part]
        for line in lines:
            points = [(x * wide, y * high) for x, y in line]
            if style.fill:
                paint.polygon(points, style.fill)
            if style.stroke:
                paint.line(points, style.stroke, max(1, round(style.width * high)), "curve")
