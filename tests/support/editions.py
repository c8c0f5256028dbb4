"""What each mind decides in positions that stay the same: 200 decisions of each.

    python -m tests.support.editions

adds a row for each new mind and each new preset to tests/editions.txt. It leaves the rows as they
are that are there: if a mind decides otherwise than its row says, raise MINDS_VERSION first, which
is the first line of the file. The command then writes all rows anew.
"""

from functools import cache
from pathlib import Path

from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.notation import action_text, fleet_text
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Side
from game.matches import referee
from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION

PATH = Path(__file__).resolve().parents[1] / "editions.txt"
PLAYED = tuple(name for name in PRESETS if name != OWN.name)
ACTIONS = 24
"""In each preset a mind places one fleet, and acts this often."""
_VERSION = f"MINDS_VERSION {MINDS_VERSION}"


@cache
def position(preset: str) -> Match:
    """A whole match of a preset, in the course of which the minds are asked."""
    rules, mind = PRESETS[preset].ruleset, MINDS["camlship"]
    seed = preset.encode().ljust(SEED_BYTES, b".")
    first, second = (referee.deploy(mind, rules, side, seed) for side in Side)
    return referee.play_minds(Match(rules, (first, second), seed), (mind, mind))


def decisions(name: str, preset: str) -> str:
    """The fleet that a mind places in a preset, and its actions."""
    mind, match = MINDS[name], position(preset)
    plies = [match.ply * number // ACTIONS for number in range(ACTIONS)]
    placed = referee.deploy(mind, match.ruleset, Side.FIRST, match.seed)
    acted = [
        action_text(match.ruleset, referee.decide(mind, match.at(ply)).actions[ply])
        for ply in plies
    ]
    return f"{fleet_text(placed)}; {' '.join(acted)}"


def kept() -> dict[str, str]:
    """The rows by mind and preset, such as `sailor bonn`; none of another version of the minds."""
    version, *rows = PATH.read_text().splitlines()
    return dict(row.split(": ") for row in rows) if version == _VERSION else {}


def add_missing() -> None:
    """Writes the rows that are missing, and keeps the others of today's minds and presets."""
    rows, lines = kept(), [_VERSION]
    for name in MINDS:
        for preset in PLAYED:
            row = f"{name} {preset}"
            lines.append(f"{row}: {rows.get(row) or decisions(name, preset)}")
    PATH.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    add_missing()
