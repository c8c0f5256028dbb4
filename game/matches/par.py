"""Par: how many shots the admiral needs for the same fleet, with a seed of its own."""

from collections import OrderedDict
from hashlib import sha256
from time import thread_time
from typing import NamedTuple

from game.engine.actions import until_all_sunk
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.rules import Side
from game.matches import referee
from game.matches.setup import SEARCHED
from game.players.roster import mind_of

PAR_MIND = "admiral"
"""The mind whose shots are par."""
SECONDS = 0.1
"""The processor time after which an answer goes on without par. It may take 0.25 s in all."""
_MOST_BEGUN = 32
_begun: OrderedDict[tuple[object, ...], Match] = OrderedDict()
"""The admiral's matches that go on. Another process begins them anew."""


class Par(NamedTuple):
    """How the admiral fared."""

    shots: int
    """How many shots it needed; 0 if it did not find all ships."""
    questions: int = 0
    """How many questions it asked."""


def work_out_par(match: Match, seconds: float = SECONDS) -> Par | None:
    """Returns the par of a search alone; None if that takes more than so much processor time.

    The next call in this process then goes on where this one has stopped.
    """
    seed = sha256(b"battleship-par-1" + match.seed).digest()[:SEED_BYTES]
    start = match.ruleset, match.fleets, seed
    played = _begun.pop(start, None) or Match(*start)
    players, end = (mind_of(PAR_MIND), mind_of(SEARCHED)), thread_time() + seconds
    while played.outcome is None:
        if thread_time() > end:
            _begun[start] = played
            if len(_begun) > _MOST_BEGUN:
                _begun.popitem(last=False)
            return None
        played = referee.play_minds(played, players, most=1)
    is_found = played.outcome.winner is Side.FIRST
    shots = until_all_sunk(played.shots, len(match.ruleset.fleet))
    return Par(len(shots) if is_found else 0, len(played.questions))
