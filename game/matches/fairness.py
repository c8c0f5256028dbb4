"""Proof of fairness: a commitment before the first shot, and a check of every decision afterwards.

    battleship-commitment-1|RULES|second sailor.5 J6v5 H7v4 ...|seed 000102...0f

The commitment is the SHA-256 of this line: a version, the rules, the fleet of each mind, and the
match's seed. What earlier rounds have taught a mind stands before the seed (`|learnt 25 -6 3`), and
so does the day of today's sea (`|day 2026-11-22 1 9f86...08`: the number of its link and the first
link of the site's chain). In version 2 the shares that the seed follows from stand there (`|server
1f2e...|client 9a8b...`). The seed has 128 random bits; without it somebody could try all fleets
(about 2^35 in the classic game). After the match the line is revealed and anyone can hash it. A
mind's decisions follow from the seed and from what it may know, so anyone can repeat them.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from game.engine.actions import Action
from game.engine.match import Match
from game.engine.notation import fleet_text, rules_text
from game.engine.rules import Pair, Side
from game.matches import referee
from game.matches.seed_shares import SeedShares
from game.matches.setup import Day
from game.players.minds import MINDS
from game.players.registry import MINDS_VERSION

Names: TypeAlias = Pair[str | None]
"""The name of each side's mind; None for a person."""

VERSION = "battleship-commitment-1"
WITH_SHARES = "battleship-commitment-2"
"""The version of a statement whose seed follows from two shares."""


def statement(
    match: Match,
    minds: Names,
    minds_version: int = MINDS_VERSION,
    learnt: tuple[int, ...] = (),
    day: Day | None = None,
    seed_shares: SeedShares | None = None,
) -> str | None:
    """Returns the line whose hash is the commitment, secret until the end; None without a mind.

    Its fleets are those before any ship moved.
    """
    if not any(minds):
        return None
    parts = [WITH_SHARES if seed_shares else VERSION, rules_text(match.ruleset)]
    for side, name in zip(Side, minds, strict=True):
        if name is not None:
            mind, fleet = mind_text(name, minds_version), fleet_text(match.fleets[side])
            parts.append(f"{side.name.lower()} {mind} {fleet}")
    if learnt:
        parts.append(learnt_text(learnt))
    if day:
        parts.append(str(day))
    if seed_shares:
        parts += (f"server {seed_shares.server}", f"client {seed_shares.client}")
    return "|".join((*parts, f"seed {match.seed.hex()}"))


def fingerprint(line: str) -> str:
    return sha256(line.encode()).hexdigest()


def mind_text(name: str, minds_version: int) -> str:
    """Returns a mind's name with its version, as in `recruit.5`."""
    return f"{name}.{minds_version}"


def learnt_text(learnt: tuple[int, ...]) -> str:
    """Returns what was learnt, in the order of HABITS, as in `learnt 25 -6 3`."""
    return " ".join(("learnt", *map(str, learnt)))


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
        else referee.deploy(MINDS[name], match.ruleset, side, match.seed) == match.fleets[side]
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
            again = played if same > 0 else referee.decide(MINDS[name], stage, learnt).actions[ply]
            same -= 1
            yield Decision(ply, stage.side, name, played, again)
