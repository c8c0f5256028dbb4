"""Colours as a browser computes them, and their contrast."""

import re

from tests.support.browser import Page

Colour = tuple[int, ...]
_NAMED = """names => {
  const probe = document.body.appendChild(document.createElement("i"));
  const found = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found);
}"""


def parsed(colour: str) -> Colour:
    """The red, green and blue of a computed colour."""
    return tuple(int(part) for part in re.findall(r"\d+", colour)[:3])


def luminance(colour: Colour) -> float:
    """Relative luminance (WCAG 2.2, section 1.4.3)."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def named(page: Page, *names: str) -> dict[str, Colour]:
    """The colours of these names on the page."""
    found = page.evaluate(_NAMED, names)
    return {name: parsed(colour) for name, colour in found.items()}
