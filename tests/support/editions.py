"""What each mind decides in positions that stay the same: 200 decisions of each.

    python -m tests.support.editions

writes those of this edition to tests/editions/, one line for each mind and preset. It doesn't
replace them: whoever changes a decision raises MINDS_VERSION first.
"""

from __future__ import annotations

from collections.abc import Iterator
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

PATH = Path(__file__).resolve().parents[1] / "editions" / f"edition-{MINDS_VERSION}.txt"
PLAYED = tuple(name for name in PRESETS if name != OWN.name)
ACTIONS = 24
"""In each preset a mind places one fleet, and acts this often."""


@cache
def position(preset: str) -> Match:
    """A whole match of a preset, in the course of which the minds are asked."""
    rules, mind = PRESETS[preset].ruleset, MINDS["camlship"]
    seed = preset.encode().ljust(SEED_BYTES, b".")
    first, second = (referee.deploy(mind, rules, side, seed) for side in Side)
    return referee.play_minds(Match(rules, (first, second), seed), (mind, mind))


def decisions(name: str) -> Iterator[str]:
    """A line for each preset: the fleet that a mind places, and its actions."""
    mind = MINDS[name]
    for preset in PLAYED:
        match = position(preset)
        plies = [match.ply * number // ACTIONS for number in range(ACTIONS)]
        placed = referee.deploy(mind, match.ruleset, Side.FIRST, match.seed)
        acted = [
            action_text(match.ruleset, referee.decide(mind, match.at(ply)).actions[ply])
            for ply in plies
        ]
        yield f"{name} {preset}: {fleet_text(placed)}; {' '.join(acted)}"


def kept() -> list[str]:
    """The lines of this edition."""
    return PATH.read_text().splitlines()


def main() -> None:
    """Writes the decisions of this edition; raises SystemExit if they are kept already."""
    if PATH.exists():
        raise SystemExit(f"edition {MINDS_VERSION} is kept: raise MINDS_VERSION in the registry")
    lines = [line for name in MINDS for line in decisions(name)]
    PATH.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    django.setup()
    main()
