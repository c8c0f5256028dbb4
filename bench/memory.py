"""The memory of a process that answers many requests, all different."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from bench.client import Browser
from bench.matches import at_random, form_of
from bench.report import NotAMeasure, Table, track
from bench.requests import of_features
from game.engine.chance import Chance
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import ROWS
from game.matches.tokens import seal_replay, unseal_match
from game.players.minds import MINDS

LANGUAGES = ("en", "de")
PAGES = ("", "rules/", "about/", "thinking/", "settings/", "logbook/", "card.png")
MOST_CLICKS = 60
"""Clicks of one visit; every third visit resigns then, and looks at what follows."""
SLOW = 30
"""One visit in so many is against any mind, the others are against QUICK ones."""
QUICK = ("random", "bonn-easy", "bonn-medium", "bonn-hard")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--every", type=int, default=10_000, help="requests between two lines")
    parser.add_argument("--seed", type=int, default=1, help="decides all chance")


def run(options: Namespace) -> None:
    visitor = Visitor(Random(options.seed))  # noqa: S311 (nothing hidden)
    statuses = islice(visitor.statuses(), options.requests)
    table = Table("requests:>10, MiB:>8.0f")
    for number, status in enumerate(track(statuses, "requests", options.requests), start=1):
        if status >= 400 and status != 422:
            raise NotAMeasure(f"request {number} was answered by {status}")
        if number % options.every == 0 or number == options.requests:
            table.say(number, resident_bytes() / 2**20)


def resident_bytes() -> int:
    """The resident memory of this process."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Visitor:
    """A person who plays match after match; each method yields the status of each answer."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.language = chance, ""
        self.browser = Browser({"Accept-Encoding": "br"})

    def statuses(self) -> Iterator[int]:
        """Visit after visit, without end."""
        for number in count():
            self.language = f"/{self.chance.choice(LANGUAGES)}/"
            yield self._get(self.chance.choice(PAGES))
            yield from self._match(number)
            if number % 5 == 0:
                for visit in of_features("visit"):
                    yield from visit(self.browser, self.language, self.chance)

    def _get(self, page: str, *, htmx: bool = False) -> int:
        return self.browser.send(f"{self.language}{page}", htmx=htmx).status

    def _match(self, number: int) -> Iterator[int]:
        """A match from the choices before it to the pages after it, or until the visitor leaves."""
        name = self.chance.choice(list(PRESETS))
        fields = urlencode(self._choices(name, number))
        yield self._get(f"setup/{name}/?{fields}")
        yield self._get(f"new/{name}/?{fields}")
        answer = self.browser.send(f"{self.language}new/{name}/?{fields}", {"action": "quick"})
        yield answer.status
        where = answer.leads_to
        for _ in range(MOST_CLICKS):
            if "/play/" not in where:  # rules that can't be played, so that no match was begun
                return
            match = unseal_match(where.split("/")[3]).match
            if match.outcome is not None:
                break
            answer = self.browser.send(where, self._action(match), htmx=True)
            yield answer.status
            where = answer.leads_to or where
        else:
            if number % 3:
                return
            where = self.browser.send(where, {"action": "resign-yes"}, htmx=True).leads_to
        yield from self._afterwards(where)

    def _choices(self, name: str, number: int) -> dict[str, str]:
        """The fields of random choices before a match; own rules have all sizes."""
        chance = self.chance
        mind = chance.choice(list(MINDS) if number % SLOW == 0 else QUICK)
        fields = {"opponent": mind, "hints": chance.choice(("on", "off"))}
        if name == "own":
            sides = {side: str(chance.randint(6, 15)) for side in ("columns", "rows")}
            ships = {f"n{length}": str(chance.randint(0, 2)) for length in range(1, 6)}
            names = [row.field for row in ROWS if row.is_switch and row.is_offered]
            switches = {name: chance.choice(("on", "off")) for name in names}
            fields |= sides | ships | switches | {"turns": str(chance.randint(20, 100))}
        return fields

    def _action(self, match: Match) -> dict[str, str]:
        """The fields of a legal action of the person, or now and then of a switch of assists."""
        if self.chance.random() < 0.02:
            return {self.chance.choice(("coach", "hints")): self.chance.choice(("on", "off"))}
        return form_of(match, at_random(match, Chance(match.seed, "person", match.ply)))

    def _afterwards(self, where: str) -> Iterator[int]:
        """The result, the record, steps of the replay and the review, and the public replay."""
        token = where.split("/")[3]
        saved = unseal_match(token)
        pages = [f"{page}/{token}/" for page in ("play", "record", "replay", "review", "share")]
        shared = f"film/{seal_replay(saved)}/"
        for page in (*pages, shared, f"{shared}card.png"):
            yield self._get(page)
        for _ in range(8):
            page = self.chance.choice(("replay", "replay", "review"))
            step = self.chance.randint(0, saved.match.ply)
            yield self._get(f"{page}/{token}/?step={step}", htmx=True)
