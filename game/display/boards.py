"""From what is known to rows of cells to draw: the only thing that pages show of a match.

Before the outcome all of it comes from an Observation; `revealed` needs a match that is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from game.engine.fleets import Course, Placement, blocked_by
from game.engine.geometry import LETTERS, Board, Cell, Direction
from game.engine.match import Match
from game.engine.observation import Known, Mark, Observation, OwnShip, Shot, Steer, observe
from game.engine.presets import is_1990
from game.engine.rules import Side
from game.matches.draft import Draft

AGES = (20, 15, 10, 5)
"""Marks of water look older from each of these numbers of turns on."""
_LOOKS = tuple(
    max((least for least in AGES if age >= least), default=0) for age in range(AGES[0] + 1)
)
"""How old marks of water look, by their age up to the greatest of AGES."""
_AGELESS = (0, 0)
_UNKNOWN, _WATER, _HIT, _SUNK = Known


class Offer(NamedTuple):
    """A move that may be chosen, as an arrow on the cell that the ship would newly cover."""

    value: str
    course: str
    """Where the arrow points: up, down, left, right."""
    length: int
    bow: str
    """The cell of the ship's bow now."""


class CellView(NamedTuple):
    """How one cell is drawn."""

    name: str
    state: str
    is_button: bool = False
    is_target: bool = False
    """Whether the button does something now."""
    is_off: bool = False
    """Whether what it does would be refused."""
    is_last: bool = False
    age: int = 0
    """Turns since a mark of water was made, where ships move."""
    look: int = 0
    """The greatest of AGES that the age has reached, or 0."""
    is_aimed: bool = False
    steers: tuple[Offer, ...] = ()
    """The moves that would bring a ship here."""
    is_1990: bool = False
    """Whether those ships have the names of 1990."""
    is_blocked: bool = False
    is_chosen: bool = False
    """Whether it was chosen for a ship that is placed cell by cell."""
    heat: int = -1
    """The chance of a ship in percent, where it is shown."""
    warmth: int = 0
    """How warm that looks, from 0 to 10."""
    tag: str = ""
    """In a review: chosen, best, or both."""
    ship: int = 0
    """The length of the ship that was sunk here."""


class Hull(NamedTuple):
    """How one ship is drawn: a picture over the cells."""

    id: int
    length: int
    x: int
    y: int
    is_down: bool
    look: str
    """afloat, hit or sunk; unseen where only a script may show it; trail where a ship has been"""
    is_fresh: bool = False
    """Whether it is one of the ships that were just sunk."""


class BoardView(NamedTuple):
    """One side's waters as they are drawn."""

    kind: str
    """own or enemy"""
    columns: int
    letters: str
    rows: tuple[tuple[CellView, ...], ...]
    hulls: tuple[Hull, ...]


class Legend(NamedTuple):
    """Which signs are explained beside those that are on every board."""

    has_ages: bool
    hints: bool
    coach: bool


def _view(kind: str, board: Board, cells: Sequence[CellView], hulls: Iterable[Hull]) -> BoardView:
    rows = tuple(
        tuple(cells[start : start + board.columns]) for start in range(0, board.size, board.columns)
    )
    return BoardView(kind, board.columns, LETTERS[: board.columns], rows, tuple(hulls))


@lru_cache(maxsize=256)
def _empty(board: Board, state: str, is_button: bool, is_target: bool) -> tuple[CellView, ...]:
    """The cells of a board on which nothing has happened yet."""
    return tuple(CellView(board.name(cell), state, is_button, is_target) for cell in board.cells)


@lru_cache(maxsize=65536)
def _cell(
    name: str, state: str, is_button: bool, is_target: bool, is_off: bool, is_last: bool, age: int,
    look: int, is_aimed: bool, steers: tuple[Offer, ...], is_1990: bool, ship: int,
) -> CellView:  # fmt: skip
    """A cell of a match's waters: most of them were drawn before."""
    return CellView(
        name, state, is_button, is_target, is_off, is_last, age, look, is_aimed, steers, is_1990,
        ship=ship,
    )  # fmt: skip


def _hull(board: Board, index: int, placement: Placement, look: str) -> Hull:
    return Hull(
        index, placement.length, board.column(placement.bow), board.row(placement.bow),
        placement.direction is Direction.DOWN, look,
    )  # fmt: skip


def _aged(mark: Mark | None, seen: Observation) -> tuple[int, int]:
    """The age of a mark of water in turns, and how old it looks."""
    if mark is None or mark.known is not _WATER or not seen.ruleset.moving:
        return _AGELESS
    age = seen.turn - mark.turn
    return age, _LOOKS[min(age, AGES[0])]


def last_turn(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
    """The shots of the last turn among these."""
    return tuple(shot for shot in shots if shot.turn == shots[-1].turn)


def enemy_board(
    seen: Observation, *, hints: bool, reveal: Sequence[Placement] = (), is_live: bool = True
) -> BoardView:
    """The enemy's waters as a side sees them; `reveal` adds ships that are no longer secret.

    In a live match, cells are buttons whenever the observer is to fire.
    """
    board, marks = seen.board, seen.marks
    is_live = is_live and seen.outcome is None
    is_firing = is_live and seen.is_to_act and seen.shots_left > 0
    impossible = seen.impossible() if hints and seen.outcome is None else frozenset()
    last = {seen.shots[-1].cell} if seen.shots else set()
    if seen.ruleset.salvo:
        last = {shot.cell for shot in last_turn(seen.shots)} if seen.shots else set()
    found = {cell for placement in reveal for cell in placement.cells}
    aimed = set(seen.aimed)
    wrecks = [shot.wreck for shot in seen.shots if shot.wreck is not None]
    sunk = {cell: wreck.length for wreck in wrecks for cell in wreck.cells}
    is_classic = is_1990(seen.ruleset.fleet)
    cells = list(_empty(board, Known.UNKNOWN.value, is_live, is_firing))

    def draw(cell: Cell) -> CellView:
        mark = marks.get(cell)
        known = mark.known if mark else _UNKNOWN
        state = known.value
        if known is not _HIT and known is not _SUNK and cell in found:
            state = "ship"
        elif known is _UNKNOWN and cell in impossible:
            state = "impossible"
        age, look = _aged(mark, seen) if is_live else _AGELESS
        return _cell(
            board.name(cell), state, is_live, is_firing, cell in seen.spent, cell in last, age,
            look, cell in aimed, (), is_classic, sunk[cell] if state == "sunk" else 0,
        )  # fmt: skip

    for cell in {*marks, *seen.spent, *found, *impossible, *aimed}:
        cells[cell] = draw(cell)
    hulls = [_hull(board, -1, wreck, "sunk") for wreck in wrecks]
    hulls += [_hull(board, -1, placement, "afloat") for placement in reveal]
    return _view("enemy", board, cells, hulls)


def own_board(seen: Observation, *, is_live: bool = True) -> BoardView:
    """One's own waters, with the enemy's shots.

    In a live match, arrows stand where a ship may be moved now.
    """
    is_live = is_live and seen.outcome is None
    board, marks = seen.board, seen.incoming_marks
    ship_on = {cell: ship for ship in seen.ships if ship.is_afloat for cell in ship.placement.cells}
    sunk = {cell: len(ship.hits) for ship in seen.ships if not ship.is_afloat for cell in ship.hits}
    last = {shot.cell for shot in last_turn(seen.incoming)} if seen.incoming else set()
    arrows = _arrows(seen) if is_live else {}
    is_classic = is_1990(seen.ruleset.fleet)
    cells = list(_empty(board, "sea", False, False))
    ships = _empty(board, "ship", False, False)

    def draw(cell: Cell) -> CellView:
        mark, ship = marks.get(cell), ship_on.get(cell)
        state = _own_state(cell, mark, ship)
        age, look = _aged(mark, seen) if is_live and not ship else _AGELESS
        return _cell(
            board.name(cell), state, False, False, False, cell in last, age, look, False,
            arrows.get(cell, ()), is_classic, sunk[cell] if state == "sunk" else 0,
        )  # fmt: skip

    for cell in ship_on:
        cells[cell] = ships[cell]
    for cell in {*marks, *arrows}:
        cells[cell] = draw(cell)
    return _view("own", board, cells, _hulls(seen))


def _own_state(cell: Cell, mark: Mark | None, ship: OwnShip | None) -> str:
    if ship is not None:
        return "hit" if cell in ship.hits else "ship"
    return "sea" if mark is None or mark.known is _HIT else mark.known.value


def _look(ship: OwnShip) -> str:
    if not ship.is_afloat:
        return "sunk"
    return "hit" if ship.hits else "afloat"


def steer_value(steer: Steer) -> str:
    """`3-fore`: how a move is written in a form; its twin is forms.parse_manoeuvre."""
    return f"{steer.ship}-{steer.course.value}"


def _arrows(seen: Observation) -> Mapping[Cell, tuple[Offer, ...]]:
    """The moves offered ahead and astern of each ship that can be moved now."""
    arrows: dict[Cell, tuple[Offer, ...]] = {}
    if not seen.is_to_act or seen.shots_left:
        return arrows
    for steer in seen.steers:
        placement = seen.ships[steer.ship].placement
        is_fore = steer.course.value == "fore"
        is_down = placement.direction is Direction.DOWN
        pointing = {(True, True): "up", (True, False): "left", (False, True): "down",
                    (False, False): "right"}[is_fore, is_down]  # fmt: skip
        cell = _ahead(seen.board, placement, steer.course)
        bow = seen.board.name(placement.bow)
        offer = Offer(steer_value(steer), pointing, placement.length, bow)
        arrows[cell] = (*arrows.get(cell, ()), offer)
    return arrows


def with_fresh_wrecks(view: BoardView, board: Board, shots: Iterable[Shot]) -> BoardView:
    """The waters with the ships marked that these shots sank."""
    fresh = {_hull(board, 0, shot.wreck, "sunk")[1:] for shot in shots if shot.wreck is not None}
    hulls = tuple(hull._replace(is_fresh=hull[1:] in fresh) for hull in view.hulls)
    return view._replace(hulls=hulls) if fresh else view


def _ahead(board: Board, placement: Placement, course: Course) -> Cell:
    """The cell that a ship would newly cover by a move."""
    is_down = placement.direction is Direction.DOWN
    end, step = (placement.bow, -1) if course is Course.FORE else (placement.cells[-1], 1)
    column, row = board.column(end), board.row(end)
    return board.cell(column, row + step) if is_down else board.cell(column + step, row)


def placing_board(draft: Draft) -> BoardView:
    """A fleet being placed: ships, free sea, and the cells that rules or ships block."""
    rules = draft.setup.ruleset
    board = rules.board
    blocked = blocked_by(rules, draft.placed) if draft.missing else 0
    ships = {cell for placement in draft.placed for cell in placement.cells}

    def draw(cell: Cell) -> CellView:
        is_ship = cell in ships
        return CellView(
            board.name(cell), "ship" if is_ship else "sea", is_button=True, is_target=True,
            is_blocked=not is_ship and bool(blocked >> cell & 1),
            is_chosen=cell in draft.chosen_cells,
        )  # fmt: skip

    hulls = (_hull(board, i, placement, "afloat") for i, placement in enumerate(draft.placed))
    return _view("own", board, [draw(cell) for cell in board.cells], hulls)


def revealed(match: Match, side: Side) -> tuple[BoardView, BoardView]:
    """Both waters once a match is over, the enemy's with all its ships, and one's own."""
    if match.outcome is None:
        raise ValueError("nothing is revealed before the outcome")
    return full_boards(match, side)


def full_boards(match: Match, side: Side) -> tuple[BoardView, BoardView]:
    """The enemy's waters and one's own with everything shown: for recaps of ended matches."""
    seen, theirs = observe(match, side), observe(match, side.opponent)
    reveal = [ship.placement for ship in theirs.ships if ship.is_afloat]
    enemy = enemy_board(seen, hints=False, reveal=reveal, is_live=False)
    return enemy._replace(hulls=_hulls(theirs)), own_board(seen, is_live=False)


def as_known(match: Match, side: Side, enemy: BoardView) -> BoardView:
    """The enemy's uncovered waters as a side knew them then: of the ships only wrecks are seen."""
    waters = enemy_board(observe(match, side), hints=False, is_live=False)
    hulls = (hull if hull.look == "sunk" else hull._replace(look="unseen") for hull in enemy.hulls)
    return waters._replace(hulls=tuple(hulls))


def trails(stages: Sequence[Match], side: Side) -> tuple[Hull, ...]:
    """Where ships of a side have been over these stages of a match: one strip for each that moved.

    A ship only ever moves along its line, so the strip is all that lay under it.
    """
    board = stages[0].ruleset.board
    strips = []
    for index, ship in enumerate(stages[0].placements(side)):
        bows = [stage.placements(side)[index].bow for stage in stages]
        first, last = min(bows), max(bows)
        is_down = ship.direction is Direction.DOWN
        length = ship.length + (last - first) // (board.columns if is_down else 1)
        if first != last:
            strip = Hull(index, length, board.column(first), board.row(first), is_down, "trail")
            strips.append(strip)
    return tuple(strips)


def _hulls(seen: Observation) -> tuple[Hull, ...]:
    return tuple(_hull(seen.board, ship.id, ship.placement, _look(ship)) for ship in seen.ships)
