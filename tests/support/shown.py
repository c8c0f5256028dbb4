"""Renews what documents show: transcripts, the record, and what a shell or a program answers.

    .venv/bin/python -m tests.support.shown       (`make examples` calls this)

repeats their commands and typed lines, and writes the new output into the documents.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import django

from game.engine.fleets import parse_placement
from game.engine.presets import PRESETS
from game.engine.rules import AtLimit, Ruleset, Side
from game.matches.draft import Draft
from game.matches.record import write
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.setup import Assists, Setup
from tests.support.device import Device
from tests.support.documents import BLOCKS, ROOT, Block
from tests.support.features import merged
from tests.support.matches import address, at_turn, opening
from tests.support.terminals import PATIENCE, terminal

PROMPT = "> "
LEFT_OUT = "…"
"""Replaces the answer to the line above it in a transcript."""
PLAIN = {
    name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))
} | {"LANG": "C.UTF-8", "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
"""The environment of a terminal with eighty columns and no colour."""


def typed(command: str, lines: list[str]) -> str:
    """Runs a command in a new terminal, types the lines, and returns all that it shows."""
    with terminal(["sh", "-c", f"exec {command}"], PLAIN) as it:
        for line in lines:
            it.type(line)
        return it.text


def transcript(shown: str) -> str:
    """Renews a transcript: `$ command`, and the typed lines after `> `."""
    asked = _turns(shown)
    command = asked[0][0].removeprefix("$ ")
    lines = [turn[0].removeprefix(PROMPT) for turn in asked[1:] if turn[0] != ">"]
    turns = _turns(f"$ {command}\n{typed(command, lines)}")
    for old, new in zip(asked, turns, strict=False):
        if old[1:] == [LEFT_OUT]:
            new[1:] = [LEFT_OUT]
    return "\n".join(line for turn in turns for line in turn)


def _turns(text: str) -> list[list[str]]:
    """Splits a transcript into a list of lines for each typed line."""
    turns: list[list[str]] = [[]]
    for line in map(str.rstrip, text.rstrip().splitlines()):
        if line == ">" or line.startswith(PROMPT):
            turns.append([])
        turns[-1].append(line)
    return turns


def session(shown: str) -> str:
    """Renews commands after `$ ` with the answer of a shell to each."""
    commands = [line for line in shown.splitlines() if line.startswith("$ ")]
    return "\n".join(f"{command}\n{answered(command)}" for command in map(with_statement, commands))


def answered(command: str) -> str:
    """Returns the answer of a shell to `$ command`."""
    done = subprocess.run(
        ["sh", "-c", command.removeprefix("$ ")], cwd=ROOT, env=PLAIN, capture_output=True,
        text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    return done.stdout.rstrip()


def with_statement(command: str) -> str:
    """Replaces the statement that the command hashes by that of the example's record."""
    record = example().record
    return re.sub(r"'battleship-commitment-[^']*'", f"'{record.statement}'", command)


@cache
def example() -> SavedMatch:
    """Returns a short match on a small board that a person wins against the recruit."""
    rules = Ruleset(
        columns=4, rows=4, fleet=(2, 1), again=False, moving=False, turns=None,
        at_limit=AtLimit.DRAW, begins=Side.SECOND,
    )  # fmt: skip
    own = tuple(parse_placement(rules.board, text) for text in ("A1h2", "D4h1"))
    setup = Setup(rules, (None, "recruit"))
    seed_shares = SeedShares(bytes(range(16)).hex())
    saved = Draft(replace(setup, seed_shares=seed_shares), own).start(
        share=bytes(range(16, 32)).hex()
    )
    assert isinstance(saved, SavedMatch)
    saved = replace(
        saved, setup=replace(saved.setup, assists=Assists(was_hinted=True, was_coached=True))
    )
    hidden = {cell for ship in saved.match.fleets[Side.SECOND] for cell in ship.cells}
    water = next(cell for cell in rules.board.cells if cell not in hidden)
    for cell in (water, *sorted(hidden)):
        if saved.match.outcome is None:
            saved = replace(saved, match=saved.match.fire(cell)).with_minds_played()
    return saved


def record(shown: str) -> str:
    return write(example().record).rstrip()


def page_in_json(shown: str) -> str:
    """Renews the answer in JSON for a small match after its first shots, with its tokens masked."""
    rules = replace(PRESETS["own"].ruleset, columns=6, rows=6, fleet=(3, 2), again=False, turns=16)
    client = Device(headers={"host": "localhost", "accept": "application/json"})
    page = json.loads(client.get(address(at_turn(opening(rules), 3))).content)
    text = re.sub(r"[A-Za-z0-9_-]{80,}", "TOKEN", json.dumps(_shortened(page), indent=2))
    text = text.replace(json.dumps(LEFT_OUT), LEFT_OUT)
    # Which links there are depends on the features that the site has.
    text = re.sub(r'("links": )\{[^{}]*\}', rf"\1{{{LEFT_OUT}}}", text)
    # Lists and objects that hold no other stand on one line.
    return re.sub(
        r"(?<=[\[{])\n[^\[\]{}]*(?=[\]}])", lambda items: " ".join(items[0].split()), text
    )


def _shortened(value: Any) -> Any:
    """Returns a part of a page in JSON with only the first items of long lists."""
    if isinstance(value, dict):
        return {key: _shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        most = 8 if isinstance(value[0], str) else 2
        return [*map(_shortened, value[:most]), *([LEFT_OUT] if len(value) > most else [])]
    return value


RENEWED: dict[str, Callable[[str], str]] = {
    r"\$ \.venv/bin/python manage\.py": transcript, r"\$ (?!\.venv)": session, r"\{$": page_in_json,
    "battleship-record ": record, **merged("RENEWED"),
}  # fmt: skip
"""By the beginning of a block, a function from its text to its new text."""


def kind_to_renew(block: Block) -> str | None:
    """Returns which of these beginnings a block has, or None."""
    return next((kind for kind in RENEWED if re.match(kind, block.first)), None)


def renewed(block: Block) -> str:
    kind = kind_to_renew(block)
    return block.text if kind is None else RENEWED[kind](block.text)


def main() -> None:
    for block in reversed(BLOCKS):  # from the last, so that line numbers stay valid
        path = ROOT / block.document
        lines = path.read_text().splitlines()
        new = renewed(block).splitlines()
        at = block.line - 1
        lines[at : at + len(block.text.splitlines())] = [
            (" " * block.margin + line).rstrip() for line in new
        ]
        path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
