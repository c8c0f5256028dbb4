"""What the page of the hit calculator shows: a board with chances, and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.boards import BoardView, CellView, enemy_board
from game.display.messages import percent
from game.display.names import preset_card, wreck_name
from game.display.options import Option
from game.display.review_page import with_chances
from game.display.words import grouped, plural
from game.engine.actions import Result, Shot
from game.engine.fleets import Placement
from game.engine.geometry import Cell
from game.engine.observation import Known, Observation
from game.engine.position import NotAMark, NotAShip, Position, WithoutResult, still
from game.engine.presets import OWN, PRESETS
from game.engine.rules import Ruleset, Side
from game.players.belief.position import Contradiction, Outlook
from game.players.belief.tables import CellChances

BRUSHES = ("water", "hit", "sunk")


def brushes(chosen: str) -> list[Option]:
    words = {"water": _("Water"), "hit": _("Hit"), "sunk": _("Sunk")}
    return [Option(brush, words[brush], brush == chosen) for brush in BRUSHES]


def ship_choices(rules: Ruleset, chosen: int = 0) -> list[Option]:
    """The lengths of the fleet's ships, longest first, with their names."""
    return [
        Option(str(length), f"{length} · {wreck_name(rules, length)}", length == chosen)
        for length in sorted(set(rules.fleet), reverse=True)
    ]


def seas(chosen: str) -> list[Option]:
    """The presets with ships that lie still, without those whose sea is that of another one."""
    found: dict[object, Option] = {}
    for preset in PRESETS.values():
        sea = preset.ruleset.sea
        if preset is not OWN and not preset.ruleset.moving and sea not in found:
            found[sea] = Option(preset.name, preset_card(preset).title, preset.name == chosen)
    return list(found.values())


def sea_title(name: str, rules: Ruleset) -> str:
    """The name and the size of a sea: `Classic, 10 × 10`."""
    return f"{preset_card(PRESETS[name]).title}, {rules.columns} × {rules.rows}"


# --- the board ---


def observation(position: Position) -> Observation:
    """The position as if it had been observed in a match, with buttons on every cell."""
    marks: list[tuple[Cell, Result, Placement | None]] = [
        *((cell, Result.WATER, None) for cell in position.water),
        *((cell, Result.HIT, None) for cell, _length in position.hits),
        *((cell, Result.SUNK, None) for cell, _length in position.sinkings),
        *((wreck.cells[-1], Result.SUNK, wreck) for wreck in position.wrecks),
    ]
    shots = tuple(Shot(ply, 0, Side.FIRST, *mark) for ply, mark in enumerate(marks))
    return Observation(
        ruleset=position.rules, side=Side.FIRST, turn=0, is_to_act=True, may_move=False,
        outcome=None, shots=shots, incoming=(), aimed=(), shots_left=1, spent=frozenset(),
        ships=(), enemy_left=position.left,
    )  # fmt: skip


def board(position: Position, found: Outlook | None, start: Cell | None) -> BoardView:
    """The marks and, if there are any, the chances; `start` is one end of a ship being marked."""
    if found is None:
        return _drawn(position, observation(position), None, {}, start)
    best = best_cell(position, found)
    tags = {} if best is None else {best: "best"}
    drawn = _drawn(position, observation(position), found, tags, start)
    cells = zip(position.rules.board.cells, drawn.cells, strict=True)
    chances = {at: round(1000 * found.cells[at]) for at, it in cells if it.state == "unknown"}
    return drawn._replace(per_mille=chances)


def question_board(position: Position) -> BoardView:
    """The board of a puzzle before the answer: the marks, and a button on every other cell."""
    seen = replace(observation(position), spent=position.marked)
    return _drawn(position, seen, None, {}, None)


def solution_board(
    position: Position, found: Outlook, chosen: Cell, best: Sequence[Cell]
) -> BoardView:
    """The board of a puzzle after the answer: the chances, the best cells and the chosen one."""
    tags = dict.fromkeys(best, "best")
    tags[chosen] = "both" if chosen in tags else "chosen"
    seen = replace(observation(position), is_to_act=False)
    return _drawn(position, seen, found, tags, None, is_live=False)


def _drawn(
    position: Position, seen: Observation, found: Outlook | None, tags: Mapping[Cell, str],
    start: Cell | None, *, is_live: bool = True,
) -> BoardView:  # fmt: skip
    drawn = enemy_board(seen, is_live=is_live)
    if found is not None:
        seen = replace(seen, spent=position.marked)  # so that only other cells are targets
        drawn = with_chances(drawn, seen, CellChances(found.cells, found.cells))
    told = dict((*position.hits, *position.sinkings))

    def draw(cell: Cell, shown: CellView) -> CellView:
        length, tag = told.get(cell, 0), tags.get(cell, "")
        return shown._replace(
            is_last=False, is_chosen=cell == start, tag=tag, is_figured=shown.is_figured
            or (tag in ("chosen", "both") and shown.heat > 0),
            length=length, ship=wreck_name(position.rules, length) if length else shown.ship,
        )  # fmt: skip

    return drawn.redrawn(draw)


def best_cell(position: Position, found: Outlook) -> Cell | None:
    """The cell of the highest chance; None once all ships are sunk."""
    cell = int(np.argmax(found.cells))
    return Cell(cell) if found.cells[cell] > 0 else None


def position_of(seen: Observation) -> Position | None:
    """The position of what was seen in a match; None if ships move or questions were asked."""
    rules, fleet = seen.ruleset, seen.ruleset.fleet
    if rules.moving or seen.asked:
        return None
    open_hits = {cell for cell, mark in seen.marks.items() if mark.known is Known.HIT}
    hits = {
        shot.cell: fleet[shot.ship] if shot.ship is not None else 0
        for shot in seen.shots
        if shot.cell in open_hits
    }
    made = Position(still(rules)).with_hits(hits)
    made = made.with_water(shot.cell for shot in seen.shots if shot.result is Result.WATER)
    for shot in seen.shots:
        made = made.with_wreck(shot.wreck) if shot.wreck else made
    return made


# --- sentences ---


def says(position: Position, found: Outlook, start: Cell | None) -> str:
    """Returns `Best: E5, 34%. 41 fleets are possible.`"""
    board = position.rules.board
    if start is not None:
        line = _("Sunk at %(cell)s: choose the other end of the ship, or its length.")
        return line % {"cell": board.name(start)}
    best = best_cell(position, found)
    if best is None:
        return _("The whole fleet is sunk.")
    words = {"cell": board.name(best), "chance": percent(float(found.cells[best]))}
    line = _("Best: %(cell)s, %(chance)s.") % words
    fleets = _("About %(count)s fleets are possible.") % {"count": rough(found.fleets)}
    if found.is_exact:
        fleets = plural(
            "%(count)s fleet is possible.",
            "%(count)s fleets are possible.",
            found.fleets,
            count=grouped(found.fleets),
        )
    return f"{line} {fleets}"


def rough(number: int) -> str:
    """Returns a number, from a million on with two digits or three: `2.1 billion`."""
    if number < 10**6:
        return grouped(number)
    digits = len(str(number))
    number = round(number, (3 if digits % 3 == 0 else 2) - digits)
    exponent = len(str(number)) - 1  # rounded up it may have one more
    scale = exponent // 3 * 3
    if scale > 15:
        power = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{number_format(round(number / 10**exponent, 1), 1)} × 10{power}"
    value, count = number / 10**scale, 1 if number == 10**scale else 2
    said = {
        6: ngettext("%(number)s million", "%(number)s million", count),
        9: ngettext("%(number)s billion", "%(number)s billion", count),
        12: ngettext("%(number)s trillion", "%(number)s trillion", count),
        15: ngettext("%(number)s quadrillion", "%(number)s quadrillion", count),
    }[scale]
    return said % {"number": number_format(value, 1 if value < 10 and value % 1 else 0)}


def contradiction(position: Position, found: Contradiction) -> str:
    """Returns why no fleet agrees with the position, in one sentence."""
    rules = position.rules
    cell = rules.board.name(found.cell) if found.cell is not None else ""
    sentences = {
        "twice": _("%(cell)s is marked in two ways."),
        "apart": _("The sunk ship at %(cell)s lies on another one, or touches it."),
        "gone": _("More ships of length %(length)s are sunk than the fleet has."),
        "hit": _("The hit at %(cell)s can’t belong to any ship that is left."),
        "sunk": _("No ship of length %(length)s can have sunk at %(cell)s."),
        "room": _("There is no room left for a ship of length %(length)s."),
        "many": _("There are more hits than the ships that are left have cells."),
        "full": _("The ships that are left have more cells than are open."),
        "alone": _("With the hit at %(cell)s there is no room for the other ships."),
        "together": _("The hit at %(cell)s can’t go together with the other hits."),
    }
    if found.reason in sentences:
        return sentences[found.reason] % {"cell": cell, "length": found.length}
    return _("No fleet found for this position.")


def refusal(error: NotAMark) -> str:
    """Returns why a typed line or a press marks nothing, in one sentence."""
    words = {"text": error.text}
    if isinstance(error, WithoutResult):
        return _("What is at %(text)s: water, hit or sunk?") % words
    if isinstance(error, NotAShip):
        return _("No ship of this fleet can lie there: %(text)s.") % words
    return _("That is not a mark on this sea: %(text)s.") % words
