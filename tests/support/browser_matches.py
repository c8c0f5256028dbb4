"""Matches for browser tests, sealed without being played."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from game.engine.actions import Fire
from game.engine.fleets import Fleet, Placement, make_fleet, parse_placement
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.presets import BONN
from game.engine.rules import Ruleset, Side
from game.matches import referee
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Learning, Setup, Tally
from game.matches.tokens import seal_draft, seal_replay, unseal_match
from game.players.belief.habits import HABITS
from game.players.minds import MINDS
from tests.support import boards
from tests.support.matches import address

STILL = replace(BONN, moving=False)
SEED = bytes(range(16))
MINE = "A3v5 D2h4 B10h4 C4v3 D8h3 J3v3 E6h2 F4h2 H8v2 J8v2"
THEIRS = "J6v5 H7v4 F7v4 D8v3 B8v3 A1v3 C1h2 F1h2 I1h2 C3h2"
"""Two legal fleets; the first has sixteen moves."""
EMPTY = ("E4", "J4", "I4", "G4", "A6", "E6", "A5", "G3", "C5", "I3")
"""Cells without a ship, where those of THEIRS don't move."""


def fleet(rules: Ruleset, texts: str) -> Fleet:
    """The fleet that is written in one line."""
    return make_fleet(rules, [parse_placement(rules.board, text) for text in texts.split()])


def begun(rules: Ruleset = BONN, seed: bytes = SEED, **setup: Any) -> SavedMatch:
    """A match with these two fleets before its first shot."""
    match = Match(rules, (fleet(rules, MINE), fleet(rules, THEIRS)), seed)
    return SavedMatch(Setup(rules, **setup), match)


def deployed(rules: Ruleset = BONN, seed: bytes = SEED) -> SavedMatch:
    """A match against the random player before its first shot; that player placed both fleets."""
    first, second = (referee.deploy(MINDS["random"], rules, side, seed) for side in Side)
    return SavedMatch(Setup(rules, (None, "random")), Match(rules, (first, second), seed))


@cache
def played(is_enough: Callable[[Match], bool], rules: Ruleset = BONN) -> SavedMatch:
    """A match of the random player against a medium mind, up to where `is_enough` says so."""
    saved = begun(rules)
    match = saved.match
    minds = (MINDS["random"], MINDS["bonn-medium"])
    while not is_enough(match):
        match = referee.decide(minds[match.side], match)
    return replace(saved, match=match)


def is_firing_late(match: Match) -> bool:
    """Whether the person may move and fire, with marks of water of many ages on the boards."""
    return match.turn >= 24 and match.side is Side.FIRST


def is_over(match: Match) -> bool:
    return match.outcome is not None


def ended_soon() -> SavedMatch:
    """A match that ended at a limit of thirty turns for each: its replay has few steps."""
    return played(is_over, replace(BONN, turns=60))


def asked_and_ended() -> SavedMatch:
    """A match with questions that the person gives up."""
    saved = begun(replace(STILL, questions=3), minds=(None, "random"))
    match = boards.play(saved.match, "A1:D4? E4 A1:D4? A1 G5:G9? J4 C1:C1? A2")
    return replace(saved, match=match).resigned(Side.FIRST)


def nearly_won(left: int = 2, rules: Ruleset = BONN) -> SavedMatch:
    """A match in its first turn, in which so many cells of the enemy's ships are not yet hit."""
    return hit_all_but(left, begun(rules))


def not_yet_hit(saved: SavedMatch) -> list[Cell]:
    """The cells of the enemy's ships that are not yet hit, ship by ship."""
    match, enemy = saved.match, saved.setup.person.opponent
    return [
        cell
        for index, ship in enumerate(match.placements(enemy))
        if match.is_afloat(enemy, index)
        for cell in ship.cells
        if cell not in match.hits(enemy)
    ]


def hit_all_but(left: int, saved: SavedMatch) -> SavedMatch:
    """The match once the person has hit all but so many cells of the enemy's ships."""
    while len(found := not_yet_hit(saved)) > left:
        saved = replace(saved, match=saved.match.fire(found[0])).with_minds_played()
    return saved


def won() -> SavedMatch:
    """A match that was won in thirty shots: its review takes little time."""
    saved = nearly_won(1)
    last = saved.match.placements(Side.SECOND)[-1].cells[-1]
    return replace(saved, match=saved.match.act(Fire(last)))


play_address = address
replay_address = partial(address, page="replay")
review_address = partial(address, page="review")
share_address = partial(address, page="share")
elsewhere_address = partial(address, page="elsewhere")


def public_replay_address(saved: SavedMatch, language: str = "en") -> str:
    return f"/{language}/film/{seal_replay(saved)}/"


def coached() -> SavedMatch:
    """A match with the coach switched on, the person to fire."""
    saved = played(is_firing_late)
    return replace(saved, setup=saved.setup.switched(coach=True))


def taught() -> SavedMatch:
    """A match of a later round, given up, in which the computer knows how the person places."""
    known = tuple(127 if habit == "edge" else -20 for habit in HABITS)
    tally = Tally((1, 2))
    saved = begun(STILL, minds=(None, "admiral"), learning=Learning(known), tally=tally)
    return saved.resigned(Side.FIRST)


def place_address(placed: str = "", language: str = "en", rules: Ruleset = BONN) -> str:
    """The address of a fleet being placed."""
    ships: tuple[Placement, ...] = tuple(
        parse_placement(rules.board, text) for text in placed.split()
    )
    return draft_address(Draft(Setup(rules), ships), language)


def draft_address(draft: Draft, language: str = "en") -> str:
    return f"/{language}/place/{seal_draft(draft)}/"


def saved_at(address: str) -> SavedMatch:
    """Decrypts the match of an address with the server's key."""
    found = re.search(r"/(?:play|replay)/([^/]+)/", address)
    assert found is not None, address
    return unseal_match(found[1])


def enemy_ships(address: str) -> list[str]:
    """The cells of the enemy's ships that are not yet hit, ship by ship."""
    saved = saved_at(address)
    return [saved.match.ruleset.board.name(cell) for cell in not_yet_hit(saved)]


def later(address: str, left: int) -> str:
    """Where the match goes on once the person has hit all but so many cells of the ships."""
    language = address.split("/play/")[0].rpartition("/")[2]
    return play_address(hit_all_but(left, saved_at(address)), language)


def enemy_water(address: str) -> str:
    """A cell that holds no ship of the enemy and has not been fired at."""
    saved = saved_at(address)
    match, person = saved.match, saved.setup.person
    fired = {shot.cell for shot in match.shots if shot.side is person}
    ships = {cell for ship in match.placements(person.opponent) for cell in ship.cells}
    board = match.ruleset.board
    return next(board.name(cell) for cell in board.cells if cell not in fired | ships)
