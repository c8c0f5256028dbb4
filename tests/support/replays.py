"""What a step of a replay shows, and how its page is led there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

_PICTURE = """() => [document.getElementById("game").classList.contains("lift"),
  ...[...document.querySelectorAll("[data-board]")].map((board) => [
  [...board.querySelectorAll("[data-cell]")].map(({ dataset, classList, textContent }) => [
    ...textContent.split(", ").slice(0, 2), dataset.state, dataset.look, ...[...classList].sort(),
  ].join(" ")),
  [...board.querySelectorAll(".hull")].map((hull) =>
    `${hull.dataset.hull} ${[...hull.classList].sort().join(" ")}`).sort(),
  [...board.querySelectorAll("[data-asked]")].map((box) =>
    `${box.dataset.asked} ${[...box.classList].sort().join(" ")}`),
])]"""


def picture(page: Page) -> Any:
    """All that a step draws: which sheet is the hero; cells, rings, hulls, trails and questions."""
    return page.evaluate(_PICTURE)


def more(page: Page) -> None:
    """Opens the drawer with all that isn't in the bar."""
    page.locator("#more > summary").click()


def scrub(page: Page, step: int) -> None:
    page.locator("#step").fill(str(step))
    expect(page.locator("[data-now]")).to_have_text(str(step))
