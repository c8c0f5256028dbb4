"""Measures minds, alone against a fleet that doesn't shoot or in whole matches."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import blake2b
from math import sqrt
from statistics import fmean, median, stdev
from time import process_time
from typing import Any

from bench.families import family_fleet
from bench.uniform_fleets import uniform_fleet
from game.engine.actions import Manoeuvre, Phase
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.rules import Pair, Ruleset, Side
from game.matches.referee import decide, deploy, play_minds
from game.players.mind import Mind
from game.players.originals.random_player import RandomPlayer
from game.players.protocol import Engine

MOST_SHOTS = 300
"""A longer solo game is stopped and counted with this many shots."""

_RANDOM = RandomPlayer()
_POINTS: dict[Side | None, float] = {Side.FIRST: 1.0, None: 0.5, Side.SECOND: 0.0}


class Fleets(Enum):
    """Who places the fleets that are searched for."""

    UNIFORM = "uniform"
    """Every legal fleet is equally likely, as the belief assumes."""
    OWN = "own"
    """The target places its own; the random player's are placed ship by ship."""
    EDGE = "edge"
    """From here on the families of fleets with one habit each."""
    INLAND = "inland"
    CORNERS = "corners"
    ACROSS = "across"
    DOWN = "down"
    CLUSTERED = "clustered"
    UNLIKELY = "unlikely"


class Told(Enum):
    """What a mind is told of its shots through the engine protocol."""

    WRECKS = "wrecks"
    """A sinking tells where the ship lay, as it does on the site."""
    SINKINGS = "sinkings"
    """A sinking tells no more than that a ship has sunk."""


class NotAMeasure(ValueError):
    """That number of games can't be measured."""


@dataclass(frozen=True)
class Sample:
    """One number from each of at least two games."""

    numbers: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.numbers)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.numbers) / sqrt(len(self.numbers))

    @property
    def median(self) -> float:
        return median(self.numbers)

    @property
    def worst(self) -> float:
        return max(self.numbers)

    def figures(self) -> dict[str, float]:
        """The statistics of the sample, by name."""
        return {
            "mean": self.mean,
            "error": self.error,
            "median": self.median,
            "worst": self.worst,
        }


@dataclass(frozen=True)
class Solo:
    """The results of one mind's solo games."""

    player: str
    shots: Sample
    unfinished: int
    milliseconds: float
    """The median CPU time of one aim."""

    @property
    def games(self) -> int:
        """The number of games, unfinished ones included."""
        return len(self.shots.numbers)

    def figures(self) -> dict[str, object]:
        """All figures by name, for JSON."""
        return {
            "player": self.player,
            "games": self.games,
            "shots": self.shots.figures(),
            "unfinished": self.unfinished,
            "milliseconds": self.milliseconds,
        }


@dataclass(frozen=True)
class Duel:
    """The results of matches between two minds; pairs are in the order in which they were named."""

    players: Pair[str]
    wins: Pair[int]
    points: Sample
    """The first player's: 1 for a win and ½ for a draw."""
    turns: Sample
    """Turns of both sides."""
    limited: int
    """How many matches the turn limit ended."""
    milliseconds: Pair[float]
    """The median CPU time of one aim."""

    @property
    def games(self) -> int:
        """The number of matches."""
        return len(self.points.numbers)

    @property
    def draws(self) -> int:
        """The number of drawn matches."""
        return self.games - sum(self.wins)

    def figures(self) -> dict[str, object]:
        """All figures by name, for JSON."""
        return {
            "players": self.players,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "points": self.points.figures(),
            "turns": self.turns.figures(),
            "limited": self.limited,
            "milliseconds": self.milliseconds,
        }


def solo(
    mind: Mind,
    rules: Ruleset,
    *,
    games: int,
    seed: int,
    target: Mind = _RANDOM,
    fleets: Fleets = Fleets.UNIFORM,
    told: Told | None = None,
) -> Solo:
    """How many shots a mind needs to sink a fleet that doesn't shoot, with one shot a turn.

    Of the rules only board, fleet, touching, moving and named count. With `told` the mind is told
    its shots through the engine protocol, else it sees what it would on the site. Where ships
    move, `target` steers them: the random player makes a legal move in half of the turns. Raises
    NotAMeasure for fewer than two games.
    """
    if games < 2:
        raise NotAMeasure(f"not a number of games from 2: {games!r}")
    timed = _Timed(mind if told is None else Correspondent(mind, told))
    ends = [
        play_solo(timed, rules, game_seed(seed, game), target=target, fleets=fleets)
        for game in range(games)
    ]
    return Solo(
        player=mind.name,
        shots=Sample(tuple(shots_of(match) for match in ends)),
        unfinished=sum(match.outcome is None for match in ends),
        milliseconds=timed.milliseconds,
    )


def duel(minds: Pair[Mind], rules: Ruleset, *, games: int, seed: int) -> Duel:
    """The results of two minds in whole matches, half of which each side begins.

    Raises NotAMeasure for fewer than two games or an odd number of them.
    """
    if games < 2 or games % 2:
        raise NotAMeasure(f"not an even number of games from 2: {games!r}")
    timed = (_Timed(minds[0]), _Timed(minds[1]))
    ends = [
        play_minds(
            _begin(timed, replace(rules, begins=Side(game % 2)), game_seed(seed, game)), timed
        )
        for game in range(games)
    ]
    winners = [match.outcome.winner for match in ends if match.outcome is not None]
    return Duel(
        players=(minds[0].name, minds[1].name),
        wins=(winners.count(Side.FIRST), winners.count(Side.SECOND)),
        points=Sample(tuple(_POINTS[winner] for winner in winners)),
        turns=Sample(tuple(match.turn for match in ends)),
        limited=sum(match.turn == rules.limit for match in ends),
        milliseconds=(timed[0].milliseconds, timed[1].milliseconds),
    )


_RULES_SENT = ("columns", "rows", "fleet", "touching", "again", "moving", "turns", "salvo", "named")


def rules_json(rules: Ruleset, *, wrecks: bool = False) -> str:
    """The rules as the engine protocol's `new` line has them."""
    found: dict[str, Any] = {key: getattr(rules, key) for key in _RULES_SENT}
    return json.dumps(found | {"at_limit": rules.at_limit.value, "wrecks": wrecks})


class Correspondent:
    """A mind that is told a match line by line, as the engine protocol has it."""

    def __init__(self, mind: Mind, told: Told) -> None:
        """The mind's fleet is told by nobody: it places and steers it as ever."""
        self.name, self.deploy, self.steer = mind.name, mind.deploy, mind.steer
        self._mind, self._has_wrecks = mind, told is Told.WRECKS

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        """The answer to `aim`, after lines that tell all own shots, one for each turn."""
        rules, board = seen.ruleset, seen.board
        engine = Engine(self._mind)
        rules_text = rules_json(rules, wrecks=self._has_wrecks)
        lines = [f"new {chance.for_whole_match('protocol').bits(64)} {rules_text}"]
        for shot in seen.shots:
            words = ["shot", board.name(shot.cell), shot.result.value]
            words += [str(shot.ship)] if shot.ship is not None else []
            words += [str(shot.wreck)] if shot.wreck is not None and self._has_wrecks else []
            lines += [" ".join(words), "turn"]
        *_, answer = (engine.answer(line) for line in (*lines, "aim"))
        return board.parse(answer.removeprefix("fire "))


class _Timed:
    """A mind whose aiming is timed."""

    def __init__(self, mind: Mind) -> None:
        self.mind, self.name = mind, mind.name
        self.seconds: list[float] = []

    @property
    def milliseconds(self) -> float:
        return 1000 * median(self.seconds) if self.seconds else 0.0

    def deploy(self, seen: Observation, chance: Chance) -> Fleet:
        return self.mind.deploy(seen, chance)

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        start = process_time()
        cell = self.mind.aim(seen, chance)
        self.seconds.append(process_time() - start)
        return cell

    def steer(self, seen: Observation, chance: Chance) -> Manoeuvre:
        return self.mind.steer(seen, chance)


def game_seed(seed: int, game: int) -> bytes:
    """The seed of one game, from the seed of the measurement and the game's number from 0."""
    return blake2b(f"selfplay/{seed}/{game}".encode(), digest_size=SEED_BYTES).digest()


def _begin(minds: Pair[Mind], rules: Ruleset, seed: bytes) -> Match:
    first, second = minds
    fleets = deploy(first, rules, Side.FIRST, seed), deploy(second, rules, Side.SECOND, seed)
    return Match(rules, fleets, seed)


def play_solo(
    mind: Mind,
    rules: Ruleset,
    seed: bytes,
    *,
    target: Mind = _RANDOM,
    fleets: Fleets | Fleet = Fleets.UNIFORM,
    learnt: tuple[int, ...] = (),
) -> Match:
    """A solo game, played to its end or stopped after MOST_SHOTS; see `solo`.

    `fleets` may be the very fleet that is searched for. `learnt` is what earlier rounds taught the
    mind of how it is placed; see Observation.
    """
    # Without a turn limit: minds play differently near it, and a solo game has none.
    alone = replace(rules, again=False, salvo=False, turns=None, begins=Side.FIRST)
    sought = _sought(alone, seed, target, fleets)
    match = Match(alone, (deploy(_RANDOM, alone, Side.FIRST, seed), sought), seed)
    while match.outcome is None and shots_of(match) < MOST_SHOTS:
        if match.side is Side.FIRST:
            match = decide(mind, match, learnt)
        elif match.phase is Phase.MOVING:
            match = decide(target, match)
        else:
            match = match.fire(_harmless(match))
    return match


def _sought(rules: Ruleset, seed: bytes, target: Mind, fleets: Fleets | Fleet) -> Fleet:
    if not isinstance(fleets, Fleets):
        return fleets
    if fleets is Fleets.OWN:
        return deploy(target, rules, Side.SECOND, seed)
    chance = Chance(seed, "selfplay/fleet", 0)
    if fleets is Fleets.UNIFORM:
        return uniform_fleet(rules, chance)
    return family_fleet(fleets.value, rules, chance)


def shots_of(match: Match) -> int:
    """How many shots the searcher of a solo game has fired."""
    return sum(shot.side is Side.FIRST for shot in match.shots)


def _harmless(match: Match) -> Cell:
    """Where the target fires, since the rules require it: at water as long as there is any.

    So it can't win: where ships stay, it would have to fire at every cell before the mind does.
    """
    spent = match.spent(Side.FIRST)
    ships = {
        cell
        for index, ship in enumerate(match.placements(Side.FIRST))
        if match.is_afloat(Side.FIRST, index)
        for cell in ship.cells
    }
    targets = [cell for cell in match.ruleset.board.cells if cell not in spent]
    return min(targets, key=lambda cell: cell in ships)
