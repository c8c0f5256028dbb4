"""A match in words: what the text view tells, and what its keys have read out.

All of it comes from an Observation: it tells nothing that the boards don't show.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game import wording
from game.brochure import ship_name
from game.engine.geometry import LETTERS, Board, Cell
from game.engine.observation import Known, Mark, Observation, OwnShip
from game.engine.rules import Placement
from game.presets import is_1990
from game.sitting import Setup


class Row(NamedTuple):
    """What is known of a row of the enemy's waters."""

    number: int
    marks: str
    """`hit: E, F; water: B (4)`: columns by what was met there, and turns since."""


class Report(NamedTuple):
    """A match as a side sees it, in words."""

    last: str
    """The shots of both sides' last turns, or nothing."""
    to_find: str
    open_hits: str
    """Hits on ships that are not sunk yet, or nothing."""
    rows: tuple[Row, ...]
    """Those fired at, from the top."""
    afloat: str
    ships: tuple[str, ...]
    """One's own, longest first, with where they lie and how they are."""


def report(seen: Observation, setup: Setup) -> Report:
    """The match in words, in the language of the request."""
    marks = seen.marks()
    hits = [cell for cell in sorted(marks) if marks[cell].known is Known.HIT]
    return Report(
        wording.last_shots(seen, setup),
        _to_find(seen),
        ", ".join(seen.board.name(cell) for cell in hits),
        _rows(seen, marks),
        _afloat(seen),
        tuple(_ship(seen, ship) for ship in _longest_first(seen)),
    )


def _to_find(seen: Observation) -> str:
    left = ((line, line.left) for line in wording.enemy_fleet(seen))
    return ", ".join(f"{count} × {line.name} ({line.length})" for line, count in left if count)


def _longest_first(seen: Observation) -> list[OwnShip]:
    return sorted(seen.ships, key=lambda ship: -ship.placement.length)


def _rows(seen: Observation, marks: dict[Cell, Mark]) -> tuple[Row, ...]:
    board = seen.board
    found = (Row(row + 1, _row(seen, marks, row)) for row in range(board.rows))
    return tuple(row for row in found if row.marks)


def _row(seen: Observation, marks: dict[Cell, Mark], row: int) -> str:
    words = {
        Known.HIT: _("hit"), Known.SUNK: pgettext("cell", "sunk"), Known.WATER: _("water"),
    }  # fmt: skip
    columns: dict[Known, list[str]] = {known: [] for known in words}
    for column in range(seen.board.columns):
        mark = marks.get(seen.board.cell(column, row))
        if mark is not None:
            columns[mark.known].append(LETTERS[column] + _age(seen, mark))
    return "; ".join(
        f"{words[known]}: {', '.join(them)}" for known, them in columns.items() if them
    )


def _age(seen: Observation, mark: Mark) -> str:
    """` (4)` for water met four turns ago where ships move, since one may have come."""
    age = seen.turn - mark.turn
    return f" ({age})" if age and mark.known is Known.WATER and seen.ruleset.moving else ""


def _afloat(seen: Observation) -> str:
    count = sum(ship.is_afloat for ship in seen.ships)
    afloat = _("%(count)s of %(all)s afloat") % {"count": count, "all": len(seen.ships)}
    hit = [_ship(seen, ship) for ship in _longest_first(seen) if ship.is_afloat and ship.hits]
    return "; ".join([afloat, *hit])


def _ship(seen: Observation, ship: OwnShip) -> str:
    """`Cruiser D2–G2: hit at E2`."""
    length = ship.placement.length
    name = (
        f"{ship_name(length, is_1990=is_1990(seen.ruleset))} {_place(seen.board, ship.placement)}"
    )
    if not ship.is_afloat:
        return f"{name}: {pgettext('ship', 'sunk')}"
    if not ship.hits:
        return f"{name}: {_('afloat')}"
    hits = ", ".join(seen.board.name(cell) for cell in sorted(ship.hits))
    return _("%(ship)s: hit at %(cells)s") % {"ship": name, "cells": hits}


def _place(board: Board, placement: Placement) -> str:
    ends = dict.fromkeys((placement.cells[0], placement.cells[-1]))
    return "–".join(board.name(cell) for cell in ends)
