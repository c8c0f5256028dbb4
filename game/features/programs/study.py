"""The boards of a published study, by which programs are measured.

Grand, Pepe, Tenenbaum and Andreas (*Shoot First, Ask Questions Later?*, arXiv 2510.20886, ICLR
2026): four ships, each of 2 to 5 cells, may touch on 8 x 8. The score of up to 40 shots is F1, the
harmonic mean of hits / shots and hits / ship cells.
"""

from dataclasses import replace

from game.engine.fleets import Fleet, parse_placement
from game.engine.presets import FIVE_TOUCHING
from game.engine.rules import Ruleset

MOST_SHOTS = 40
SHIPS, LENGTHS = 4, (2, 3, 4, 5)
RULES = replace(FIVE_TOUCHING, columns=8, rows=8, fleet=(5,) * SHIPS)
_BOARDS = (
    "B6v3 E2v3 C5v3 D3v3", "B1h4 B8h4 E6v2 H2v2", "A7h5 C2v4 B3v2 H3v2", "G2v4 B5h4 D1v3 C7h2",
    "D4h5 F5v4 C1h3 B3v3", "E1h3 E4h3 B4h2 F5h2", "E2h3 A5h3 D5v3 B6h2", "B2h3 E5h3 B5h2 C4h2",
    "F2v5 E1h4 D3v4 E8h2", "G2v3 D1h2 A5v2 H7v2", "B7h5 E1v4 A5h4 F2v2", "B7h3 C1v2 A3h2 F6h2",
    "A3h5 D4h5 A7h3 E1h2", "B8h5 E5h4 B1h3 B2h3", "D1h3 D2v3 C5v3 D5v2", "B1h5 E2v5 A1v4 E8h4",
    "A1h4 G4v4 D2v3 H2v2", "A2h4 E2v3 C5v2 F5h2",
)  # fmt: skip
"""The study's boards B01 to B18, from github.com/gabegrand/battleship (MIT licence),
collaborative_contexts/battleship-full-v1-boards.json. Nothing is chosen by them."""


def boards() -> list[tuple[Ruleset, Fleet]]:
    """Returns the 18 boards, each with the rules that tell its lengths."""
    fleets = [
        tuple(parse_placement(RULES.board, ship) for ship in text.split(" ")) for text in _BOARDS
    ]
    return [(replace(RULES, fleet=tuple(ship.length for ship in it)), it) for it in fleets]
