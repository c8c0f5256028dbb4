"""What moving ships did in a match, or could have done, as a function of its record."""

from __future__ import annotations

from typing import NamedTuple

from game.engine.actions import Result, Steer
from game.engine.fleets import Fleet, steered
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.rules import Side


class FirstHit(NamedTuple):
    """The first hit on one ship."""

    ship: int
    cell: Cell
    could_leave: bool
    """Whether a move in the turn before would have taken the ship off that cell."""


class Moves(NamedTuple):
    """A side's moves. All is empty or 0 where ships stay."""

    first_hits: tuple[FirstHit, ...]
    """In the order of the shots."""
    possible: int
    """The number of own turns in which some ship could move."""
    used: int
    """The number of those in which one did."""
    dodged: int
    """The number of enemy shots into water which a ship had left in the turn before."""


class MovingStep(NamedTuple):
    """An enemy shot at which a move mattered, or could have."""

    ply: int
    cell: Cell
    ship: int | None
    """The ship that it hit first where the ship could have left; None where a ship had left."""


def moves_of(match: Match, side: Side) -> Moves:
    """Returns what a side's moves did until now. Only the end may show it to its enemy."""
    return _followed(match, side)[0]


def moving_steps(match: Match, side: Side) -> tuple[MovingStep, ...]:
    """Returns the enemy shots of `first_hits` that a ship could have left, and those dodged."""
    return _followed(match, side)[1]


def _followed(match: Match, side: Side) -> tuple[Moves, tuple[MovingStep, ...]]:
    first_hits: dict[int, FirstHit] = {}
    steps = list[MovingStep]()
    possible = used = dodged = 0
    left: frozenset[Cell] = frozenset()
    could_leave: set[tuple[int, Cell]] = set()
    shots = {shot.ply: shot for shot in match.shots if shot.side is not side}
    for stage in match.stages() if match.ruleset.moving else ():
        lies = stage.placements(side)
        if stage.is_move_due and stage.side is side and stage.ply < match.ply:
            steers, action = stage.steers(side), match.actions[stage.ply]
            possible += bool(steers)
            could_leave = {
                (steer.ship, cell) for steer in steers for cell in _left(match, lies, steer)
            }
            left = frozenset()
            if isinstance(action, Steer):
                used, left = used + 1, _left(match, lies, action)
        elif (shot := shots.get(stage.ply)) is not None:
            if shot.result is Result.WATER:
                if shot.cell in left:
                    dodged += 1
                    steps.append(MovingStep(shot.ply, shot.cell, None))
                continue
            ship = next(
                ship
                for ship, placement in enumerate(lies)
                if shot.cell in placement.cells and stage.is_afloat(side, ship)
            )
            if ship not in first_hits:
                could = (ship, shot.cell) in could_leave
                first_hits[ship] = FirstHit(ship, shot.cell, could)
                steps += [MovingStep(shot.ply, shot.cell, ship)] if could else []
    return Moves(tuple(first_hits.values()), possible, used, dodged), tuple(steps)


def _left(match: Match, lies: Fleet, steer: Steer) -> frozenset[Cell]:
    """The cell that a ship leaves by a move."""
    before = lies[steer.ship]
    after = steered(match.ruleset.board, before, steer.course)
    return frozenset(before.cells).difference(after.cells if after else ())
