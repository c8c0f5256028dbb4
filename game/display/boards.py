"""From what is known to rows of cells to draw: the only thing that pages show of a match.

Before the outcome all of it comes from an Observation; `revealed` needs a match that is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.display.names import ship_name
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


class Arrow(NamedTuple):
    """A move that may be chosen, as an arrow on the cell that the ship would newly cover."""

    value: str
    """What the form sends: `3-fore`."""
    points: str
    """up, down, left or right"""
    label: str


class CellView(NamedTuple):
    """How one cell is drawn, whatever its name is."""

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
    is_blocked: bool = False
    is_chosen: bool = False
    """Whether it was chosen for a ship that is placed cell by cell."""
    heat: int = -1
    """The chance of a ship in percent, where it is shown."""
    warmth: int = 0
    """How warm that looks, from 0 to 10."""
    tag: str = ""
    """In a review: chosen, best, or both."""
    ship: str = ""
    """What the ship is called that was sunk here."""

    @property
    def words(self) -> str:
        """What is said of the cell behind its name: `, hit`."""
        said = [self._state_words(), *self._chance_words()]
        return "".join(f", {words}" for words in said if words)

    def _state_words(self) -> str:
        if self.is_aimed:
            return _("aimed at")
        if self.state == "water" and self.age:
            ago = ngettext("water, %(age)s turn ago", "water, %(age)s turns ago", self.age)
            return ago % {"age": self.age}
        if self.state == "sunk":
            ship = f", {self.ship}" if self.ship and self.heat < 0 else ""
            return pgettext("cell", "sunk") + ship
        if self.state == "unknown":
            return "" if self.heat >= 0 else _("unknown")
        if self.state == "sea" and self.is_chosen:
            return pgettext("cell", "chosen")
        if self.state == "sea" and self.is_blocked:
            return _("blocked")
        words = {
            "water": _("water"), "hit": _("hit"), "ship": _("ship"), "sea": _("sea"),
            "impossible": _("no ship possible"),
        }  # fmt: skip
        return words[self.state]

    def _chance_words(self) -> Iterator[str]:
        if self.heat >= 0:
            yield _("chance %(rate)s%%") % {"rate": self.heat}
        if self.tag:
            tags = {
                "both": _("best, fired at"), "best": _("best chance"), "chosen": _("fired at"),
            }  # fmt: skip
            yield tags[self.tag]


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


C = TypeVar("C")


class BoardOf(NamedTuple, Generic[C]):
    """One side's board as it is drawn, its cells in a shape of the game's own."""

    kind: str
    """own or enemy"""
    columns: int
    rows: tuple[tuple[C, ...], ...]
    """For each row from the top how its cells are drawn, from the left."""
    hulls: tuple[Hull, ...]
    arrows: Mapping[Cell, tuple[Arrow, ...]] = MappingProxyType({})
    is_plain: bool = False
    """Whether its ships lie on single cells, which stand for themselves."""

    @property
    def letters(self) -> str:
        """Those above the columns."""
        return LETTERS[: self.columns]


BoardView: TypeAlias = BoardOf[CellView]


class Legend(NamedTuple):
    """Which signs are explained beside those that are on every board."""

    ages: tuple[int, ...]
    """The ages from which marks of water look older, where ships move."""
    hints: bool
    coach: bool


def _view(kind: str, board: Board, cells: Sequence[CellView], hulls: Iterable[Hull]) -> BoardView:
    rows = tuple(
        tuple(cells[start : start + board.columns]) for start in range(0, board.size, board.columns)
    )
    return BoardView(kind, board.columns, rows, tuple(hulls))


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
    classic = is_1990(seen.ruleset.fleet)
    sunk = {
        cell: ship_name(wreck.length, is_1990=classic) for wreck in wrecks for cell in wreck.cells
    }
    cells = [CellView(_UNKNOWN.value, is_live, is_firing)] * board.size

    def draw(cell: Cell) -> CellView:
        mark = marks.get(cell)
        known = mark.known if mark else _UNKNOWN
        state = known.value
        if known is not _HIT and known is not _SUNK and cell in found:
            state = "ship"
        elif known is _UNKNOWN and cell in impossible:
            state = "impossible"
        age, look = _aged(mark, seen) if is_live else _AGELESS
        return CellView(
            state, is_live, is_firing, cell in seen.spent, cell in last, age, look, cell in aimed,
            ship=sunk[cell] if state == "sunk" else "",
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
    classic = is_1990(seen.ruleset.fleet)
    sunk = {
        cell: ship_name(len(ship.hits), is_1990=classic)
        for ship in seen.ships
        if not ship.is_afloat
        for cell in ship.hits
    }
    last = {shot.cell for shot in last_turn(seen.incoming)} if seen.incoming else set()
    cells = [CellView("sea")] * board.size

    def draw(cell: Cell) -> CellView:
        mark, ship = marks.get(cell), ship_on.get(cell)
        state = _own_state(cell, mark, ship)
        age, look = _aged(mark, seen) if is_live and not ship else _AGELESS
        return CellView(
            state, is_last=cell in last, age=age, look=look,
            ship=sunk[cell] if state == "sunk" else "",
        )  # fmt: skip

    for cell in ship_on:
        cells[cell] = CellView("ship")
    for cell in marks:
        cells[cell] = draw(cell)
    view = _view("own", board, cells, _hulls(seen))
    return view._replace(arrows=_arrows(seen)) if is_live else view


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


def _arrows(seen: Observation) -> Mapping[Cell, tuple[Arrow, ...]]:
    """The moves offered ahead and astern of each ship that can be moved now."""
    arrows: dict[Cell, tuple[Arrow, ...]] = {}
    if not seen.is_to_act or seen.shots_left:
        return arrows
    classic = is_1990(seen.ruleset.fleet)
    for steer in seen.steers:
        ship = seen.ships[steer.ship].placement
        points, label = _pointing(ship.direction, steer.course)
        words = {"ship": ship_name(ship.length, is_1990=classic), "cell": seen.board.name(ship.bow)}
        cell = _ahead(seen.board, ship, steer.course)
        arrow = Arrow(steer_value(steer), points, label % words)
        arrows[cell] = (*arrows.get(cell, ()), arrow)
    return arrows


def _pointing(direction: Direction, course: Course) -> tuple[str, str]:
    """Where an arrow points, and what it says with places for ship and cell."""
    if direction is Direction.DOWN:
        if course is Course.FORE:
            return "up", _("%(ship)s at %(cell)s: move up")
        return "down", _("%(ship)s at %(cell)s: move down")
    if course is Course.FORE:
        return "left", _("%(ship)s at %(cell)s: move left")
    return "right", _("%(ship)s at %(cell)s: move right")


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
            "ship" if is_ship else "sea", is_button=True, is_target=True,
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
    """The enemy's board, uncovered, as a side knew them then: of the ships only wrecks are seen."""
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
