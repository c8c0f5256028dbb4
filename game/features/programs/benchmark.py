"""The fixed benchmark: seas, fleets and seeds that never change while VERSION stays.

An engine fires at fleets that don't fire back, asks questions on the boards of a published study,
and plays whole matches against the ranks.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

from django.core.management.base import CommandError

from game.engine.chance import SEED_BYTES, Chance
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.engine.uniform_fleets import uniform_fleet
from game.features.programs import study
from game.features.programs.engine_referee import Foul, Seat, play_alone, play_match
from game.features.programs.management.options import MIND, Entrant
from game.features.programs.seas import SEAS, SMALL_SEAS, all_fleets
from game.features.programs.tournament import POINTS
from game.features.programs.workers import worked
from game.players.registry import RANK_NAMES

VERSION = 1
FLEETS, MATCHES = 200, 40
"""How many fleets each sea has, and how many matches are played against each rank."""
LEAST_GAMES = 400
"""How many games at least are played on a small sea, where each fleet has two or more."""
QUESTIONS = 15
DUEL = "short"
"""The preset of the matches against the ranks."""
TOLD, UNTOLD = "told", "untold"
"""Whether the last hit of a ship says that it sank."""
_AT_ONCE = 20
_UNFINISHED = 400
"""A game is ended after so many shots, which no sea needs."""


class Part(NamedTuple):
    """Some games of an engine, whose numbers give a column of a row of the table."""

    engine: Entrant
    seconds: float
    row: str
    column: str
    first: int
    games: int


class Score(NamedTuple):
    numbers: tuple[float, ...]
    fleets: int = 1
    """The number of all fleets of the sea, if each is played in turn."""

    def __str__(self) -> str:
        digits = 2 if fmean(self.numbers) > 1.5 else 3
        return f"{fmean(self.numbers):.{digits}f} ± {self.error:.{digits}f}"

    @property
    def error(self) -> float:
        """The standard error of the mean, to which only differences at the same fleet add."""
        of_fleets = [self.numbers[at :: self.fleets] for at in range(self.fleets)]
        return sqrt(fmean(variance(each) for each in of_fleets) / len(self.numbers))


def measured(
    engine: Entrant, seas: Sequence[str], seconds: float, jobs: int, say: Callable[[str], None]
) -> dict[tuple[str, str], Score]:
    """Returns the scores of an engine by row and column; raises CommandError for a foul."""
    counts = {(row, column): count for sea in seas for row, column, count in _columns(sea)}
    parts = [
        Part(engine, seconds, row, column, first, min(_AT_ONCE, count - first))
        for (row, column), count in counts.items()
        for first in range(0, count, _AT_ONCE)
    ]
    # What takes longest comes first, so that all processes end at about the same time.
    hardness = {name: number for number, name in enumerate(RANK_NAMES, 1)}
    parts.sort(key=lambda part: hardness.get(part.row, 0), reverse=True)
    results = dict(worked(play_part, parts, jobs, say))
    scores = {}
    for row, column in counts:
        of_key = [it for it in parts if (it.row, it.column) == (row, column)]
        numbers = [number for part in of_key for number in results[part]]
        fleets = SMALL_SEAS[row].fleets if row in SMALL_SEAS else 1
        scores[row, column] = Score(tuple(numbers), fleets)
    return scores


def _columns(sea: str) -> list[tuple[str, str, int]]:
    """Returns the row, the column and the number of games of each part of a sea."""
    if sea == "study":
        return [(sea, "F1", len(study.boards()))]
    if sea in RANK_NAMES:
        return [(sea, "points", MATCHES)]
    if sea in SMALL_SEAS:
        fleets = SMALL_SEAS[sea].fleets
        return [(sea, "shots", fleets * max(2, -(-LEAST_GAMES // fleets)))]
    return [(sea, told, FLEETS) for told in (TOLD, UNTOLD)]


def play_part(part: Part) -> list[float]:
    """Returns the result of each game of a part."""
    games = range(part.first, part.first + part.games)
    with closing(Seat(Side.FIRST, part.engine.start, part.seconds)) as seat:
        try:
            if part.row in RANK_NAMES:
                rank = Entrant(part.row, f"{MIND}{part.row}")
                other = Seat(Side.SECOND, rank.start, part.seconds)
                return [_against(seat, other, part.row, game) for game in games]
            if part.row == "study":
                return [_asking(seat, game) for game in games]
            return [_shots(seat, part, game) for game in games]
        except Foul as foul:
            raise CommandError(f"{part.engine.name}, in {part.row}: it {foul}.") from None


def _against(seat: Seat, rank: Seat, name: str, game: int) -> float:
    rules = replace(PRESETS[DUEL].ruleset, begins=Side(game % 2))
    match = play_match((seat, rank), rules, (_bits(name, game, 0), _bits(name, game, 1)))
    assert match.outcome is not None  # noqa: S101 (it was played to its end)
    return POINTS[match.outcome.winner]


def _asking(seat: Seat, game: int) -> float:
    """Returns F1 of the shots at a board of the study."""
    rules, fleet = study.boards()[game]
    rules = replace(rules, questions=QUESTIONS)
    match = play_alone(seat, rules, fleet, _bits("study", game, 0), study.MOST_SHOTS)
    hits = sum(shot.result.value != "water" for shot in match.shots)
    return 2 * hits / (len(match.shots) + sum(rules.fleet))


def _shots(seat: Seat, part: Part, game: int) -> float:
    if part.row in SMALL_SEAS:
        rules = SMALL_SEAS[part.row].rules
        fleets = all_fleets(rules)
        fleet = fleets[game % len(fleets)]
    else:
        rules = replace(SEAS[part.row], silent=part.column == UNTOLD)
        fleet = uniform_fleet(rules, _chance(part.row, game, 1))
    match = play_alone(seat, rules, fleet, _bits(part.row, game, 0), _UNFINISHED)
    return len(match.shots)


def _chance(row: str, game: int, purpose: int) -> Chance:
    """Returns the published seed of a game: 0 is for the engine, 1 for its enemy."""
    return Chance(bytes(SEED_BYTES), f"benchmark-{VERSION}/{row}/{purpose}", game)


def _bits(row: str, game: int, purpose: int) -> int:
    return _chance(row, game, purpose).bits(64)
