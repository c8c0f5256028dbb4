"""Matches through HAProxy, each click answered by another process, while processes come and go.

Copy `a` and `b` are run from this tree, `old` from the commit that last recorded golden tokens:
the two versions share their matches. `make soak` lets the faults go on for longer.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from urllib.request import urlopen

import pytest
from django.test import override_settings

from game.forms import parse_action
from game.matches.keyring import kid_of
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match, unseal_match
from game.ops import secrets
from tests.cluster.copies import ROOT, Copy, asked, free_port, proxied, running
from tests.cluster.players import Game, Player
from tests.support.browser_matches import begun
from tests.support.fuzz import times
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(
        shutil.which("haproxy") is None,
        reason="there is no HAProxy: `sh .ci/haproxy` installs Debian's where it may",
    ),
]
PLAYERS = 6
MOST_FAILED = 0.001
"""The part of all requests that may fail for good at the first try."""


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree of the version before this, or this one where there is no history."""
    golden = "tests/web/golden_tokens.json"
    log = ["git", "log", "-1", "--format=%H", "--", golden]
    asked = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False)
    if not asked.stdout.strip():
        return ROOT
    tree = tmp_path_factory.mktemp("older")
    archive = ["git", "archive", asked.stdout.strip()]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=packed, check=True)
    # It has static files of its own: pages of each version name others.
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    own = {name: text for name, text in os.environ.items() if "BATTLESHIP" not in name}
    subprocess.run(collect, cwd=tree, env=own, check=True)
    return tree


class Cluster:
    """Three copies, the proxy, and every key there ever was."""

    def __init__(self, home: Path, older: Path) -> None:
        self.metrics = free_port()
        self.home = home
        self.copies = [
            Copy("a", ROOT, home, metrics=f"127.0.0.1:{self.metrics}"),
            Copy("b", ROOT, home),
            Copy("old", older, home),
        ]
        self.found = secrets.make()
        self.numbers = count()
        self.tokens: dict[str, str] = {}
        """A token of each key there ever was, by its root."""
        self.note(self.found["keys"][0])
        for copy in self.copies:
            secrets.write(copy.secrets, self.found)
        self.port = 0

    def note(self, key: dict[str, str]) -> None:
        """Seals a match with a new key."""
        with override_settings(SECRETS_FILE=self.secrets_of(key["root"])):
            self.tokens[key["root"]] = seal_match(begun())

    def secrets_of(self, *roots: str) -> Path:
        """A file of secrets with these keys, the first of them in use."""
        path = self.home / f"keys-{next(self.numbers)}.json"  # each file is read once
        states = ["use"] + ["accept"] * (len(roots) - 1)
        keys = [{"root": r, "state": state} for r, state in zip(roots, states, strict=True)]
        secrets.write(path, {**self.found, "keys": keys})
        return path

    def rotate(self, phase: str) -> None:
        """One phase of a rotation, copy by copy."""
        keys = self.found["keys"]
        if phase == "add":
            keys.append(secrets.make_key("accept"))
            self.note(keys[-1])
        elif phase == "use":
            keys[0]["state"], keys[1]["state"] = "accept", "use"
        else:
            keys.pop(0)
        for copy in self.copies:
            self.give_keys(copy)

    def give_keys(self, copy: Copy) -> None:
        """Hands the keys there are now to a copy, and waits until it has read them."""
        secrets.write(copy.secrets, self.found)
        wait_until(lambda: self.has_read(copy), lambda: f"{copy.name} goes on with its old keys")

    def has_read(self, copy: Copy) -> bool:
        """Whether a copy seals and opens with the keys that there are now, and with no others."""
        [used] = [kid_of(key) for key in self.found["keys"] if key["state"] == "use"]
        roots = {key["root"] for key in self.found["keys"]}
        return copy.seals_with() == used and all(
            copy.opens(token) is (root in roots) for root, token in self.tokens.items()
        )

    def logs(self) -> str:
        """All that any process has written."""
        return "\n".join(path.read_text() for path in self.home.glob("*.log"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, older: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), older)
    with running(cluster.copies, cluster.home) as port:
        cluster.port = port
        yield cluster


def replayed(game: Game) -> SavedMatch:
    """The match that the same clicks make, played here without any server."""
    saved = unseal_match(game.tokens[0])
    for fields in game.clicks:
        action = parse_action(saved.match.ruleset, fields)
        saved = replace(saved, match=saved.match.act(action)).with_minds_played()
    return saved


def see_sound_games(cluster: Cluster, games: list[Game]) -> None:
    """Sees that each match is over, and is what its clicks make of its beginning."""
    with override_settings(SECRETS_FILE=cluster.secrets_of(*cluster.tokens)):
        for game in games:
            assert game.is_over
            assert unseal_match(game.tokens[-1]) == replayed(game)


def test_each_click_of_a_match_is_answered_by_another_process_than_the_last(
    cluster: Cluster,
) -> None:
    player = Player(cluster.port, 1, most=3)
    player.run()
    assert not player.lost
    assert not player.failures
    clicks = sum(len(game.clicks) for game in player.games)
    assert clicks >= 20
    for game in player.games:
        names = [server.split()[0] for server in game.servers]
        assert all(one != other for one, other in pairwise(names))
        assert set(names) == {"a", "b", "old"}
    see_sound_games(cluster, player.games)


def test_no_match_is_lost_while_processes_die_and_reload_and_keys_change(
    cluster: Cluster,
) -> None:
    players = [Player(cluster.port, 100 + number) for number in range(PLAYERS)]
    for player in players:
        player.start()
    a, b, old = cluster.copies
    try:
        for _ in range(times(1, 1, 10)):
            b.kill_worker()
            cluster.rotate("add")
            a.reload()
            old.kill()
            cluster.rotate("use")
            a.kill_worker()
            b.reload()
            cluster.rotate("drop")
            old.kill_worker()
    finally:
        for player in players:
            player.is_told_to_stop.set()
        for player in players:
            player.join(120)
    games = [game for player in players for game in player.games]
    requests = sum(player.requests for player in players)
    failures = [failure for player in players for failure in player.failures]
    print(f"{len(games)} matches, {requests} requests, {len(failures)} failed: {failures}")
    assert not [lost for player in players for lost in player.lost]
    see_sound_games(cluster, games)
    assert len(failures) <= max(1, MOST_FAILED * requests), failures
    assert len({server for game in games for server in game.servers}) >= 6, "processes"
    see_no_token_in_the_logs(cluster, games)


def see_no_token_in_the_logs(cluster: Cluster, games: list[Game]) -> None:
    """Sees that no log of any process holds sixteen characters of any token."""
    written = cluster.logs()
    assert "/en/play/…" in written
    assert "POST" in written
    pieces = set(re.findall(r"(?=([A-Za-z0-9_-]{16}))", written))
    for game in games:
        for token in game.tokens:
            assert not any(token[at : at + 16] in pieces for at in range(len(token) - 15))


def test_the_counters_of_a_copy_outlive_its_workers_and_are_not_for_the_public(
    cluster: Cluster,
) -> None:
    with urlopen(f"http://127.0.0.1:{cluster.metrics}/metrics") as answer:
        text = answer.read().decode()
    moves = re.findall(r"^battleship_moves_total\{.*\} (\S+)$", text, re.MULTILINE)
    assert sum(map(float, moves)) > 100
    assert text.count("\nbattleship_tokens_sealed_total{") >= 2, "a line for each key"
    for where, status in (("/metrics", 404), ("/readyz", 404), ("/healthz", 200)):
        assert asked(cluster.port, "GET", where).status == status


def test_the_proxy_refuses_what_no_player_sends(cluster: Cluster) -> None:
    for method in ("TRACE", "PUT", "DELETE", "PROPFIND"):
        assert asked(cluster.port, method, "/en/").status == 405
    assert asked(cluster.port, "POST", "/en/new/bonn/", b"x" * 16_385).status == 413
    assert asked(cluster.port, "GET", f"/en/play/{'A' * 4100}/").status == 400


def test_the_proxy_slows_down_who_asks_too_often(cluster: Cluster) -> None:
    with proxied(cluster.copies, cluster.home, rate=20) as port:

        def is_listening() -> bool:
            try:
                return asked(port, "GET", "/healthz").status == 200
            except OSError:
                return False

        wait_until(is_listening, lambda: "the proxy does not answer")
        statuses = [asked(port, "GET", "/healthz").status for _ in range(30)]
    assert statuses == sorted(statuses)
    assert statuses.count(200) <= 20
    assert set(statuses) == {200, 429}
