"""Commands of programs, and what their document shows."""

import re
import shlex
import subprocess
import sys

from tests.support.documents import BLOCKS, ROOT
from tests.support.terminals import PATIENCE


def dialogue(shown: str) -> str:
    """Renews a dialogue: what is told to an engine, and indented, its answers."""
    told = [line for line in shown.splitlines() if not line.startswith(" ")]
    (command,) = {block.text for block in BLOCKS if re.match(r"\S+ manage\.py engine ", block.text)}
    done = subprocess.run(
        shlex.split(command), cwd=ROOT, input="\n".join(told) + "\n", text=True,
        capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    answers = [f"    {line}" for line in done.stdout.splitlines()]
    assert len(answers) == len(told) - 1, "each line has an answer but the last, quit"
    return "\n".join(line for pair in zip(told, answers, strict=False) for line in pair) + "\nquit"


THIRTY = ROOT / "docs/starters/thirty.py"
RENEWED = {r"hello \d": dialogue}
"""By the beginning of a block, a function from its text to its new text."""
COMMANDS = [
    ("engine --player random", "hello 1\n", "hello 1 random\n"),
    ("check-engine mind:random", "", "random plays by the rules: 20 games"),
    (f"match '{sys.executable} {THIRTY}' mind:random --games 2", "", "fouls    0 and 0"),
]
"""Commands that every platform and the wheel have: what is typed, and what they say."""
IN_ENGLISH = (
    "game/features/programs/benchmark.py",
    "game/features/programs/management/commands/benchmark.py",
    "game/features/programs/management/commands/check_engine.py",
    "game/features/programs/management/commands/engine.py",
    "game/features/programs/management/commands/match.py",
    "game/features/programs/management/commands/tournament.py",
    "game/features/programs/management/options.py",
    "game/features/programs/tournament.py",
    "game/features/programs/workers.py",
)
"""Modules that refuse in English, as no player calls them."""
