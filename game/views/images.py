"""Pictures drawn on the server: the cards that messengers show for a link, and QR codes.

Cards are PNG, since messengers don't show SVG.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import segno
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from resvg_py import svg_to_bytes

from game.display.boards import BoardView, revealed
from game.display.names import language_shown
from game.display.words import cached_by_language
from game.engine.observation import observe
from game.engine.rules import Side
from game.matches.cell_names import lettered
from game.ops.text_width import ems
from game.views import demo

WIDTH, HEIGHT, MARGIN = 1200, 630, 48
BOARD, GAP = 396, 64
"""Pixels of a card: its size and margin, the width of a sea, and the gap between two seas."""
FONT = files("fontpkg_noto_serif") / "files" / "NotoSerif[wdth,wght].ttf"
MOST_IN_CODE = 2953
"""The longest address for a QR code, in characters."""

FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"


def picture(content: bytes, kept: str) -> HttpResponse:
    """A PNG that other sites may show, since it is made for messengers."""
    headers = {"Cache-Control": kept, "Cross-Origin-Resource-Policy": "cross-origin"}
    return HttpResponse(content, content_type="image/png", headers=headers)


class Card(NamedTuple):
    """What a messenger shows for a link."""

    title: str
    description: str
    picture: str
    """The path of the picture."""
    alt: str
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def locale(self) -> str:
        return language_shown().card_locale


@cached_by_language(maxsize=64)
def site_card() -> bytes:
    match = demo.match()
    enemy, own = revealed(match, observe(match, Side.FIRST), lettered(match.ruleset.board))
    return drawn_card(_("Find the fleet before it slips away."), (), ((enemy, ""), (own, "")))


@lru_cache(maxsize=64)  # some 3 kB each; a projector loads its page again
def qr_code(text: str) -> SafeString:
    """The text as a QR code: an svg element with one unit per module and a border of four.

    Returns nothing for no text, or for one that is too long.
    """
    if not 0 < len(text) <= MOST_IN_CODE:
        return SafeString()
    code = segno.make(text, error="l", mode="byte", micro=False, boost_error=False)
    drawn = code.svg_inline(
        border=4, light="#fff", dark="#000", omitsize=True, svgclass=None, lineclass=None
    )
    return SafeString(drawn)


def _fitted(text: str, size: int, width: int) -> dict[str, Any]:
    """Returns the text and the size of its font in pixels, with which it is hardly wider than that.

    The renderer doesn't measure text, so its width is estimated, rather too wide than too narrow.
    """
    return {"text": text, "size": min(size, int(width / max(1, ems(text))))}


def _sheet(view: BoardView, name: str, middle: int) -> dict[str, Any]:
    """Returns a sea on the card, whose middle is so many pixels from the left."""
    board = view.board
    cell = BOARD // max(board.columns, board.rows)  # the pixels that a cell is wide
    width, height = cell * board.columns, cell * board.rows
    return {
        "view": view,
        "name": _fitted(name, 24, BOARD),
        "cell": cell,
        "width": width,
        "height": height,
        "left": middle - width // 2,
    }


def drawn_card(
    headline: str, lines: Sequence[str], boards: Sequence[tuple[BoardView, str]]
) -> bytes:
    """Draws boards, each with a name below it, as a PNG of WIDTH by HEIGHT pixels."""
    first = (WIDTH - (len(boards) - 1) * (BOARD + GAP)) // 2
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "headline": _fitted(headline, 64, WIDTH - 2 * MARGIN),
        "said": " · ".join((_("Battleship"), *lines)),
        "sheets": [
            _sheet(view, name, first + number * (BOARD + GAP))
            for number, (view, name) in enumerate(boards)
        ],
    }
    return as_png(render_to_string("card.svg", context))


@lru_cache(maxsize=16)  # some 50 kB each
def as_png(svg: str) -> bytes:
    """Returns a PNG. Drawing it takes a tenth of a second, in which no other thread computes."""
    return svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(FONT)])
