"""Positions: what is known of a sea whose ships lie still, without a match.

An address holds a position in three fields, and a player can type it as one line:

    water=A1+B2&hit=C3+G8-4&sunk=D4h3+2@E9
    A1 B2 water, C3 G8-4 hit, D4h3 sunk, sunk 2 at E9

`G8-4` is a hit on a ship of length 4. `2@E9` is a ship of length 2 that sank with the hit at E9,
but of which the other cells weren't told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from game.engine.fleets import IllegalFleet, Placement, parse_placement, place
from game.engine.geometry import Board, Cell, Direction, NotACell
from game.engine.rules import LONGEST_SHIP, Ruleset

FIELDS = ("water", "hit", "sunk")
Told: TypeAlias = tuple[tuple[Cell, int], ...]
"""Cells in ascending order, each with the length of its ship, or 0 if that isn't known."""


class NotAMark(ValueError):
    """A text that marks no cell of the sea."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not a mark: {text[:40]!r}")
        self.text = text[:40]


class WithoutResult(NotAMark):
    """Cells without water, hit or sunk."""


class NotAShip(NotAMark):
    """Two ends between which no ship of the fleet can lie."""


@dataclass(frozen=True)
class Position:
    """The marks on a sea; they may contradict one another."""

    rules: Ruleset
    water: tuple[Cell, ...] = ()
    hits: Told = ()
    """The hits on ships that are afloat."""
    wrecks: tuple[Placement, ...] = ()
    """The sunk ships whose places are known."""
    sinkings: Told = ()
    """The last hits of the other sunk ships, and their lengths."""

    @property
    def marked(self) -> frozenset[Cell]:
        """The cells that were fired at."""
        told = (cell for cell, _length in (*self.hits, *self.sinkings))
        return frozenset((*self.water, *told, *(cell for one in self.wrecks for cell in one.cells)))

    @property
    def left(self) -> tuple[int, ...]:
        """The lengths of the ships afloat, longest first, if that many can have sunk."""
        left = sorted(self.rules.fleet, reverse=True)
        for length in (*(one.length for one in self.wrecks), *(one for _, one in self.sinkings)):
            if length in left:
                left.remove(length)
        return tuple(left)

    def without(self, cells: Iterable[Cell]) -> Position:
        """The position without any mark on these cells; a wreck is removed whole."""
        gone = frozenset(cells)
        return replace(
            self,
            water=tuple(cell for cell in self.water if cell not in gone),
            hits=tuple(one for one in self.hits if one[0] not in gone),
            wrecks=tuple(one for one in self.wrecks if gone.isdisjoint(one.cells)),
            sinkings=tuple(one for one in self.sinkings if one[0] not in gone),
        )

    def with_water(self, cells: Iterable[Cell]) -> Position:
        """The position with water on these cells, in place of what was marked there."""
        cells = set(cells)
        clear = self.without(cells)
        return replace(clear, water=tuple(sorted({*clear.water, *cells})))

    def with_hits(self, hits: Mapping[Cell, int]) -> Position:
        clear = self.without(hits)
        return replace(clear, hits=tuple(sorted({**dict(clear.hits), **hits}.items())))

    def with_wreck(self, wreck: Placement) -> Position:
        clear = self.without(wreck.cells)
        return replace(clear, wrecks=_ordered((*clear.wrecks, wreck)))

    def with_sinking(self, cell: Cell, length: int) -> Position:
        """The position with a ship that sank at that cell; raises NotAShip."""
        if length not in self.rules.fleet:
            raise NotAShip(f"{length}@{self.rules.board.name(cell)}")
        clear = self.without([cell])
        return replace(clear, sinkings=tuple(sorted((*clear.sinkings, (cell, length)))))


def _ordered(wrecks: Iterable[Placement]) -> tuple[Placement, ...]:
    return tuple(sorted(set(wrecks), key=lambda one: (one.bow, one.direction.value, one.length)))


def still(rules: Ruleset) -> Ruleset:
    """The rules of a position: only board, fleet, and whether ships may touch matter."""
    sea = dict(rules.sea) | {"fleet": tuple(sorted(rules.fleet, reverse=True))}
    return Ruleset(**sea, again=False, moving=False, turns=None)


# --- the fields of an address ---


def fields_of(position: Position) -> dict[str, str]:
    """The fields of an address that aren't empty; the inverse of parse_fields."""
    name = position.rules.board.name
    hits = (f"{name(cell)}-{length}" if length else name(cell) for cell, length in position.hits)
    sunk = (
        *map(str, position.wrecks),
        *(f"{length}@{name(cell)}" for cell, length in position.sinkings),
    )
    texts = (" ".join(map(name, position.water)), " ".join(hits), " ".join(sunk))
    return {field: text for field, text in zip(FIELDS, texts, strict=True) if text}


def parse_fields(rules: Ruleset, fields: Mapping[str, str]) -> tuple[Position, tuple[str, ...]]:
    """The position of an address, and the words that mark nothing on its sea."""
    water: set[Cell] = set()
    hits: dict[Cell, int] = {}
    wrecks: set[Placement] = set()
    sinkings: set[tuple[Cell, int]] = set()
    refused = []
    for field in FIELDS:
        for word in fields.get(field, "").split():
            try:
                if field == "water":
                    water.add(rules.board.parse(word))
                elif field == "hit":
                    name, dash, length = word.partition("-")
                    hits[rules.board.parse(name)] = _length(rules, length) if dash else 0
                elif "@" in word:
                    sinkings.add(_parse_sinking(rules, word))
                else:
                    wrecks.add(_of_fleet(rules, parse_placement(rules.board, word)))
            except ValueError:  # NotAMark is one, too
                refused.append(word)
    made = Position(
        rules, tuple(sorted(water)), tuple(sorted(hits.items())), _ordered(wrecks),
        tuple(sorted(sinkings)),
    )  # fmt: skip
    return made, tuple(refused)


def _parse_sinking(rules: Ruleset, word: str) -> tuple[Cell, int]:
    length, _at, name = word.partition("@")
    try:
        return rules.board.parse(name), _length(rules, length)
    except NotACell as error:
        raise NotAMark(word) from error


def _length(rules: Ruleset, text: str) -> int:
    lengths = {str(length): length for length in rules.fleet}
    if text not in lengths:
        raise NotAMark(text)
    return lengths[text]


def _of_fleet(rules: Ruleset, wreck: Placement) -> Placement:
    if wreck.length not in rules.fleet:
        raise NotAShip(str(wreck))
    return wreck


def between(rules: Ruleset, cell: Cell, other: Cell) -> Placement:
    """The ship of the fleet between two ends; raises NotAShip."""
    return _of_fleet(rules, _line(rules.board, cell, other))


def _line(board: Board, cell: Cell, other: Cell) -> Placement:
    first, last = board.corners(cell, other)
    across, down = board.column(last) - board.column(first), board.row(last) - board.row(first)
    if (across and down) or across + down >= LONGEST_SHIP:
        raise NotAShip(f"{board.name(cell)}–{board.name(other)}")
    return place(board, first, Direction.DOWN if down else Direction.ACROSS, across + down + 1)


# --- the typed line ---

_RESULTS = {
    "water": "water", "miss": "water", "wasser": "water", "daneben": "water",
    "hit": "hit", "hits": "hit", "treffer": "hit", "getroffen": "hit",
    "sunk": "sunk", "sank": "sunk", "versenkt": "sunk",
    "clear": "clear", "unknown": "clear", "leer": "clear", "unbekannt": "clear",
}  # fmt: skip
"""The words of both languages, which are understood on every page."""
_FILLERS = frozenset(("at", "on", "and", "a", "bei", "auf", "an", "und", "länge", "length"))
_MARKS = re.compile(
    r"(?P<cell>[a-z]\d{1,2})(?:(?P<way>[hv])(?P<size>\d)|-(?P<named>\d)|[-–](?P<end>[a-z]\d{1,2}))?"
    r"|(?P<sunk>\d)@(?P<at>[a-z]\d{1,2})",
    re.ASCII,
)


def typed(position: Position, line: str) -> Position:
    """The position with the marks of a typed line, in English or German.

    A result follows its cells, or precedes them. Raises NotAMark.
    """
    result, waiting, length = "", list[str](), 0
    words = [word for word in re.split(r"[\s,;:.]+", line.lower()) if word not in ("", *_FILLERS)]
    for word in words:
        if word in _RESULTS:
            if waiting:
                position = _told(position, waiting, result or _RESULTS[word])
            # A result before its cells is followed by others that are.
            result, waiting = _RESULTS[word] if result or not waiting else "", []
        elif word.isdecimal() and len(word) == 1:
            length = int(word)
        elif length or "@" in word:
            if result:
                position, waiting = _told(position, waiting, result), []
            cell, length = (
                (_cell(position.rules.board, word), length)
                if length
                else _parse_sinking(position.rules, word.upper())
            )
            position, result, length = position.with_sinking(cell, length), "", 0
        else:
            waiting.append(word)
    if length or (waiting and not result):
        for word in waiting:
            _parts(position.rules, word)  # names a word that can't be read first
        raise WithoutResult(" ".join(waiting).upper() or str(length))
    return _told(position, waiting, result)


def _told(position: Position, words: Iterable[str], result: str) -> Position:
    for word in words:
        ship, cells, length = _parts(position.rules, word)
        if result == "clear":
            position = position.without(cells)
        elif result == "water" and not length:
            position = position.with_water(cells)
        elif result == "hit":
            position = position.with_hits(dict.fromkeys(cells, length))
        elif result == "sunk" and length:
            position = position.with_sinking(cells[0], length)
        elif result == "sunk":
            wreck = ship or _line(position.rules.board, cells[0], cells[0])
            position = position.with_wreck(_of_fleet(position.rules, wreck))
        else:
            raise NotAMark(word.upper())
    return position


def _parts(rules: Ruleset, word: str) -> tuple[Placement | None, tuple[Cell, ...], int]:
    """The ship that a word names, its cells, and the length after a dash or 0."""
    match = _MARKS.fullmatch(word)
    if match is None or match["cell"] is None:
        raise NotAMark(word)
    cell = _cell(rules.board, match["cell"])
    try:
        if match["size"]:
            ship = parse_placement(rules.board, word.capitalize())
            return ship, ship.cells, 0
        if match["end"]:
            ship = _line(rules.board, cell, _cell(rules.board, match["end"]))
            return ship, ship.cells, 0
    except IllegalFleet as error:
        raise NotAMark(word.upper()) from error
    return None, (cell,), _length(rules, match["named"]) if match["named"] else 0


def _cell(board: Board, word: str) -> Cell:
    try:
        return board.parse(word.upper())
    except NotACell as error:
        raise NotAMark(word.upper()) from error
