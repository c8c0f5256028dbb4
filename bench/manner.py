"""How a mind plays against beginners: points, lengths of matches, and where it searches.

python -m bench manner --presets bonn short --matches 400
python -m bench manner --draw 20

With --draw, games of the mind against the plain beginner are drawn: its shots in their order, hits
in brackets. A shot searches if no hit is open.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from math import hypot
from statistics import fmean, median
from typing import NamedTuple

from bench.beginners import EARLIER, PLAIN, SENSIBLE, open_hits
from bench.progress import say, track
from bench.samples import Sample, check_games
from bench.selfplay import PLAYERS, POINTS, begin, game_seed
from game.engine.actions import Result, Shot
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.referee import play_minds
from game.players.mind import Mind

RECENT = 5
"""The own turns in which nobody would fire at a cell again."""


class Manner(NamedTuple):
    """One match of a beginner, who is the first side, against a mind."""

    points: float
    """The beginner's."""
    turns: int
    """The own turns of the side that had more."""
    is_limited: bool
    dry: int
    """The mind's longest run of own turns without a hit."""
    lead: float
    """The share of the match after which the lead in hits didn't change any more."""
    searches: int
    old: int
    """The searching shots at water that the mind fired at before, and of the last turns."""
    recent: int
    beside: int
    """The searching shots beside wrecks, where ships may not touch."""
    steps: tuple[float, ...]
    """The distances between consecutive searching shots, in cells."""


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
    hits: dict[int, bool] = {}
    for shot in shots:
        hits[shot.turn] = hits.get(shot.turn, False) or shot.result is not Result.WATER
    longest = run = 0
    for turn in sorted(hits):
        run = 0 if hits[turn] else run + 1
        longest = max(longest, run)
    return longest


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


def play(beginner: Mind, mind: Mind, rules: Ruleset, seed: int, game: int) -> Match:
    """A match that each side begins in turn."""
    rules = replace(rules, begins=Side(game % 2))
    return play_minds(begin((beginner, mind), rules, game_seed(seed, game)), (beginner, mind))


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


# --- the command ---


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    names = [name for name in PRESETS if name != OWN.name]
    add("--mind", choices=list(PLAYERS), metavar="NAME", default="recruit")
    add("--presets", nargs="+", choices=names, metavar="PRESET", default=["bonn", "short"])
    add("--matches", type=int, default=400, help="of each beginner")
    add("--earlier", action="store_true", help="also the beginners of earlier measurements")
    add("--draw", type=int, metavar="GAMES", help="draw so many games instead")
    add("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    mind = PLAYERS[options.mind]
    for name in options.presets:
        rules = PRESETS[name].ruleset
        if options.draw:
            for game in range(options.draw):
                match = play(PLAIN, mind, rules, options.seed, game)
                say(f"{name}, game {game + 1}: {match.turn} turns\n{drawn(match)}\n")
            continue
        check_games(options.matches)
        for beginner in (PLAIN, SENSIBLE, *(EARLIER if options.earlier else ())):
            games = track(range(options.matches), beginner.name)
            found = [manner_of(play(beginner, mind, rules, options.seed, at)) for at in games]
            say(f"{name}, {beginner.name} against {mind.name}, {len(found)} matches")
            say(_figures(found))


def _figures(found: list[Manner]) -> str:
    points = Sample(tuple(one.points for one in found))
    searches = max(1, sum(one.searches for one in found))
    steps = [step for one in found for step in one.steps]
    shares = [sum(counts) / searches for counts in zip(*(one[6:9] for one in found), strict=True)]
    turns, limited = median(one.turns for one in found), fmean(one.is_limited for one in found)
    return (
        f"  points {points.mean:.3f} ± {points.error:.3f}, own turns {turns:g} at the median, "
        f"{limited:.0%} by the limit\n"
        f"  longest dry run {median(one.dry for one in found):g}, "
        f"last change of lead at {median(one.lead for one in found):.0%}\n"
        f"  searching shots: {shares[0]:.1%} at old water, {shares[1]:.1%} within {RECENT} turns, "
        f"{shares[2]:.1%} beside wrecks, {fmean(steps or [0]):.2f} cells from the last"
    )
