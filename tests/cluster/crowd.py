"""A class behind one address, whose browsers have empty caches: what proxies answer to it.

    .venv/bin/python -m tests.cluster.crowd

Forty players arrive within a minute, and then fire every two seconds for four minutes; their
answers are counted by status. Then `bench load` says how long others wait while one address floods
the site.
"""

import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

import django

from bench import __main__ as bench
from bench.load import PROXIES, site
from tests.cluster.players import Device, Players, playing
from tests.support.device import asked
from tests.support.page import Page

PLAYERS = 40
EVERY = 2.0
"""Seconds between two shots of a player."""
MINDS = "recruit", "commodore", "admiral"
_FILE = re.compile(r'["(]([/.][\w./-]*\.(?:css|js|svg|png|webmanifest))["#)]')
"""A file that a page, a style or a script names."""


class Browser(Device):
    """A device that notes the status of each answer, and asks for the files of its pages."""

    def __init__(self, port: int, chance: random.Random, *, has_script: bool) -> None:
        super().__init__(port, chance, has_script=has_script)
        self.statuses = Counter[int]()
        self._ask, self._files = partial(asked, port), set[str]()

    def _asked(self, method: str, where: str, fields: Mapping[str, str] | None) -> Page:
        page = super()._asked(method, where, fields)
        self.statuses[page.status] += 1
        return page

    def load(self) -> None:
        """Asks for all files that the page needs and the browser hasn't got, six at once."""
        wanted = self._named(self.where, self.page)
        with ThreadPoolExecutor(6) as pool:
            while wanted:
                self._files |= wanted
                files = [*pool.map(self._ask, wanted)]
                self.statuses.update(file.status for file in files)
                wanted = {name for file in files for name in self._named(file.where, file)}

    def _named(self, where: str, text: str) -> set[str]:
        return {urljoin(where, name) for name in _FILE.findall(text)} - self._files


class Pupil(Players):
    """One of the class, until they are told to stop; every fourth browser has no scripts."""

    def __init__(self, port: int, number: int, arrival: float) -> None:
        chance = random.Random(number)
        self.browser = Browser(port, chance, has_script=number % 4 != 0)
        super().__init__(self.browser)
        self._arrival, self._match = chance.uniform(0, arrival), chance.choice(MINDS)

    def play(self) -> None:
        browser, ticks = self.browser, time.monotonic() + self._arrival
        is_playing = False
        while not self.is_told_to_stop.wait(max(0, ticks - time.monotonic())):
            ticks += EVERY
            if not hasattr(browser, "page") or browser.page.status == 429:
                browser.open(browser.where if is_playing else "/en/")
            elif not is_playing or browser.said("phase") == "over":
                browser.where = f"/en/new/bonn/?opponent={self._match}"
                browser.press(action="quick")
                is_playing = browser.page.status == 200
            else:
                is_waiting = browser.said("phase") == "waiting"  # until the computer has gone on
                browser.press(**{"action": "go on"} if is_waiting else browser.any_button())
            browser.load()


def crowd(port: int, arrival: float, seconds: float) -> Counter[int]:
    """Returns the answers to a class that arrives and then fires for so many seconds, by status."""
    pupils = [Pupil(port, number, arrival) for number in range(PLAYERS)]
    with playing(pupils):
        time.sleep(arrival + seconds)
    lost = [pupil.lost for pupil in pupils if pupil.lost]
    assert not lost, lost
    return sum((pupil.browser.statuses for pupil in pupils), Counter[int]())


def main() -> None:
    """Prints a line for each proxy, and the tables of `bench load`."""
    for proxy in PROXIES:
        with tempfile.TemporaryDirectory() as home, site(proxy, Path(home)) as port:
            print(f"{PLAYERS} players behind {proxy}: {dict(crowd(port, 60, 240))}", flush=True)
    bench.main(["load", "--rounds", "1"])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
