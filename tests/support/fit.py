"""How a page fits its window: what scrolls, is covered or cut, and how large its board is."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.support.layout import INNER

Windows = tuple[tuple[int, int], ...]
WINDOWS: Windows = (
    (360, 640), (390, 844), (844, 390), (768, 1024), (1280, 600), (1366, 657), (1440, 789),
    (1536, 730), (1920, 947), (2560, 1300),
)  # fmt: skip
SHAPES: Windows = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 600), (1440, 789))
"""Windows of which each has another layout."""
LEAST_SHARE = 0.85
"""The least part of the smaller side of its room that the board in play fills."""
LEAST_OF_WINDOW = 0.74
"""The least part of the window's smaller side that the sea of a square board in play fills."""

_SEEN = """() => {
  const {innerWidth: width, innerHeight: height} = window, page = document.documentElement;
  const faults = [];
  if (page.scrollHeight > height + 1) faults.push(`scrolls by ${page.scrollHeight - height}`);
  if (page.scrollWidth > width + 1) faults.push(`wider by ${page.scrollWidth - width}`);
  const isSeen = (it) => it.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const named = (it) =>
    `${it.id || it.className || it.tagName} ${it.textContent.trim().slice(0, 20)}`;
  for (const it of document.querySelectorAll("a, button, input, summary, label, select")) {
    if (!isSeen(it) || it.closest(".sr-only, .skip, dialog, [popover]")) continue;
    if (it.closest("details:not([open])") && !it.matches("details:not([open]) > summary")) continue;
    const box = it.getBoundingClientRect();
    if (!box.width) continue;
    if (box.left < -0.5 || box.top < -0.5 || box.right > width + 0.5 || box.bottom > height + 0.5) {
      faults.push(`outside: ${named(it)}`);
      continue;
    }
    if (it.matches(INNER)) continue;
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isOwnLabel = it.matches("input") && top?.closest("label") === it.closest("label");
    const isArrow = it.matches(".grab") && top?.matches(".steer"); // each does what it shows
    if (top && !it.contains(top) && !top.contains(it) && !isOwnLabel && !isArrow)
      faults.push(`covered: ${named(it)} by ${named(top)}`);
    const isBox = !it.matches("input, select") && getComputedStyle(it).display !== "inline";
    if (isBox && it.scrollWidth > it.clientWidth + 2)
      faults.push(`too narrow: ${named(it)}`);
  }
  const status = document.getElementById("status");
  const isForTheEar = getComputedStyle(status).clipPath !== "none";
  if (!isForTheEar && status.scrollHeight > status.clientHeight + 1)
    faults.push(`cut: ${status.textContent.trim()}`);
  const {phase} = document.getElementById("game").dataset;
  const kind = phase === "firing" ? "enemy" : "own";
  const board = document.querySelector(`[data-board=${kind}] .hulls`)?.getBoundingClientRect()
    ?? {width: 0, height: 0};
  if (phase === "firing" && board.width === board.height &&
      board.width < LEAST * Math.min(width, height))
    faults.push(`small: ${board.width}`);
  const {fontSize} = getComputedStyle(page);
  return {faults, phase, board: [board.width, board.height], rem: parseFloat(fontSize)};
}""".replace("INNER", json.dumps(INNER)).replace("LEAST", str(LEAST_OF_WINDOW))


def room(width: int, height: int, rem: float) -> float:
    """The side of the largest square board beside what a window's shape reserves, in pixels.

    That is bars and what is said; labels, scale and caption of a sheet; the dock or the other
    sheet; and the fleets.
    """
    labels, caption = 23.0, 1.5 * rem
    ratio = width / height
    if ratio >= 9 / 5 and width >= 1000 and height >= 540:
        is_low = ratio >= 2 and height <= 700
        labels, caption = 1.5 * rem + 7, (1.5 if is_low else 1.75) * rem
        beside, bars = 12.0 if ratio < 2 else 20.25 if is_low else 21, 6 if is_low else 7.5
        high = height - bars * rem - labels - caption
        return min((width - beside * rem - 2 * labels) / 2, high)
    if ratio >= 1:
        beside = 24 if ratio < 3 / 2 else 22 if height <= 480 else 36
        return min(width - beside * rem - labels, height - 0.75 * rem - labels - caption)
    dock = 1.5 if ratio <= 1 / 2 else 1.3
    return min(width - 8 - labels, (height - 10.5 * rem) / dock - labels - caption)


def measured(
    page: Page, where: str, windows: Windows = WINDOWS
) -> tuple[dict[str, list[str]], dict[str, float]]:
    """The faults of a page in each window that has any, and the board's share of its room."""
    page.goto(where)
    return measured_here(page, windows)


def measured_here(
    page: Page, windows: Windows = WINDOWS
) -> tuple[dict[str, list[str]], dict[str, float]]:
    faults, shares = {}, {}
    for width, height in windows:
        page.set_viewport_size({"width": width, "height": height})
        seen: dict[str, Any] = page.evaluate(_SEEN)
        if seen["faults"]:
            faults[f"{width}x{height}"] = seen["faults"]
        shares[f"{width}x{height}"] = max(seen["board"]) / room(width, height, seen["rem"])
    return faults, shares
