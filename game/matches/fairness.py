"""The check of fairness: a mind's decisions follow from the seed and from what it may know.

So anyone can repeat them once a match is over. The commitment, which a page shows before the first
shot, fixes the seed and the fleets of the minds; see Record.statement.
"""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from game.engine.actions import Action
from game.engine.match import Match
from game.engine.rules import Pair, Side
from game.matches import referee
from game.players.roster import mind_of

Names: TypeAlias = Pair[str | None]
"""The name of each side's mind; None for a person."""


class Decision(NamedTuple):
    """An action of a mind, and what the mind decides when asked again."""

    ply: int
    side: Side
    mind: str
    played: Action
    again: Action

    @property
    def is_same(self) -> bool:
        return self.played == self.again


class Replay(NamedTuple):
    """The result of asking every mind of a match again."""

    fleets: Pair[bool | None]
    """Whether the mind places this fleet with this seed; None for a person's."""
    decisions: tuple[Decision, ...]

    @property
    def is_fair(self) -> bool:
        """Whether every fleet and every decision is the same."""
        return False not in self.fleets and all(one.is_same for one in self.decisions)

    @property
    def first_fault(self) -> Decision | None:
        return next((one for one in self.decisions if not one.is_same), None)


def replay(match: Match, minds: Names, learnt: tuple[int, ...] = ()) -> Replay:
    """Asks each mind again for its fleet and for each of its actions.

    As in a match, the referee gives a mind the seed's chance for that ply and an Observation.
    """
    return Replay(placed_again(match, minds), tuple(decided_again(match, minds, learnt)))


def placed_again(match: Match, minds: Names) -> Pair[bool | None]:
    """Whether each mind places its fleet again with this seed; None for a person's."""
    first, second = (
        None
        if name is None
        else referee.deploy(mind_of(name), match.ruleset, side, match.seed) == match.fleets[side]
        for side, name in zip(Side, minds, strict=True)
    )
    return first, second


def decided_again(
    match: Match, minds: Names, learnt: tuple[int, ...] = (), *, same: int = 0
) -> Iterator[Decision]:
    """Yields every decision of a mind, asked again.

    The first `same` decisions are not asked, because they have been found to be the same.
    """
    for ply, (stage, played) in enumerate(zip(match.stages(), match.actions, strict=False)):
        name = minds[stage.side]
        if name is not None:
            again = (
                played if same > 0 else referee.decide(mind_of(name), stage, learnt).actions[ply]
            )
            same -= 1
            yield Decision(ply, stage.side, name, played, again)
