"""The moment of an ended match to remember: the ship that got away, else the longest run of hits.

B7 was water. One turn earlier a cruiser had left it.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.boards import BoardView, CellView, as_known, full_boards, hull, trails
from game.display.names import in_sentence, kind_name, pictures, public_names, waters_of
from game.display.public_values import PublicValues
from game.display.words import plural
from game.engine.actions import Result, Shot, Steer
from game.engine.fleets import Placement
from game.engine.geometry import Cell
from game.engine.observation import observe
from game.engine.rules import Side
from game.feature import PageAddition
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_replay

_SHIPS = frozenset({"hit", "sunk", "ship"})
"""The states of cells that tell where ships lie."""


class Escape(NamedTuple):
    """A shot at water in the cell that a ship had left one turn earlier."""

    shot: Shot
    ship: int
    before: Placement
    after: Placement


class Moment(NamedTuple):
    """What the page of a moment shows."""

    title: str
    says: str
    waters: str
    board: BoardView
    is_escape: bool
    is_back: bool = False
    """Whether the ship went left or up."""


@dataclass(frozen=True)
class MomentView(PublicValues):
    """What the end of a match says of its moment."""

    title: str


def escapes(saved: SavedMatch) -> list[Escape]:
    """Returns all escapes of an ended match, in order."""
    match, escaped = saved.match, list[Escape]()
    left: dict[Side, tuple[int, int, Placement, Placement]] = {}
    moments = list(match.moments())
    shots = {shot.ply: shot for shot in match.shots}
    for ply, action in enumerate(match.actions):
        owner = match.sides[ply]
        if isinstance(action, Steer):
            before, after = (at.placements[owner][action.ship] for at in moments[ply : ply + 2])
            left[owner] = moments[ply].turn, action.ship, before, after
        shot = shots.get(ply)
        if shot is None or shot.result is not Result.WATER or owner.opponent not in left:
            continue
        turn, ship, before, after = left[owner.opponent]
        if shot.turn == turn + 1 and shot.cell in {*before.cells} - {*after.cells}:
            escaped.append(Escape(shot, ship, before, after))
    return escaped


def best_escape(saved: SavedMatch) -> Escape | None:
    """Returns the enemy's escape of the longest ship, the last of several; else the viewer's."""
    return max(
        escapes(saved),
        key=lambda it: (it.shot.side is saved.viewer, it.after.length, it.shot.ply),
        default=None,
    )


def longest_run(saved: SavedMatch) -> list[Shot]:
    """Returns the viewer's longest run of two hits or more, else the last shot if there was one."""
    shots = [shot for shot in saved.match.shots if shot.side is saved.viewer]
    runs = [[*run] for hit, run in groupby(shots, lambda it: it.result is not Result.WATER) if hit]
    longest = max(runs, key=len, default=[])
    return longest if len(longest) > 1 else shots[-1:]


def moment_of(saved: SavedMatch) -> Moment | None:
    """Returns the moment to remember of an ended match, without names of persons."""
    escape, match, who = best_escape(saved), saved.match, public_names(saved.setup)
    if escape:
        return _escaped(saved, escape)
    if not (run := longest_run(saved)):
        return None
    cell_names = saved.setup.cell_names
    names = [cell_names.name(shot.cell) for shot in run]
    cells = ", ".join(names) if len(names) < 7 else f"{names[0]} … {names[-1]}"
    title = _("The last shot")
    if len(run) > 1:
        title = plural("%(count)s hit in a row", "%(count)s hits in a row", len(run))
    stage = match.at(run[-1].ply + 1)
    seen = observe(stage, saved.viewer)
    board = as_known(seen, full_boards(stage, seen, cell_names)[0])
    wrecks = tuple(one for one in board.hulls if one.look == "sunk")
    board = _ringed(board._replace(hulls=wrecks), {shot.cell for shot in run})
    says = _("%(who)s: %(cells)s.") % {"who": who[saved.viewer], "cells": cells}
    return Moment(title, says, waters_of(who[saved.viewer.opponent]), board, is_escape=False)


def _escaped(saved: SavedMatch, escape: Escape) -> Moment:
    """Returns an escape with only water and the ship, so that the fleet can be searched for."""
    match, shot, who = saved.match, escape.shot, public_names(saved.setup)
    rules, owner, cell_names = match.ruleset, shot.side.opponent, saved.setup.cell_names
    stage = match.at(shot.ply + 1)
    enemy, own = full_boards(stage, observe(stage, saved.viewer), cell_names)
    board = _ringed(own if owner is saved.viewer else enemy, {shot.cell}, hides=_SHIPS)
    trail = trails(rules.board, ((escape.before,), (escape.after,)))
    picture = pictures(rules.fleet)[escape.ship]
    ship = hull(rules.board, escape.ship, escape.after, "afloat", picture)
    words = {
        "cell": cell_names.name(shot.cell),
        "who": who[shot.side],
        "ship": in_sentence(kind_name(rules, escape.after.length)),
    }
    return Moment(
        _("The ship that got away"),
        _("%(who)s, %(cell)s: water. A ship had left that cell one turn earlier: %(ship)s.")
        % words,
        waters_of(who[owner]),
        board._replace(hulls=(*trail, ship)),
        is_escape=True,
        is_back=escape.after.bow < escape.before.bow,
    )


def _ringed(
    board: BoardView, cells: set[Cell], *, hides: frozenset[str] = frozenset()
) -> BoardView:
    """Returns the board with these cells as the last shots, and cells of some states as unknown."""
    return board.redrawn(
        lambda cell, view: CellView(
            "unknown" if view.state in hides else view.state, is_last=cell in cells
        )
    )


def ended(saved: SavedMatch) -> PageAddition | None:
    """Returns the link to the moment of a match; a day's sea may be told to nobody."""
    if saved.setup.day or (moment := moment_of(saved)) is None:
        return None
    where = reverse("moment", args=[seal_replay(saved)])
    return PageAddition(MomentView(moment.title), {"moment": where})
