"""Processes that share one match store, and whose requests race."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from threading import BrokenBarrierError
from time import time
from unittest.mock import patch

from tests.support.device import Device

_LATE = 20
"""Seconds to wait for the other request of a race."""


@dataclass(frozen=True)
class Ask:
    """A request of a browser."""

    where: str
    fields: Mapping[str, str] | None = None
    """The form's fields; None for a GET."""
    cookies: Mapping[str, str] = field(default_factory=dict)
    later: int = 0
    """By how many seconds the clock of presence is ahead."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    where: str
    """The redirect's target; empty if the answer is a page."""
    text: str
    cookies: Mapping[str, str]
    lost: int = 0
    """How often a step was not written because another one stood there."""


class Processes:
    """Several processes that serve the site from one match store."""

    def __init__(self, match_store: str, number: int) -> None:
        context = get_context("spawn")
        # Kept, as a process that starts later opens their semaphores by name.
        self._barriers = {size: context.Barrier(size) for size in (2, 3)}
        self._pipes: list[Connection] = []
        self._processes = []
        with patch.dict(os.environ, BATTLESHIP_MATCH_STORE=match_store):
            for _ in range(number):
                pipe, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, self._barriers), daemon=True)
                process.start()
                theirs.close()
                self._pipes.append(pipe)
                self._processes.append(process)

    def ask(self, number: int, ask: Ask) -> Answer:
        """The answer of one of the processes."""
        [answer] = self._asked([(number, ask, "")])
        return answer

    def race(self, numbers: Sequence[int], asks: Sequence[Ask], meeting: str) -> list[Answer]:
        """The answers of two or three processes that are asked at once.

        They meet "before" they begin, or where both have read and are about to "write".
        """
        return self._asked([
            (number, ask, meeting) for number, ask in zip(numbers, asks, strict=True)
        ])  # fmt: skip

    def _asked(self, jobs: list[tuple[int, Ask, str]]) -> list[Answer]:
        for number, ask, meeting in jobs:
            self._pipes[number].send((ask, meeting, len(jobs)))
        answers = [self._pipes[number].recv() for number, _ask, _meeting in jobs]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers

    def stop(self) -> None:
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            process.join(10)


@contextmanager
def processes(match_store: str, number: int) -> Iterator[Processes]:
    """Processes that run as long as they are needed."""
    found = Processes(match_store, number)
    try:
        yield found
    finally:
        found.stop()


def _serve(pipe: Connection, barriers: Mapping[int, Barrier]) -> None:
    """Answers what comes by the pipe until it is closed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    import django

    django.setup()
    from game.features.duel import presence
    from game.ops import match_store

    # One client for all browsers: to make one takes as long as a request.
    client = Device(headers={"origin": "http://localhost"})
    add = match_store.add
    is_to_meet, lost, racers, later = False, 0, 2, 0

    def meet_and_add(key: str, value: str, lifetime: int = match_store.LIFETIME) -> bool:
        nonlocal is_to_meet, lost
        if is_to_meet:
            is_to_meet = False
            _meet(barriers[racers])
        is_added = add(key, value, lifetime)
        lost += not is_added
        return is_added

    match_store.add = meet_and_add
    presence.time = lambda: time() + later  # type: ignore[attr-defined]
    while True:
        try:
            ask, meeting, racers = pipe.recv()
        except EOFError:
            return
        is_to_meet, lost, later = meeting == "write", 0, ask.later
        try:
            if meeting == "before":
                _meet(barriers[racers])
            answer = _answer(client, ask)
            pipe.send(replace(answer, lost=lost))
        except Exception as error:
            pipe.send(AssertionError(f"{ask}: {error!r}"))


def _meet(barrier: Barrier) -> None:
    try:
        barrier.wait(_LATE)
    except BrokenBarrierError:
        barrier.reset()
        raise


def _answer(client: Device, ask: Ask) -> Answer:
    client.cookies.clear()
    client.cookies.load(dict(ask.cookies))
    if ask.fields is None:
        response = client.get(ask.where)
    else:
        response = client.post(ask.where, dict(ask.fields))
    return Answer(
        response.status, response.headers.get("Location", ""), str(response),
        {name: found.value for name, found in response.cookies.items()},
    )  # fmt: skip
