"""Matches and addresses for the tests of pages, in the browser and without one."""

import re
from dataclasses import replace
from datetime import date
from functools import cache, partial
from io import StringIO
from math import inf
from typing import Any
from unittest.mock import patch

from django.core.management import call_command

from bench import matches as bench
from game.engine.actions import Fire
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet, complete, make_fleet, parse_placement
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import BONN, PRESETS
from game.engine.rules import Pair, Ruleset, Side
from game.matches import daily, referee
from game.matches.draft import Draft
from game.matches.saved import SavedMatch, begin
from game.matches.setup import LINK_BYTES, Day, Learning, Setup, Tally, solo
from game.matches.tokens import seal_draft, seal_match, seal_replay, unseal_match
from game.players.belief.habits import HABITS
from game.players.minds import MINDS
from tests.support import boards

HALF_BONN = replace(BONN, turns=75)
"""Bonn's rules in matches of half the length, which takes the tests half the time."""


def opening(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match before its first shot, decided by its number."""
    saved = bench.begun(Setup(rules, (None, "random")), number)
    return with_setup(saved, minds=(None, mind)).with_minds_played()


def with_setup(saved: SavedMatch, **changes: Any) -> SavedMatch:
    """The match with another setup."""
    return replace(saved, setup=replace(saved.setup, **changes))


def searching(preset: str = "milton", *, number: int = 0, hints: bool = False) -> SavedMatch:
    """A preset's search alone before its first shot, decided by its number."""
    return bench.begun(solo(PRESETS[preset].ruleset, PRESETS[preset], hints=hints), number)


def played(saved: SavedMatch, actions: int) -> SavedMatch:
    """The saved match after the person has acted at random that often."""
    for number in range(actions):
        match = saved.match
        if match.outcome is not None:
            break
        action = bench.at_random(match, Chance(bytes(16), "person", number))
        saved = replace(saved, match=match.act(action)).with_minds_played()
    return saved


def at_turn(saved: SavedMatch, actions: int) -> SavedMatch:
    """The same, and on to the beginning of a turn in which the person may move a ship."""
    saved = played(saved, actions)
    while not observe(saved.match, Side.FIRST).may_move:
        assert saved.match.outcome is None
        saved = played(saved, 1)
    return saved


def ended(rules: Ruleset = HALF_BONN, *, number: int = 0, mind: str = "random") -> SavedMatch:
    """A match played to its end."""
    return played(opening(rules, number=number, mind=mind), 10_000)


@cache
def fought(rules: Ruleset, names: Pair[str | None], number: int = 1) -> Match:
    """A whole match between two minds; a person's part is played at random."""
    seed = number.to_bytes(16, "big")
    first, second = (MINDS[name or "random"] for name in names)
    fleets = (
        referee.deploy(first, rules, Side.FIRST, seed),
        referee.deploy(second, rules, Side.SECOND, seed),
    )
    return referee.play_minds(Match(rules, fleets, seed), (first, second))


@cache
def ended_against(mind: str, rules: Ruleset, number: int) -> SavedMatch:
    """An ended match against a mind that has placed its own fleet."""
    seed = number.to_bytes(16, "big")
    mine = complete(rules, (), Chance(seed, "person", 0))
    theirs = referee.deploy(MINDS[mind], rules, Side.SECOND, seed)
    saved = SavedMatch(Setup(rules, (None, mind)), Match(rules, (mine, theirs), seed))
    return played(saved.with_minds_played(), 10_000)


def verified(record: str, *options: str) -> str:
    """What `manage.py verify` says of a record; raises CommandError where it refuses one."""
    said = StringIO()
    with patch("sys.stdin", StringIO(record)):
        call_command("verify", "-", *options, stdout=said)
    return said.getvalue()


def address(saved: SavedMatch, language: str = "en", *, page: str = "play") -> str:
    """Where a saved match is played."""
    return f"/{language}/{page}/{seal_match(saved)}/"


def saved_at(where: str) -> SavedMatch:
    """The match in an address, decrypted with the server's key."""
    found = re.search(r"/[a-z]{2}/\w+/([^/]+)/", where)
    assert found is not None, where
    return unseal_match(found[1])


# --- matches for the browser, sealed without being played ---

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


def fired(names: str, saved: SavedMatch | None = None) -> SavedMatch:
    """A match after the person's shots, and what the computer has done then."""
    saved = saved or begun()
    for name in names.split():
        fire = Fire(saved.match.ruleset.board.parse(name))
        saved = saved.acted(fire).with_minds_played()
    return saved


def deployed(rules: Ruleset = BONN, seed: bytes = SEED) -> SavedMatch:
    """A match against the random player before its first shot; that player placed both fleets."""
    first, second = (referee.deploy(MINDS["random"], rules, side, seed) for side in Side)
    return SavedMatch(Setup(rules, (None, "random")), Match(rules, (first, second), seed))


@cache
def _fought(rules: Ruleset = BONN, turn: int | None = None) -> SavedMatch:
    """A match of the random player against a medium mind, up to that player's turn or its end."""
    saved = begun(rules)
    match = saved.match
    minds = (MINDS["random"], MINDS["bonn-medium"])
    while match.outcome is None and (turn is None or match.turn < turn or match.side):
        match = referee.decide(minds[match.side], match)
    return replace(saved, match=match)


def firing_late() -> SavedMatch:
    """A match in which the person may move and fire, with marks of water of many ages."""
    return _fought(turn=24)


def lost() -> SavedMatch:
    """A whole match that the person has lost."""
    return _fought()


def ended_soon() -> SavedMatch:
    """A match that ended at a limit of thirty turns for each: its replay has few steps."""
    return _fought(replace(BONN, turns=60))


def asked_and_ended() -> SavedMatch:
    """A match with questions that the person gives up."""
    saved = begun(replace(STILL, questions=3), minds=(None, "random"))
    match = boards.play(saved.match, "A1:D4? E4 A1:D4? A1 G5:G9? J4 C1:C1? A2")
    return replace(saved, match=match).resigned(Side.FIRST)


def nearly_won(left: int = 2) -> SavedMatch:
    """A match in its first turn, in which so many cells of the enemy's ships are not yet hit."""
    return hit_all_but(left, begun())


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


replay_address = partial(address, page="replay")


def public_replay_address(saved: SavedMatch, language: str = "en") -> str:
    return f"/{language}/film/{seal_replay(saved)}/"


def coached() -> SavedMatch:
    """A match with the coach switched on, the person to fire."""
    saved = firing_late()
    return replace(saved, setup=saved.setup.with_help(coach=True))


def taught() -> SavedMatch:
    """A match of a later round, given up, in which the computer knows how the person places."""
    known = tuple(127 if habit == "edge" else -20 for habit in HABITS)
    tally = Tally((1, 2))
    saved = begun(STILL, minds=(None, "admiral"), learning=Learning(known), tally=tally)
    return saved.resigned(Side.FIRST)


def place_address(placed: str = "", language: str = "en") -> str:
    """The address of a fleet being placed."""
    ships = tuple(parse_placement(BONN.board, text) for text in placed.split())
    return draft_address(Draft(Setup(BONN), ships), language)


def draft_address(draft: Draft, language: str = "en") -> str:
    page = "place" if draft.seat is None else "seat"
    return f"/{language}/{page}/{seal_draft(draft)}/"


def enemy_ships(where: str) -> list[str]:
    """The cells of the enemy's ships that are not yet hit, ship by ship."""
    saved = saved_at(where)
    return [saved.match.ruleset.board.name(cell) for cell in not_yet_hit(saved)]


def later(where: str, left: int) -> str:
    """Where the match goes on once the person has hit all but so many cells of the ships."""
    language = where.split("/play/")[0].rpartition("/")[2]
    return address(hit_all_but(left, saved_at(where)), language)


def waters(match: Match, side: Side) -> list[str]:
    """The cells without a ship of that side at which the other has not fired."""
    fired = {shot.cell for shot in match.shots if shot.side is not side}
    ships = {cell for ship in match.placements(side) for cell in ship.cells}
    board = match.ruleset.board
    return [board.name(cell) for cell in board.cells if cell not in fired | ships]


def enemy_water(where: str) -> str:
    """A cell that holds no ship of the enemy and has not been fired at."""
    saved = saved_at(where)
    return waters(saved.match, saved.setup.person.opponent)[0]


# --- a day's sea ---

DAY = Day(date(2026, 11, 22), 1, bytes(LINK_BYTES))
"""Of no site: pages of a day look the same whatever chain its fleet comes from."""


def sea(misses: int = 5, hits: int = 6) -> SavedMatch:
    """A day's sea after so many shots at water and at ships."""
    milton = PRESETS["milton"]
    rules = daily.sea_rules(milton.ruleset)
    saved = begin(replace(solo(rules, milton), day=DAY), bytes(SEED_BYTES))
    match = saved.match
    ships = [cell for ship in match.placements(Side.SECOND) for cell in ship.cells]
    water = [cell for cell in match.ruleset.board.cells if cell not in ships]
    for cell in (*water[:misses], *ships[:hits]):
        match = match.fire(cell)
    return replace(saved, match=match)


@cache
def sea_sunk() -> SavedMatch:
    """A day's sea that was searched to its end, and its par."""
    return sea(hits=17).with_par(inf)
