"""How a mind plays against beginners: points, lengths of matches, and where it searches.

python -m bench manner --presets bonn short --matches 400
python -m bench manner --draw 20

The columns are the beginner's points, the median of the own turns, the median and the 90th
percentile of the mind's longest run of turns without a hit, and the median share of a match after
which the lead changed no more; of the mind's searching shots, which it fires while no hit is open,
the shares at old water, at a cell of its last five turns and beside wrecks, and the mean distance
in cells from the searching shot before.

With --draw, games of the mind against the plain beginner are drawn: its shots in their order, hits
in brackets.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from itertools import groupby, product
from math import hypot
from statistics import fmean, median
from typing import NamedTuple

from bench.beginners import BEGINNERS, PLAIN, open_hits
from bench.report import Sample, Table, say, track
from bench.selfplay import PLAYERS, POINTS, play_match
from game.engine.actions import Result, Shot
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Side

RECENT = 5
"""The own turns in which nobody would fire at a cell again."""


class Manner(NamedTuple):
    """What the columns show, of one match of a beginner, who is the first side, against a mind."""

    points: float
    turns: int
    """The own turns of the side that had more."""
    is_limited: bool
    """Whether the turn limit ended it."""
    dry: int
    lead: float
    searches: int
    """The number of searching shots; the next three count some of them."""
    old: int
    recent: int
    beside: int
    """The searching shots beside wrecks, where ships may not touch."""
    steps: tuple[float, ...]


def manner_of(match: Match) -> Manner:
    """The figures of an ended match; raises ValueError before the end."""
    if match.outcome is None:
        raise ValueError("the match goes on")
    rules = match.ruleset
    mine = [shot for shot in match.shots if shot.side is Side.SECOND]
    searching, old, recent, beside = _searches(match, mine)
    cells = [(rules.board.column(shot.cell), rules.board.row(shot.cell)) for shot in searching]
    steps = [hypot(x - a, y - b) for (x, y), (a, b) in zip(cells[1:], cells, strict=False)]
    return Manner(
        POINTS[match.outcome.winner], (match.turn + 1) // 2, match.turn == rules.limit,
        _longest_dry(mine), _last_lead(match), len(searching), old, recent, beside, tuple(steps),
    )  # fmt: skip


def _searches(match: Match, mine: list[Shot]) -> tuple[list[Shot], int, int, int]:
    """The shots while no hit was open, and how many were old water, recent, and beside wrecks."""
    fired: dict[int, Shot] = {}
    searching, old, recent, beside, halo = [], 0, 0, 0, 0
    seen = observe(match, Side.SECOND)
    for at, shot in enumerate(mine):
        if not open_hits(replace(seen, shots=tuple(mine[:at]))):
            searching.append(shot)
            last = fired.get(shot.cell)
            old += last is not None and last.result is Result.WATER
            recent += last is not None and shot.turn - last.turn <= 2 * RECENT
            beside += halo >> shot.cell & 1
        fired[shot.cell] = shot
        if shot.wreck is not None and not match.ruleset.touching:
            halo |= shot.wreck.halo
    return searching, old, recent, beside


def _longest_dry(shots: list[Shot]) -> int:
    turns = groupby(shots, lambda shot: shot.turn)
    is_dry = [all(shot.result is Result.WATER for shot in turn) for _, turn in turns]
    return max((len([*run]) for dry, run in groupby(is_dry) if dry), default=0)


def _last_lead(match: Match) -> float:
    """The share of the turns before the last change of the side with more hits."""
    hits, leader, changed = [0, 0], None, 0
    for shot in match.shots:
        hits[shot.side] += shot.result is not Result.WATER
        ahead = None if hits[0] == hits[1] else hits[1] > hits[0]
        if ahead is not None and ahead is not leader:
            changed = changed if leader is None else shot.turn
            leader = ahead
    return changed / max(1, match.turn)


def drawn(match: Match) -> str:
    """The board with the numbers of the mind's shots in each cell, hits in brackets."""
    board = match.ruleset.board
    told: dict[int, list[str]] = {cell: [] for cell in board.cells}
    mine = [shot for shot in match.shots if shot.side is Side.SECOND]
    for number, shot in enumerate(mine, start=1):
        is_hit = shot.result is not Result.WATER
        told[shot.cell].append(f"[{number}]" if is_hit else str(number))
    texts = {cell: "/".join(numbers) or "." for cell, numbers in told.items()}
    width = max(map(len, texts.values())) + 1
    return "\n".join(
        "".join(texts[board.cell(column, row)].rjust(width) for column in range(board.columns))
        for row in range(board.rows)
    )


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    names = [name for name in PRESETS if name != OWN.name]
    add("--mind", choices=list(PLAYERS), metavar="NAME", default="recruit")
    add("--presets", nargs="+", choices=names, metavar="PRESET", default=["bonn", "short"])
    add("--matches", type=int, default=400, help="of each beginner")
    add("--draw", type=int, metavar="GAMES", help="draw so many games instead")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    mind = PLAYERS[options.mind]
    if options.draw:
        for name, game in product(options.presets, range(options.draw)):
            match = play_match((PLAIN, mind), PRESETS[name].ruleset, options.seed, game)
            say(f"{name}, game {game + 1}: {match.turn} turns\n{drawn(match)}\n")
        return
    say(f"Beginners against {mind.name}")
    table = Table(
        "preset:12, beginner:14, matches:>8, points:>16.3f, turns:>7.1f, by limit:>10.0%, "
        "dry:>6.1f, 90%:>6.0f, lead:>6.0%, old:>8.1%, recent:>8.1%, beside:>8.1%, cells:>7.2f"
    )
    for name, beginner in product(options.presets, BEGINNERS):
        rules = PRESETS[name].ruleset
        if beginner.moves_of_six and not rules.moving:
            continue
        games = track(range(options.matches), f"{name}, {beginner.name}")
        ends = (play_match((beginner, mind), rules, options.seed, game) for game in games)
        table.say(name, beginner.name, options.matches, *_figures(list(map(manner_of, ends))))


def _figures(found: list[Manner]) -> tuple[object, ...]:
    """Returns the last ten cells of a row."""
    points = Sample(tuple(one.points for one in found))
    dry = Sample(tuple(one.dry for one in found))
    searches = max(1, sum(one.searches for one in found))
    counts = zip(*((one.old, one.recent, one.beside) for one in found), strict=True)
    steps = [step for one in found for step in one.steps]
    return (
        points,
        median(one.turns for one in found),
        fmean(one.is_limited for one in found),
        dry.median,
        dry.percentile(90),
        median(one.lead for one in found),
        *(sum(each) / searches for each in counts),
        fmean(steps or [0]),
    )
