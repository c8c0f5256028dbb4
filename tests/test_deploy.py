"""The files of deploy/ fit each other; where a Docker engine answers, the image is built."""

import re
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.device import asked
from tests.support.missing import skip_without
from tests.support.served import ROOT, free_port, wait_until

COPIED = [
    line[1:]
    for line in (ROOT / ".dockerignore").read_text().splitlines()
    if line.startswith("!")
]  # fmt: skip
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
# --- the image; compose.yaml ---


def test_the_image_gets_what_it_names_and_nothing_from_where_secrets_are() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert next(line for line in lines if line and not line.startswith("#")) == "*"
    assert {"**/secrets*.json", "**/.env*"} <= {*lines}
    for secret in ("var/secrets.json", "deploy/secrets/x", ".env", "secrets.backup", ".git/x"):
        assert not [name for name in COPIED if Path(secret).is_relative_to(name)]
    built = (one["build"]["dockerfile"] for one in SERVICES.values() if "build" in one)
    for name in (*COPIED, *built):
        assert (ROOT / name).exists(), name
    dockerfile = (ROOT / "deploy/Dockerfile").read_text()
    assert re.search(r"^ARG BASE=python:3\.\d+\.\d+-slim-\w+$", dockerfile, re.MULTILINE)
    assert 'CMD ["python", "-m", "battleships_site"]' in dockerfile
    assert re.findall(r"^COPY (\w\S+) ", dockerfile, re.MULTILINE) == ["requirements.lock"]
    assert {"deploy/gunicorn.conf.py", "requirements.lock", "build-requirements.lock"} <= {*COPIED}


def docker(*words: str) -> str:
    done = subprocess.run(["docker", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


def has_docker() -> bool:
    try:
        return subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.deep
def test_the_image_is_built_and_serves_pages_with_the_keys_of_its_first_start() -> None:
    skip_without(has_docker(), "Docker engine", is_demanded=False)
    port, image = free_port(), "battleship-tested"
    docker("build", "--quiet", "--file", "deploy/Dockerfile", "--tag", image, ".")
    found = docker("run", "--rm", image, "find", "/site", "-name", "*secrets*").splitlines()
    assert {Path(line).suffix for line in found} <= {".py", ".pyc"}
    with ExitStack() as stack:
        keys = docker("volume", "create")
        stack.callback(docker, "volume", "rm", keys)
        make = "run", "--rm", "--network", "none", "--volume", f"{keys}:/run/battleship", image
        assert "today's sea" in docker(*make, *SERVICES["keys"]["command"])
        assert docker(*make, *SERVICES["keys"]["command"]) == "", "a later start keeps them"
        site = docker(
            "run", "--detach", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL",
            "--env", "BATTLESHIP_HOSTS=127.0.0.1:*", "--env", "BATTLESHIP_TLS=0",
            "--volume", f"{keys}:/run/battleship:ro", "--publish", f"127.0.0.1:{port}:8000", image,
        )  # fmt: skip
        stack.callback(docker, "rm", "--force", site)
        health = "inspect", "--format", "{{.State.Health.Status}}", site
        wait_until(lambda: docker(*health) == "healthy", lambda: docker("logs", site))
        page = asked(port, "/de/")
        assert (page.status, page.language) == (200, "de")


# --- kubernetes.yaml: pods, their ports, and who may reach them ---
