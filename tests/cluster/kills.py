"""Matches at two devices whose two workers race at every step, and are killed in between.

    python -m tests.cluster.kills [MATCHES] [KILLS]

The workers share the database of the environment. A worker is killed before or after any statement
of a request; another one takes its place. Whatever has been answered has to be in the match.
"""

import os
import random
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, NamedTuple

NEW = "/en/new/friend/own/?columns=6&rows=6&fleet=3-2&again=off"
CELL = re.compile(r'name="cell" value="([A-F][1-6])"(?! aria-disabled)')
DONE = 303
MOST_TRIES = 100
PATIENCE = 60
"""Seconds after which a request without an answer is a fault."""


class Answer(NamedTuple):
    status: int
    where: str
    text: str
    cookies: dict[str, str]


@dataclass
class Browser:
    where: str = NEW
    cookies: dict[str, str] = field(default_factory=dict)
    text: str = ""

    def follow(self, answer: Answer) -> None:
        self.cookies.update(answer.cookies)
        self.where = answer.where or self.where

    def find(self, pattern: str) -> str:
        found = re.search(pattern, self.text)
        assert found, (pattern, self.where, self.text[:300])
        return found[1]


class Worker:
    """A process that answers requests, and ends itself where it is told to."""

    def __init__(self) -> None:
        context = get_context("fork")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, self.pipe), daemon=True)
        self.process.start()
        theirs.close()


def _serve(pipe: Any, parents: Any) -> None:
    parents.close()
    from django.db import connection

    from tests.support.device import Device

    device = Device(headers={"origin": "http://localhost"})
    while pipe.poll(PATIENCE):  # else the site is gone
        try:
            where, fields, cookies, ends_at = pipe.recv()
        except EOFError:
            return
        places = iter(range(ends_at, -1, -1) if ends_at is not None else ())

        def pause(places: Any = places) -> None:
            if next(places, None) == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def execute(run: Any, *given: Any, pause: Any = pause) -> Any:
            pause()
            result = run(*given)
            pause()
            return result

        device.cookies.clear()
        device.cookies.load(cookies)
        with connection.execute_wrapper(execute):
            got = device.get(where) if fields is None else device.post(where, fields)
        sent = {name: found.value for name, found in got.cookies.items()}
        pipe.send(Answer(got.status, got.headers.get("Location", ""), str(got), sent))


class Site:
    """Two workers, and how often one has been killed."""

    def __init__(self, kills: int, seed: int) -> None:
        self.chance, self.kills, self.killed, self.races = random.Random(seed), kills, 0, 0
        self.workers = [Worker(), Worker()]

    def race(self, asks: Sequence[tuple[Browser, str, Mapping[str, str] | None]]) -> list[Answer]:
        """The answers of both workers at once; who isn't answered asks again, as a player does."""
        self.races += len(asks) > 1
        pending, answers = dict(enumerate(asks)), dict[int, Answer]()
        for _try in range(MOST_TRIES):
            if not pending:
                break
            for number, (browser, where, fields) in pending.items():
                is_killed = self.killed < self.kills and self.chance.random() < 0.15
                ends_at = self.chance.randrange(6) if is_killed else None
                self.workers[number].pipe.send((where, fields, browser.cookies, ends_at))
            for number in list(pending):
                pipe = self.workers[number].pipe
                assert pipe.poll(PATIENCE), "no answer, and not killed"
                try:
                    answer = pipe.recv()
                except (EOFError, ConnectionResetError):
                    process = self.workers[number].process
                    process.join()
                    assert process.exitcode == -signal.SIGKILL, "it ended by itself"
                    self.killed += 1
                    self.workers[number] = Worker()
                    continue
                if answer.status != 503:
                    answers[number] = answer
                    del pending[number]
        assert not pending, "the database stays away"
        return [answers[number] for number in range(len(asks))]

    def ask(
        self, browser: Browser, where: str = "", fields: Mapping[str, str] | None = None
    ) -> int:
        """Asks until there is an answer, and goes where it leads to."""
        [answer] = self.race([(browser, where or browser.where, fields)])
        browser.follow(answer)
        if fields is not None and answer.where:
            return self.ask(browser)
        browser.text = answer.text
        return answer.status


def play(site: Site) -> int:
    """Plays a match to its end; returns its number of shots."""
    first, second = Browser(), Browser()
    site.ask(first)
    site.ask(first, first.find(r'action="(/en/seat/[^"]+)"'), {"action": "quick"})
    second.where = "/en" + first.find(r'data-invite="https?://[^/]+([^"]+)"')
    site.ask(second)
    site.ask(second, second.where, {"action": "join"})
    site.ask(second, second.find(r'action="(/en/seat/[^"]+)"'), {"action": "quick"})
    counted, step = 0, 0
    for _turn in range(200):
        for browser in (first, second):
            site.ask(browser)
        if 'data-phase="over"' in first.text:
            break
        steps = {browser.find(r'data-step="(\d+)"') for browser in (first, second)}
        step = step or int(min(steps))
        assert steps == {str(step)}, "each answer is one step, and both see it"
        mover, waiter = (first, second) if 'data-phase="firing"' in first.text else (second, first)
        form = mover.find(r'action="(/en/duel/[^"]+)"')
        if site.chance.random() < 0.3 and (steer := re.search(r'"(\d-(?:fore|aft))"', mover.text)):
            site.ask(mover, form, {"steer": steer[1]})
            form = mover.find(r'action="(/en/duel/[^"]+)"')
        cells = CELL.findall(mover.text)
        cells = site.chance.sample(cells, min(2, len(cells)))
        asks = [(mover, form, {"cell": cell}) for cell in cells]
        if len(asks) == 2 and site.chance.random() < 0.02:
            asks[1] = (waiter, waiter.find(r'action="(/en/duel/[^"]+)"'), {"action": "resign-yes"})
        answers = site.race(asks)
        won = [number for number, it in enumerate(answers) if it.status == DONE]
        assert len(won) == 1 or asks[-1][0] is waiter, [it.status for it in answers]
        for number in won:
            asks[number][0].follow(answers[number])
            step += 1
            counted += "cell" in asks[number][2]
    for browser in (first, second):
        assert 'data-phase="over"' in browser.text
    return counted


def main(matches: int, kills: int) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    from game.ops import database
    from tests.support.device import Device

    # In a process of its own: a pool of connections doesn't work in processes that are forked.
    preparing = get_context("fork").Process(target=database.prepare)
    preparing.start()
    preparing.join()
    Device().get("/en/")  # loads what all workers need, and opens no connection
    site = Site(kills, seed=matches)
    shots = 0
    for _match in range(matches):
        shots += play(site)
    while site.killed < kills:
        shots += play(site)
    print(f"{matches} matches, {shots} shots, {site.races} races, {site.killed} kills")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["20", "100"]))
