"""What the tests read out of a page."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

ENGLISH = re.compile(
    r"\b(the|your|ship|ships|turn|turns|fire|water|waters|enemy|you|and|match|place|random|hit|"
    r"sunk|rules|about|recap|legend|unknown|clear|start|computer's|of|with|from|is|are|this|that|"
    r"cell|cells|shot|shots|play|game|skip|last|move|none|left)\b"
)
_TOKEN = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{60,}")
"""The lookbehind halves the time: no match is tried within a word."""
NAMES = re.compile(r"University of Melbourne|battleships verify|https?://\S+|%\(\w+\)s|\{\w+\}")
"""Names that every language shares."""


def find(pattern: str | re.Pattern[str], text: str, flags: int = 0) -> re.Match[str]:
    """The first place in a text that has what must be there."""
    found = re.search(pattern, text, flags)
    assert found, pattern
    return found


def attribute(html: str, name: str) -> str:
    """The first value of an attribute in a page."""
    return unescape(find(rf'{name}="([^"]*)"', html)[1])


def status(html: str) -> str:
    """The text of the status line."""
    found = re.search(r'role="status"[^>]*>(.*?)</p>', html, re.DOTALL)
    assert found
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


def cells(html: str, board: str) -> dict[str, str]:
    """The state of every cell of a board, by its name."""
    part = html.split(f'data-board="{board}"')[1].split("</table>")[0]
    return dict(re.findall(r'data-cell="(\w+)" data-state="(\w+)"', part))


def ships(html: str) -> list[str]:
    """The hidden fields of a fleet being placed."""
    return re.findall(r'name="ship" value="(\w+)"', html)


def without_tokens(html: str) -> str:
    """A page with every token masked, but not its length."""
    return _TOKEN.sub(lambda token: f"<{len(token[0])}>", html)


def token_in(where: str) -> str:
    return where.split("/")[3]


def page(client: Client, where: str) -> str:
    """The page at an address, or to which it leads."""
    answer = client.get(where, follow=True)
    assert answer.status_code == 200, where
    return answer.content.decode()


def form_of(html: str) -> str:
    """Where a placing page sends its form."""
    return find(r'class="placing" method="post" action="([^"]*)"', html)[1]


def again_of(html: str) -> str:
    """The address of the next match's draft, to which the end of a match sends its form."""
    return unescape(find(r'action="([^"]*)"[^>]*class="[^"]*\bagain"', html)[1])


def has_no_board(html: str) -> bool:
    """Whether a page holds neither a board nor a control of one."""
    return not re.search(r"data-board|data-cell|data-hull|name=\"(ship|cell|steer)\"", html)
