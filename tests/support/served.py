"""Real servers for tests: the site, a proxy before it, and copies of the project."""

import os
import re
import runpy
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.conf import settings

from bench.load import nginx_config, proxied_copies
from game.checks import are_static_files_stale
from tests.support.device import asked

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60_000
"""Milliseconds that a browser waits for anything."""
LATE = 120
"""Seconds to wait for another process at most."""
_LEFT_OUT = ".git", ".venv", "var", "secrets", ".*_cache", ".hypothesis", "*.mo"

Answer = TypeVar("Answer")


# --- processes ---


def wait_until(ask: Callable[[], Answer], complaint: Callable[[], str]) -> Answer:
    """Asks until the answer is true, and returns it; fails with the complaint when it's late."""
    until = time.monotonic() + LATE
    while not (answer := ask()):
        assert time.monotonic() < until, complaint()
        time.sleep(0.05)
    return answer


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def python(*words: str, lines: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """What Python does with these words in an environment with more, and with typed lines."""
    return subprocess.run(
        [sys.executable, *words], cwd=ROOT, input=lines, capture_output=True, text=True,
        timeout=LATE, check=False, env=os.environ | env,
    )  # fmt: skip


@contextmanager
def running(
    words: Sequence[str], log: Path, is_up: Callable[[], object], **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a server until the end of the block, once it is up; what it prints goes to the log."""

    def told() -> str:
        return f"{shlex.join(words)}\n{log.read_text()[-3000:]}"

    with log.open("wb") as out:
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, **options)
    for descriptor in options.get("pass_fds", ()):
        os.close(descriptor)  # so that nobody can connect once the server has ended
    with process:
        try:
            wait_until(lambda: process.poll() is not None or is_up(), told)
            assert process.poll() is None, told()
            yield process
            assert process.poll() is None, told()
        finally:
            process.terminate()


# --- the site; asking; copies of the project ---


def environment(**settings_of: str) -> dict[str, str]:
    """The tests' own, with the tests' key and these BATTLESHIP_ variables in lower case alone."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("BATTLESHIP_")}
    given = {f"BATTLESHIP_{name.upper()}": text for name, text in settings_of.items()}
    return {**kept, "BATTLESHIP_SECRETS_FILE": str(settings.SECRETS_FILE), **given}


def site_settings(monkeypatch: pytest.MonkeyPatch, **variables: str) -> dict[str, Any]:
    """The site's settings as they are with these variables and no other of the site's."""
    for name in [name for name in os.environ if name.startswith("BATTLESHIP_")]:
        if name != "BATTLESHIP_SECRETS_FILE":
            monkeypatch.delenv(name)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    monkeypatch.delitem(sys.modules, "battleships_site.environment", raising=False)
    monkeypatch.delattr("battleships_site.environment", raising=False)
    return runpy.run_path(str(ROOT / "battleships_site/settings.py"))


@contextmanager
def served(
    folder: Path, *, application: str = "battleships_site.wsgi", **settings_of: str
) -> Iterator[str]:
    """The address of a server whose log is in a folder, as may be its application.

    `settings_of` are BATTLESHIP_ variables in lower case.
    """
    collect_static()
    log = folder / "server.log"
    listener = socket.create_server(("127.0.0.1", 0))
    port = int(listener.getsockname()[1])
    descriptor = listener.detach()
    words = [
        sys.executable, "-m", "gunicorn", "--no-control-socket", "-k", "gthread", "--threads", "4",
        "--bind", f"fd://{descriptor}", "--pythonpath", str(folder), application,
    ]  # fmt: skip
    env = environment(**settings_of)
    with running(words, log, lambda: answers(port), cwd=ROOT, env=env, pass_fds=(descriptor,)):
        yield f"http://127.0.0.1:{port}"
    assert "Traceback" not in log.read_text(), log.read_text()[-3000:]


def collect_static() -> None:
    """Collects the static files, unless they are up to date."""
    if are_static_files_stale():
        assert python("manage.py", "collectstatic", "--noinput", "-v0").returncode == 0


@contextmanager
def proxied(
    ports: Mapping[str, int], folder: Path, options: str = "", **settings_of: str
) -> Iterator[int]:
    """The port of an HAProxy with the settings of deploy/haproxy, before copies at these ports.

    `options` are those of its address.
    """
    port = free_port()
    copies = folder / f"copies-{port}.cfg"
    copies.write_text(proxied_copies(ROOT, ports))
    words = ["haproxy", "-f", str(ROOT / "deploy/haproxy/haproxy.cfg"), "-f", str(copies)]
    config = (ROOT / "deploy/haproxy/haproxy.cfg").read_text()
    (bind,) = re.findall(r'presetenv BATTLESHIP_BIND "(.*)"', config)
    bind = bind.replace("[::]:8080", f"[::1]:{port}").replace(":8080", f"127.0.0.1:{port}")
    env = environment(bind=f"{bind}{options}", **settings_of)
    with running(words, folder / f"haproxy-{port}.log", lambda: is_open(port), env=env):
        yield port


@contextmanager
def nginx(
    port: int, sites: Sequence[int], folder: Path, *changes: tuple[str, str], sed: str = ""
) -> Iterator[None]:
    """Runs an nginx with deploy/nginx.conf before copies at these ports.

    Further changes of the file have it listen at a port; `sed` is a script for all of it.
    """
    config = nginx_config(ROOT, folder, sites, *changes)
    config = subprocess.run(
        ["sed", sed], input=config, check=True, capture_output=True, text=True
    ).stdout
    (folder / "nginx.conf").write_text(config)
    words = "nginx", "-p", str(folder), "-c", f"{folder}/nginx.conf", "-g", "daemon off;"
    with running(words, folder / "nginx.log", lambda: is_open(port)):
        yield


def answers(port: int) -> bool:
    """Whether the site answers at a port."""
    try:
        return asked(port, "/healthz").status == 200
    except (OSError, HTTPException):
        return False


def copy_of_project(folder: Path, *, has_static: bool = False) -> Path:
    """Copies the project without its repository into a folder; uses the same environment.

    `has_static` copies the collected static files, too.
    """
    copy = folder / "battleships"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    (copy / ".venv").symlink_to((ROOT / ".venv").resolve())
    if has_static:
        shutil.copytree(settings.STATIC_ROOT, copy / "var/static")
    return copy
