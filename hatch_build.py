"""Completes the wheel: requirements.txt, compiled catalogues and minified static files.

The wheel contains nothing that depends on the platform: the compiled part of the belief is
WebAssembly, and wasmtime, a requirement, runs it everywhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).resolve().parent
STATIC = ROOT / "var/wheels/static"
COMMANDS = (("translations",), ("collectstatic", "--verbosity", "0", "--minified", str(STATIC)))
NEEDED = {"babel", "brotli", "django", "django-htmx", "environs", "whitenoise"}
"""What these commands need of the requirements."""
IS_TOO_OLD = sys.version_info < (3, 11)


def requirements(name: str = "requirements.txt") -> list[str]:
    """The lines of a list of requirements without their reasons."""
    if IS_TOO_OLD:
        return []  # so that pip names nothing else that is too new
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [text for line in lines if (text := line.partition("#")[0].strip())]


class Dependencies(MetadataHookInterface):
    """Takes the dependencies, and those of the extras, from their lists."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = requirements()
        metadata["optional-dependencies"] = {
            extra: requirements(f"requirements-{extra}.txt") for extra in ("postgres", "tournament")
        }


class Files(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the files that the repository doesn't have."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        needed = [line for line in requirements() if line.partition("==")[0].lower() in NEEDED]
        return needed + requirements("build-requirements.txt")

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the catalogues and collects the static files."""
        if IS_TOO_OLD:
            if "PIP_BUILD_TRACKER" in os.environ:
                return  # pip reads in the wheel which Python it needs, and refuses it
            sys.exit("Battleship is built by Python 3.11 or newer, not " + sys.version.split()[0])
        shutil.rmtree(STATIC, ignore_errors=True)
        for command in COMMANDS:
            subprocess.run(  # noqa: S603 (fixed commands)
                [sys.executable, "manage.py", *command], cwd=ROOT, check=True,
                env=os.environ | {"BATTLESHIP_ENV": "development"},
            )  # fmt: skip
        places = build_data["force_include"]
        places[str(STATIC)] = "battleships_site/static"
        for catalogue in (ROOT / "locale").glob("*/LC_MESSAGES/django.mo"):
            places[str(catalogue)] = f"battleships_site/{catalogue.relative_to(ROOT).as_posix()}"
        for catalogue in (ROOT / "game/features").glob("*/locale/*/LC_MESSAGES/django.mo"):
            places[str(catalogue)] = catalogue.relative_to(ROOT).as_posix()
