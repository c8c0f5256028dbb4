"""Matches at two devices while servers and their match store are killed.

Whatever happens, all steps that any page has shown are of one match.
"""

from base64 import urlsafe_b64decode
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from django.test import override_settings

from tests.cluster.copies import Cluster
from tests.cluster.players import Duellists, playing, see_few_failures
from tests.support import times
from tests.support.match_stores import redis_served
from tests.support.missing import needs
from tests.support.served import wait_until

Duel: TypeAlias = Any
unseal_duel = pytest.importorskip("game.features.duel.parts").unseal_duel
pytestmark = [pytest.mark.cluster, needs("HAProxy", "haproxy")]
PAIRS = 3
MOST_FAILED = 0.02
"""The part of all requests that may fail for good at the first try, the match store's too."""


def see_one_line(seen: list[Duel]) -> None:
    """Sees that of each match all steps that were shown lie on the way to the last."""
    matches = defaultdict(list)
    for duel in seen:
        if not any(duel.wishes):  # a wish may be lost
            matches[duel.setup.tally.rounds].append(duel)
    for steps in matches.values():
        last = max(steps, key=lambda duel: duel.step)
        assert all(last.includes(step) for step in steps)


def have_all_gone_on(cluster: Cluster, pairs: list[Duellists]) -> bool:
    """Whether all that any device holds is sealed by the key in use, so that others may go."""
    held = [
        token
        for pair in pairs
        if pair.is_alive()
        for device in pair.devices
        for token in (device.token, device.cookies["seats"])
    ]
    return all(urlsafe_b64decode(token)[1:5].hex() == cluster.used for token in held)


def test_no_duel_is_lost_or_forked_while_servers_die_and_keys_change(
    older: Path, tmp_path: Path
) -> None:
    with redis_served(tmp_path / "redis") as server, ExitStack() as stack:
        cluster = Cluster(tmp_path, older, server.url)
        port = stack.enter_context(cluster.running())
        pairs = [Duellists(port, number) for number in range(PAIRS)]
        a, b, old = cluster.copies
        with playing(pairs):
            for _ in range(times(1, 1, 10)):
                b.kill_worker()
                cluster.rotate("add")
                server.kill()
                server.start()
                a.reload()
                old.kill()
                cluster.rotate("use")
                a.kill_worker()
                b.kill()
                wait_until(lambda: have_all_gone_on(cluster, pairs), lambda: "a match stands still")
                cluster.rotate("drop")
    devices = [device for pair in pairs for device in pair.devices]
    see_few_failures(pairs, 3, MOST_FAILED)
    assert not [conflict for device in devices for conflict in device.conflicts]
    assert sum(device.losses for device in devices) == 0
    with override_settings(SECRETS_FILE=cluster.secrets_of([*cluster.tokens])):
        for pair in pairs:
            seen = [[unseal_duel(token) for token in device.tokens] for device in pair.devices]
            see_one_line(seen[0] + seen[1])
            assert seen[0][-1] == seen[1][-1]
