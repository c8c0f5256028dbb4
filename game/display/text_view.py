"""A match in words, for the text view and its keys.

All of it comes from an Observation, so it holds nothing that the boards don't show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from game.display import messages
from game.display.names import ship_name
from game.engine.fleets import Placement
from game.engine.geometry import LETTERS, Board, Cell
from game.engine.observation import Known, Mark, Observation
from game.engine.presets import is_1990
from game.matches.setup import Setup


class Row(NamedTuple):
    """What is known of a row of the enemy's board."""

    number: int
    marks: str
    """`hit: E, F; water: B (4)`: columns by result, with the turns since."""


class TextView(NamedTuple):
    """A match as a side sees it, in words."""

    last: str
    """The shots of both sides' last turns, or empty."""
    to_find: str
    open_hits: str
    """Hits on ships that are not sunk yet, or empty."""
    rows: tuple[Row, ...]
    """The rows fired at, from the top."""
    afloat: str
    ships: tuple[str, ...]
    """The player's own ships, longest first, with their cells and states."""


def text_view(seen: Observation, setup: Setup) -> TextView:
    """The match in words, in the language of the request."""
    marks = seen.marks
    hits = [cell for cell in sorted(marks) if marks[cell].known is Known.HIT]
    ships = list(zip(seen.ships, _ships(seen), strict=True))
    ships.sort(key=lambda item: -item[0].placement.length)
    hurt = [line for ship, line in ships if ship.is_afloat and ship.hits]
    return TextView(
        messages.last_shots(seen, setup),
        _to_find(seen.enemy_left, is_1990(seen.ruleset.fleet), get_language() or "en"),
        ", ".join(seen.board.name(cell) for cell in hits),
        _rows(seen, marks),
        "; ".join([_afloat(seen), *hurt]),
        tuple(line for _ship, line in ships),
    )


@lru_cache(maxsize=4096)
def _to_find(left: tuple[int, ...], classic: bool, _language: str) -> str:
    return ", ".join(
        f"{left.count(length)} × {ship_name(length, is_1990=classic)} ({length})"
        for length in sorted(set(left), reverse=True)
    )


def _rows(seen: Observation, marks: Mapping[Cell, Mark]) -> tuple[Row, ...]:
    words = _("hit"), pgettext("cell", "sunk"), _("water")
    is_water, is_hit = Known.WATER, Known.HIT
    moving, width = seen.ruleset.moving, seen.board.columns
    rows: dict[int, tuple[list[str], list[str], list[str]]] = {}
    for cell in sorted(marks):
        known, turn = marks[cell]
        row, column = divmod(cell, width)
        hit, sunk, water = rows.setdefault(row, ([], [], []))
        if known is is_water:
            water.append(LETTERS[column] + (_age(seen.turn - turn) if moving else ""))
        else:
            (hit if known is is_hit else sunk).append(LETTERS[column])
    return tuple(Row(row + 1, _told(words, columns)) for row, columns in rows.items())


def _told(words: Iterable[str], columns: Iterable[list[str]]) -> str:
    pairs = zip(words, columns, strict=True)
    return "; ".join([f"{word}: {', '.join(them)}" for word, them in pairs if them])


def _age(turns: int) -> str:
    """` (4)` for water hit four turns ago where ships move, since one may have moved there."""
    return f" ({turns})" if turns else ""


def _afloat(seen: Observation) -> str:
    count = sum(ship.is_afloat for ship in seen.ships)
    return _("%(count)s of %(all)s afloat") % {"count": count, "all": len(seen.ships)}


def _ships(seen: Observation) -> Iterator[str]:
    """`Cruiser D2–G2: hit at E2`, for each of the player's own ships."""
    classic, language = is_1990(seen.ruleset.fleet), get_language() or "en"
    for ship in seen.ships:
        place = _place(seen.board, ship.placement)
        hits = ", ".join([seen.board.name(cell) for cell in sorted(ship.hits)])
        yield _ship(ship.placement.length, place, hits, ship.is_afloat, classic, language)


@lru_cache(maxsize=8192)
def _ship(
    length: int, place: str, hits: str, is_afloat: bool, classic: bool, _language: str
) -> str:  # fmt: skip
    name = f"{ship_name(length, is_1990=classic)} {place}"
    if not is_afloat:
        return f"{name}: {pgettext('ship', 'sunk')}"
    if not hits:
        return f"{name}: {_('afloat')}"
    return _("%(ship)s: hit at %(cells)s") % {"ship": name, "cells": hits}


def _place(board: Board, placement: Placement) -> str:
    ends = dict.fromkeys((placement.cells[0], placement.cells[-1]))
    return "–".join(board.name(cell) for cell in ends)
