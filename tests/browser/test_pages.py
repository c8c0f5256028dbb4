"""Every kind of page: for a thumb, enlarged, by axe's rules, at many widths, in longer words."""

from collections import defaultdict
from typing import NamedTuple

import pytest

from tests.support import in_both_languages
from tests.support.browser import PHONE, OpenPage, Page, Scheme
from tests.support.features import brought
from tests.support.layout import CHECKS, SIGHTS, faults, look_for_faults
from tests.support.site_pages import ADDRESSES, CROWDED, EXPECTS, show, unfold

SAMPLED = (
    "home",
    "options",
    "rules",
    "placing, part",
    "firing, late",
    "over",
    *(name for names in brought("SAMPLED").values() for name in names),
)
"""The pages that `make test` looks at."""

_SMALL = """() => {
  const whole = ".top nav > *, .bar summary, .lift .steer";
  const buttons = [...document.querySelectorAll(`main button, main .button, ${whole}`)]
    .filter((it) => (!it.closest("td") || it.matches(whole)) && it.checkVisibility());
  return buttons.filter((it) => {
    const { width, height } = it.getBoundingClientRect();
    return height < 44 || (it.matches(whole) && width < 44);
  }).map((it) => it.outerHTML);
}"""
"""The buttons that are not cells and too small for a thumb."""


def examined(page: Page, name: str, language: str, sight: tuple[int, Scheme]) -> list[str]:
    """A line for each fault that the unfolded page has for a thumb, enlarged, or in a sight."""
    show(page, name, language)
    page.resize(360, 640)
    found: list[str] = page.evaluate(_SMALL)
    page.resize(768, 800)
    found += faults(page, ("sideways",))
    found += look_for_faults(page, [sight])
    return [f"{name}, {language}: {fault}" for fault in found]


@pytest.mark.deep
@pytest.mark.parametrize("part", range(6))
def test_pages_fit_a_thumb_lose_nothing_when_enlarged_and_break_no_rule_of_axe(
    open_page: OpenPage, part: int
) -> None:
    """Each page is seen in one language and in one of the six sights, and each sight is used."""
    language = ("en", "de")[part % 2]
    page = open_page(language=language, size=PHONE, touch=True, expects=EXPECTS)
    names = [name for name in ADDRESSES if name not in SAMPLED][part::6]
    found = [
        fault
        for number, name in enumerate(names)
        for fault in examined(page, name, language, SIGHTS[(part + number) % 6])
    ]
    assert not found, "\n".join(found)


# --- at many widths; the scan itself ---

SAMPLED_WINDOWS = ((320, 568), (600, 960), (1280, 800))
BETWEEN = ((360, 640), (390, 844), (480, 800), (768, 1024), (1024, 768), (1920, 947))
UNFOLDED = tuple(check for check in CHECKS if check != "covered")
"""What folds may lie over the page, so that several at once cover one another."""
LETTERS = (*UNFOLDED, "touching")

_FOLD = """() => document.querySelectorAll("details").forEach((it) => { it.open = false; })"""


class View(NamedTuple):
    """Windows, what is looked for in them while all is unfolded and while it isn't, and a change.

    The change is a function in JavaScript, which is called before.
    """

    windows: tuple[tuple[int, int], ...]
    kinds: tuple[tuple[str, ...], ...] = (UNFOLDED, CHECKS)
    change: str = "() => {}"


def scan(page: Page, name: str, language: str, *views: View) -> list[str]:
    """A line for each fault of a page in these views, with the windows that have it."""
    show(page, name, language)
    found: dict[str, set[int]] = defaultdict(set)
    for view in views:
        unfold(page)
        page.evaluate(view.change)
        for checks in view.kinds:
            for width, height in view.windows:
                page.resize(width, height)
                for fault in faults(page, checks):
                    found[fault].add(width)
            page.evaluate(_FOLD)
    return [f"{name}, {language}, {widths}: {fault}" for fault, widths in found.items()]


@pytest.mark.parametrize("number", range(len(SAMPLED)))
def test_a_sample_of_pages_is_without_fault(open_page: OpenPage, number: int) -> None:
    name, language = SAMPLED[number], ("de", "en")[number % 2]
    page = open_page(language=language, expects=EXPECTS)
    found = scan(page, name, language, View(SAMPLED_WINDOWS))
    page = open_page(language=language, size=PHONE, touch=True, expects=EXPECTS)
    found += examined(page, name, language, SIGHTS[number % 6])
    page = open_page(language=language, size=PHONE, expects=EXPECTS, fresh=True)
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    show(page, name, language)
    found += faults(page, ("sideways",))
    assert not found, "\n".join(found)


@pytest.mark.long
@in_both_languages
@pytest.mark.parametrize("name", ADDRESSES)
def test_every_page_is_without_fault_at_every_width_and_breaks_no_rule_of_axe(
    open_page: OpenPage, name: str, language: str
) -> None:
    page = open_page(language=language, expects=EXPECTS)
    between = View(((390, 844), (430, 932)), (LETTERS, LETTERS))
    found = scan(page, name, language, View((*SAMPLED_WINDOWS, *BETWEEN)), between)
    show(page, name, language)
    found += look_for_faults(page, SIGHTS)
    assert not found, "\n".join(found)


ENLARGED = View(((640, 360), (320, 256)))
"""Windows of 1280 pixels enlarged to 200 and 400 percent (1.4.4 and 1.4.10 of WCAG 2.2)."""
_SPACE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
SPACED = View(((844, 390), (320, 568)), change=_SPACE)
"""The spacing that a reader may set (1.4.12)."""
PHONES = View(((320, 568), (360, 640), (412, 732)), (LETTERS, LETTERS))
"""Where no text touches another or is cut."""


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_enlarged_spaced_and_on_any_phone_pages_lose_and_cover_nothing(
    open_page: OpenPage, part: int
) -> None:
    page = open_page(language="de", expects=EXPECTS)  # longer words than the English
    names = list(ADDRESSES)[part::2]
    found = list[str]()
    for name in names:
        views = [PHONES] if name in CROWDED else [ENLARGED, PHONES, SPACED]
        found += scan(page, name, "de", *views)
    assert not found, "\n".join(found)
