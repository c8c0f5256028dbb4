"""A mind that answers on standard output what it is told on standard input, without Django."""

import sys
from collections.abc import Sequence
from typing import Any, cast

from game.features.programs.protocol import Engine
from game.players.registry import TITLES


class _Later:
    """A mind that is loaded when it is first asked something: not for its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, asked: str) -> Any:
        from game.players.minds import MINDS

        return getattr(MINDS[self.name], asked)


def talk(name: str) -> None:
    """Answers each line at once, until `quit` or the end of the input."""
    engine = Engine(cast("Any", _Later(name)))
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    for line in sys.stdin:
        text = line.rstrip("\r\n")
        if text == "quit":
            return
        print(engine.answer(text), flush=True)


def quickly(words: Sequence[str]) -> bool:
    """Talks if the words behind `engine` are a name alone; Django's command reads all others."""
    match words:
        case ["--player", name] if name in TITLES:
            talk(name)
            return True
    return False
