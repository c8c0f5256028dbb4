"""Measuring minds: alone against a random fleet, or in whole matches against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from math import sqrt
from statistics import fmean, median, stdev
from time import process_time

from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import Cell
from game.engine.match import Match, Phase
from game.engine.observation import Manoeuvre, Observation
from game.engine.rules import Fleet, Pair, Ruleset, Side
from game.players.drifter import Drifter
from game.players.mind import Mind
from game.referee import carry_on, decide, deploy

MOST_SHOTS = 300
"""A solo game that takes longer is broken off and counted as unfinished, with this many shots."""

_TARGET = Drifter()


class NotAMeasure(ValueError):
    """No figures can be had from that many games."""


@dataclass(frozen=True)
class Sample:
    """One number for each game, at least two of them."""

    numbers: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean."""
        return fmean(self.numbers)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.numbers) / sqrt(len(self.numbers))

    @property
    def median(self) -> float:
        """The median."""
        return median(self.numbers)

    @property
    def worst(self) -> float:
        """The largest number."""
        return max(self.numbers)


@dataclass(frozen=True)
class Solo:
    """What came of one mind's solo games."""

    player: str
    shots: Sample
    unfinished: int
    milliseconds: float
    """Of CPU time for each aim."""


@dataclass(frozen=True)
class Duel:
    """What came of the matches of two minds, the first named one being the first side."""

    players: Pair[str]
    wins: Pair[int]
    points: Sample
    """The first side's: 1 for a win, ½ for a draw."""
    turns: Sample
    """Half-turns until the match was over."""
    milliseconds: Pair[float]
    """Of CPU time for each aim, by side."""

    @property
    def draws(self) -> int:
        """How many matches nobody won."""
        return len(self.points.numbers) - sum(self.wins)


def solo(mind: Mind, rules: Ruleset, *, games: int, seed: int) -> Solo:
    """How many shots a mind needs to sink a random fleet, one shot a turn.

    Of the rules, the board, the fleet, touching and moving count; where ships move, the fleet
    makes a random legal move in half of the turns. Raises NotAMeasure for fewer than two games.
    """
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")
    alone = replace(
        rules, again=False, salvo=False, turns=None, begins=Side.FIRST
    )  # no limit within reach: a mind must not think that the match is about to end
    timed = _Timed(mind)
    ends = [_play_solo(timed, alone, _seed(seed, game)) for game in range(games)]
    return Solo(
        player=mind.name,
        shots=Sample(tuple(_shots(match) for match in ends)),
        unfinished=sum(match.outcome is None for match in ends),
        milliseconds=timed.milliseconds,
    )


def duel(minds: Pair[Mind], rules: Ruleset, *, games: int, seed: int) -> Duel:
    """How two minds fare in whole matches, of which each side begins half.

    Raises NotAMeasure for a number of games that is not even or less than two.
    """
    if games < 2 or games % 2:
        raise NotAMeasure(f"not an even number of games from 2: {games!r}")
    timed = (_Timed(minds[0]), _Timed(minds[1]))
    ends = [
        _play_duel(timed, replace(rules, begins=Side(game % 2)), _seed(seed, game))
        for game in range(games)
    ]
    winners = [match.outcome.winner for match in ends if match.outcome is not None]
    return Duel(
        players=(minds[0].name, minds[1].name),
        wins=(winners.count(Side.FIRST), winners.count(Side.SECOND)),
        points=Sample(tuple(_POINTS[winner] for winner in winners)),
        turns=Sample(tuple(match.turn for match in ends)),
        milliseconds=(timed[0].milliseconds, timed[1].milliseconds),
    )


_POINTS = {Side.FIRST: 1.0, None: 0.5, Side.SECOND: 0.0}


class _Timed:
    """A mind with a stop-watch on its aiming."""

    def __init__(self, mind: Mind) -> None:
        self.mind, self.name = mind, mind.name
        self.aims, self.seconds = 0, 0.0

    @property
    def milliseconds(self) -> float:
        return 1000 * self.seconds / self.aims

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return self.mind.deploy(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        start = process_time()
        cell = self.mind.aim(seen, chance)
        self.seconds += process_time() - start
        self.aims += 1
        return cell

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return self.mind.steer(seen, chance)


def _seed(seed: int, game: int) -> bytes:
    return blake2b(f"selfplay/{seed}/{game}".encode(), digest_size=SEED_BYTES).digest()


def _begin(minds: Pair[Mind], rules: Ruleset, seed: bytes) -> Match:
    fleets = (
        deploy(minds[0], rules, Side.FIRST, seed),
        deploy(minds[1], rules, Side.SECOND, seed),
    )
    return Match(rules, fleets, seed)


def _play_duel(minds: Pair[Mind], rules: Ruleset, seed: bytes) -> Match:
    return carry_on(_begin(minds, rules, seed), minds)


def _play_solo(mind: Mind, rules: Ruleset, seed: bytes) -> Match:
    match = _begin((mind, _TARGET), rules, seed)
    while match.outcome is None and _shots(match) < MOST_SHOTS:
        if match.side is Side.FIRST:
            match = decide(mind, match)
        elif match.phase is Phase.MOVING:
            match = decide(_TARGET, match)
        else:
            match = match.fire(_harmless(match))
    return match


def _shots(match: Match) -> int:
    return sum(shot.side is Side.FIRST for shot in match.shots)


def _harmless(match: Match) -> Cell:
    """A cell for the target to fire at, one with a ship only when no other is left.

    The rules make both sides fire. Where ships stay, the last of the mind's cells would be hit
    only after the mind itself has fired at every cell.
    """
    spent = match.spent(Side.FIRST)
    ships = {cell for ship in match.placements(Side.FIRST) for cell in ship.cells}
    targets = [cell for cell in match.ruleset.board.cells if cell not in spent]
    return min(targets, key=lambda cell: cell in ships)
