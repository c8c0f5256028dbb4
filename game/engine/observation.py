"""What one side of a match may know, as a value that holds no reference to the match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from game.engine import actions
from game.engine.actions import Outcome, Question, Result, Shot, Steer
from game.engine.fleets import Placement, all_placements, reach
from game.engine.geometry import Board, Cell, cells_of, mask_of
from game.engine.match import Match
from game.engine.rules import Ruleset, Side


class Known(Enum):
    """What one side knows of a cell of the other side's board."""

    UNKNOWN = "unknown"
    WATER = "water"
    HIT = "hit"
    SUNK = "sunk"


# Looking a member up in its class takes longer than marking a cell.
_UNKNOWN, _WATER, _HIT, _SUNK = Known
_WATER_SHOT, _HIT_SHOT, _SUNK_SHOT = Result


class Mark(NamedTuple):
    """The result of the last shot at a cell, and its turn, counting both sides' from 0."""

    known: Known
    turn: int


class OwnShip(NamedTuple):
    id: int
    placement: Placement
    hits: frozenset[Cell]
    is_afloat: bool
    steers: tuple[Steer, ...]


@dataclass(frozen=True)
class Observation:
    """What one side may know at one moment of a match.

    `turn` counts both sides' turns from 0. Only shots with known results are included. Whether the
    enemy has moved a ship is unknown.
    """

    ruleset: Ruleset
    side: Side
    turn: int
    is_to_act: bool
    may_move: bool
    """Whether the observer may still move a ship in this turn, and has one that can move."""
    outcome: Outcome | None
    shots: tuple[Shot, ...]
    incoming: tuple[Shot, ...]
    aimed: tuple[Cell, ...]
    shots_left: int
    spent: frozenset[Cell]
    ships: tuple[OwnShip, ...]
    enemy_left: tuple[int, ...]
    """The lengths of the enemy's ships afloat, longest first; of all while sinkings aren't told.
    The fleet's order would reveal which of two ships of one length was sunk."""
    learnt: tuple[int, ...] = ()
    """The log odds of the enemy's habits of placing from earlier rounds, or empty; see
    `game.players.belief.habits.learn`."""
    asked: tuple[Question, ...] = ()
    asked_by_enemy: tuple[Question, ...] = ()
    questions_left: int = 0
    """How many questions the observer may still ask."""
    may_ask: bool = False
    """Whether the observer may ask a question before its next shot."""

    @classmethod
    def opening(cls, ruleset: Ruleset, side: Side) -> Observation:
        """What a side knows before it has placed its fleet."""
        return cls(
            ruleset=ruleset, side=side, turn=0, is_to_act=False, may_move=False, outcome=None,
            shots=(), incoming=(), aimed=(), shots_left=0, spent=frozenset(), ships=(),
            enemy_left=tuple(sorted(ruleset.fleet_of(side.opponent), reverse=True)),
        )  # fmt: skip

    @cached_property
    def board(self) -> Board:
        return self.ruleset.board

    @property
    def targets(self) -> tuple[Cell, ...]:
        """The cells that may be fired at, row by row."""
        return tuple([cell for cell in self.board.cells if cell not in self.spent])

    @property
    def steers(self) -> tuple[Steer, ...]:
        return tuple([steer for ship in self.ships for steer in ship.steers])

    @property
    def turns_left(self) -> int | None:
        """The number of turns of both sides until the limit, including this one, or None."""
        limit = self.ruleset.limit
        return None if limit is None else limit - self.turn

    @cached_property
    def enemy_hits(self) -> tuple[int, ...]:
        """The number of hits on each enemy ship, in the fleet's order, if hits name ships."""
        hit = Counter(shot.ship for shot in self.shots)
        return tuple(hit[ship] for ship in range(len(self.ruleset.fleet)))

    @property
    def own_turn(self) -> int:
        """The number, from 1, of the observer's current or last turn."""
        return max(1, self.ruleset.turns_of(self.side, self.turn + 1))

    @property
    def own_limit(self) -> int | None:
        """The number of the observer's turns in all; None without a limit."""
        limit = self.ruleset.limit
        return None if limit is None else self.ruleset.turns_of(self.side, limit)

    @property
    def own_turns_left(self) -> int | None:
        """The number of the observer's turns left, including this one; None without a limit."""
        limit = self.own_limit
        return None if limit is None else limit - self.ruleset.turns_of(self.side, self.turn)

    @property
    def rounds_begun(self) -> int:
        """The number of rounds in which a shot was fired."""
        last = max((shots[-1].turn for shots in (self.shots, self.incoming) if shots), default=-1)
        return (last + 2) // 2

    @property
    def is_countdown(self) -> bool:
        left = self.turns_left
        return self.outcome is None and left is not None and left <= self.ruleset.countdown

    @property
    def counted(self) -> tuple[Shot, ...]:
        """The observer's shots until the whole fleet was sunk."""
        return actions.until_all_sunk(self.shots, len(self.ruleset.fleet_of(self.side.opponent)))

    @cached_property
    def marks(self) -> Mapping[Cell, Mark]:
        """The newest result at each cell of the enemy's board."""
        return _marks(self.shots)

    @cached_property
    def incoming_marks(self) -> Mapping[Cell, Mark]:
        """The newest result at each cell of the observer's board."""
        return _marks(self.incoming)

    def age(self, mark: Mark) -> int:
        """The age of a mark, from 0, in turns of the side that fired."""
        return (self.turn - mark.turn + 1) // 2

    @property
    def without_ships(self) -> int:
        """The mask of the cells in which the answers No leave no ship."""
        return actions.without_ships(self.board, self.asked)

    def impossible(self) -> frozenset[Cell]:
        """The cells that certainly have no enemy ship afloat.

        If ships move, water and the cells around a wreck are certain until the end of the turn in
        which they were found, and for a ship that had been hit by then, as it lies still. The
        result may lack cells, because it considers single placements and not whole fleets.
        """
        rules = self.ruleset
        hit_in = {cell: mark.turn for cell, mark in self.marks.items() if mark.known is Known.HIT}
        open_hits = mask_of(hit_in)
        now = self.turn if rules.moving else 0
        barred = {turn: self._barred(turn) for turn in {now, *hit_in.values()}}
        possible = 0
        for length, hits in _afloat(self, open_hits):
            for placement in all_placements(self.board, length):
                own = placement.mask & open_hits
                lies_since = min(now, *(hit_in[cell] for cell in cells_of(own))) if own else now
                # A hit beside the placement is on another ship, which would touch it.
                beside = reach(rules, placement) & open_hits & ~own
                is_on_its_hits = hits is None or own == hits
                if not placement.mask & barred[lies_since] and not beside and is_on_its_hits:
                    possible |= placement.mask
        return frozenset(cell for cell in self.board.cells if not possible >> cell & 1)

    def _barred(self, turn: int) -> int:
        """The mask of the cells that no ship covers which lies still since that turn."""
        rules, barred = self.ruleset, self.without_ships
        for cell, mark in self.marks.items():
            if mark.known is not Known.HIT and mark.turn >= turn:
                barred |= 1 << cell
        for shot in self.shots:
            if shot.wreck is not None and shot.turn >= turn:
                barred |= reach(rules, shot.wreck)
        return barred


def _marks(shots: tuple[Shot, ...]) -> dict[Cell, Mark]:
    marks: dict[Cell, Mark] = {}
    for _ply, turn, _side, cell, result, wreck, _ship in shots:
        known = _WATER if result is _WATER_SHOT else _HIT if result is _HIT_SHOT else _SUNK
        marks[cell] = Mark(known, turn)
        if wreck is not None:
            marks.update(dict.fromkeys(wreck.cells, Mark(_SUNK, turn)))
    return marks


def _afloat(seen: Observation, open_hits: int) -> set[tuple[int, int | None]]:
    """The length of each ship afloat, and the mask of its hits, or None if hits don't name it."""
    if not seen.ruleset.named:
        return {(length, None) for length in seen.enemy_left}
    hits = dict.fromkeys(range(len(seen.ruleset.fleet)), 0)
    for shot in seen.shots:
        if shot.ship is not None:
            hits[shot.ship] |= 1 << shot.cell
            if shot.result is Result.SUNK:
                del hits[shot.ship]
    return {(seen.ruleset.fleet[ship], cells & open_hits) for ship, cells in hits.items()}


def observe(match: Match, side: Side, learnt: tuple[int, ...] = ()) -> Observation:
    """What a side may know of a match; `learnt` is what it knew before."""
    rules, shots, enemy = match.ruleset, match.shots, side.opponent
    to_act = match.outcome is None and match.side is side
    is_told = not rules.silent or match.outcome is not None
    afloat = compress(rules.fleet_of(enemy), match.are_afloat(enemy))
    left = afloat if is_told else rules.fleet_of(enemy)
    ships = _own_ships(match, side)
    return Observation(
        ruleset=rules,
        side=side,
        turn=match.turn,
        is_to_act=to_act,
        may_move=to_act and match.is_move_due and any(ship.steers for ship in ships),
        outcome=match.outcome,
        shots=tuple([shot for shot in shots if shot.side is side]),
        incoming=tuple([shot for shot in shots if shot.side is enemy]),
        aimed=match.aimed if to_act else (),
        shots_left=match.shots_left if to_act else 0,
        spent=match.spent(enemy),
        ships=ships,
        enemy_left=tuple(sorted(left, reverse=True)),
        learnt=learnt,
        asked=tuple([one for one in match.questions if one.side is side]),
        asked_by_enemy=tuple([one for one in match.questions if one.side is enemy]),
        questions_left=match.questions_left(side),
        may_ask=to_act and match.may_ask,
    )


def _own_ships(match: Match, side: Side) -> tuple[OwnShip, ...]:
    placements, hits = match.placements(side), match.hits(side)
    steers: list[tuple[Steer, ...]] = [()] * len(placements)
    for steer in match.steers(side):
        steers[steer.ship] += (steer,)
    ships = []
    for index, is_afloat in enumerate(match.are_afloat(side)):
        placement = placements[index]
        hit = hits.intersection(placement.cells) if is_afloat else frozenset(placement.cells)
        ships.append(OwnShip(index, placement, hit, is_afloat, steers[index]))
    return tuple(ships)
