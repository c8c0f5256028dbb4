"""What a page costs that waits for the other player: its poll, beside the check of health.

python -m bench duel
BATTLESHIP_DATABASE=postgres://… python -m bench duel

Both are asked in this process, in turn, without a socket. The figure is CPU of this process alone.
"""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser, Namespace
from time import process_time

from django.conf import settings

from bench.report import NotAMeasure, say

ROUNDS, REQUESTS = 20, 500


def add_options(parser: ArgumentParser) -> None:
    """There are none."""


def run(_options: Namespace) -> None:
    """Prints the CPU of both, and their ratio."""
    from battleships_site.wsgi import application
    from game.engine.chance import Chance
    from game.engine.fleets import complete
    from game.engine.presets import PRESETS
    from game.features.duel import models
    from game.features.duel.state import new_id, opened, poll_key
    from game.matches.setup import Setup
    from game.ops import database
    from game.web.seats import seat_hash_of

    database.prepare()
    preset = PRESETS["bonn"]
    fleet = complete(preset.ruleset, (), Chance(bytes(16), "fleet", 0))
    setup = Setup(preset.ruleset, (None, None), preset, remote=True)
    duel = opened(setup, new_id(), seat_hash_of(b"first"), fleet, "")
    models.add(duel)
    models.write(duel.joined(seat_hash_of(b"second")), is_joining=True)
    wait = f"/wait/{duel.id}/{poll_key(duel.seat_hashes[0])}/1/"

    def ask(path: str, status: str) -> None:
        told: list[str] = []
        environ = {
            "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "",
            "wsgi.url_scheme": "http",
            "SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_HOST": "localhost",
            "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr,
            "HTTP_PRESENCE": "visible",
        }  # fmt: skip
        response = application(environ, lambda said, *_: told.append(said))
        b"".join(response)
        getattr(response, "close", int)()
        if not told[0].startswith(status):
            raise NotAMeasure(f"{path} is answered by {told[0]}")

    spent = {"/healthz": 0.0, wait: 0.0}
    for _round in range(ROUNDS):
        for path, status in (("/healthz", "200"), (wait, "204")):
            ask(path, status)
            began = process_time()
            for _request in range(REQUESTS):
                ask(path, status)
            spent[path] += process_time() - began
    health, poll = (1e6 * it / ROUNDS / REQUESTS for it in spent.values())
    kind = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
    say(f"{kind}: health {health:.0f} µs, poll {poll:.0f} µs, {poll / health:.2f} times")
    row = models.Duel.objects.get(id=duel.id)
    say(f"a sealed state: {len(row.state)} bytes")
    row.delete()
