"""How many of the possible fleets answer a question with yes, and the question that tells most.

    yes_of_100(seen, Ask(board.parse("A1"), board.parse("D4")))  -> 99

This is what pages say where the coach and the review show chances. As there, every fleet is equally
likely before the first shot, and what earlier rounds taught the computer is left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from game.engine.actions import Ask, Question, Result, without_ships
from game.engine.chance import SEED_BYTES, Chance
from game.engine.geometry import mask_of
from game.engine.observation import Observation

if TYPE_CHECKING:  # the belief loads NumPy, which takes longer than a page
    from game.players.belief.possible_fleets import PossibleFleets
    from game.players.belief.tables import Knowledge

PARTICLES = 1024
"""The number of fleets in a sample, fewer on large boards; up to 2,048 are listed instead."""
_PUBLIC_SEED = bytes(SEED_BYTES)
"""As in game.matches.cell_chances: the match's own seed is secret until the end."""


class Proposal(NamedTuple):
    ask: Ask
    yes: int
    """How many of 100 fleets answer yes."""


def yes_of_100(seen: Observation, ask: Ask) -> int:
    """How many of 100 possible fleets answer yes; 0 and 100 only if the answer is certain."""
    return _yes_of_100(_now(seen), ask)


def yes_before(seen: Observation, question: Question) -> int:
    """The same for a question that the observer asked, by what it knew just before."""
    known = _now(seen)
    later = [shot for shot in known.shots if shot.ply > question.ply]
    sunk = [shot.wreck.length for shot in later if shot.wreck is not None]
    before = known._replace(
        shots=known.shots[: len(known.shots) - len(later)],
        asked=tuple(one for one in known.asked if one.ply < question.ply),
        left=tuple(sorted((*known.left, *sunk), reverse=True)),
    )
    return _yes_of_100(before, question.ask)


def best_question(seen: Observation) -> Proposal | None:
    """The question that tells most; None if the observer may not ask or all answers are known."""
    if not seen.may_ask:
        return None
    known = _now(seen)
    fleets, _is_listed = _fleets(known)
    ask = fleets.best(seen.targets, [one.ask for one in seen.asked])
    return None if ask is None else Proposal(ask, _yes_of_100(known, ask))


def _now(seen: Observation) -> Knowledge:
    """What the fleets depend on, so that equal ones are drawn once."""
    from game.players.belief.tables import knowledge_of

    return knowledge_of(seen)._replace(turn=0, learnt=())


@lru_cache(maxsize=16)  # up to 0.5 MB each
def _fleets(known: Knowledge) -> tuple[PossibleFleets, bool]:
    """Returns the possible fleets, or a sample of them, and whether these are all."""
    chance = Chance(_PUBLIC_SEED, "questions", len(known.shots) + len(known.asked))
    from game.players.belief.belief import believe
    from game.players.belief.possible_fleets import possible_fleets

    belief = believe(known, chance, PARTICLES)
    return possible_fleets(known, belief), belief.is_listed


def _yes_of_100(known: Knowledge, ask: Ask) -> int:
    board = known.rules.board
    box = board.rectangle(ask.first, ask.last)
    hits = mask_of(shot.cell for shot in known.shots if shot.result is not Result.WATER)
    water = mask_of(shot.cell for shot in known.shots if shot.result is Result.WATER)
    water |= without_ships(board, known.asked)
    held = [board.rectangle(one.ask.first, one.ask.last) for one in known.asked if one.is_yes]
    if box & hits or any(not inner & ~box for inner in held):
        return 100
    if not box & ~water:
        return 0
    unhit = sum(known.rules.fleet) - hits.bit_count()
    outside = ~(box | water | hits) & (1 << board.size) - 1
    if outside.bit_count() < unhit:  # the fleet has no room elsewhere
        return 100
    fleets, is_listed = _fleets(known)
    share = fleets.share(ask)
    is_certain = is_listed and share in (0.0, 1.0)
    return round(100 * share) if is_certain else min(99, max(1, round(100 * share)))
