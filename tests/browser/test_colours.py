"""Colours as a browser computes them, and what can be told apart without them."""

import io
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from game.engine.geometry import LARGEST, SMALLEST
from game.matches.saved import SavedMatch
from tests.support import deep
from tests.support.browser import OpenPage, Page, Scheme
from tests.support.colours import Colour, contrast, named, parsed
from tests.support.features import brought
from tests.support.matches import STILL, address, begun
from tests.support.site_pages import address_of

CONTRASTS = {
    7: "ink/table ink/paper ink/sea ink/own",
    4.5: "soft/table soft/paper pen/table pen/paper pen/own on-pen/pen on-act/act tick/sea "
    "fire/paper fire/table bone/wreck",
    3: "pen/sea act/table hatch/sea hull/own focus/sea focus/table focus/paper focus/focus-gap",
}
"""What contrast the pairs of named colours have at least."""
GROUNDS = ("table", "paper", "sea", "own", "act", "hull", "wreck", "coach")
"""The colours that the two colours of the focus ring may lie on."""

_WITHOUT_VALUE = """() => {
  const all = (rules) => [...rules].flatMap((rule) => [rule, ...all(rule.cssRules ?? [])]);
  const styles = [...document.styleSheets].flatMap((sheet) => all(sheet.cssRules))
    .flatMap(({ style }) => style ?? []);
  const given = new Set(styles.flatMap((style) => [...style]));
  return styles.flatMap((style) => ["color", "fill", "stroke", "background-color", "background"]
    .flatMap((name) => style.getPropertyValue(name).match(/^var\\((--[\\w-]+)\\)/)?.[1] ?? []))
    .filter((name) => !given.has(name));
}"""
"""The names that some style takes a colour from, and to which none gives a value."""
_PLACES = """names => Object.fromEntries(Object.entries(names).map(([name, values]) => {
  const probe = document.body.appendChild(document.createElement("i"));
  const found = values.map((value) => {
    probe.dataset[name] = value;
    return Number(getComputedStyle(probe).getPropertyValue(`--${name}`));
  });
  probe.remove();
  return [name, found];
}))"""


def screenshot(page: Page, name: str) -> Image.Image:
    """A cell of the enemy's waters as it is drawn."""
    return Image.open(io.BytesIO(page.cell("enemy", name).screenshot()))


def shown(page: Page, name: str) -> set[Colour]:
    """The colours that a cell of the enemy's waters is drawn in."""
    found = screenshot(page, name).convert("RGB").getcolors(100_000) or []
    return {tuple(colour) for _count, colour in found}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scheme", "more"),
    [("light", False), ("dark", True), deep("light", True), deep("dark", False)],
)
def test_colours_that_must_be_told_apart_have_contrast_in_a_match(
    open_page: OpenPage, scheme: Scheme, more: bool
) -> None:
    page = open_page(begun(STILL), scheme=scheme, fresh=more)
    page.emulate_media(contrast="more" if more else "no-preference")
    pairs = {pair: least for least, them in CONTRASTS.items() for pair in them.split()}
    pairs = {it: (4.5 if least == 3 else 7) if more else least for it, least in pairs.items()}
    colours = named(page, *(name for pair in pairs for name in pair.split("/")), *GROUNDS)
    found = {pair: contrast(*(colours[name] for name in pair.split("/"))) for pair in pairs}
    assert not {pair: found[pair] for pair, least in pairs.items() if found[pair] < least}
    for ground in GROUNDS:
        ring = (contrast(colours[side], colours[ground]) for side in ("focus", "focus-gap"))
        assert max(ring) >= 3, ground
    bar = page.get_attribute(f"meta[name=theme-color][data-of={scheme}]", "content") or ""
    assert more or tuple(bytes.fromhex(bar[1:])) == colours["table"]
    page.keys("Tab")
    outer, inner = page.evaluate("""() => {
      const { outlineStyle, outlineColor, boxShadow } = getComputedStyle(document.activeElement);
      return [outlineStyle === "solid" ? outlineColor : "", boxShadow];
    }""")
    assert contrast(parsed(outer), parsed(inner)) >= 3, "the focus has a ring of two colours"
    page.fire("J6", "E5")
    hit, water = shown(page, "J6"), shown(page, "E5")
    assert max(contrast(colour, colours["sea"]) for colour in hit) >= 3
    warm_hit, warm_water = (max(red - blue for red, _, blue in each) for each in (hit, water))
    assert warm_hit > 120 > warm_water, "a hit is on fire"


def test_every_name_and_every_place_in_the_styles_has_a_value(open_page: OpenPage) -> None:
    page = open_page()
    for where in (
        "/en/",
        *(address_of(name, "en") for names in brought("SAMPLED").values() for name in names),
        address(begun(STILL)),
    ):
        page.goto(where)
        assert not page.evaluate(_WITHOUT_VALUE)
    places = list(range(LARGEST))
    sides = list(range(SMALLEST, LARGEST + 1))
    expected = {"columns": sides, "rows": sides, "x": places, "y": places}
    assert page.evaluate(_PLACES, expected) == expected


# --- without colours, and in those that a player has forced ---

SIZE = 30
"""Pixels that a cell is wide in comparisons."""
LEAST = 0.04
"""What part of two cells must differ at least for them to be told apart by shape."""


def picture(drawn: Image.Image) -> Image.Image:
    """A cell in shades of grey, its own shades spread from black to white.

    So that of two evenly coloured cells, one light and one dark, nothing is left to tell apart.
    """
    shot = drawn.convert("L").resize((SIZE, SIZE))
    levels = [level for level, count in enumerate(shot.histogram()) if count]
    low, high = levels[0], levels[-1]
    spread = max(high - low, 40)  # no noise is made a shape
    return shot.point(lambda level: (level - low) * 255 // spread)


def difference(one: Image.Image, other: Image.Image) -> float:
    """What part of the pixels differ clearly."""
    apart = ImageChops.difference(one, other).histogram()
    return sum(apart[90:]) / sum(apart)


def with_all_states() -> SavedMatch:
    """A match with a cell of each state, none of which was fired at last."""
    saved = begun(STILL)
    board = saved.match.ruleset.board
    for name in ("A10", "J6", "I1", "J1", "H7"):
        match = saved.match.fire(board.parse(name))
        saved = replace(saved, match=match).with_minds_played()
    return saved


@pytest.mark.parametrize(
    ("colours", "scheme"),
    [
        ("achromatopsia", "light"),
        ("forced", "dark"),
    ],
)
def test_the_states_of_a_cell_are_told_apart_by_their_shapes(
    open_page: OpenPage, scheme: Scheme, colours: str
) -> None:
    page = open_page(scheme=scheme, fresh=True)
    if colours == "forced":
        page.emulate_media(forced_colors="active", color_scheme=scheme, reduced_motion="reduce")
    page.goto(address(with_all_states()))
    if colours == "achromatopsia":
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": colours})
    stars = {("enemy hit", "enemy hit last")}  # which hide much of the corners around them
    assert not alike(page) - stars


# --- without pictures ---

_KINDS = """() => Object.entries(Object.fromEntries(
  [...document.querySelectorAll("[data-cell]")].reverse().map((cell) => {
    const ghost = cell.matches(".is-under, .is-under-illegal") && "ghost";
    const marks = [cell.dataset.state, ghost, cell.dataset.look && "old",
                   cell.matches(".is-last") && "last", cell.matches(".is-blocked") && "blocked"];
    const { x, y, width, height } = cell.getBoundingClientRect();
    const { board } = cell.closest("[data-board]").dataset;
    return [[board, ...marks.filter(Boolean)].join(" "), [x, y, x + width, y + height]];
  })))"""
"""A cell of each kind on each board, the first, and where it is drawn."""


def alike(page: Page) -> set[tuple[str, str]]:
    """The pairs of kinds of cells on the same board whose shapes are not told apart."""
    page.evaluate("document.activeElement.blur()")  # the aim is drawn over the cell in focus
    whole = Image.open(io.BytesIO(page.screenshot()))
    kinds = {kind: picture(whole.crop(box)) for kind, box in page.evaluate(_KINDS)}
    assert len(kinds) >= 3, kinds
    return {
        (one, other)
        for one, other in combinations(sorted(kinds), 2)
        if one.split()[0] == other.split()[0] and difference(kinds[one], kinds[other]) <= LEAST
    }
