"""Matches through HAProxy, each click answered by another process, while processes come and go.

`make soak` lets the faults go on for longer.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from django.test import override_settings

from game.matches.saved import SavedMatch
from game.matches.tokens import unseal_match
from game.web.forms import parse_action
from tests.cluster.copies import Cluster
from tests.cluster.players import Game, Player, playing, see_few_failures
from tests.support import times
from tests.support.device import asked
from tests.support.missing import needs

pytestmark = [pytest.mark.cluster, needs("HAProxy", "haproxy")]
PLAYERS = 6
MOST_FAILED = 0.001
"""The part of all requests that may fail for good at the first try."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    with cluster.running() as cluster.port:
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
    with override_settings(SECRETS_FILE=cluster.secrets_of([*cluster.tokens])):
        for game in games:
            assert game.is_over
            assert unseal_match(game.tokens[-1]) == replayed(game)


def test_each_click_of_a_match_is_answered_by_another_process_than_the_last(
    cluster: Cluster,
) -> None:
    player = Player(cluster.port, 1, most=3)
    player.run()
    assert not player.lost
    assert not player.devices[0].failures
    clicks = sum(len(game.clicks) for game in player.games)
    assert clicks >= 20
    for game in player.games:
        names = [server.split()[0] for server in game.servers]
        assert all(one != other for one, other in pairwise(names))
        assert set(names) == {"a", "b", "c"}
    see_sound_games(cluster, player.games)


def test_no_match_is_lost_while_processes_die_and_reload_and_keys_change(cluster: Cluster) -> None:
    players = [Player(cluster.port, 100 + number) for number in range(PLAYERS)]
    a, b, c = cluster.copies
    with playing(players):
        for _ in range(times(1, 1, 10)):
            b.kill_worker()
            cluster.rotate("add")
            a.reload()
            c.kill()
            cluster.rotate("use")
            a.kill_worker()
            b.reload()
            cluster.rotate("drop")
            c.kill_worker()
    games = [game for player in players for game in player.games]
    see_few_failures(players, 1, MOST_FAILED)
    see_sound_games(cluster, games)
    assert len({server for game in games for server in game.servers}) >= 6, "processes"
    # No log of any process holds sixteen characters of any token.
    written = "\n".join(path.read_text() for path in cluster.home.glob("*.log"))
    assert "/en/play/…" in written
    assert "POST" in written
    pieces = set(re.findall(r"(?=([A-Za-z0-9_-]{16}))", written))
    for game in games:
        for token in game.tokens:
            assert not any(token[at : at + 16] in pieces for at in range(len(token) - 15))


def test_the_counters_of_a_copy_outlive_its_workers_and_are_not_for_the_public(
    cluster: Cluster,
) -> None:
    text = asked(cluster.metrics, "/metrics")
    moves = re.findall(r"^battleship_moves_total\{.*\} (\S+)$", text, re.MULTILINE)
    assert sum(map(float, moves)) > 100
    assert text.count("\nbattleship_tokens_sealed_total{") >= 2, "a line for each key"
    for where, status in (("/metrics", 404), ("/readyz", 404), ("/healthz", 200)):
        answer = asked(cluster.port, where)
        assert answer.status == status
        assert "Server" not in answer.headers


def test_the_proxy_refuses_what_no_player_sends(cluster: Cluster) -> None:
    for method in ("TRACE", "PUT", "DELETE", "PROPFIND"):
        assert asked(cluster.port, "/en/", method=method).status == 405
