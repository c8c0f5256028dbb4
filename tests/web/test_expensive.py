"""Expensive pages: a process computes one at a time, and neither clicks nor home pages wait."""

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from threading import Event
from typing import Any

import pytest

from game.display import replay as replays
from tests.support.device import JSON, Device
from tests.support.matches import address, ended


def test_one_expensive_page_is_computed_while_one_waits_and_more_are_refused(
    client: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_begun, may_end, shown = Event(), Event(), replays.replay_view

    def hold(*asked: Any, **more: Any) -> Any:
        if not is_begun.is_set():
            is_begun.set()
            assert may_end.wait(60)
        return shown(*asked, **more)

    monkeypatch.setattr(replays, "replay_view", hold)
    replay = address(ended(), page="replay")
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(Device().get, replay)
        assert is_begun.wait(60)
        others = [pool.submit(Device().get, replay, headers=JSON) for _ in range(2)]
        done, waiting = wait(others, 60, return_when=FIRST_COMPLETED)
        home, refused = client.get("/en/"), client.get(replay)
        may_end.set()
    assert [one.result().status for one in done] == [503]
    assert (home.status, refused.status) == (200, 503)
    assert int(refused.headers["Retry-After"]) >= 1
    assert refused.headers["Refresh"] == refused.headers["Retry-After"], (
        "a browser asks again by itself"
    )
    assert "tries again by itself" in refused
    assert [one.result().status for one in (first, *waiting)] == [200, 200]
    assert client.get(replay).status == 200
