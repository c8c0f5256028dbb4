"""All minds by name, the ranks among them.

What only needs names, codes or titles takes them from the registry.
"""

from game.players.admiral import ADMIRAL, Admiral
from game.players.mind import Mind
from game.players.originals import bonn, camlship
from game.players.originals.random_player import RandomPlayer
from game.players.originals.uppsala import Uppsala
from game.players.people import HumanLikeMind
from game.players.recruit import Recruit

RANKS: tuple[Mind, ...] = (
    Recruit(),
    HumanLikeMind("sailor", still_factor=2.0, moving_factor=0.5, small_factor=0.58),
    HumanLikeMind(
        "lieutenant", still_factor=3.0, moving_factor=0.95, small_factor=1.15, questions=20
    ),
    HumanLikeMind("captain", still_factor=4.5, moving_factor=3.0, small_factor=4.5, questions=5),
    Admiral("commodore", 0.9, 0.1, particles=128),
    ADMIRAL,
)
"""From one that beginners beat to the admiral; docs/strength.md has their matches."""
_BONN = bonn.EASY, bonn.MEDIUM, bonn.HARD
_MINDS: tuple[Mind, ...] = (
    *RANKS,
    *_BONN,
    camlship.HARD,
    camlship.EASY,
    Uppsala(),
    RandomPlayer(),
)
MINDS = {mind.name: mind for mind in _MINDS}
"""In the order of the registry."""
