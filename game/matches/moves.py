"""What moving ships did in a match, or could have done, as a function of its record."""

from typing import NamedTuple

from game.engine.actions import Result, Steer
from game.engine.fleets import Course, Fleet
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.rules import Side


class MovingStep(NamedTuple):
    """An enemy shot at which a move mattered, or could have."""

    ply: int
    cell: Cell
    ship: int | None
    """The ship that it hit first where the ship could have left; None where a ship had left."""


class Moves(NamedTuple):
    """What a side's moves did. All is empty or 0 where ships stay."""

    hit: int
    """The number of ships that were hit."""
    used: int
    """The number of own turns in which a ship moved."""
    steps: tuple[MovingStep, ...]
    """The first hits on ships that could have left in the turn before, and the dodged shots."""

    @property
    def dodged(self) -> int:
        """The number of enemy shots into water which a ship had left in the turn before."""
        return sum(step.ship is None for step in self.steps)


def moves_of(match: Match, side: Side) -> Moves:
    """Returns what a side's moves did until now. Only the end may show it to its enemy."""
    hit, used, steps = set[int](), 0, list[MovingStep]()
    left: Cell | None = None
    could_leave: set[tuple[int, Cell]] = set()
    shots = {shot.ply: shot for shot in match.shots if shot.side is not side}
    for stage in match.stages() if match.ruleset.moving else ():
        lies = stage.placements(side)
        if stage.is_move_due and stage.side is side and stage.ply < match.ply:
            could_leave = {(steer.ship, _left(lies, steer)) for steer in stage.steers(side)}
            action = match.actions[stage.ply]
            left = _left(lies, action) if isinstance(action, Steer) else None
            used += left is not None
        elif (shot := shots.get(stage.ply)) is not None:
            if shot.result is Result.WATER:
                steps += [MovingStep(shot.ply, shot.cell, None)] if shot.cell == left else []
                continue
            ship = next(
                ship
                for ship, placement in enumerate(lies)
                if shot.cell in placement.cells and stage.is_afloat(side, ship)
            )
            if ship not in hit and (ship, shot.cell) in could_leave:
                steps.append(MovingStep(shot.ply, shot.cell, ship))
            hit.add(ship)
    return Moves(len(hit), used, tuple(steps))


def _left(lies: Fleet, steer: Steer) -> Cell:
    """The cell that a ship leaves by a move: fore is towards its first cell."""
    return lies[steer.ship].cells[-1 if steer.course is Course.FORE else 0]
