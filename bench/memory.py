"""`manage.py memory_bench`: the memory of a process that answers many requests, all different.

They go through the whole application by WSGI, as a server calls it. Django's own test client would
keep something of each request, and measure itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.wsgi import get_wsgi_application

from game.engine.actions import Phase, Steer
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.tokens import seal_replay, unseal_match
from game.players.minds import MINDS

LANGUAGES = ("en", "de")
PAGES = ("", "rules/", "about/", "thinking/", "settings/", "logbook/", "deduction/", "card.png")
MOST_CLICKS = 60
"""Of one visit; every third visit gives its match up then, and looks at what follows."""
SLOW = 30
"""One visit in so many is against a mind that thinks long."""
QUICK = ("random", "bonn-easy", "bonn-medium", "bonn-hard")


class Site:
    """The site as a server calls it."""

    def __init__(self) -> None:
        self._application = get_wsgi_application()
        self._status, self._headers = "", dict[str, str]()

    def ask(
        self, path: str, fields: Mapping[str, str] | None = None, *, is_part: bool = False
    ) -> tuple[int, Mapping[str, str]]:
        """The status and the headers of an answer, to a form if there are fields.

        `is_part` asks for what htmx swaps, and not for the whole page.
        """
        where, _, query = path.partition("?")
        body = b"" if fields is None else urlencode(fields).encode()
        answer = self._application(
            {
                "REQUEST_METHOD": "GET" if fields is None else "POST", "PATH_INFO": where,
                "QUERY_STRING": query, "CONTENT_LENGTH": str(len(body)),
                "CONTENT_TYPE": "application/x-www-form-urlencoded" if body else "",
                "SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_ACCEPT_ENCODING": "br",
                "wsgi.url_scheme": "http", "wsgi.input": BytesIO(body),
                **({"HTTP_HX_REQUEST": "true"} if is_part else {}),
            },
            self._begin,
        )  # fmt: skip
        b"".join(answer)
        answer.close()
        return int(self._status[:3]), self._headers

    def _begin(self, status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        self._status, self._headers = status, dict(headers)


class Command(BaseCommand):
    """Prints the resident memory every so many requests."""

    help = "Sends varied requests through the application and prints the memory of the process."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--requests", type=int, default=50_000)
        parser.add_argument("--every", type=int, default=10_000, help="requests between two lines")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        """Sends and prints; raises CommandError for an answer that no visitor should get."""
        site, chance = Site(), Random(options["seed"])  # noqa: S311 (nothing hidden)
        self.stdout.write(f"{'requests':>10}{'MiB':>8}")
        for number, status in enumerate(_statuses(site, chance), start=1):
            if status >= 400 and status != 422:
                raise CommandError(f"request {number} was answered by {status}")
            if number % options["every"] == 0 or number == options["requests"]:
                self.stdout.write(f"{number:>10}{resident_bytes() / 2**20:>8.0f}")
            if number == options["requests"]:
                return


def resident_bytes() -> int:
    """The resident memory of this process."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _statuses(site: Site, chance: Random) -> Iterator[int]:
    """The status of each request of visit after visit, without end."""
    for number in count():
        language = chance.choice(LANGUAGES)
        yield site.ask(f"/{language}/{chance.choice(PAGES)}")[0]
        yield from _visit(site, chance, language, number)
        if number % 5 == 0:
            yield from _search(site, chance, language)


def _visit(site: Site, chance: Random, language: str, number: int) -> Iterator[int]:
    """A match from its choices to what follows it, or to where the visitor leaves."""
    name = chance.choice(list(PRESETS))
    fields = _choices(chance, name, number)
    yield site.ask(f"/{language}/setup/{name}/?{urlencode(fields)}")[0]
    new = f"/{language}/new/{name}/?{urlencode(fields)}"
    yield site.ask(new)[0]
    status, headers = site.ask(new, {"action": "quick"})
    yield status
    where = headers.get("Location", "")
    for _ in range(MOST_CLICKS):
        if "/play/" not in where:  # rules that can't be played, or none that was begun
            return
        match = unseal_match(where.split("/")[3]).match
        if match.outcome is not None:
            break
        status, headers = site.ask(where, _action(chance, match), is_part=True)
        yield status
        where = headers.get("HX-Replace-Url", where)
    else:
        if number % 3:
            return
        where = site.ask(where, {"action": "resign-yes"}, is_part=True)[1]["HX-Replace-Url"]
    yield from _afterwards(site, chance, where)


def _choices(chance: Random, name: str, number: int) -> dict[str, str]:
    """What somebody chooses before a match; own rules are of all sizes."""
    mind = chance.choice(list(MINDS) if number % SLOW == 0 else QUICK)
    fields = {"opponent": mind, "hints": chance.choice(("on", "off"))}
    if name == "own":
        sides = {side: str(chance.randint(6, 15)) for side in ("columns", "rows")}
        ships = {f"n{length}": str(chance.randint(0, 2)) for length in range(1, 6)}
        switches = {
            name: chance.choice(("on", "off"))
            for name in ("touching", "again", "moving", "salvo", "named")
        }
        fields |= sides | ships | switches | {"turns": str(chance.randint(20, 100))}
    return fields


def _action(chance: Random, match: Match) -> dict[str, str]:
    """A legal action of the person, as a form's fields; now and then help is switched."""
    if chance.random() < 0.02:
        return {chance.choice(("coach", "hints")): chance.choice(("on", "off"))}
    if match.phase is Phase.MOVING:
        moves: list[Steer | None] = [None, *match.steers(Side.FIRST)]
        move = chance.choice(moves)
        return {"steer": f"{move.ship}-{move.course.value}" if move else "stay"}
    board, spent = match.ruleset.board, match.spent(Side.SECOND)
    targets: list[Cell] = [cell for cell in board.cells if cell not in spent]
    return {"cell": board.name(chance.choice(targets))}


def _afterwards(site: Site, chance: Random, where: str) -> Iterator[int]:
    """What follows a match: result, record, steps of its replay and its review, a film."""
    language, _, token = where.removeprefix("/").split("/")[:3]
    match = unseal_match(token).match
    yield site.ask(where)[0]
    for page in ("record", "replay", "review"):
        yield site.ask(f"/{language}/{page}/{token}/")[0]
    for _ in range(8):
        page = chance.choice(("replay", "replay", "review"))
        yield site.ask(
            f"/{language}/{page}/{token}/?step={chance.randint(0, match.ply)}", is_part=True
        )[0]
    yield site.ask(f"/{language}/share/{token}/")[0]
    public_replay = f"/{language}/film/{seal_replay(unseal_match(token))}/"
    yield site.ask(public_replay)[0]
    yield site.ask(f"{public_replay}card.png")[0]


def _search(site: Site, chance: Random, language: str) -> Iterator[int]:
    """A match of the deduction game, and what its page shows before the first guess."""
    sea, way = chance.choice(("small", "original", "large")), chance.choice(("search", "hide"))
    status, headers = site.ask(f"/{language}/deduction/", {"sea": sea, "way": way})
    yield status
    where = headers.get("Location", "")
    if where:
        yield site.ask(where)[0]
        yield site.ask(where, {"heat": "on"}, is_part=True)[0]
