"""What the commands of programs share: how an engine and a sea are named, and numbers."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import CommandError

from game.engine.presets import PRESETS
from game.engine.rules import Ruleset
from game.features.programs.engine_process import EngineProcess
from game.features.programs.engine_referee import InProcess, RunningEngine
from game.features.programs.protocol import Engine
from game.features.programs.seas import SMALL_SEAS
from game.management.terminal_options import refuse_unless
from game.players import minds

MIND = "mind:"
_STARTERS: Mapping[str, Sequence[str]] = {
    ".py": (sys.executable,), ".js": ("node",), ".java": ("java",), ".jar": ("java", "-jar"),
}  # fmt: skip
"""What starts a file of a folder, by the ending of its name; others have to be executable."""
_NAMED = re.compile(r"([\w.-]{1,24})=(.*)", re.DOTALL)
_LONGEST_NAME = 24


class Entrant(NamedTuple):
    """An engine of a tournament or a measurement."""

    name: str
    command: str

    def start(self) -> RunningEngine:
        """Returns the running engine; raises EngineFailed."""
        return starter(self.command)()


def starter(command: str) -> Callable[[], RunningEngine]:
    """Returns what starts the engine of a command line; raises CommandError."""
    if command.startswith(MIND):
        name = command.removeprefix(MIND)
        refuse_unless(name, MIND, minds.MINDS)
        return lambda: InProcess(Engine(minds.MINDS[name]))
    words = _words(command)
    if not words:
        raise CommandError("The command of an engine is empty.")
    # Windows splits a command line itself, where a backslash is none of a quotation.
    return lambda: EngineProcess(command.strip() if os.name == "nt" else words)


def _words(command: str) -> list[str]:
    if os.name == "nt":
        return command.split()
    try:
        return shlex.split(command)
    except ValueError:
        raise CommandError(f"A quotation mark has no pair in this engine: {command}.") from None


def entrants(given: Iterable[str]) -> list[Entrant]:
    """Returns the engines of folders and files, of `mind:NAME`, of commands and of `NAME=COMMAND`.

    Each has another name; raises CommandError.
    """
    named: dict[str, str] = {}
    for name, command in (engine for text in given for engine in _entrants(text)):
        starter(command)  # which refuses a command that is none
        free = (name, *(f"{name}-{number}" for number in range(2, 1000)))
        named[next(it for it in free if it not in named)] = command
    return [Entrant(*engine) for engine in named.items()]


def _entrants(text: str) -> list[Entrant]:
    path = Path(text)
    if text and path.is_dir():
        found = [_of_file(file) for file in sorted(path.iterdir()) if _may_start(file)]
        if not found:
            raise CommandError(f"No file of this folder can be started: {text}.")
        return found
    if _may_start(path):
        return [_of_file(path)]
    if named := _NAMED.fullmatch(text):
        return [Entrant(named[1], named[2])]
    if text.startswith(MIND):
        return [Entrant(text.removeprefix(MIND), text)]
    files = [word for word in _words(text) if Path(word).is_file()]
    return [Entrant((Path(files[-1]).name if files else text)[:_LONGEST_NAME], text)]


def _may_start(file: Path) -> bool:
    is_program = file.suffix in _STARTERS or os.access(file, os.X_OK)
    return file.is_file() and is_program and not file.name.startswith(".")


def _of_file(file: Path) -> Entrant:
    words = [*_STARTERS.get(file.suffix, ()), str(file.absolute())]
    line = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
    return Entrant(file.name[:_LONGEST_NAME], line)


def rules_of(name: str) -> Ruleset:
    """Returns the rules of a preset or of a small sea; raises CommandError."""
    if name in SMALL_SEAS:
        return SMALL_SEAS[name].rules
    refuse_unless(name, "--preset", (*PRESETS, *SMALL_SEAS))
    return PRESETS[name].ruleset


def whole(options: Mapping[str, Any], name: str, least: int = 1) -> int:
    """Returns the whole number of an option; raises CommandError."""
    text = str(options[name])
    if not (text.isascii() and text.isdigit() and len(text) < 8 and int(text) >= least):
        raise CommandError(f"--{name} is a whole number from {least} on, not {text}.")
    return int(text)


def seconds_of(options: Mapping[str, Any]) -> float:
    """Returns the most that an answer may take; raises CommandError."""
    try:
        seconds = float(options["seconds"])
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise CommandError(
            f"--seconds is a number above 0 and up to 3600, not {options['seconds']}."
        )
    return seconds


def one_entrant(given: str) -> Entrant:
    """Returns the engine that is named; raises CommandError for a folder of several."""
    engine, *others = entrants([given])
    if others:
        raise CommandError("Name one engine, not a folder of several.")
    return engine


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
