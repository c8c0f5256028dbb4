"""A picture of how many shots each rank needs alone, as SVG without any style of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from bench.samples import Sample

WIDTH, LEFT, RIGHT = 720, 100, 20
LINE, HEAD, FOOT = 16, 26, 56
"""The heights of a rank, of the name of a sea, and of the axis, in pixels."""
STEP, END = 20, 140
"""The shots from one line of the axis to the next, and those at its end, where all more lie."""
LEGEND = "bar: 10th to 90th percentile; white line: median; dot: mean; tick: 99th percentile"


def picture(alone: Mapping[str, Sequence[tuple[str, Sample]]]) -> str:
    """The SVG of the shots of each rank in each sea."""
    height = FOOT + sum(HEAD + LINE * len(ranks) for ranks in alone.values())

    def x(shots: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(shots, END) / END, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="12" fill="#222">',
        "<title>Shots to sink a fleet, by rank and sea</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for shots in range(0, END + 1, STEP):
        parts += [
            f'<path d="M{x(shots)} 8V{height - FOOT + 8}" stroke="#ccc"/>',
            f'<text x="{x(shots)}" y="{height - FOOT + 24}" text-anchor="middle">{shots}</text>',
        ]
    parts.append(f'<text x="{LEFT}" y="{height - 12}">shots; {escape(LEGEND)}</text>')
    y = 0
    for sea, ranks in alone.items():
        y += HEAD
        parts.append(f'<text x="8" y="{y - 8}" font-weight="bold">{escape(sea)}</text>')
        for name, sample in ranks:
            low, high, last = (x(sample.percentile(percent)) for percent in (10, 90, 99))
            parts += [
                f'<text x="{LEFT - 8}" y="{y + 8}" text-anchor="end">{escape(name)}</text>',
                f'<path d="M{high} {y + 4}H{last}M{last} {y}v8" stroke="#1f6f8b"/>',
                f'<rect x="{low}" y="{y}" width="{round(high - low, 1)}" height="8" '
                'fill="#1f6f8b"/>',
                f'<path d="M{x(sample.median)} {y}v8" stroke="#fff" stroke-width="2"/>',
                f'<circle cx="{x(sample.mean)}" cy="{y + 4}" r="3" fill="#e8a33d" stroke="#222"/>',
            ]
            y += LINE
    return "\n".join((*parts, "</svg>", ""))
