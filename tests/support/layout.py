"""What is wrong with how a page looks: with its layout, its boards' size, and by axe's rules."""

import json
from importlib.resources import files

from tests.support.browser import Page, Scheme

INNER = "tr:not(:first-child, :last-child) > td:not(:first-of-type, :last-of-type) > button"
"""Buttons of cells within a board: what lies over one comes over the board's edge.

To ask what lies at a point takes milliseconds, and a board has a hundred cells.
"""

FAULTS = r"""(kinds) => {
const page = document.documentElement, found = new Set();
const named = (it) => it.localName + (it.id && `#${it.id}`) +
  [...it.classList].map((name) => `.${name}`).join("");
const note = (kind, it, more) => found.add(`${kind}: ${named(it)} ${more}`.trim());
const excerpt = (it) => JSON.stringify(it.textContent.trim().replace(/\s+/g, " ").slice(0, 30));
const isOnlyHeard = (it) => // cut to nothing, for readers of the screen alone
  it && (/rect|inset/.test(getComputedStyle(it).clip + getComputedStyle(it).clipPath) ||
    isOnlyHeard(it.parentElement));
const isShown = (it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  !it.closest(".sr-only, .skip:not(:focus), dialog, svg, script, style, noscript, template, option")
  && !isOnlyHeard(it);

const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, it = node.parentElement;
  if (node.data.trim() && isShown(it)) texts.push({ node, it });
}
function boxesOf(node, start = 0, end = node.data.length) {
  const range = new Range();
  range.setStart(node, start);
  range.setEnd(node, end);
  return [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5);
}

const checks = {
  broken() { // a word goes on in the next line without a hyphen
    for (const { node, it } of texts) {
      if (it.closest("code, pre, textarea") || boxesOf(node).length < 2) continue;
      if (getComputedStyle(it).hyphens === "auto") continue;
      for (const run of node.data.matchAll(/\S+/gu)) {
        if (/\u00ad|[/.@:_=]\S/.test(run[0])) continue; // it may break there, or is an address
        for (const word of run[0].matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
          const start = run.index + word.index;
          const [first, ...rest] = boxesOf(node, start, start + word[0].length);
          if (rest.some(({ top }) => top >= first.bottom - 2)) note("broken", it, word[0]);
        }
      }
    }
  },

  clipped() { // text goes on where its box has ended
    for (const { node, it } of texts) {
      for (let box = it; box !== document.body && box !== page; box = box.parentElement) {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
        const isWide = /hidden|clip/.test(overflowX) && box.scrollWidth > box.clientWidth + 1;
        const isHigh = /hidden|clip/.test(overflowY) && box.scrollHeight > box.clientHeight + 1;
        if (!isWide && !isHigh) continue;
        const edge = box.getBoundingClientRect();
        const isOut = ({ left, right, top, bottom, height }) =>
          (isWide && (left < edge.left - 1 || right > edge.right + 1)) ||
          (isHigh && (top < edge.top - height / 3 || bottom > edge.bottom + height / 3));
        const isCut = isWide && textOverflow === "ellipsis";
        if (isCut || boxesOf(node).some(isOut)) note("clipped", it, excerpt(it));
      }
    }
  },

  covered() { // something else lies over a text or over what can be pressed
    const inView = (x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    const targets = [...document.querySelectorAll("a, button, input, select, summary, textarea")]
      .filter((it) => !it.matches(INNER) && isShown(it))
      .map((it) => ({ it, inset: 4, boxes: () => [...it.getClientRects()] }));
    // Letters leave more of their line free.
    for (const { node, it } of texts) targets.push({ it, inset: 3, boxes: () => boxesOf(node) });
    // Of two sheets one lies docked or above; the end lies on both; arrows take presses around.
    // Where cells are typed, a button that nobody sees lies on the board.
    const isMeant = (it, top) =>
      top.closest(".grab, .over-board") || (it.matches(".grab, .steer") && top.matches(".steer")) ||
      (it.closest(".enemy") && top.closest(".lift .own"));
    const isLabelled = (it, other) => [...(it.labels ?? [])].some((label) => label.contains(other));
    const isReached = (it, top) => it.contains(top) || top.contains(it) || isMeant(it, top) ||
      isLabelled(it, top) || isLabelled(top, it);
    const isScrolledAway = (it, x, y) => {
      for (let box = it.parentElement; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflow === "visible") continue;
        const { left, right, top, bottom } = box.getBoundingClientRect();
        if (x < left || x > right || y < top || y > bottom) return true;
      }
      return false;
    };
    const last = page.scrollHeight - innerHeight, done = new Set();
    for (let step = 0; ; step += innerHeight / 2) {
      const y0 = Math.min(step, last), isFirst = step === 0, isLast = step >= last;
      scrollTo({ top: y0, behavior: "instant" });
      for (const target of targets) {
        if (done.has(target)) continue;
        const { it, inset } = target;
        if (getComputedStyle(it).pointerEvents === "none") { done.add(target); continue; }
        for (const { left, right, top, bottom, width, height } of target.boxes()) {
          if (width < 3 || height < 3) continue;
          const middle = (top + bottom) / 2;
          if (!isFirst && middle < innerHeight / 4) continue;
          if (!isLast && middle > innerHeight * 3 / 4) continue;
          done.add(target);
          const dx = Math.min(width / 4, 8), dy = height / inset;
          const points = [[(left + right) / 2, middle]];
          for (const x of [left + dx, right - dx]) points.push([x, top + dy], [x, bottom - dy]);
          for (const [x, y] of points) {
            const over = inView(x, y) && document.elementFromPoint(x, y);
            if (!over || isReached(it, over) || isScrolledAway(it, x, y)) continue;
            note("covered", it, `${excerpt(it)} by ${named(over)}`);
            break;
          }
        }
      }
      if (isLast) break;
    }
    scrollTo({ top: 0, behavior: "instant" });
  },

  sideways() { // the page can be scrolled to the side
    if (page.scrollWidth <= page.clientWidth) return;
    const wide = [...document.body.querySelectorAll("*")].filter(isShown)
      .filter((it) => it.getBoundingClientRect().right > page.clientWidth + 0.5).slice(0, 3);
    for (const it of [page, ...wide]) note("sideways", it, `of ${page.clientWidth}`);
  },

  lost() { // text lies where nobody can scroll to
    for (const { node, it } of texts) {
      let box = it;
      while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
      const isOut = ({ left, right, top }) =>
        left < -1 || right > page.clientWidth + 1 || top + scrollY < -1;
      if (!box && boxesOf(node).some(isOut)) note("lost", it, excerpt(it));
    }
  },

  touching() { // letters touch those of another block, or the edge of their own box
    const isClear = (style) => /^rgba.*, 0\)$/.test(style.backgroundColor);
    const up = (it, test) => {
      while (it && !test(getComputedStyle(it), it)) it = it.parentElement;
      return it;
    };
    const lines = texts.flatMap(({ node, it }) => {
      const block = up(it, ({ display }) => display !== "inline");
      const layer = up(it, (style) => !/static|relative/.test(style.position) && !isClear(style));
      const box = up(it, (style) => !isClear(style) || parseFloat(style.borderLeftWidth) > 0);
      const frame = up(it, ({ overflow }) => overflow !== "visible");
      const within = frame?.getBoundingClientRect();
      const isScrolled = frame && (frame === box || !frame.contains(box));
      const edge = !isScrolled && box?.getBoundingClientRect();
      return boxesOf(node, node.data.search(/\S/), node.data.trimEnd().length)
        .filter(({ top, bottom }) => !within || (top >= within.top && bottom <= within.bottom))
        .map(({ left, right, top, bottom, height }) => ({ it, block, layer, edge, left, right,
          top: top + height / 8, bottom: bottom - height / 8 }));
    }).sort((one, other) => one.top - other.top);
    lines.forEach((one, at) => {
      const { it, block, layer, edge, left, right, top, bottom } = one;
      const isIn = ({ left: x, right: x2, top: y, bottom: y2 }) =>
        left >= x && right <= x2 && top >= y && bottom <= y2;
      if (edge && !isIn(edge)) note("touching", it, `${excerpt(it)} and its edge`);
      for (const other of lines.slice(at + 1)) {
        if (other.top > bottom) break;
        if (other.block === block || left > other.right + 1 || right < other.left - 1) continue;
        if (other.it.matches(".heat > small") && it === other.it.parentElement) continue; // 47%
        const [here, there] = [it, other.it].map((one) => one.closest(".sheet"));
        if (layer === other.layer && (!here || !there || here === there))
          note("touching", it, `${excerpt(it)} and ${named(other.it)} ${excerpt(other.it)}`);
      }
    });
  },

  scrolls() { // the page can be scrolled down
    if (page.scrollHeight > innerHeight + 1) note("scrolls", page, page.scrollHeight - innerHeight);
  },

  outside() { // what can be pressed lies beyond the window
    for (const it of document.querySelectorAll("a, button, input, select, summary, textarea")) {
      const { left, top, right, bottom, width } = it.getBoundingClientRect();
      if (!width || !isShown(it) || it.closest("[popover]")) continue;
      const isIn = left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
      if (!isIn) note("outside", it, excerpt(it));
    }
  },

  cut() { // the status is longer than its place
    const it = document.getElementById("status");
    if (!it || isOnlyHeard(it)) return;
    const isRead = it.querySelector("[tabindex]") && it.textContent.length > 110; // it scrolls
    if (it.scrollHeight > it.clientHeight + 1 && !isRead) note("cut", it, excerpt(it));
  },
};
for (const kind of kinds) checks[kind]();
return [...found];
}""".replace("INNER", json.dumps(INNER))
"""A function in JavaScript: given names of checks, what they find, a line for each fault."""

CHECKS = ("broken", "clipped", "covered", "cut", "lost", "sideways")
"""What must hold for every page."""
FITS = (*CHECKS, "scrolls", "outside")
"""What must hold for a match, which fits its window."""


def faults(page: Page, checks: tuple[str, ...] = CHECKS) -> list[str]:
    """What is wrong with the page as it stands."""
    found: list[str] = page.evaluate(f"({FAULTS})({json.dumps(checks)})")
    return found


def watch_for_shifts(page: Page) -> None:
    """Notes every shift from now on, those too that follow on a click and are usually forgiven."""
    page.wait_for_pictures()  # what the page is first drawn from has no place that it could leave
    page.evaluate("""() => {
      window.shifts = [];
      const named = ({ node, currentRect: { x, y } }) =>
        `${node?.id || node?.getAttribute?.("class") || node?.nodeName} to ${x}, ${y}`;
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
          shifts.push([value, ...sources.map(named)]);
        }
      }).observe({ type: "layout-shift" });
    }""")


def shifts(page: Page) -> list[list[object]]:
    """Returns each layout shift: how far it went, and which elements moved where."""
    page.wait_for_pictures()
    found: list[list[object]] = page.evaluate("shifts")
    return found


# --- how a match fits its window; axe ---

Windows = tuple[tuple[int, int], ...]
SHAPES: Windows = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 600), (1440, 789))
"""Windows of which each has another layout."""
WINDOWS: Windows = (*SHAPES, (1366, 657), (1536, 730), (1920, 947), (2560, 1300))
LEAST = 0.74
"""The least part of the window's smaller side that the sea in play fills."""

_SIDE = """() => {
  const { phase } = document.getElementById("game").dataset;
  const kind = { placing: "own", firing: "enemy" }[phase];
  return document.querySelector(`[data-board=${kind}] .hulls`)?.getBoundingClientRect().width;
}"""
"""How wide the sea in play is; nothing where none is played."""


def misfits(page: Page, where: str = "", windows: Windows = SHAPES) -> list[str]:
    """What is wrong with how a match lies in these windows, a line for each fault."""
    if where:
        page.goto(where)
    found = []
    for width, height in windows:
        page.resize(width, height)
        wrong, side = faults(page, FITS), page.evaluate(_SIDE)
        if side is not None and side < LEAST * min(width, height):
            wrong.append(f"small: {side}")
        found += [f"{width}x{height}: {fault}" for fault in wrong]
    return found


AXE_SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text()
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
SIGHTS: list[tuple[int, Scheme]] = [
    (width, scheme) for scheme in ("light", "dark") for width in (320, 360, 1280)
]
"""The windows and schemes that are tested."""


def look_for_faults(page: Page, sights: list[tuple[int, Scheme]]) -> list[str]:
    """Returns what axe finds on the page in each of the sights: rules, and what breaks them."""
    page.evaluate(AXE_SCRIPT)
    faults = []
    for width, scheme in sights:
        page.resize(width, {320: 568, 360: 640, 1280: 800}[width])
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(f"axe.run({json.dumps(OPTIONS)}).then((it) => it.violations)")
        for rule in found:
            nodes = [node["html"][:160] for node in rule["nodes"][:3]]
            faults.append(f"{width} {scheme}: {rule['id']}: {rule['help']}: {nodes}")
    return faults
