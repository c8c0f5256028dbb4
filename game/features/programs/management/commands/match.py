"""`manage.py match "ENGINE A" "ENGINE B"`: two engines play against each other.

Whoever knows the seed can compute the seeds that both engines are told, and with them fleets. So it
is drawn, its hash is printed before an engine starts, and the seed itself after they have ended.
"""

import os
import secrets
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from hashlib import sha256
from statistics import fmean, median
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.chance import SEED_BYTES, Chance
from game.engine.presets import PRESETS
from game.engine.rules import Pair, Ruleset, Side
from game.features.programs.engine_referee import Foul, Seat
from game.features.programs.management.options import (
    MIND,
    Entrant,
    rules_of,
    seconds_of,
    starter,
    whole,
)
from game.features.programs.tournament import PairResult, play_game, standard_error
from game.management import streams
from game.management.terminal_options import seed_of
from game.players import minds

LETTERS = "AB"
PROMISE = "battleship-match-1|{}"
"""What is hashed before the matches, with the seed in decimal digits."""


class Command(BaseCommand):
    help = (
        "Lets two programs that speak the engine protocol play against each other. One that "
        "crashes, hangs or breaks a rule loses that match."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        engine = f"two commands that start an engine; {MIND}NAME is one of {', '.join(minds.MINDS)}"
        add("engines", nargs="*", metavar="ENGINE", help=engine)
        add("--preset", default="bonn", help=", ".join(PRESETS))
        add("--games", default="100", metavar="NUMBER", help="each engine begins every other one")
        add("--seed", metavar="NUMBER", help="a seed whose matches are to be repeated")
        add("--seconds", default="10", metavar="NUMBER", help="the most that an answer may take")
        add(
            "--log",
            metavar="FILE",
            default=os.devnull,
            help="where to write each line that is said",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules = rules_of(options["preset"])
        games, seconds = whole(options, "games"), seconds_of(options)
        if len(engines := options["engines"]) != 2:
            raise CommandError(
                f"Name two engines, each in quotes with its arguments, not {len(engines)}."
            )
        starts = list(map(starter, engines))
        seed, before, after = _seed(options)
        with ExitStack() as stack:
            stack.enter_context(streams.ended_by_signals())  # which no engine outlives
            log = _Log(_opened(options["log"], stack))
            self._say(before)
            stack.callback(lambda: self._say(after))  # once the engines have ended
            stack.callback(log.flush)
            first, other = seats = (
                Seat(Side.FIRST, starts[0], seconds, partial(log.write, Side.FIRST)),
                Seat(Side.SECOND, starts[1], seconds, partial(log.write, Side.SECOND)),
            )
            for seat in seats:
                stack.callback(seat.close)
                try:
                    seat.get_ready()
                except Foul as foul:
                    raise CommandError(f"Engine {LETTERS[seat.side]} {foul}.") from None
            self._say(f"A {first.name} against B {other.name}, {options['preset']}")
            score = PairResult((Entrant("A", engines[0]), Entrant("B", engines[1])))
            for game in range(games):
                log.write_line(f"match {game + 1}")
                rules = replace(rules, begins=Side(game % 2))
                seeds = [Chance(seed, f"match/{it.name.lower()}", game).bits(64) for it in Side]
                said = _played(seats, rules, (seeds[0], seeds[1]), score)
                log.flush()
                if options["verbosity"]:
                    self._say(f"match {game + 1}: {said}")
            self._say(_text(seats, score))

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _played(seats: Pair[Seat], rules: Ruleset, seeds: Pair[int], score: PairResult) -> str:
    """Has a match played, and says how it ended."""
    ended = play_game(seats, rules, seeds, score)
    if isinstance(ended, Foul):
        return f"{LETTERS[ended.side]} loses, because it {ended}"
    outcome = ended.outcome
    assert outcome is not None  # noqa: S101 (it was played to its end)
    who = "drawn" if outcome.winner is None else f"{LETTERS[outcome.winner]} wins"
    return f"{who}, {outcome.reason.value}, in {ended.turn} half-turns"


def _text(seats: Pair[Seat], score: PairResult) -> str:
    all_points, fouls = score.points, [side for side, _said in score.fouls]
    wins, losses = all_points.count(1.0), all_points.count(0.0)
    points = f"{fmean(all_points):.3f}"
    if len(all_points) > 1:
        points += f" ± {standard_error(all_points):.3f}"
    lines = [
        f"wins     {wins} to {losses}, {len(all_points) - wins - losses} drawn",
        f"points   {points} for A",
        f"fouls    {fouls.count(Side.FIRST)} and {fouls.count(Side.SECOND)}",
    ]
    times = [[1000 * each for each in seat.aim_seconds] for seat in seats]
    if all(times):
        medians, worst = (" and ".join(f"{of(one):.1f}" for one in times) for of in (median, max))
        lines.append(f"an aim   {medians} ms, at most {worst} ms")
    return "\n".join(lines)


class _Log:
    """The file of all lines: `A <` is told to A, `A >` is its answer, `A !` its foul.

    A match is written when it is over, since an engine might read its enemy's lines there.
    """

    def __init__(self, file: TextIO) -> None:
        self._file, self._lines = file, list[str]()

    def write(self, side: Side, text: str) -> None:
        self.write_line(f"{LETTERS[side]} {text}")

    def write_line(self, line: str) -> None:
        self._lines.append(f"{line}\n")

    def flush(self) -> None:
        self._file.writelines(self._lines)
        self._file.flush()
        self._lines.clear()


def _seed(options: Mapping[str, Any]) -> tuple[bytes, str, str]:
    """Returns the seed, and what is said of it before the matches and after them."""
    if seed := seed_of(options):
        said = f"seed     {options['seed']}, known before: who knows it can compute both fleets"
        return seed, said, said
    drawn = secrets.randbits(8 * SEED_BYTES)
    promise = PROMISE.format(drawn)
    before = f"SHA-256 {sha256(promise.encode()).hexdigest()} of {PROMISE.format('SEED')}"
    after = f"{drawn}; to check it: printf %s '{promise}' | sha256sum"
    return drawn.to_bytes(SEED_BYTES, "big"), f"seed     {before}", f"seed     {after}"


def _opened(path: str, stack: ExitStack) -> TextIO:
    try:
        return stack.enter_context(open(path, "w", encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"The log {path} can't be written: {error.strerror}.") from None
