"""What the hit calculator says of contradictions, and of large numbers."""

import pytest

from game.engine.position import Position, still, typed
from game.engine.rules import Ruleset
from game.features.calculator import words
from game.players.belief.position_chances import Contradiction, look


def small(fleet: tuple[int, ...], side: int = 6, *, touching: bool = False) -> Ruleset:
    return still(Ruleset(columns=side, rows=side, fleet=fleet, touching=touching))


SEA = small((3, 2, 2))


@pytest.mark.parametrize(
    ("rules", "line", "sentence"),
    [
        (SEA, "B1 A2 C2 B3 water, B2 hit", "The hit at B2 can’t belong to any ship that is left."),
        (SEA, "A1h3 A2h2 sunk", "The sunk ship at A2 lies on another one, or touches it."),
        (SEA, "A1h3 A3h3 sunk", "More ships of length 3 are sunk than the fleet has."),
        (SEA, "A1h3 sunk, D2 hit", "The hit at D2 can’t belong to any ship that is left."),
        (SEA, "B1 A2 C2 B3 water, 2@B2 sunk", "No ship of length 2 can have sunk at B2."),
        (SEA, "B2-2 E5-2 hit", ""),
        (SEA, "A1-3 F6-3 hit", "The hit at A1 can’t go together with the other hits."),
        (
            SEA,
            "A1 C1 E1 B2 D2 F2 A3 C3 E3 B4 D4 F4 A5 C5 E5 B6 D6 F6 water",
            "There is no room left for a ship of length 3.",
        ),
        (
            SEA,
            "A1 C1 E1 A3 C3 E3 A5 C5 hit",
            "There are more hits than the ships that are left have cells.",
        ),
        (
            small((3, 2, 2), 4, touching=True),
            "A1h3 sunk, D1 A2 B2 C2 D2 A3 B3 C3 D3 A4 water",
            "The ships that are left have more cells than are open.",
        ),
        (
            small((3, 2), 5, touching=True),
            "D1 E1 A2 B2 D2 E2 A3 B3 C3 D3 E3 B4 C4 D4 E4 B5 C5 D5 E5 water, C2 hit",
            "With the hit at C2 there is no room for the other ships.",
        ),
    ],
)
def test_a_contradiction_is_named_in_one_sentence(rules: Ruleset, line: str, sentence: str) -> None:
    position = typed(Position(rules), line)
    found = look(position)
    assert isinstance(found, Contradiction) is bool(sentence)
    if isinstance(found, Contradiction):
        assert words.contradiction(position, found) == sentence
