"""`manage.py benchmark ENGINE`: how strong an engine is, on seas and fleets that never change."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.features.programs.benchmark import DUEL, TOLD, UNTOLD, VERSION, measured
from game.features.programs.management.options import cores, one_entrant, seconds_of, whole
from game.features.programs.seas import SEAS, SMALL_SEAS
from game.management import streams
from game.management.terminal_options import refuse_unless
from game.players.registry import RANK_NAMES

_GROUPS = {
    "all": (*SEAS, "study", *RANK_NAMES), "seas": tuple(SEAS), "ranks": RANK_NAMES,
    "small": tuple(SMALL_SEAS),
}  # fmt: skip


class Command(BaseCommand):
    help = "Measures an engine: its shots on seas that never change, and matches against the ranks."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("engine", metavar="ENGINE", help="a command in quotes, or mind:NAME")
        names = ", ".join((*_GROUPS, *_GROUPS["all"], *SMALL_SEAS))
        add("--seas", nargs="+", default=["all"], metavar="NAME", help=names)
        add("--seconds", default="10", metavar="NUMBER", help="the most that an answer may take")
        add("--jobs", default=cores(), metavar="NUMBER", help="how many games are played at once")

    def handle(self, *args: Any, **options: Any) -> None:
        engine = one_entrant(options["engine"])
        for name in options["seas"]:
            refuse_unless(name, "--seas", (*_GROUPS, *_GROUPS["all"], *SMALL_SEAS))
        seas = [sea for name in options["seas"] for sea in _GROUPS.get(name, (name,))]
        jobs, seconds = whole(options, "jobs"), seconds_of(options)
        say = self.stderr.write if options["verbosity"] else lambda _line: None
        with streams.ended_by_signals():  # which no engine outlives
            scores = measured(engine, list(dict.fromkeys(seas)), seconds, jobs, say)
        self.stdout.write(f"benchmark {VERSION}: {engine.name}")
        for row in dict.fromkeys(row for row, _column in scores):
            of_row = {column: score for (there, column), score in scores.items() if there == row}
            self.stdout.write(f"{row:24}{_line(row, {it: str(of_row[it]) for it in of_row})}")


def _line(row: str, said: dict[str, str]) -> str:
    # Each line says what its numbers are, so that it can be quoted alone.
    if row in RANK_NAMES:
        return f"{said['points']:>16}  points in {DUEL}"
    if row == "study":
        return f"{said['F1']:>16}  F1 on the 18 boards"
    if row in SMALL_SEAS:
        best = float(SMALL_SEAS[row].optimum)
        return f"{said['shots']:>16}  shots, perfect play {best:.3f}"
    return f"{said[TOLD]:>16}  shots, sinkings told; {said[UNTOLD]:>14} untold"
