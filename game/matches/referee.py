"""The referee: the only module that handles a match together with its minds."""

from game.engine.actions import Fire
from game.engine.chance import Chance
from game.engine.fleets import Fleet
from game.engine.match import Match
from game.engine.observation import Observation, observe
from game.engine.rules import Pair, Ruleset, Side
from game.players.mind import Mind

Minds = Pair[Mind | None]
"""The player of each side: a mind, or None for a person."""

_CELLS_AT_ONCE = 1400


def most_at_once(ruleset: Ruleset) -> int:
    """Returns how many decisions of minds one answer waits for: 14 on 10x10, 6 on 15x15.

    A decision takes longer on a larger board, and where it may be a question.
    `python -m bench worst` measures the time.
    """
    return max(1, _CELLS_AT_ONCE // ruleset.board.size // (2 if ruleset.questions else 1))


def deploy(mind: Mind, ruleset: Ruleset, side: Side, seed: bytes) -> Fleet:
    """Returns the fleet that a mind places, which the rules and the match's seed decide."""
    return mind.deploy(Observation.opening(ruleset, side), _chance(seed, side, "deploy", 0))


def decide(mind: Mind, match: Match, learnt: tuple[int, ...] = ()) -> Match:
    """Returns the match after one action of a mind for the side to act.

    `learnt` is what earlier rounds taught it of how its enemy places fleets; see Observation. A
    mind is asked for its move before the first shot of each turn. One whose ships can't move is
    asked, too, as a faster answer would reveal that.
    """
    seen = observe(match, match.side, learnt)
    if match.is_move_due:
        chance = _chance(match.seed, match.side, "steer", match.ply)
        return match.act(mind.steer(seen, chance))
    if match.may_ask:
        question = mind.ask(seen, _chance(match.seed, match.side, "ask", match.ply))
        if question is not None:
            return match.act(question)
    chance = _chance(match.seed, match.side, "aim", match.ply)
    return match.act(Fire(mind.aim(seen, chance)))


def play_minds(
    match: Match, minds: Minds, *, learnt: tuple[int, ...] = (), most: int | None = None
) -> Match:
    """Returns the match after minds have acted until a person is to act or it is over.

    `learnt` is what earlier rounds taught the mind that plays against a person. `most` limits the
    number of actions; a match without a person is otherwise played to its end.
    """
    actions = 0
    while match.outcome is None and (mind := minds[match.side]) is not None and actions != most:
        match, actions = decide(mind, match, learnt), actions + 1
    return match


def _chance(seed: bytes, side: Side, act: str, ply: int) -> Chance:
    return Chance(seed, f"{side.name.lower()}/{act}", ply)
