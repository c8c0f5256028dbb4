"""Pictures drawn on the server: the cards that messengers show for a link, and QR codes.

Cards are PNG, since messengers don't show SVG.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import segno
from django.http import HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from PIL import Image, ImageDraw, ImageFont

from game.display import sharing
from game.display.boards import BoardView, Hull, revealed
from game.display.names import mind_name, preset_card, public_names
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.views import demo

PAGE, INK, MUTED = "#0a1620", "#e6eff4", "#a3b8c4"
SEA, GRID = "#0e3450", "#22506f"
WATER, HIT, ON_HIT, WRECK, ON_WRECK = "#e8f1f8", "#d55e00", "#ffffff", "#04090d", "#ff9d66"
HULL = "#90a5b1"
"""The colours of the dark theme."""

MARGIN, TEXT, BOARD, GAP = 48, 332, 348, 40
"""Pixels of a card: its margin, the widths of its text and of a board, the gap between boards."""
FINE = 2
"""Boards are drawn this many times larger and scaled down, which smooths their edges."""
COLOURS = 64
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
    """Both boards of an ended match with its result: a PNG of sharing.WIDTH by HEIGHT pixels."""
    setup = _legible(saved.setup)
    saved = replace(saved, setup=setup)
    mine, theirs = saved.viewer, saved.viewer.opponent
    enemy, own = revealed(saved.match, mine)
    who = public_names(setup)
    lines = [preset_card(setup.preset).title]
    if setup.opponent:
        lines.append(mind_name(setup.opponent))
    return _card(sharing.headline(saved), lines, ((enemy, who[theirs]), (own, who[mine])))


def site_card() -> bytes:
    """The card of the site, in the language of the request."""
    return _site_card(get_language() or "en")


@cache
def _site_card(_language: str) -> bytes:
    match = demo.match()
    enemy, own = revealed(match, Side.FIRST)
    return _card(_("Find the fleet before it slips away."), (), ((enemy, ""), (own, "")))


def qr_code(text: str) -> SafeString:
    """The text as a QR code: an svg element with one unit per module and a border of four."""
    found = segno.make(text, error="l", mode="byte", micro=False, boost_error=False)
    drawn = found.svg_inline(
        border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return SafeString(drawn)


def _legible(setup: Setup) -> Setup:
    """The setup without names that contain characters missing from the font."""
    return setup if _is_known("".join(setup.names)) else replace(setup, names=("", ""))


def _is_known(text: str) -> bool:
    font = _font(20)
    unknown = bytes(font.getmask("\uffff"))
    return all(character == " " or bytes(font.getmask(character)) != unknown for character in text)


@cache
def _font(size: int) -> Font:
    path = files("font_hanken_grotesk") / "files" / "HankenGrotesk-SemiBold.otf"
    with path.open("rb") as file:
        return ImageFont.truetype(
            io.BytesIO(file.read()), size, layout_engine=ImageFont.Layout.BASIC
        )


def _card(headline: str, lines: Sequence[str], boards: Sequence[tuple[BoardView, str]]) -> bytes:
    image = Image.new("RGB", (sharing.WIDTH, sharing.HEIGHT), PAGE)
    draw = ImageDraw.Draw(image)
    top = (sharing.HEIGHT - BOARD) // 2 + 16
    y = _write(draw, _("Battleship"), 40, top - 52, ON_WRECK)
    _write(draw, headline, 54, y + 28, INK)
    for number, line in enumerate(lines, start=1):
        at = (MARGIN, top + BOARD - 46 * (len(lines) - number))
        draw.text(at, _cut(line, _font(32), TEXT), fill=MUTED, font=_font(32), anchor="ls")
    for number, (view, name) in enumerate(boards):
        left = sharing.WIDTH - MARGIN - (2 - number) * BOARD - (1 - number) * GAP
        board = _board(view)
        image.paste(board, (left, top + (BOARD - board.height) // 2))
        name = _cut(name, _font(30), BOARD)
        draw.text((left, top - 16), name, fill=MUTED, font=_font(30), anchor="ls")
    out = io.BytesIO()
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG")
    return out.getvalue()


def _write(draw: ImageDraw.ImageDraw, text: str, size: int, y: float, colour: str) -> float:
    """Writes text from `y` down, wrapped into lines; returns the `y` below it."""
    longest = max(_font(size).getlength(word) for word in text.split())
    font = _font(max(int(size * min(1, TEXT / longest)), 2 * size // 3))
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= TEXT or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    for line in lines:
        draw.text((MARGIN, y), _cut(line, font, TEXT), fill=colour, font=font)
        y += 1.15 * font.size
    return y


def _cut(text: str, font: Font, width: int) -> str:
    """The text, or as much of its start as the width allows."""
    while font.getlength(text) > width:
        text = text[:-2] + "…"
    return text


def _board(view: BoardView) -> Image.Image:
    columns, rows = view.columns, len(view.rows)
    cell = FINE * BOARD // max(columns, rows)
    image = Image.new("RGB", (columns * cell, rows * cell), SEA)
    draw = ImageDraw.Draw(image)
    for x in range(1, columns):
        draw.line((x * cell, 0, x * cell, rows * cell), GRID, FINE)
    for y in range(1, rows):
        draw.line((0, y * cell, columns * cell, y * cell), GRID, FINE)
    for hull in view.hulls:
        _draw_hull(draw, hull, cell)
    for y, row in enumerate(view.rows):
        for x, shown in enumerate(row):
            _mark(draw, shown.state, x * cell, y * cell, cell)
    return image.reduce(FINE)


def _draw_hull(draw: ImageDraw.ImageDraw, hull: Hull, cell: int) -> None:
    rim = cell / 8
    across, down = (1, hull.length) if hull.is_down else (hull.length, 1)
    box = (
        hull.x * cell + rim, hull.y * cell + rim,
        (hull.x + across) * cell - rim, (hull.y + down) * cell - rim,
    )  # fmt: skip
    draw.rounded_rectangle(box, cell / 2.7, WRECK if hull.look == "sunk" else HULL)


def _mark(draw: ImageDraw.ImageDraw, state: str, x: int, y: int, cell: int) -> None:
    if state == "water":
        draw.ellipse(_inner(x, y, cell, 0.38), WATER)
    elif state == "hit":
        draw.rectangle(_inner(x, y, cell, 0.08), HIT)
    if state in ("hit", "sunk"):
        left, top, right, bottom = _inner(x, y, cell, 0.28)
        colour, width = ON_HIT if state == "hit" else ON_WRECK, cell // 9
        draw.line((left, top, right, bottom), colour, width)
        draw.line((left, bottom, right, top), colour, width)


def _inner(x: int, y: int, cell: int, rim: float) -> Box:
    """The box of a cell without a rim of that share of it."""
    inset = rim * cell
    return x + inset, y + inset, x + cell - inset, y + cell - inset
