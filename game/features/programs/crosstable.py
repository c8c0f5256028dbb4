"""The table of a tournament: as text, as CSV, and the values of its page."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import log
from statistics import fmean

import numpy as np

from game.engine.rules import Pair
from game.features.programs.management.options import Entrant
from game.features.programs.tournament import PairResult, Terms, standard_error

_ELO = 400 / log(10)
"""Elo points for each unit of the logarithm of the odds."""
NO_ELO = "Elo needs the package choix: pip install choix."


@dataclass
class Row:
    """An engine's results; `against` has its points against each engine of the table."""

    name: str
    points: list[float]
    against: list[float | None]
    shots: list[int]
    fouls: list[tuple[str, str]]
    """Against whom it lost by a foul, and what it did."""
    slowest: float
    elo: Pair[float] | None = None
    """Elo points above the mean of all engines, and their standard error."""

    def cells(self) -> list[str]:
        """Returns its values as the heads name them."""
        elo = ["", ""] if self.elo is None else [f"{value:.0f}" for value in self.elo]
        return [
            f"{fmean(self.points):.3f}", f"{standard_error(self.points):.3f}", *elo,
            *("" if points is None else f"{points:g}" for points in self.against),
            f"{fmean(self.shots):.1f}" if self.shots else "", str(len(self.fouls)),
            f"{1000 * self.slowest:.0f}",
        ]  # fmt: skip

    @property
    def excuse(self) -> str:
        """How often it lost by a foul, and the first one."""
        opponent, said = self.fouls[0]
        games = "a game" if len(self.fouls) == 1 else f"{len(self.fouls)} games"
        return f"{self.name} lost {games} by fouls, first to {opponent}: it {said}."


@dataclass(frozen=True)
class Crosstable:
    terms: Terms
    rows: list[Row]

    @property
    def title(self) -> str:
        terms = self.terms
        return f"{terms.preset}, {terms.games} games a pair, seed {terms.seed}"

    @property
    def heads(self) -> list[str]:
        numbers = [str(number) for number in range(1, len(self.rows) + 1)]
        return ["points", "±", "Elo", "±", *numbers, "shots", "fouls", "ms"]

    @property
    def notes(self) -> list[str]:
        lacking = [] if any(row.elo for row in self.rows) else [NO_ELO]
        return [*lacking, *(row.excuse for row in self.rows if row.fouls)]

    def lines(self) -> list[list[str]]:
        return [[str(number), row.name, *row.cells()] for number, row in enumerate(self.rows, 1)]

    def text(self) -> str:
        lines = [["", "engine", *self.heads], *self.lines()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        laid = [
            "  ".join(
                text.ljust(width) if at == 1 else text.rjust(width)
                for at, (text, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, "", *laid, *["", *self.notes] * bool(self.notes)])

    def csv(self) -> str:
        out = StringIO()
        heads = ["number", "engine", "points", "error", "elo", "elo_error", *self.heads[4:]]
        csv.writer(out, lineterminator="\n").writerows([heads, *self.lines()])
        return out.getvalue()


def crosstable(
    terms: Terms, engines: Sequence[Entrant], results: Mapping[Pair[Entrant], PairResult]
) -> Crosstable:
    """Returns the table of the pairs that were played, with the most points first."""
    rows = {engine: Row(engine.name, [], [], [], [], 0.0) for engine in engines}
    wins = np.zeros((len(engines), len(engines)))
    scores: dict[Pair[Entrant], float] = {}
    at = {engine: index for index, engine in enumerate(engines)}
    for pair, result in results.items():
        for side, engine in enumerate(pair):
            opponent, row = pair[1 - side], rows[engine]
            points = [1 - each if side else each for each in result.points]
            row.points += points
            row.shots += result.shots[side]
            row.fouls += [(opponent.name, said) for index, said in result.fouls if index == side]
            row.slowest = max(row.slowest, result.slowest[side])
            scores[engine, opponent] = sum(points)
            wins[at[engine], at[opponent]] = sum(points)
    for engine, elo in zip(engines, ratings(wins), strict=True):
        rows[engine].elo = elo
    played = [engine for engine in engines if rows[engine].points]
    played.sort(key=lambda engine: (-fmean(rows[engine].points), engine.name))
    for engine in played:
        rows[engine].against = [scores.get((engine, opponent)) for opponent in played]
    return Crosstable(terms, [rows[engine] for engine in played])


def ratings(wins: np.ndarray) -> list[Pair[float] | None]:
    """Returns the Elo points of each engine above the mean, and their standard errors.

    `wins` has the points of the engine of a row against that of a column. The model is that of
    Bradley and Terry (*Rank analysis of incomplete block designs*, 1952). One draw is added for
    each pair that played, so that an engine that lost every game has a rating. Errors come from the
    Fisher information. Without the package choix, or for pairs that say nothing of some engines,
    it returns None for each.
    """
    games = wins + wins.T + (wins + wins.T > 0)
    try:
        import choix
    except ImportError:
        return [None] * len(wins)
    if not np.linalg.matrix_power(games + np.eye(len(games)), len(games)).all():
        return [None] * len(wins)
    strengths = choix.ilsr_pairwise_dense(wins + (games > 0) / 2)
    chances = 1 / (1 + np.exp(strengths - strengths[:, None]))
    information = games * chances * chances.T
    information = np.diag(information.sum(axis=1)) - information
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    return [(_ELO * each, _ELO * error) for each, error in zip(strengths, errors, strict=True)]
