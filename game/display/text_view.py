"""A match in words, for the text view and its keys.

All of it comes from an Observation and the setup, so it holds nothing that the boards don't show.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display import messages
from game.display.names import kind_name, place_name, result_word, ship_names
from game.display.noticed import noticed_of
from game.display.words import cached_by_language
from game.engine.actions import Result
from game.engine.geometry import Cell
from game.engine.observation import Known, Mark, Observation, OwnShip
from game.engine.rules import Ruleset
from game.matches.cell_names import CellNames
from game.matches.setup import Setup

# To look a member up in its class takes longer than to compare it.
_UNKNOWN, _WATER, _HIT, _SUNK = Known
_LENGTH = attrgetter("placement.length")


class Row(NamedTuple):
    number: int
    marks: str
    """`hit: E, F; water: B (4)`: columns by result, with the turns since; cells with labels."""


class TextView(NamedTuple):
    last: str
    """The shots of both sides' last turns, or empty."""
    to_find: str
    open_hits: str
    """Hits on ships that are not sunk yet, or empty."""
    rows: tuple[Row, ...]
    """The rows fired at, from the top."""
    afloat: str
    """How many of the player's own ships are afloat, and which are hit; empty without a fleet."""
    ships: tuple[str, ...]
    """The player's own ships, longest first, with their cells and states."""
    questions: str
    """The questions of both sides with their answers, and how many are left; empty without any."""
    noticed: str
    """What the computer noticed about the player's placing in the rounds before, or empty."""
    goal: str


def text_view(seen: Observation, setup: Setup, goal: str = "") -> TextView:
    """Returns the match in words; `goal` is what a search alone is for."""
    marks, cell_names = seen.marks, setup.cell_names
    hits = sorted([cell for cell, (known, _turn) in marks.items() if known is _HIT])
    ships = sorted(seen.ships, key=_LENGTH, reverse=True)
    lines = _ships(seen, ships, cell_names)
    hurt = [lines[at] for at, ship in enumerate(ships) if ship.is_afloat and ship.hits]
    afloat = {"count": sum([ship.is_afloat for ship in seen.ships]), "of": len(ships)}
    return TextView(
        messages.last_turns(seen, setup),
        _to_find_named(seen, cell_names)
        if seen.ruleset.named
        else _to_find(seen.ruleset, seen.enemy_left),
        ", ".join(map(cell_names.name, hits)),
        _rows(seen, marks, cell_names),
        "; ".join([_("%(count)s of %(of)s afloat") % afloat, *hurt]) if ships else "",
        lines,
        messages.questions_line(seen, setup),
        noticed_of(setup).sentence,
        goal,
    )


@cached_by_language(maxsize=1024)  # rulesets in play, with what is left of a fleet; 0.3 kB each
def _to_find(rules: Ruleset, left: tuple[int, ...]) -> str:
    return ", ".join(
        f"{left.count(length)} × {kind_name(rules, length)} ({length})"
        for length in sorted(set(left), reverse=True)
    )


def _to_find_named(seen: Observation, cell_names: CellNames) -> str:
    """Returns `Cruiser (3): hit at B7, …`, for each enemy ship afloat."""
    rules, hits = seen.ruleset, messages.open_hits(seen)
    lines = []
    for ship, (name, length) in enumerate(zip(ship_names(rules), rules.fleet, strict=True)):
        line = f"{name} ({length})"
        if ship in hits:
            cells = " ".join(map(cell_names.name, hits[ship]))
            line = _("%(ship)s: hit at %(cells)s") % {"ship": line, "cells": cells}
        if seen.enemy_hits[ship] < length:
            lines.append(line)
    return ", ".join(lines)


def _rows(seen: Observation, marks: Mapping[Cell, Mark], cell_names: CellNames) -> tuple[Row, ...]:
    words = [result_word(result) for result in (Result.HIT, Result.SUNK, Result.WATER)]
    moving, width = seen.ruleset.moving, seen.board.columns
    letters = None if cell_names.is_labelled else cell_names.columns
    rows: dict[int, tuple[list[str], list[str], list[str]]] = {}
    for cell in sorted(marks):
        known, _turn = mark = marks[cell]
        row, column = divmod(cell, width)
        if row not in rows:
            rows[row] = [], [], []
        hit, sunk, water = rows[row]
        name = letters[column] if letters else cell_names.name(cell)
        if known is _WATER:
            # A ship may have moved there since.
            age = seen.age(mark) if moving else 0
            water.append(name + (f" ({age})" if age else ""))
        else:
            (hit if known is _HIT else sunk).append(name)
    told = []
    for row, columns in rows.items():
        pairs = zip(words, columns, strict=True)
        marked = [f"{word}: {', '.join(them)}" for word, them in pairs if them]
        told.append(Row(row + 1, "; ".join(marked)))
    return tuple(told)


def _ships(seen: Observation, ships: Sequence[OwnShip], cell_names: CellNames) -> tuple[str, ...]:
    """Returns `Cruiser D2–G2: hit at E2`, for each of the player's own ships."""
    names, lines = ship_names(seen.ruleset), []
    for ship in ships:
        place = place_name(ship.placement, cell_names)
        hits = ", ".join(map(cell_names.name, sorted(ship.hits)))
        lines.append(_ship(f"{names[ship.id]} {place}", hits, ship.is_afloat))
    return tuple(lines)


@cached_by_language(maxsize=1024)  # the ships of fifty players; 0.4 kB each
def _ship(name: str, hits: str, is_afloat: bool) -> str:
    if not is_afloat:
        return f"{name}: " + pgettext("ship", "sunk")
    if not hits:
        return f"{name}: " + _("afloat")
    return _("%(ship)s: hit at %(cells)s") % {"ship": name, "cells": hits}
