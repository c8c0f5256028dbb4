"""How long pages of other addresses take while one address repeats the dearest requests.

python -m bench load
python -m bench load --proxy nginx --flood replay position

The site runs as deploy/ describes it: HAProxy or nginx with the example's limits before gunicorn
with two workers. Four players with an address each open pages and fire; meanwhile 14 connections of
one other address repeat a request, and pause for 0.1 seconds after each refusal.

The proxies must be installed, and all of 127.0.0.0/8 must lead here, as on Linux.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPException
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse

from bench.client import FIREFOX, Browser, served
from bench.matches import clicks
from bench.report import NotAMeasure, Sample, Table, say, track
from bench.requests import Request, expensive_requests

FLOODS = {
    "review": ("review", "15 by 15"),
    "replay": ("replay", "15 by 15, a step in fog, JSON"),
    "film": ("public_replay", "15 by 15"),
    "card": ("card", "15 by 15"),
    "elsewhere": ("elsewhere", "15 by 15"),
    "position": ("position", "30 ships, an empty sea"),
    "puzzle": ("puzzle", "own, answered"),
    "new": ("new", "full board, quick, JSON"),
    "salvos": ("new", "salvos, quick, JSON"),
    "place": ("place", "full board, quick, JSON"),
    "play": ("play", "full board, go on, JSON"),
    "coach": ("play", "15 by 15, GET with coach, JSON"),
    "watch": ("watch", "Bonn"),
    "home": ("home", "GET"),
    "missing": ("missing", "a file"),
}
"""The requests to repeat, by name and kind of bench.requests: the dearest of each address, a cheap
one, and a file that isn't there, for which proxies ask all copies."""
PROXIES = "haproxy", "nginx"
WORKERS, CONNECTIONS, PLAYERS = 2, 14, 4
PAUSE = 0.15
"""Seconds between two requests of a player, so that the proxy refuses none."""
AFTER_REFUSAL = 0.1
WARM_UP = 2.0
"""Seconds until what takes longest is compiled, and the flood is at its full rate."""
REFUSALS = (429, 503)


class Seen(NamedTuple):
    """What players and the flood saw in one round or in several."""

    waits: list[float]
    """Milliseconds until each page of a player was there."""
    refused: int
    answers: Counter[int]
    """The answers to the flood, by status."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--proxy", nargs="+", choices=PROXIES, default=PROXIES)
    parser.add_argument("--flood", nargs="+", choices=FLOODS, default=list(FLOODS))
    parser.add_argument("--seconds", type=float, default=15, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)


def run(options: Namespace) -> None:
    wanted = {FLOODS[name]: name for name in options.flood}
    known = (*expensive_requests(), Request("missing", "a file", "/static/missing.css"))
    floods = {wanted[kind]: one for one in known if (kind := one[:2]) in wanted}
    for proxy in options.proxy:
        _measure(proxy, floods, options)


def _measure(proxy: str, floods: Mapping[str, Request], options: Namespace) -> None:
    """Prints a row for each flood behind a proxy."""
    rounds = {flood: list[Seen]() for flood in ["none", *floods]}
    before = _load()
    with tempfile.TemporaryDirectory() as home, site(proxy, Path(home)) as port:
        for number, flood in enumerate(track([*rounds] * options.rounds, "rounds")):
            # The proxy remembers an address for a while.
            address = f"127.0.2.{number % 250 + 1}"
            rounds[flood].append(_round(port, address, floods.get(flood), options.seconds))
    say(
        f"behind {proxy}: "
        f"{PLAYERS} players, {CONNECTIONS} connections of one address; milliseconds of a page"
    )
    say(f"load of the machine before: {before}, after: {_load()}")
    table = Table(
        "flood:10, pages:>6, median:>8.0f, 99%:>7.0f, worst:>7.0f, refused:>9, "
        "  answers to the flood a second:"
    )
    for flood, seen in rounds.items():
        waits = Sample(tuple(wait for one in seen for wait in one.waits))
        answers = sum((one.answers for one in seen), Counter[int]())
        seconds = options.rounds * options.seconds
        rates = (f"{status}: {n / seconds:.1f}" for status, n in sorted(answers.items()))
        quantiles = waits.median, waits.percentile(99), waits.worst
        refused = sum(one.refused for one in seen)
        table.say(flood, len(waits.numbers), *quantiles, refused, f"  {', '.join(rates)}")


def _load() -> str:
    """Returns the processes that want to run, as means of 1, 5 and 15 minutes."""
    return " ".join(f"{mean:.1f}" for mean in os.getloadavg())


def proxied_copies(tree: Path, ports: Mapping[str, int]) -> str:
    """Returns the example's file of the copies behind HAProxy, for copies at ports of 127.0.0.1."""
    text = (tree / "deploy/haproxy/copies.cfg").read_text()
    servers = "\n".join(f"    server {name} 127.0.0.1:{port}" for name, port in ports.items())
    text = text.replace("    server-template copy 1-24 game:8000", servers)
    text = text.replace(" resolvers docker init-addr none", "")
    return re.sub("    server any .*", "", text)


def nginx_config(tree: Path, folder: Path, ports: Iterable[int], *changes: tuple[str, str]) -> str:
    """Returns a whole file for nginx with the example, before copies at ports of 127.0.0.1.

    It writes into a folder. Further changes of the example have it listen at a port.
    """
    config = (tree / "deploy/nginx.conf").read_text()
    server = "server 127.0.0.1:{} max_fails=0;"
    copies = "".join(server.format(port) for port in ports)
    for name, here in ((server.format(8000), copies), ("/var/log/nginx", str(folder)), *changes):
        if name not in config:
            raise NotAMeasure(f"not in deploy/nginx.conf: {name!r}")
        config = config.replace(name, here)
    config = re.sub(r"listen \[::\].*\n", "", config)  # unless a change has it listen elsewhere
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root; " if os.getuid() == 0 else ""
    return f"{user}pid {folder}/pid; events {{}}\nhttp {{ {kept} {config} }}\n"


@contextmanager
def site(proxy: str, home: Path) -> Iterator[int]:
    """Yields the port of the example proxy, without TLS, before one copy of the site."""
    tree = Path(settings.BASE_DIR)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with served(home / "log", workers=WORKERS) as server, (home / "proxy.log").open("wb") as log:
        file = home / "proxy.cfg"
        if proxy == "haproxy":
            file.write_text(proxied_copies(tree, {"copy": server.port}))
            command = ["haproxy", "-f", str(tree / "deploy/haproxy/haproxy.cfg"), "-f", str(file)]
        else:
            plain = {
                "listen 443 ssl;": f"listen 127.0.0.1:{port};",
                "listen 80;": f"listen unix:{home}/80;",
            }
            config = nginx_config(tree, home, [server.port], *plain.items())
            file.write_text(re.sub(r"\bssl_\w+ [^;]*;", "", config))
            command = ["nginx", "-p", str(home), "-c", str(file), "-g", "daemon off;"]
        environment = os.environ | {"BATTLESHIP_BIND": f"127.0.0.1:{port}"}
        try:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)  # noqa: S603
        except FileNotFoundError as error:
            raise NotAMeasure(f"{proxy} is not installed") from error
        with process:
            try:
                _wait_for(port)
                yield port
            finally:
                process.terminate()


def _wait_for(port: int) -> None:
    for _ in range(100):
        with suppress(OSError), Browser(port=port) as browser:
            if browser.send("/en/").status == 200:
                return
        sleep(0.1)
    raise NotAMeasure("the site doesn't answer behind the proxy")


def _round(port: int, address: str, flood: Request | None, seconds: float) -> Seen:
    """Plays one round. The flood has its own process, so that it doesn't slow down the players."""
    with ProcessPoolExecutor(1, get_context("fork")) as other, ThreadPoolExecutor(PLAYERS) as pool:
        if flood:
            flooding = other.submit(_flood, port, address, flood, WARM_UP + seconds)
        sleep(WARM_UP)
        ends = perf_counter() + seconds
        played = list(pool.map(lambda number: _play(port, number, ends), range(PLAYERS)))
        answers = flooding.result() if flood else Counter[int]()
    waits = [wait for waited, _ in played for wait in waited]
    return Seen(waits, sum(refused for _, refused in played), answers)


def _play(port: int, number: int, ends: float) -> tuple[list[float], int]:
    """Returns the milliseconds of a player's pages until that time, and how many were refused."""
    waits, refused = list[float](), 0
    with Browser(FIREFOX, port, f"127.0.1.{number + 1}") as browser:
        for path, fields in _pages(number):
            before = perf_counter()
            if before > ends:
                break
            status = browser.send(path, fields, htmx=fields is not None).status
            waits.append(1000 * (perf_counter() - before))
            refused += status in REFUSALS
            sleep(PAUSE)
    return waits, refused


def _pages(number: int) -> Iterator[tuple[str, dict[str, str] | None]]:
    """Yields the home page, a match's page and a shot there, again and again."""
    for click in clicks("bonn", number, PLAYERS):
        yield from ((reverse("home"), None), (click.path, None), (click.path, click.fields))


def _flood(port: int, address: str, request: Request, seconds: float) -> Counter[int]:
    """Returns the answers, by status, to connections of one address that repeat a request."""
    ends, is_form = perf_counter() + seconds, bool(request.form)

    def send(_: int) -> Counter[int]:
        answers = Counter[int]()
        with Browser(FIREFOX, port, address) as browser:
            while perf_counter() < ends:
                try:
                    fields, accept = request.form or None, request.accept
                    status = browser.send(request.path, fields, htmx=is_form, accept=accept).status
                except (OSError, HTTPException):
                    status = 0
                    browser.close()
                answers[status] += 1
                if status in (0, *REFUSALS):
                    sleep(AFTER_REFUSAL)
        return answers

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        return sum(pool.map(send, range(CONNECTIONS)), Counter[int]())
