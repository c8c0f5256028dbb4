"""A tournament: every pair of engines plays the same number of games.

A pair is played by one process, and its result is one line of a file, so a tournament that was
interrupted goes on with the pairs that are missing.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import stdev
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from game.engine.actions import Reason
from game.engine.chance import SEED_BYTES, Chance
from game.engine.match import Match
from game.engine.rules import Pair, Ruleset, Side
from game.features.programs.engine_referee import Foul, Seat, play_match
from game.features.programs.management.options import Entrant, rules_of
from game.features.programs.workers import worked

MOST_FOULS = 3
"""After so many fouls in a row an engine loses the other games of a pair unplayed."""
POINTS: dict[Side | None, float] = {Side.FIRST: 1.0, None: 0.5, Side.SECOND: 0.0}


class Terms(NamedTuple):
    """What decides the games of a tournament besides its engines."""

    preset: str
    games: int
    seed: int
    seconds: float


@dataclass
class PairResult:
    """The games of two engines."""

    engines: Pair[Entrant]
    points: list[float] = field(default_factory=list)
    """The first engine's in each game: 1 for a win and 0.5 for a draw."""
    shots: Pair[list[int]] = field(default_factory=lambda: ([], []))
    """The shots of each engine in the games that it won by sinking all ships."""
    fouls: list[tuple[int, str]] = field(default_factory=list)
    """For each game that was lost by a foul, the index of the engine, and what it did."""
    slowest: Pair[float] = (0.0, 0.0)
    """The seconds of each engine's slowest answer."""


class PairTask(NamedTuple):
    terms: Terms
    engines: Pair[Entrant]
    absent: Pair[str]
    """Why each engine can't be started; empty if it can."""


def play_pair(task: PairTask) -> PairResult:
    """Returns the games of two engines, each of which begins every other one."""
    terms, engines, absent = task
    if any(absent):
        points = 0.5 if all(absent) else float(not absent[0])
        fouls = [(at, why) for at, why in enumerate(absent) if why] * terms.games
        return PairResult(engines, [points] * terms.games, fouls=fouls)
    result = PairResult(engines)
    with (
        closing(Seat(Side.FIRST, engines[0].start, terms.seconds)) as one,
        closing(Seat(Side.SECOND, engines[1].start, terms.seconds)) as other,
    ):
        last: list[Side | None] = []  # the sides that lost the last games by fouls
        for game in range(terms.games):
            if len(last) == MOST_FOULS and last[0] is not None and len(set(last)) == 1:
                result.points.append(POINTS[last[0].opponent])
                result.fouls.append(result.fouls[-1])
                continue
            rules = replace(rules_of(terms.preset), begins=Side(game % 2))
            seeds = [seed_of_game(terms.seed, it.name, game) for it in engines]
            ended = play_game((one, other), rules, (seeds[0], seeds[1]), result)
            last = [*last[1 - MOST_FOULS :], ended.side if isinstance(ended, Foul) else None]
        result.slowest = one.slowest, other.slowest
    return result


def play_game(
    seats: Pair[Seat], rules: Ruleset, seeds: Pair[int], result: PairResult
) -> Foul | Match:
    """Adds a game to the result, and returns the match, or the foul that has ended it."""
    try:
        match = play_match(seats, rules, seeds)
    except Foul as foul:
        result.points.append(POINTS[foul.side.opponent])
        result.fouls.append((foul.side, str(foul)))
        return foul
    assert match.outcome is not None  # noqa: S101 (it was played to its end)
    winner = match.outcome.winner
    result.points.append(POINTS[winner])
    if winner is not None and match.outcome.reason is Reason.ALL_SUNK:
        result.shots[winner].append(sum(shot.side is winner for shot in match.shots))
    return match


def standard_error(points: Sequence[float]) -> float:
    """Returns the standard error of the mean."""
    return stdev(points) / sqrt(len(points)) if len(points) > 1 else 0.0


def seed_of_game(seed: int, name: str, game: int) -> int:
    """Returns what an engine is told in its game of that number against each opponent.

    No two engines are told the same, since an engine that remembers its seeds could have the
    program of its opponent compute a fleet from them.
    """
    return Chance(seed.to_bytes(SEED_BYTES, "big"), f"tournament/{name}", game).bits(64)


def greeted(engine: Entrant) -> str:
    """Returns why an engine doesn't answer its first line, or nothing."""
    with closing(Seat(Side.FIRST, engine.start, 1)) as seat:
        try:
            seat.get_ready()
        except Foul as foul:
            return str(foul)
    return ""


# --- the file of results ---


class Results:
    """The results of a tournament in a file, whose first line has its terms."""

    def __init__(self, path: Path, terms: Callable[[], Terms]) -> None:
        """Reads the results so far, or begins with new terms; raises CommandError."""
        self._path, self.pairs = path, list[PairResult]()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
            whole = [line for line in lines if line.endswith("\n")]  # the last may have been cut
            if not whole:
                self.terms = terms()
                path.write_text(f"{json.dumps(self.terms._asdict())}\n", "utf-8")
                return
            if whole != lines:
                path.write_text("".join(whole), "utf-8")
            self.terms = Terms(**json.loads(whole[0]))
            self.pairs = [_pair_result(json.loads(line)) for line in whole[1:]]
        except OSError as error:
            raise CommandError(f"{path} can't be used: {error.strerror}.") from None
        except (ValueError, TypeError, KeyError):
            raise CommandError(f"{path} is no file of a tournament.") from None

    def add(self, result: PairResult) -> None:
        self.pairs.append(result)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(asdict(result))}\n")

    def of(self, engines: Sequence[Entrant]) -> dict[Pair[Entrant], PairResult]:
        """Returns the results of these engines' pairs, in the order of the pairs."""
        there = {result.engines: result for result in self.pairs}
        return {pair: there[pair] for pair in combinations(engines, 2) if pair in there}


def _pair_result(read: dict[str, Any]) -> PairResult:
    one, other = (Entrant(*engine) for engine in read.pop("engines"))
    shots, slowest = read.pop("shots"), read.pop("slowest")
    fouls = [(side, said) for side, said in read.pop("fouls")]
    return PairResult((one, other), shots=tuple(shots), slowest=tuple(slowest), fouls=fouls, **read)


def play(
    engines: Sequence[Entrant], results: Results, jobs: int, say: Callable[[str], None]
) -> None:
    """Plays the pairs that have no result yet."""
    there = results.of(engines)
    missing = [pair for pair in combinations(engines, 2) if pair not in there]
    waiting = list(dict.fromkeys(engine for pair in missing for engine in pair))
    absent = dict(worked(greeted, waiting, jobs, lambda _line: None))
    tasks = [PairTask(results.terms, it, (absent[it[0]], absent[it[1]])) for it in missing]
    for _task, result in worked(play_pair, tasks, jobs, lambda line: say(f"pairs: {line}")):
        results.add(result)
