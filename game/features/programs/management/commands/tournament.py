"""`manage.py tournament ENGINE …`: every pair of engines plays the same number of games.

The results are kept in a folder, so the same command goes on where it was interrupted.
"""

import secrets
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template.loader import render_to_string

from game.engine.chance import SEED_BYTES
from game.engine.presets import PRESETS
from game.features.programs.crosstable import Crosstable, crosstable
from game.features.programs.management.options import cores, entrants, rules_of, seconds_of, whole
from game.features.programs.tournament import Results, Terms, play
from game.management import streams
from game.management.terminal_options import seed_of


class Command(BaseCommand):
    help = (
        "Lets every pair of engines play, and writes a table as text, CSV and HTML. An engine that "
        "crashes, hangs or breaks a rule loses that game."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        engine = "a folder of engines, a command in quotes, NAME=COMMAND, or mind:NAME"
        add("engines", nargs="*", metavar="ENGINE", help=engine)
        add("--list", metavar="FILE", help="a file with an ENGINE in each line")
        add("--preset", default="short", help=", ".join(PRESETS))
        add("--games", default="10", metavar="NUMBER", help="of each pair; an even number")
        add("--seed", metavar="NUMBER", help="decides all chance; by default it is drawn")
        add("--seconds", default="5", metavar="NUMBER", help="the most that an answer may take")
        add("--jobs", default=cores(), metavar="NUMBER", help="how many pairs play at once")
        add("--results", default="tournament", metavar="FOLDER", help="where results are kept")

    def handle(self, *args: Any, **options: Any) -> None:
        engines = entrants([*options["engines"], *_listed(options["list"])])
        if len(engines) < 2:
            raise CommandError(f"A tournament needs two engines, not {len(engines)}.")
        rules_of(options["preset"])
        games, jobs, seconds = whole(options, "games"), whole(options, "jobs"), seconds_of(options)
        if games % 2:
            raise CommandError(f"--games is an even number, as sides are swapped, not {games}.")
        seed, folder = seed_of(options), Path(options["results"])

        def terms() -> Terms:
            drawn = secrets.token_bytes(SEED_BYTES) if seed is None else seed
            return Terms(options["preset"], games, int.from_bytes(drawn, "big"), seconds)

        results = Results(folder / "results.jsonl", terms)
        asked = terms()
        if seed is None:
            asked = asked._replace(seed=results.terms.seed)
        if results.terms != asked:
            kept = ", ".join(f"{key} {value}" for key, value in results.terms._asdict().items())
            raise CommandError(f"{folder} has a tournament with other terms: {kept}.")
        say = self.stderr.write if options["verbosity"] else lambda _line: None
        try:
            with streams.ended_by_signals():  # which no engine outlives
                play(engines, results, jobs, say)
        finally:
            if results.of(engines):
                self._write(folder, crosstable(results.terms, engines, results.of(engines)))

    def _write(self, folder: Path, table: Crosstable) -> None:
        rows = [(number, name, cells) for number, name, *cells in table.lines()]
        page = render_to_string("programs/tournament.html", {"table": table, "rows": rows})
        texts = {"table.txt": f"{table.text()}\n", "table.csv": table.csv(), "table.html": page}
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        self.stdout.write(table.text())


def _listed(path: str | None) -> list[str]:
    if path is None:
        return []
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise CommandError(f"The list of engines can't be read: {path}.") from None
    return [text for line in lines if (text := line.strip()) and not text.startswith("#")]
