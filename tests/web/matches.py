"""Matches, sittings and addresses for the tests of pages."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

from game.engine.chance import Chance
from game.engine.match import Match, Phase
from game.engine.observation import observe
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.matches.tokens import seal_match
from game.players.registry import MINDS

DRIFTER = MINDS["drifter"]


def opening(rules: Ruleset = BONN, *, number: int = 0, mind: str = "drifter") -> SavedMatch:
    """A match before its first shot, decided by its number."""
    seed = number.to_bytes(16, "big")
    fleets = tuple(referee.deploy(DRIFTER, rules, side, seed) for side in Side)
    return SavedMatch(Setup(rules, (None, mind)), Match(rules, fleets, seed)).with_minds_played()


def played(saved: SavedMatch, plies: int, *, until: Phase | None = None) -> SavedMatch:
    """The saved match after the person has acted at random that often, or until a phase comes."""
    for number in range(plies):
        match = saved.match
        if match.outcome is not None or match.phase is until:
            break
        seen, chance = observe(match, Side.FIRST), Chance(bytes(16), "person", number)
        if match.phase is Phase.MOVING:
            match = match.act(DRIFTER.steer(seen, chance))
        else:
            match = match.fire(DRIFTER.aim(seen, chance))
        saved = replace(saved, match=match).with_minds_played()
    return saved


def ended(rules: Ruleset = BONN, *, number: int = 0, mind: str = "drifter") -> SavedMatch:
    """A match played to its end."""
    return played(opening(rules, number=number, mind=mind), 10_000)


def address(saved: SavedMatch, *, language: str = "en", page: str = "play") -> str:
    """Where a saved match is played."""
    return f"/{language}/{page}/{seal_match(saved)}/"


def attribute(html: str, name: str) -> str:
    """The first value of an attribute in a page."""
    found = re.search(rf'{name}="([^"]*)"', html)
    assert found, name
    return unescape(found[1])


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
    return re.sub(r"[A-Za-z0-9_-]{60,}", lambda token: f"<{len(token[0])}>", html)
