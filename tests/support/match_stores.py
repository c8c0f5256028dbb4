"""Match stores for the tests: a Redis, and what a store that is in use contains."""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import time
from typing import Any

import redis

from game.ops import match_store
from tests.support.missing import skip_without
from tests.support.served import free_port, wait_until

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")


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
