"""Pictures drawn on the server: the cards that messengers show for a link, and QR codes.

Cards are PNG, since messengers don't show SVG.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import as_file, files
from math import cos, pi, sin
from typing import TypeAlias

import segno
from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from game.display import sharing
from game.display.boards import BoardView, revealed
from game.display.names import mind_name, preset_card, public_names
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.views import demo, silhouettes

TABLE, SHADE, PAPER, INK, SOFT, PEN = (
    "#e9e4d7", "#cfc9b9", "#faf6ea", "#14283a", "#4a5a66", "#9c1563",
)  # fmt: skip
SEAS = {"enemy": ("#9fc8d8", "#abd0de", "#b8d9e4"), "own": ("#dbe9e6", "#e3eeeb", "#ebf3f0")}
"""The open sea, the shallows and the bank of each board."""
HAIR, TICK, RING = "#7fa3b3", "#274a60", "#14283a"
AFLOAT = silhouettes.Colours("#43525e", "#c9cfce", "#8d9aa1", "#1f2b35")
WRECK = silhouettes.Colours("#2b2f36", "#3d434a", "#3d434a", "#c9b8ac")
ON_WRECK = "#fbe7da"
BURST, RIM = "#c2390f", "#ffe9d8"
"""The colours of the light theme."""

MARGIN, BOARD, GAP, SCALE = 48, 396, 64, 9
"""Pixels of a card: its margin, the width of a sea, the gap between two sheets, and the neat line
around a sea, whose scale counts the cells."""
TOP = 196
"""The pixels above a sea, for the words."""
FINE = 4
"""Ships and marks are drawn this many times larger, then scaled down to smooth their edges."""
COLOURS = 96
MOST_IN_CODE = 2953
"""The longest address for a QR code, in characters."""

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"

Font: TypeAlias = ImageFont.FreeTypeFont
Box: TypeAlias = tuple[float, float, float, float]


def picture(content: bytes, kept: str) -> HttpResponse:
    """A PNG that other sites may show, since it is made for messengers."""
    headers = {"Cache-Control": kept, "Cross-Origin-Resource-Policy": "cross-origin"}
    return HttpResponse(content, content_type="image/png", headers=headers)


def match_card(saved: SavedMatch) -> bytes:
    """The boards of an ended match with its result: a PNG of sharing.WIDTH by HEIGHT pixels."""
    setup = saved.setup
    if not _is_legible("".join(setup.names)):
        setup = replace(setup, names=("", ""))
        saved = replace(saved, setup=setup)
    mine, theirs = saved.viewer, saved.viewer.opponent
    enemy, own = revealed(saved.match, mine)
    who = public_names(setup)
    lines = [preset_card(setup.preset).title]
    if setup.is_solo:
        return _card(sharing.headline(saved), [*lines, _("Search alone")], ((enemy, ""),))
    if setup.opponent:
        lines.append(mind_name(setup.opponent))
    return _card(sharing.headline(saved), lines, ((enemy, who[theirs]), (own, who[mine])))


def site_card() -> bytes:
    return _site_card(get_language() or "en")


@cache
def _site_card(_language: str) -> bytes:
    return _card(_("Find the fleet before it slips away."), (), _demo())


def _demo() -> Sequence[tuple[BoardView, str]]:
    enemy, own = revealed(demo.match(), Side.FIRST)
    return (enemy, ""), (own, "")


def qr_code(text: str) -> SafeString:
    """The text as a QR code: an svg element with one unit per module and a border of four."""
    found = segno.make(text, error="l", mode="byte", micro=False, boost_error=False)
    drawn = found.svg_inline(
        border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return SafeString(drawn)


def _is_legible(text: str) -> bool:
    """Whether all characters can be seen, and the font has them."""
    if not text.isprintable():
        return False
    font = _font(20)
    unknown = bytes(font.getmask("\uffff"))
    return all(character == " " or bytes(font.getmask(character)) != unknown for character in text)


@cache
def _font(size: int) -> Font:
    """The serif of the pages' headings, half bold as there."""
    path = files("fontpkg_noto_serif") / "files" / "NotoSerif[wdth,wght].ttf"
    with as_file(path) as file:
        font = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([600, 100])  # weight, width in percent
    return font


def _card(headline: str, lines: Sequence[str], boards: Sequence[tuple[BoardView, str]]) -> bytes:
    image, out = _picture(headline, lines, boards), io.BytesIO()
    image.quantize(palette=_palette(), dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


@cache
def _palette() -> Image.Image:
    """The colours of every card; choosing them for each card would take half of its time."""
    image = _picture("Battleship", (), _demo())
    chosen = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return chosen.crop((0, 0, 1, 1))  # the whole picture would take 0.8 MB


def _picture(
    headline: str, lines: Sequence[str], boards: Sequence[tuple[BoardView, str]]
) -> Image.Image:
    image = Image.new("RGB", (sharing.WIDTH, sharing.HEIGHT), TABLE)
    draw = ImageDraw.Draw(image)
    middle, most = sharing.WIDTH // 2, sharing.WIDTH - 2 * MARGIN
    font = _font(64 if _font(64).getlength(headline) <= most else 44)
    draw.text((middle, 92), _cut(headline, font, most), fill=INK, font=font, anchor="ms")
    said = " · ".join((_("Battleship"), *lines))
    draw.text((middle, 138), _cut(said, _font(28), most), fill=PEN, font=_font(28), anchor="ms")
    for number, (view, name) in enumerate(boards):
        left = middle + (GAP // 2 if number else -GAP // 2 - BOARD)
        left = left if len(boards) > 1 else middle - BOARD // 2
        cell = BOARD // max(view.columns, len(view.rows))
        left += (BOARD - cell * view.columns) // 2
        name = _cut(name, _font(24), BOARD)
        draw.text((left, TOP - SCALE - 10), name, fill=SOFT, font=_font(24), anchor="ls")
        _draw_sheet(image, view, left, TOP, cell)
    return image


def _cut(text: str, font: Font, width: int) -> str:
    """The text, or as much of its start as the width allows."""
    while font.getlength(text) > width:
        text = text[:-2] + "…"
    return text


def _draw_sheet(image: Image.Image, view: BoardView, left: int, top: int, cell: int) -> None:
    sheet = _sheet(view.kind, view.columns, len(view.rows), cell)
    image.paste(sheet, (left - SCALE, top - SCALE))
    wrecked = set()
    for hull in view.hulls:
        across, down = (0, 1) if hull.is_down else (1, 0)
        if hull.look == "sunk":
            wrecked |= {(hull.x + at * across, hull.y + at * down) for at in range(hull.length)}
        ship = _ship(hull.picture, hull.length, hull.look == "sunk", hull.is_down, cell)
        _paste(image, ship, left + hull.x * cell, top + hull.y * cell)
    for y, row in enumerate(view.rows):
        for x, shown in enumerate(row):
            # A later miss on a wreck would look like half a ship.
            is_late = shown.state == "water" and (x, y) in wrecked
            state = "sunk" if is_late else shown.state
            if state in _MARKS:
                mark = _mark(state, cell)
                rim = (mark.width - cell) // 2
                _paste(image, mark, left + x * cell - rim, top + y * cell - rim)


def _paste(image: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    image.paste(sprite, (x, y), sprite)


def _sheet(kind: str, columns: int, rows: int, cell: int) -> Image.Image:
    """A sea without ships, within its neat line, above its shade."""
    width, height = columns * cell, rows * cell
    sea = Image.new("RGB", (width, height), SEAS[kind][0])
    draw = ImageDraw.Draw(sea)
    x, y = (0.34, 0.62) if kind == "enemy" else (0.66, 0.36)
    for reach, colour in zip((0.62, 0.34), SEAS[kind][1:], strict=True):
        left, right = (x - reach) * width, (x + reach) * width
        upper, lower = (y - 0.7 * reach) * height, (y + 0.7 * reach) * height
        draw.ellipse((left, upper, right, lower), colour)
    for at in range(cell, width, cell):
        draw.line((at, 0, at, height), HAIR)
    for at in range(cell, height, cell):
        draw.line((0, at, width, at), HAIR)
    for x_at in range(cell, width, cell):
        for y_at in range(cell, height, cell):
            draw.line((x_at - 3, y_at, x_at + 3, y_at), TICK)
            draw.line((x_at, y_at - 3, x_at, y_at + 3), TICK)
    whole = Image.new("RGB", (width + 2 * SCALE + 6, height + 2 * SCALE + 6), SHADE)
    draw = ImageDraw.Draw(whole)
    right, bottom = width + 2 * SCALE - 1, height + 2 * SCALE - 1
    draw.rectangle((right + 1, 0, right + 6, 5), TABLE)
    draw.rectangle((0, bottom + 1, 5, bottom + 6), TABLE)
    draw.rectangle((0, 0, right, bottom), PAPER, INK)
    for start in range(SCALE, SCALE + width, 2 * cell):
        for edge in (2, bottom - SCALE + 3):
            draw.rectangle((start, edge, start + cell - 1, edge + SCALE - 6), INK)
    for start in range(SCALE, SCALE + height, 2 * cell):
        for edge in (2, right - SCALE + 3):
            draw.rectangle((edge, start, edge + SCALE - 6, start + cell - 1), INK)
    draw.rectangle((SCALE - 1, SCALE - 1, SCALE + width, SCALE + height), INK)
    whole.paste(sea, (SCALE, SCALE))
    return whole


def _drawn(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGBA", (FINE * width, FINE * height))
    return image, ImageDraw.Draw(image)


@lru_cache(maxsize=16)  # the ships of a card, of which most are drawn twice; up to 60 kB each
def _ship(picture: str, length: int, is_sunk: bool, is_down: bool, cell: int) -> Image.Image:
    """A ship from above with its bow at the left or at the top; a wreck lies in a dotted line."""
    unit = FINE * cell
    image, draw = _drawn(length * cell, cell)
    silhouettes.draw(image, picture, length, unit, WRECK if is_sunk else AFLOAT)
    if is_sunk:
        turned = image.rotate(2.5, Image.Resampling.BICUBIC)
        image, draw = _drawn(length * cell, cell)
        box = 0.06 * unit, 0.06 * unit, (length - 0.06) * unit, 0.94 * unit
        draw.rounded_rectangle(box, 0.44 * unit, "#2b2f3650", INK, FINE)
        image.alpha_composite(turned)
    small = image.reduce(FINE)
    return small.transpose(Image.Transpose.ROTATE_270) if is_down else small


_MARKS = ("water", "hit", "sunk")


@lru_cache(maxsize=3)  # the three marks of a card, which has dozens; 10 kB each
def _mark(state: str, cell: int) -> Image.Image:
    """Rings on the water, a burst over the cell's edges, or the cross of a wreck."""
    width = cell + 2 * (cell // 6)
    image, draw = _drawn(width, width)
    unit, middle = FINE * cell, FINE * width / 2

    def around(share: float) -> Box:
        near, far = middle - share * unit, middle + share * unit
        return near, near, far, far

    def cross(share: float, colour: str, wide: float) -> None:
        left, top, right, bottom = around(share)
        draw.line((left, top, right, bottom), colour, int(wide * unit))
        draw.line((left, bottom, right, top), colour, int(wide * unit))

    if state == "water":
        draw.rectangle(around(0.5), "#ffffff66")
        draw.ellipse(around(0.19), None, RING, int(0.085 * unit))
        draw.arc(around(0.36), 110, 250, RING, int(0.06 * unit))
        draw.arc(around(0.36), -70, 70, RING, int(0.06 * unit))
    elif state == "hit":
        for colour, far in (RIM, 0.64), (BURST, 0.55):
            draw.polygon(_star(middle, far * unit), colour)
        cross(0.17, "#ffffff", 0.1)
    else:
        cross(0.24, ON_WRECK, 0.11)
    return image.reduce(FINE)


def _star(middle: float, far: float) -> list[tuple[float, float]]:
    """A star of ten points, of which every other one is a little shorter."""
    points = []
    for at in range(20):
        reach = far * (0.62 if at % 2 else 1.0 if at % 4 else 0.86)
        points.append((middle + reach * sin(pi * at / 10), middle - reach * cos(pi * at / 10)))
    return points
