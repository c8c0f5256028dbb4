"""A server and a browser for each worker; a page that logs an error fails the test it is in."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.support.browser import COUNTERS, Motion, OpenPage, Scheme
from tests.support.robot import Robot

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Where there are several, the first: the shell is the same engine, at half the time."""
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--no-first-run",
]  # fmt: skip
PATIENCE = 60_000
"""Milliseconds after which a browser that waits for something has waited in vain."""
expect.set_options(timeout=PATIENCE)

POLICY_ERRORS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`refused by policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
"""Makes violations of the policy errors."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server like the one in production, without the slash at its end."""
    ours = tmp_path_factory.getbasetemp()
    _collect_static(ours.parent if "PYTEST_XDIST_WORKER" in os.environ else ours)
    log = ours / "server.log"
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as out:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        process = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "--no-control-socket", "-k", "gthread",
                "--threads", "4", "--bind", f"fd://{listener.fileno()}", "battleships_site.wsgi",
            ],
            cwd=settings.BASE_DIR,
            env=_environment() | {"BATTLESHIP_REGISTER": f"sqlite:{ours / 'register.sqlite3'}"},
            pass_fds=(listener.fileno(),),
            stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip
    with process:
        try:
            _see_it_answer(f"{address}/healthz", log)
            yield address
            assert process.poll() is None, f"the server has ended: {log.read_text()[-3000:]}"
        finally:
            process.terminate()
    assert "Traceback" not in log.read_text(), log.read_text()[-3000:]


def _environment() -> dict[str, str]:
    """The tests' own, with the site set up as when nothing is said, but for the tests' key."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    return {**kept, "BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE)}


def _collect_static(shared: Path) -> None:
    """Gathers the static files once for all workers of a run."""
    with (shared / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = shared / "static.done"
        if not done.exists():
            command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
            subprocess.run(command, cwd=settings.BASE_DIR, env=_environment(), check=True)
            done.touch()


def _see_it_answer(address: str, log: Path) -> None:
    """Asks once: the socket is open before the server runs, so that the question waits for it."""
    try:
        with urlopen(address, timeout=PATIENCE / 1000):
            pass
    except (URLError, OSError) as error:
        pytest.fail(f"the server does not answer: {error}\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, or Playwright's own where there is none."""
    names = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[OpenPage]:
    """Opens pages of visitors new to the site; each has to stay without errors to the end."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(
        address: str = "",
        *,
        language: str = "en",
        size: tuple[int, int] = (1280, 800),
        scheme: Scheme = "light",
        motion: Motion = "reduce",
        touch: bool = False,
        script: bool = True,
        expects: str = "",
        init: str = "",
    ) -> Page:
        options: dict[str, Any] = {"is_mobile": True, "has_touch": True} if touch else {}
        context = browser.new_context(
            base_url=server, viewport={"width": size[0], "height": size[1]},
            locale={"en": "en-GB", "de": "de-DE"}[language], color_scheme=scheme,
            reduced_motion=motion, java_script_enabled=script, **options,
        )  # fmt: skip
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(f"{{{POLICY_ERRORS}{COUNTERS}}}{init}")
        page = context.new_page()

        def blame(kind: str, text: str) -> None:
            if not (expects and re.search(expects, text)):
                faults.append(f"{kind}: {text}")

        page.on("pageerror", lambda error: blame("exception", error.message))
        page.on(
            "console",
            lambda said: blame("console", said.text) if said.type == "error" else None,
        )
        if address:
            page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def robot(server: str) -> Robot:
    """A player without a browser."""
    return Robot(server)
