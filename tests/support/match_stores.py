"""A Redis for the tests, and processes that share one match store."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import BrokenBarrierError
from time import time
from typing import Any
from unittest.mock import patch

import redis

from game.ops import match_store
from tests.support.device import Device
from tests.support.missing import skip_without
from tests.support.served import free_port, wait_until

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")
_LATE = 20
"""Seconds to wait for the other request of a race."""


class RedisServer:
    """A Redis server that is set up as in production, and a client that bypasses the site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.client: Any = redis.Redis(port=self.port)

    def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        words = (
            f"--port {self.port} --bind 127.0.0.1 --dir {self.folder} --appendonly yes "
            "--appendfsync always --maxmemory-policy noeviction --save"
        )
        self._process = subprocess.Popen(
            [str(SERVER), *words.split(), ""], stdout=subprocess.DEVNULL
        )
        self.process = self._process.pid
        wait_until(self.answers, lambda: "Redis doesn't answer")

    def answers(self) -> bool:
        with suppress(redis.RedisError):
            return bool(self.client.ping())
        return False

    def kill(self) -> None:
        self.client.close()
        self._process.kill()
        self._process.wait()


@contextmanager
def redis_served(folder: Path) -> Iterator[RedisServer]:
    """A Redis that runs as long as it is needed."""
    skip_without(SERVER, "Redis")
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


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

    def meet_and_add(key: str, value: str, lifetime: int | None = None) -> bool:
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


# --- a store in use ---

Store = Path | RedisServer
"""The file of the match store in use, or its server."""
ROOMS = 76
"""How many matches there is room for in a small store."""


def empty(where: Store) -> None:
    if isinstance(where, RedisServer):
        where.client.flushall()
        return
    with closing(sqlite3.connect(where)) as file, file:
        file.execute("DELETE FROM register")


def seconds_left(where: Store, key: str) -> float:
    if isinstance(where, RedisServer):
        return float(where.client.ttl(f"battleship:1:{key}"))
    with closing(sqlite3.connect(where)) as file:
        ((text,),) = file.execute(
            "SELECT expires FROM register WHERE cache_key = ?", (f"battleship:1:{key}",)
        )
    return datetime.fromisoformat(f"{text}+00:00").timestamp() - time()


def reserved(number: int, lifetime: int = 1_000) -> bool:
    try:
        match_store.reserve(f"{number:032}", lifetime)
    except match_store.MatchStoreFull:
        return False
    return True
