"""Boards as rows of cells to draw: all that pages show of a match's ships and shots.

Before the outcome they are made from an Observation; `revealed` needs a match that is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.names import (
    kind_pictures,
    pictures,
    result_word,
    ship_names,
    steer_way,
    wreck_name,
    wreck_picture,
)
from game.display.questions import Box, boxes, ruled_out
from game.display.words import plural
from game.engine.actions import Result, Shot
from game.engine.fleets import Course, Fleet, Placement, blocked_by, steered
from game.engine.geometry import Board, Cell, Direction
from game.engine.match import Match
from game.engine.observation import Known, Mark, Observation, observe
from game.engine.rules import Ruleset
from game.matches.cell_chances import JudgedShot
from game.matches.cell_names import CellNames
from game.matches.draft import Draft

if TYPE_CHECKING:  # the belief loads NumPy, which takes longer than a page
    from game.players.belief.tables import CellChances

AGES = (20, 15, 10, 5)
"""Ages, in turns of its side, at which a mark of water changes its look."""
_UNNAMED = ("", 0)
_TURN = attrgetter("turn")
_UNKNOWN, _WATER, _HIT, _SUNK = Known
_RESULTS = {result.value: result for result in Result}


class Arrow(NamedTuple):
    """A move to choose, as an arrow on the cell that the ship would move onto."""

    value: str
    """The form's value, `3-fore`, which forms.parse_manoeuvre reads."""
    points: str
    """up, down, left or right"""
    label: str


class CellView(NamedTuple):
    """How one cell is drawn, apart from its name."""

    state: str
    is_button: bool = False
    is_target: bool = False
    """Whether the cell is a button that works now."""
    is_off: bool = False
    """Whether a press on it would be refused."""
    is_last: bool = False
    age: int = 0
    """Turns of its side since water was hit here; 0 if ships don't move."""
    is_aimed: bool = False
    ship: str = ""
    """The name of the ship that was sunk here, or hit if hits are named."""
    length: int = 0
    """The length of a ship that was hit, if hits are named; else 0."""
    is_over: bool = False
    """Whether the match is over, so that nothing is hidden and bare sea reads as water."""
    is_blocked: bool = False
    """Whether no ship can be here, or none be placed here, as is shown besides the state."""
    is_chosen: bool = False
    """Whether it was chosen for the ship being placed cell by cell."""
    heat: int = -1
    """The chance of a ship in percent; -1 if it isn't shown."""
    is_figured: bool = False
    """Whether the chance is written in the cell; screen readers hear every chance."""
    warmth: int = 0
    """The colour for that chance, from 0 to 10."""
    tag: str = ""
    """In a review chosen, best or both, else empty."""

    @property
    def look(self) -> int:
        """The greatest of AGES that is not above the age, or 0."""
        return max([least for least in AGES if self.age >= least], default=0)

    @property
    def handles(self) -> dict[str, str | int]:
        return {"state": self.state, **self.figures}

    @property
    def figures(self) -> dict[str, int]:
        """The numbers of the cell by their handles."""
        numbers = {"age": self.age, "length": self.length}
        shown = {name: number for name, number in numbers.items() if number}
        return shown | ({"percent": self.heat} if self.heat >= 0 else {})

    @property
    def words(self) -> str:
        """The cell's state for screen readers, which follows its name: `, hit`."""
        said = [self._state_words()]
        if self.heat >= 0:
            said.append(_("chance %(rate)s%%") % {"rate": self.heat})
        if self.tag:
            tags = {
                "both": _("best, fired at"), "best": _("best chance"), "chosen": _("fired at"),
            }  # fmt: skip
            said.append(tags[self.tag])
        if self.state == "water" and self.is_blocked and self.heat < 0:
            said.append(_("no ship possible"))
        return "".join([f", {words}" for words in said if words])

    def _state_words(self) -> str:
        if self.is_aimed:
            return _("aimed at")
        if self.state == "water" and self.age:
            age = self.age
            return plural("water, %(age)s turn ago", "water, %(age)s turns ago", age, age=age)
        if self.state in _RESULTS:
            word = result_word(_RESULTS[self.state])
            # While chances are shown, they take the place of a wreck's name.
            is_named = self.ship and (self.state == "hit" or self.heat < 0)
            return f"{word}, {self.ship}" if is_named else word
        if self.state == "unknown" and self.heat >= 0:
            return ""
        if self.is_chosen:
            return pgettext("cell", "chosen")
        if self.state == "sea" and self.is_blocked:
            return _("blocked")
        if self.state == "unknown" and self.is_blocked:
            return _("no ship")
        words = {
            "unknown": _("unknown"), "ship": _("ship"), "impossible": _("no ship possible"),
            "sea": result_word(Result.WATER) if self.is_over else _("sea"),
        }  # fmt: skip
        return words[self.state]


class Hull(NamedTuple):
    """How one ship is drawn over the cells."""

    id: int
    length: int
    x: int
    y: int
    is_down: bool
    look: str
    """afloat, hit or sunk; picked while it is placed; unseen if only a script shows it; trail for
    where a ship has been"""
    picture: str = ""
    """Its id in ships.svg, which a trail doesn't have."""

    @property
    def width(self) -> int:
        """Its width in the units of ships.svg."""
        return self.length * 40

    @property
    def handles(self) -> dict[str, str | int]:
        named = {} if self.look == "trail" else {"hull": self.id}
        direction = "v" if self.is_down else "h"
        return {**named, "x": self.x, "y": self.y, "length": self.length, "direction": direction}


C = TypeVar("C")


class BoardOf(NamedTuple, Generic[C]):
    """One side's board as it is drawn; each game has its own type of cell."""

    kind: str
    """own or enemy"""
    cell_names: CellNames
    cells: tuple[C, ...]
    """The cells, row by row."""
    hulls: tuple[Hull, ...]
    arrows: Mapping[Cell, tuple[Arrow, ...]] = MappingProxyType({})
    is_plain: bool = False
    """Whether all ships have one cell, so that no hulls are drawn."""
    boxes: tuple[Box, ...] = ()
    """The rectangles that the other side has asked about."""
    per_mille: Mapping[Cell, int] = MappingProxyType({})
    """The chances of cells in the hit calculator."""

    @property
    def board(self) -> Board:
        return self.cell_names.board

    @property
    def rows(self) -> list[tuple[C, ...]]:
        """The cells: rows from the top, columns from the left."""
        cells, width = self.cells, self.board.columns
        return [cells[start : start + width] for start in range(0, len(cells), width)]

    @property
    def named_cells(self) -> Iterable[tuple[str, C]]:
        """The cells with their names, row by row."""
        return zip(self.board.names, self.cells, strict=False)  # lower rows have names too

    def redrawn(self, draw: Callable[[Cell, C], C]) -> BoardOf[C]:
        """Returns the board with each cell as `draw` makes it of its place and its look."""
        cells = (draw(Cell(place), cell) for place, cell in enumerate(self.cells))
        return self._replace(cells=tuple(cells))


BoardView: TypeAlias = BoardOf[CellView]


@lru_cache(maxsize=4096)  # the ships of a hundred matches; 0.3 kB each
def hull(board: Board, index: int, placement: Placement, look: str, picture: str = "") -> Hull:
    """Returns a ship as it is drawn; `index` is its number in the fleet."""
    y, x = divmod(placement.bow, board.columns)
    is_down = placement.direction is Direction.DOWN
    return Hull(index, placement.length, x, y, is_down, look, picture)


def are_ages_new(seen: Observation) -> bool:
    """Returns whether the enemy's waters show ages for the first time, and no shot followed yet."""
    if not seen.is_to_act or (seen.shots and seen.shots[-1].turn == seen.turn):
        return False
    earlier = (
        replace(seen, turn=turn, shots=tuple([shot for shot in seen.shots if shot.turn < turn]))
        for turn in range(seen.turn - 2, -1, -2)
    )
    return _shows_ages(seen) and not any(map(_shows_ages, earlier))


def _shows_ages(seen: Observation) -> bool:
    water = [mark for mark in seen.marks.values() if mark.known is _WATER]
    return seen.ruleset.moving and bool(water) and seen.age(min(water, key=_TURN)) >= AGES[-1]


# Cells that are alike are one object, which the cache of rendered cells compares at once. Games in
# both languages and with all ages have about 900 kinds.
_cell = lru_cache(maxsize=1024)(CellView)


def last_turn(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
    first = len(shots)
    while first and shots[first - 1].turn == shots[-1].turn:
        first -= 1
    return shots[first:]


def last_volley(rules: Ruleset, shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
    """Returns a side's last shot, or all shots of its last salvo."""
    return last_turn(shots) if rules.salvo else shots[-1:]


def enemy_board(
    seen: Observation, cell_names: CellNames, *, hints: bool = False,
    reveal: Sequence[Placement] = (), is_live: bool = True, is_over: bool = False,
) -> BoardView:  # fmt: skip
    """Returns the enemy's board as the observer sees it; `reveal` adds ships.

    In a live match, cells are buttons while the observer is to fire. Once it is over, cells that
    are neither fired at nor below a ship are known to be sea.
    """
    board, fleet = seen.board, seen.ruleset.fleet
    is_live = is_live and seen.outcome is None
    is_firing = is_live and seen.is_to_act and seen.shots_left > 0
    is_pressed, is_aging = is_live and not cell_names.is_typed, is_live and seen.ruleset.moving
    impossible = seen.impossible() if hints and seen.outcome is None else frozenset()
    last = {shot.cell for shot in last_volley(seen.ruleset, seen.shots)}
    uncovered = {cell for placement in reveal for cell in placement.cells}
    aimed = set(seen.aimed)
    wrecks = {
        shot.wreck: wreck_picture(fleet, shot.wreck.length)
        if shot.ship is None
        else pictures(fleet)[shot.ship]
        for shot in seen.shots
        if shot.wreck is not None
    }
    marks = _with_wrecks(seen.marks, wrecks)
    named, no_ships = _named(seen), ruled_out(seen) if seen.asked and is_live else ()
    blank = "sea" if is_over else _UNKNOWN.value
    cells = [CellView(blank, is_pressed, is_pressed and is_firing, is_over=is_over)] * board.size

    def draw(cell: Cell) -> CellView:
        mark = marks.get(cell)
        known = mark.known if mark else _UNKNOWN
        state = known.value if mark else blank
        if known is not _HIT and known is not _SUNK and cell in uncovered:
            state = "ship"
        elif cell in impossible and known is _UNKNOWN:
            state = "impossible"
        is_hatched = state == "unknown" and cell in no_ships
        if mark and state == "water" and cell in impossible:  # a ship may have come there since
            is_hatched = seen.ruleset.moving and mark.turn != seen.turn
        age = seen.age(mark) if mark and is_aging and known is _WATER and state == "water" else 0
        name, length = named.get(cell, _UNNAMED) if state in ("sunk", "hit") else _UNNAMED
        return _cell(
            state, is_pressed, is_pressed and is_firing, cell in seen.spent, cell in last, age,
            cell in aimed, name, length if state == "hit" else 0, is_over, is_hatched,
        )  # fmt: skip

    for cell in {*marks, *seen.spent, *uncovered, *impossible, *aimed, *no_ships}:
        cells[cell] = draw(cell)
    hulls = [hull(board, -1, wreck, "sunk", drawn) for wreck, drawn in wrecks.items()]
    hulls += [hull(board, -1, ship, "afloat", wreck_picture(fleet, ship.length)) for ship in reveal]
    asked = boxes(seen, cell_names)
    return BoardView("enemy", cell_names, tuple(cells), tuple(hulls), boxes=asked)


def _with_wrecks(marks: Mapping[Cell, Mark], wrecks: Iterable[Placement]) -> dict[Cell, Mark]:
    """Returns the marks with all cells of the wrecks sunk, as later water there isn't drawn."""
    drawn = dict(marks)
    for cell in (cell for wreck in wrecks for cell in wreck.cells):
        if drawn[cell].known is _WATER:
            drawn[cell] = drawn[cell]._replace(known=_SUNK)
    return drawn


def _named(seen: Observation) -> dict[Cell, tuple[str, int]]:
    """Returns the name and length of the ship on each cell of the enemy's board, if known."""
    rules, names = seen.ruleset, dict[Cell, tuple[str, int]]()
    for shot in seen.shots:
        if shot.ship is not None:
            names[shot.cell] = ship_names(rules)[shot.ship], rules.fleet[shot.ship]
        elif shot.wreck is not None:
            name = wreck_name(rules, shot.wreck.length), shot.wreck.length
            names.update(dict.fromkeys(shot.wreck.cells, name))
    return names


def own_board(seen: Observation, cell_names: CellNames, *, is_live: bool = True) -> BoardView:
    """Returns the observer's own board; in a live match it has arrows for moves."""
    is_over = not is_live or seen.outcome is not None
    board, is_aging = seen.board, seen.ruleset.moving and not is_over
    ship_on = {cell: ship for ship in seen.ships if ship.is_afloat for cell in ship.placement.cells}
    names = ship_names(seen.ruleset)
    sunk = {cell: names[ship.id] for ship in seen.ships if not ship.is_afloat for cell in ship.hits}
    wrecks = [ship.placement for ship in seen.ships if not ship.is_afloat]
    marks = _with_wrecks(seen.incoming_marks, wrecks)
    last = {shot.cell for shot in last_turn(seen.incoming)}
    cells, afloat = [CellView("sea", is_over=is_over)] * board.size, CellView("ship")

    def draw(cell: Cell, mark: Mark) -> CellView:
        ship = ship_on.get(cell)
        if ship is not None:
            state = "hit" if cell in ship.hits else "ship"
        else:
            state = "sea" if mark.known is _HIT else mark.known.value
        return _cell(
            state,
            is_last=cell in last,
            age=seen.age(mark) if is_aging and not ship and mark.known is _WATER else 0,
            ship=sunk[cell] if state == "sunk" else "",
            is_over=is_over,
        )

    for cell in ship_on:
        cells[cell] = afloat
    for cell, mark in marks.items():
        cells[cell] = draw(cell, mark)
    arrows = {} if is_over else _arrows(seen, cell_names)
    return BoardView("own", cell_names, tuple(cells), _hulls(seen), arrows)


def _arrows(seen: Observation, cell_names: CellNames) -> Mapping[Cell, tuple[Arrow, ...]]:
    """Returns the arrows of all legal moves, by the cell that the ship would move onto."""
    arrows: dict[Cell, tuple[Arrow, ...]] = {}
    if not seen.may_move:
        return arrows
    names = ship_names(seen.ruleset)
    labels = {
        "up": _("%(ship)s at %(cell)s: move up"),
        "down": _("%(ship)s at %(cell)s: move down"),
        "left": _("%(ship)s at %(cell)s: move left"),
        "right": _("%(ship)s at %(cell)s: move right"),
    }
    for steer in seen.steers:
        ship = seen.ships[steer.ship].placement
        moved = steered(seen.board, ship, steer.course)
        assert moved is not None  # noqa: S101 (the move is legal)
        points = steer_way(ship.direction, steer.course)
        words = {"ship": names[steer.ship], "cell": cell_names.name(ship.bow)}
        arrow = Arrow(f"{steer.ship}-{steer.course.value}", points, labels[points] % words)
        cell = moved.bow if steer.course is Course.FORE else moved.cells[-1]
        arrows[cell] = (*arrows.get(cell, ()), arrow)
    return arrows


def placing_board(draft: Draft) -> BoardView:
    """Returns the board of a draft: ships, free cells, and cells where no ship may lie."""
    rules = draft.setup.ruleset
    board = rules.board
    blocked = blocked_by(rules, draft.placed) if draft.missing else 0
    ships = {cell for placement in draft.placed for cell in placement.cells}
    left = {length: kind_pictures(rules.fleet, length) for length in set(rules.fleet)}

    def draw(cell: Cell) -> CellView:
        is_ship = cell in ships
        return CellView(
            "ship" if is_ship else "sea", is_button=True, is_target=True,
            is_blocked=not is_ship and bool(blocked >> cell & 1),
            is_chosen=cell in draft.chosen_cells,
        )  # fmt: skip

    hulls = []
    for number, ship in enumerate(draft.placed):
        look, shown = "picked" if ship == draft.held else "afloat", left[ship.length].pop(0)
        hulls.append(hull(board, number, ship, look, shown))
    cells = tuple(map(draw, board.cells))
    return BoardView("own", draft.setup.cell_names, cells, tuple(hulls))


def revealed(match: Match, seen: Observation, cell_names: CellNames) -> tuple[BoardView, BoardView]:
    """Returns both boards with all ships, the enemy's first; raises ValueError before the end."""
    if match.outcome is None:
        raise ValueError("nothing is revealed before the outcome")
    return full_boards(match, seen, cell_names)


def full_boards(
    match: Match, seen: Observation, cell_names: CellNames
) -> tuple[BoardView, BoardView]:
    """Returns both boards with everything shown, for replays of ended matches."""
    theirs = observe(match, seen.side.opponent)
    reveal = [ship.placement for ship in theirs.ships if ship.is_afloat]
    enemy = enemy_board(seen, cell_names, reveal=reveal, is_live=False, is_over=True)
    return enemy._replace(hulls=_hulls(theirs)), own_board(seen, cell_names, is_live=False)


def as_known(seen: Observation, enemy: BoardView) -> BoardView:
    """Returns the uncovered enemy board as the side knew it then: only wrecks are seen."""
    known = enemy_board(seen, enemy.cell_names, is_live=False)
    hulls = (one if one.look == "sunk" else one._replace(look="unseen") for one in enemy.hulls)
    return known._replace(hulls=tuple(hulls))


def with_chances(
    drawn: BoardView, seen: Observation, view: CellChances, now: JudgedShot | None = None
) -> BoardView:
    """Returns a board with the chance on each target, and the chosen and the best cell tagged.

    The three best targets and the chosen cell show figures. Once the whole fleet is sunk, no
    chances are shown.
    """
    targets = set(seen.targets) if seen.enemy_left else set()
    figured = {cell for cell, _chance in view.ranked(seen.targets)}
    tags = dict[Cell, str]()
    if now is not None:
        best = now.best if now.search is None else now.search.cell
        tags = {best: "best", now.cell: "both" if best == now.cell else "chosen"}
        figured.add(now.cell)

    def warm(place: Cell, cell: CellView) -> CellView:
        cell = cell._replace(tag=tags.get(place, ""), is_last=cell.is_last and now is None)
        if place not in targets:
            return cell
        chance = float(view.cells[place])
        return cell._replace(
            heat=round(100 * chance), is_figured=place in figured and chance >= 0.005,
            warmth=round(10 * chance**0.75),
        )  # fmt: skip

    return drawn.redrawn(warm)


def trails(board: Board, fleets: Sequence[Fleet]) -> tuple[Hull, ...]:
    """Returns a strip for each ship that moved; `fleets` are one side's, ply by ply.

    Ships move only along their line, so a strip covers every cell that its ship has been on.
    """
    strips = []
    for index, ships in enumerate(zip(*fleets, strict=True)):
        bows = [ship.bow for ship in ships]
        first, way = min(bows), max(bows) - min(bows)
        is_down = ships[0].direction is Direction.DOWN
        length = ships[0].length + way // (board.columns if is_down else 1)
        if way:
            x, y = board.column(first), board.row(first)
            strips.append(Hull(index, length, x, y, is_down, "trail"))
    return tuple(strips)


def _hulls(seen: Observation) -> tuple[Hull, ...]:
    drawn, hulls = pictures(seen.ruleset.fleet), []
    for ship in seen.ships:
        look = "sunk" if not ship.is_afloat else "hit" if ship.hits else "afloat"
        hulls.append(hull(seen.board, ship.id, ship.placement, look, drawn[ship.id]))
    return tuple(hulls)
