"""The printed page in Chromium and Firefox: on one sheet of A4 or Letter, with nothing cut."""

import io
import re
import zlib
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
import zxingcpp
from PIL import Image

from game.features.paper.sheets import DEALT
from tests.paper.samples import TIGHT
from tests.support import deep
from tests.support.browser import PHONE, OpenPage, Page
from tests.support.device import preferring
from tests.support.engines import firefox
from tests.support.features import needs_features
from tests.support.matches import address, begun

ONLY_QR = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode])
A4, LETTER = (29.7, 21.0), (27.94, 21.59)
"""Width and height in centimetres."""
MARGIN = 1.0
KINDS = "&".join(f"n{length}={9 - length if length < 5 else 1}" for length in range(1, 9))
MOST = f"{KINDS}&size=15&touching=anywhere&moving=off&named=on&salvo=on&turns=40&at_limit=draw"
"""The rules with the longest text, and 30 ships of all lengths."""
LONG = [f"{letter}{'W' * 10}{letter}" for letter in "ABCDEFGHIJ"]
LABELS = urlencode({"column_labels": ";".join(LONG), "row_labels": ";".join(LONG)})
RIGHT_TO_LEFT = urlencode({"column_labels": "أنا;أنت;هو;هي;نحن;أنتم;القطة;أصدقائي"})
PRINTED = [(f"paper/own/?{MOST}", 1), deep(f"paper/own/?{TIGHT}&deal=x", DEALT + 1)]
"""Addresses behind the language, and the number of sheets."""
LABELLED = [
    (f"paper/short/?{RIGHT_TO_LEFT}", 1),
    ("paper/own/?fleet=4-3&column_labels=-5..5&row_labels=5..-5", 1),
    (f"paper/own/?{LABELS}&deal=x", DEALT + 1),
]


def sheets_in(pdf: bytes) -> int:
    """The number of pages in a PDF, which Firefox describes in compressed streams."""
    found = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            found.append(zlib.decompress(stream))
    return sum(len(re.findall(rb"/Type\s*/Page\b", it)) for it in found)


FAULTS = """([width, height]) => [...document.querySelectorAll(".leaf")].flatMap((leaf, number) => {
  const edge = leaf.getBoundingClientRect();
  const faults = edge.height > height || leaf.scrollWidth > width ? [`${number}: too large`] : [];
  for (const svg of leaf.querySelectorAll(".grid")) {
    const box = svg.getBoundingClientRect();
    for (const it of svg.querySelectorAll("text, rect, path")) {
      const { left, right, top, bottom } = it.getBoundingClientRect();
      const isOut = left < box.left || right > box.right || top < box.top || bottom > box.bottom;
      if (isOut) faults.push(`${number}: ${it.outerHTML}`);
    }
  }
  for (const it of leaf.querySelectorAll("h2, h2 b, li, li span, .code, figcaption")) {
    const { left, right, bottom } = it.getBoundingClientRect();
    const isOut = left < edge.left || right > edge.right + 1 || bottom > edge.top + height;
    if (isOut) faults.push(`${number}: ${it.outerHTML}`);
  }
  return faults;
})"""
"""What is cut on paper of that size within its margins, in pixels."""


def on_paper(page: Page, paper: tuple[float, float]) -> list[str]:
    """What is cut on that paper."""
    width, height = (int((side - 2 * MARGIN) / 2.54 * 96) for side in paper)
    page.resize(width, height)
    found: list[str] = page.evaluate(FAULTS, [width, height])
    return found


def see_printed(page: Page, where: str, count: int) -> None:
    page.emulate_media(media="print")
    for language in ("en", "de"):
        page.goto(f"/{language}/{where}")
        for paper in (A4, LETTER):
            assert on_paper(page, paper) == [], (where, language, paper)
            width, height = (f"{side}cm" for side in paper)
            assert sheets_in(page.pdf(width=width, height=height)) == count, (where, language)


@pytest.mark.parametrize(("where", "count"), PRINTED)
def test_each_leaf_fits_on_one_sheet_of_paper(open_page: OpenPage, where: str, count: int) -> None:
    see_printed(open_page(fresh=True), where, count)


@needs_features("axes")
@pytest.mark.deep
@pytest.mark.parametrize(("where", "count"), LABELLED)
def test_no_label_is_cut(open_page: OpenPage, where: str, count: int) -> None:
    see_printed(open_page(fresh=True), where, count)


@pytest.mark.deep
@pytest.mark.browser
def test_firefox_prints_as_many_sheets(server: str, tmp_path: Path) -> None:
    with firefox(tmp_path / "profile") as engine:
        for where, count in ((f"paper/own/?{MOST}", 1), ("paper/short/?deal=x", DEALT + 1)):
            engine.open(f"{server}/de/{where}")
            assert sheets_in(engine.pdf(*LETTER)) == count
        assert engine.errors() == []


def test_it_is_black_on_white_in_the_dark_and_its_code_can_be_scanned(open_page: OpenPage) -> None:
    refused = "style-src"  # the screenshot's own style
    page = open_page(fresh=True, scheme="dark", cookies=preferring(theme="dark"), expects=refused)
    page.goto(address(begun(), page="sheet"))
    page.emulate_media(media="print", color_scheme="dark")
    scheme = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert scheme == "light", "the sheet around the page would be printed dark"
    seen = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    bands = [band.tobytes() for band in seen.split()]
    assert bands[0] == bands[1] == bands[2]
    assert seen.getpixel((0, 0)) == (255, 255, 255)
    (code,) = zxingcpp.read_barcodes(seen, formats=ONLY_QR)
    page.emulate_media(media="screen")
    page.goto(code.text)
    page.expects("#game").to_have_attribute("data-phase", "placing")


def test_it_is_reached_and_dealt_by_links_alone(open_page: OpenPage) -> None:
    page = open_page("/en/setup/own/", size=PHONE, script=False)
    page.fill("[name=columns]", "7")
    page.follow("#act-paper")
    assert page.locator(".grid").first.locator("text").count() == 7 + 10
    page.follow("#act-deal")
    page.expects(".leaf").to_have_count(DEALT + 1)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
