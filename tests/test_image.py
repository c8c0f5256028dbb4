"""The container image and compose.yaml: their commands are run in a scratch folder, without Docker.

Each build stage and each container is a folder. Only the requirements are not installed again.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.load import proxied_copies
from tests.support.documents import ROOT
from tests.support.hosting import IS_ROOT, Machine, as_user, blocks, free_port, owner, page
from tests.support.missing import needs

SECRETS = ("deploy/secrets/secrets.json", "var/secrets.json", ".env", "secrets.json",
           "secrets.backup", "game/secrets.json", "game/.env")  # fmt: skip
BUILT, CONTAINER = "built", ""
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


# --- what is copied ---


def is_copied(path: str) -> bool:
    """Whether the build copies a file: the last pattern of .dockerignore that matches decides."""
    copied = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        parts = re.split(r"(\*\*/|\*)", line.removeprefix("!"))
        wildcards = {"**/": "(?:.*/)?", "*": "[^/]*"}
        pattern = "".join(wildcards.get(part, re.escape(part)) for part in parts)
        if re.fullmatch(f"{pattern}(?:/.*)?", path):
            copied = line.startswith("!")
    return copied


def context() -> Iterator[str]:
    """Yields the files of the project that the build copies."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in (".git", ".venv")]
        paths = (os.path.relpath(os.path.join(folder, name), ROOT) for name in names)
        yield from filter(is_copied, paths)


@pytest.mark.parametrize("path", [*SECRETS, ".git/config", ".venv/pyvenv.cfg"])
def test_no_secret_is_copied_into_the_image(path: str) -> None:
    assert not is_copied(path)


def test_only_what_the_repository_holds_is_copied() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("there is no repository here")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(context()) - {*listed.stdout.splitlines()} == set()


# --- the Dockerfile ---


def instructions() -> Iterator[tuple[str, str]]:
    """Yields the words and the arguments of the Dockerfile, with its variables."""
    text = re.sub(r"^ *#.*\n", "", (ROOT / "deploy/Dockerfile").read_text(), flags=re.MULTILINE)
    for line in re.sub(r"\\\n *", "", text).splitlines():
        word, _, rest = line.partition(" ")
        if word:
            yield word, rest.strip()


@dataclass
class Stage:
    """What a part of the Dockerfile has made."""

    folder: Path
    workdir: str = "/"
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    user: int = 0
    command: list[str] = field(default_factory=list)
    health: str = ""

    def machine(self, **places: str) -> Machine:
        own = {"/site": f"{self.folder}/site", "/venv": str(ROOT / ".venv"),
               "/run/battleship": f"{self.folder}/run/battleship"}  # fmt: skip
        return Machine({**own, **places}, self.environment)

    def build(self, word: str, rest: str, stages: dict[str, Stage]) -> None:
        """Does what an instruction says."""
        if word == "WORKDIR":
            self.workdir = rest
            Path(self.machine().here(rest)).mkdir(exist_ok=True)
        elif word == "ENV":
            pairs = (pair.partition("=") for pair in shlex.split(rest))
            self.environment |= {
                name: text.replace("$PATH", self.environment["PATH"]) for name, _, text in pairs
            }
        elif word == "COPY":
            self._copy(*rest.split(), stages=stages)
        elif word == "RUN" and "pip install" not in rest:
            command = rest if IS_ROOT else re.sub(r" -[og] 10001", "", rest)
            command = command.replace(" /run/", f" {self.folder}/run/")
            self.machine().run(command, cwd=self.workdir)
        elif word == "USER":
            self.user = int(rest.partition(":")[0])
        elif word == "CMD":
            self.command = eval(rest)  # a list of strings
        elif word == "HEALTHCHECK":
            self.health = shlex.join(eval(rest.partition("CMD ")[2]))

    def _copy(self, *words: str, stages: dict[str, Stage]) -> None:
        if words[0].startswith("--from="):
            source = stages[words[0].removeprefix("--from=")].folder / words[1].strip("/")
            if words[1] != "/venv":
                shutil.copytree(source, self.folder / words[2].strip("/"))
            return
        target = self.folder / self.workdir.strip("/")
        for path in context() if words[0] == "." else words[:1]:
            assert is_copied(path), path
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, target / path)


@pytest.fixture(scope="module")
def scratch() -> Iterator[Path]:
    """A folder that every user may enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def image(scratch: Path) -> Stage:
    stages: dict[str, Stage] = {}
    stage = Stage(scratch)
    for word, rest in instructions():
        if word == "FROM":
            name = (re.findall(r" AS (\w+)", rest) or [CONTAINER])[0]
            stage = stages[name] = Stage(scratch / f"stage-{len(stages)}")
            stage.folder.mkdir()
        elif word not in ("ARG", "EXPOSE"):
            stage.build(word, rest, stages)
    return stages[CONTAINER]


def test_the_base_is_pinned_by_its_version() -> None:
    (base,) = (rest for word, rest in instructions() if word == "ARG")
    assert re.fullmatch(r"BASE=python:3\.\d+\.\d+-slim-\w+", base)
    froms = [rest.split()[0] for word, rest in instructions() if word == "FROM"]
    assert froms == ["${BASE}", "${BASE}"]


def test_the_image_holds_the_prepared_site_no_secret_and_nothing_unreadable(image: Stage) -> None:
    site = image.folder / "site"
    names = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()}
    assert {"locale/de/LC_MESSAGES/django.mo", "var/static/staticfiles.json"} <= names
    assert [name for name in names if re.search(r"secret|\.(pem|key|env|sqlite3)$", name)] == [
        name for name in names if re.fullmatch(r"game/ops/(__pycache__/)?secrets\.[\w.-]+", name)
    ]
    assert any(name.startswith(".cache/") for name in names), "the compiled belief"
    for path in site.rglob("*"):
        assert path.stat().st_mode & 0o444 == 0o444, path
        assert not (path.is_dir() and path.stat().st_mode & 0o022), path


# --- compose.yaml ---


class Containers:
    """The services of compose.yaml, with volumes and ports of their own."""

    def __init__(self, image: Stage, folder: Path) -> None:
        self.image, self.folder = image, folder
        self.ports = {name: free_port() for name in ("site", "register", "proxy", "counters")}
        self.stack = ExitStack()

    def volume(self, mounted: str, image_has: Path | None, user: int) -> str:
        """The folder of a volume, which when it is new gets what the image has there."""
        source = mounted.partition(":")[0]
        if source.startswith("."):
            return str(ROOT / source)
        folder = self.folder / source
        if not folder.exists():
            folder.mkdir(0o755)
            if image_has:
                there = image_has.stat()
                folder.chmod(there.st_mode)
                os.chown(folder, there.st_uid, there.st_gid)
            elif IS_ROOT:  # the image of another project
                os.chown(folder, user, user)
        return str(folder)

    def machine(self, name: str) -> tuple[Machine, int]:
        """The container of a service, and its user."""
        service = SERVICES[name]
        is_own = "build" in service
        user = int(str(service.get("user", self.image.user)).partition(":")[0])
        places = {
            mounted.split(":")[1]: self.volume(
                mounted, self.image.folder / "run/battleship" if is_own else None, user
            )
            for mounted in service.get("volumes", ())
        } | {
            "register:6379": f"127.0.0.1:{self.ports['register']}",
            "0.0.0.0:9464": f"127.0.0.1:{self.ports['counters']}",
            "127.0.0.1:8000": f"127.0.0.1:{self.ports['site']}",
        }  # fmt: skip
        machine = self.image.machine(**places)
        if not is_own:
            machine.environment = {}
        machine.environment = machine.environment | {
            key: re.sub(r"\$\{\w+:-(.*)\}", r"\1", text)
            for key, text in service.get("environment", {}).items()
        }
        return machine, user

    def run(self, name: str, command: str = "", *, may_fail: bool = False) -> str:
        """What the command of a service, or another command in its place, prints."""
        machine, user = self.machine(name)
        words = command or shlex.join(SERVICES[name].get("command", self.image.command))
        done = machine.run(words, user=user, cwd=self.image.workdir, may_fail=may_fail)
        return done.stdout if done.returncode == 0 else ""

    @contextmanager
    def site(self) -> Iterator[int]:
        """The port of the site, once its health check passes."""
        machine, user = self.machine("site")
        machine.environment["BIND"] = f"127.0.0.1:{self.ports['site']}"
        with machine.running(
            self.image.command, user=user, cwd=self.image.workdir, log=self.folder / "site.log",
            is_up=self.is_healthy,
        ):  # fmt: skip
            yield self.ports["site"]

    def is_healthy(self) -> bool:
        machine, user = self.machine("site")
        return not machine.run(self.image.health, user=user, may_fail=True).returncode

    @contextmanager
    def register(self) -> Iterator[None]:
        machine, user = self.machine("register")
        server, *options = SERVICES["register"]["command"]
        server = shutil.which(server) or str(shutil.which("redis-server"))
        words = [server, *options, "--port", str(self.ports["register"]), "--bind", "127.0.0.1"]
        with machine.running(
            words, user=user, cwd="/data", log=self.folder / "register.log",
            is_up=lambda: is_open(self.ports["register"]),
        ):  # fmt: skip
            yield

    @contextmanager
    def proxy(self) -> Iterator[int]:
        """The port of HAProxy before the site, whose address it has in place of a name."""
        copied = self.folder / "haproxy"
        shutil.copytree(ROOT / "deploy/haproxy", copied)
        (copied / "copies.cfg").write_text(proxied_copies(ROOT, {"copy": self.ports["site"]}))
        machine, _user = self.machine("proxy")
        (mounted,) = SERVICES["proxy"]["volumes"]
        machine.places[mounted.split(":")[1]] = str(copied)
        machine.environment["BATTLESHIP_BIND"] = f"127.0.0.1:{self.ports['proxy']}"
        haproxy = 99
        with machine.running(
            SERVICES["proxy"]["command"], user=haproxy, cwd="/", log=self.folder / "proxy.log",
            is_up=lambda: is_open(self.ports["proxy"]),
        ):  # fmt: skip
            yield self.ports["proxy"]


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def containers(image: Stage, scratch: Path) -> Containers:
    """The containers of a first start, before any of them has run."""
    return Containers(image, scratch)


def test_what_is_started_with_nothing_edited_is_the_keys_the_site_and_its_store() -> None:
    first = {name for name, service in SERVICES.items() if "profiles" not in service}
    assert first == {"keys", "site", "register"}
    assert {name for name in SERVICES if "ports" in SERVICES[name]} == {"site", "proxy"}
    assert "game" in SERVICES["site"]["networks"]["default"]["aliases"]
    for name in ("site", "game"):
        assert SERVICES[name]["volumes"] == ["keys:/run/battleship:ro"]
        after = SERVICES[name]["depends_on"]["keys"]["condition"]
        assert after == "service_completed_successfully"
    assert SERVICES["keys"]["volumes"] == ["keys:/run/battleship"]
    assert SERVICES["keys"]["network_mode"] == "none"


def test_the_first_start_makes_keys_for_the_user_of_the_image_and_a_later_one_keeps_them(
    containers: Containers,
) -> None:
    assert "today's sea" in containers.run("keys")
    (made,) = (containers.folder / "keys").iterdir()
    assert (made.name, made.stat().st_mode & 0o777) == ("secrets.json", 0o600)
    assert made.stat().st_uid == owner(containers.image.user)
    before = made.read_bytes()
    containers.run("keys")
    assert made.read_bytes() == before


@needs("Redis", "redis-server", "valkey-server")
@needs("HAProxy", "haproxy")
def test_the_site_its_store_and_the_proxy_serve_a_match_and_a_backup_brings_it_back(
    containers: Containers,
) -> None:
    containers.run("keys")
    assert not containers.is_healthy()
    with containers.register(), containers.site() as port:
        status, _, text = page(port, "/de/")
        assert (status, 'lang="de"' in text, "Schiffe versenken" in text) == (200, True, True)
        (style,) = set(re.findall(r'href="(/static/game/site\.\w+\.css)"', text))
        assert page(port, style)[0] == 200
        where = page(port, "/en/new/bonn/", "action=quick")[1]["Location"]
        assert invites(port)
        with containers.proxy() as proxied:
            assert page(proxied, where)[0] == 200
    save, bring_back = (line for line in blocks("docs/operations.md", RESTORE) if ON_KEYS in line)
    operate(containers, save)
    assert not (containers.folder / "secrets.backup").stat().st_mode & 0o077
    shutil.rmtree(containers.folder / "keys")
    containers.run("keys")
    with containers.site() as port:
        assert page(port, where)[0] != 200, "other keys don't open it"
    operate(containers, bring_back)
    with containers.site() as port:
        assert page(port, where)[0] == 200
    assert not (containers.folder / "keys/secrets.json").stat().st_mode & 0o077


def invites(port: int) -> bool:
    """Whether a friend can be invited, for which the match store is needed."""
    place = "/en/new/friend/bonn/?opponent=friend"
    cookies = page(port, place)[1].get_all("Set-Cookie") or []
    own = {
        "Origin": f"http://127.0.0.1:{port}",
        "Cookie": "; ".join(cookie.partition(";")[0] for cookie in cookies),
    }
    return "/duel/" in page(port, place, "action=quick", own)[1].get("Location", "")


RESTORE, ON_KEYS = "Backup and restore", "docker compose run --rm -T keys "


def operate(containers: Containers, command: str) -> None:
    """Runs a command that an operator types; its redirections are files of the operator's."""
    machine, user = containers.machine("keys")
    command = command.replace(ON_KEYS, "".join(f"{word} " for word in as_user(user)))
    machine.run(command, cwd=str(containers.folder))
