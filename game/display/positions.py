"""What is known of a sea without a match, as boards with chances, and its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from game.display.boards import BoardView, CellView, enemy_board, with_chances
from game.display.names import preset_card, wreck_name
from game.engine.actions import Result, Shot
from game.engine.fleets import Placement
from game.engine.geometry import Cell
from game.engine.observation import Known, Observation
from game.engine.position import Position, still
from game.engine.presets import PRESETS
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import lettered

if TYPE_CHECKING:  # the belief loads NumPy, which takes longer than a page
    from game.players.belief.position_chances import PositionChances


def sea_title(name: str, rules: Ruleset) -> str:
    """The name and the size of a sea: `Classic, 10 × 10`."""
    return f"{preset_card(PRESETS[name]).title}, {rules.columns} × {rules.rows}"


def observation(position: Position) -> Observation:
    """The position as if it had been observed in a match, with buttons on every cell."""
    marks: list[tuple[Cell, Result, Placement | None]] = [
        *((cell, Result.WATER, None) for cell in position.water),
        *((cell, Result.HIT, None) for cell, _length in position.hits),
        *((cell, Result.SUNK, None) for cell, _length in position.sinkings),
        *((wreck.cells[-1], Result.SUNK, wreck) for wreck in position.wrecks),
    ]
    shots = tuple(Shot(ply, 0, Side.FIRST, *mark) for ply, mark in enumerate(marks))
    opening = Observation.opening(position.rules, Side.FIRST)
    return replace(opening, is_to_act=True, shots=shots, shots_left=1, enemy_left=position.left)


def drawn_board(
    position: Position, seen: Observation, chances: PositionChances | None,
    tags: Mapping[Cell, str], start: Cell | None, *, is_live: bool = True,
) -> BoardView:  # fmt: skip
    drawn = enemy_board(seen, lettered(seen.board), is_live=is_live)
    if chances is not None:
        seen = replace(seen, spent=position.marked)  # so that only other cells are targets
        from game.players.belief.tables import CellChances  # loads NumPy

        drawn = with_chances(drawn, seen, CellChances(chances.cells, chances.cells))
    told = dict((*position.hits, *position.sinkings))

    def draw(cell: Cell, shown: CellView) -> CellView:
        length, tag = told.get(cell, 0), tags.get(cell, "")
        return shown._replace(
            is_last=False, is_chosen=cell == start, tag=tag, is_figured=shown.is_figured
            or (tag in ("chosen", "both") and shown.heat > 0),
            length=length, ship=wreck_name(position.rules, length) if length else shown.ship,
        )  # fmt: skip

    return drawn.redrawn(draw)


def best_cell(position: Position, chances: PositionChances) -> Cell | None:
    """The cell of the highest chance; None once all ships are sunk."""
    cell = int(chances.cells.argmax())
    return Cell(cell) if chances.cells[cell] > 0 else None


def position_of(seen: Observation) -> Position | None:
    """The position of what was seen in a match; None for moving ships, answers or silence."""
    rules, fleet = seen.ruleset, seen.ruleset.fleet
    if rules.moving or rules.silent or seen.asked:
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
