"""A fleet while it is being placed: placing, turning and removing ships."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, runtime_checkable

from game.engine import fleets
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import Fleet, IllegalFleet, Placement
from game.engine.geometry import Board, Cell, Direction
from game.engine.presets import Placing
from game.engine.rules import Side
from game.matches.saved import SavedMatch, begin
from game.matches.seed_shares import SHARE_BYTES, SeedShares
from game.matches.setup import Learning, Setup, part_of

P = TypeVar("P")


class CannotPlace(IllegalFleet):
    """A ship can't lie there; `reason` is the rule that it would break."""

    def __init__(self, ship: Placement, setup: Setup, reason: IllegalFleet) -> None:
        super().__init__(f"{ship}: {reason}")
        self.ship, self.setup, self.reason = ship, setup, reason


class CannotTurn(CannotPlace):
    """A ship can't be turned where it lies."""


class NotALine(IllegalFleet):
    """The cells chosen for a ship are not one straight line."""


class NothingPlaced(IllegalFleet):
    """There is no ship that could be turned or removed."""


class ShipsMissing(IllegalFleet):
    """Some ships, `count` of them, are not placed yet."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} ships have no place")
        self.count = count


@runtime_checkable
class SeatPart(Protocol):
    """A part of the draft of a player at a device of their own."""

    @property
    def side(self) -> Side: ...


@runtime_checkable
class StartingPart(Protocol):
    """A part whose feature begins the match of its draft, such as a challenge."""

    def start(self, fleet: Fleet, hour: int | None) -> SavedMatch: ...


@dataclass(frozen=True, slots=True)
class Draft:
    """A fleet being placed, and the ship that is placed next."""

    setup: Setup
    placed: tuple[Placement, ...] = ()
    picked: int | None = None
    direction: Direction = Direction.ACROSS
    chosen_cells: tuple[Cell, ...] = ()
    """The cells chosen so far for a ship that is placed cell by cell."""
    first: Fleet | None = None
    """The fleet of the first of two persons, once it is complete."""
    is_held: bool = False
    """Whether the ship placed last has been picked up, so that the next cell moves it."""
    parts: tuple[object, ...] = ()
    """What features have added to this match alone; see game.matches.parts."""

    def __post_init__(self) -> None:
        """Raises IllegalFleet if the placed ships can't be part of a legal fleet."""
        fleets.check_part(self.setup.ruleset, self.placed)
        if self.is_held and not self.placed:
            raise NothingPlaced("no ship could be held")

    def part(self, kind: type[P]) -> P | None:
        return part_of(kind, self.parts + self.setup.parts)

    @property
    def seat(self) -> Side | None:
        """The side of a player at a device of their own, if a feature says so."""
        return next((part.side for part in self.parts if isinstance(part, SeatPart)), None)

    @property
    def side(self) -> Side:
        if (seat := self.seat) is not None:
            return seat
        return self.setup.person if self.first is None else Side.SECOND

    @property
    def is_secret(self) -> bool:
        """Whether the draft is hidden from the other person at the device."""
        return self.setup.is_shared and bool(self.placed or self.chosen_cells or self.first)

    @property
    def missing(self) -> tuple[int, ...]:
        """The lengths yet to be placed, in the fleet's order."""
        return fleets.missing(self.setup.ruleset, self.placed)

    @property
    def held(self) -> Placement | None:
        """The placed ship that has been picked up, or None."""
        return self.placed[-1] if self.is_held else None

    @property
    def in_hand(self) -> int | None:
        """The length of the ship that is placed next; None if all are placed or one is held."""
        if self.is_held:
            return None
        if self.picked in self.missing:
            return self.picked
        return max(self.missing, default=None)

    @property
    def is_by_cells(self) -> bool:
        """Whether ships are placed by choosing each of their cells."""
        return self.setup.preset.placing is Placing.CELLS

    def ship_on(self, cell: Cell) -> Placement | None:
        return next((ship for ship in self.placed if cell in ship.cells), None)

    def with_cell(self, cell: Cell) -> Draft:
        """Returns the draft after a press on a cell; raises IllegalFleet.

        A press on a ship picks it up, or puts it down again if it was held. Otherwise the ship
        that is held or in hand is placed with its bow there. If ships are placed cell by cell, the
        cell is added to the ship.
        """
        there = self.ship_on(cell)
        if there is not None and there == self.held:
            return replace(self, is_held=False)
        if there is not None and not self.chosen_cells:
            others = tuple(ship for ship in self.placed if ship != there)
            return replace(self, placed=(*others, there), direction=there.direction, is_held=True)
        lifted, length = self, self.in_hand
        if self.held is not None:
            lifted, length = replace(self, placed=self.placed[:-1], is_held=False), self.held.length
        elif length is not None and self.is_by_cells:
            return self._with_chosen(cell, length)
        if length is None:
            return self
        return lifted.with_ship(_slid_in(self.setup.ruleset.board, cell, self.direction, length))

    def with_ship(self, ship: Placement) -> Draft:
        """Returns the draft with one more ship; raises CannotPlace, or WrongShips if too many."""
        self._check(ship, self.placed, CannotPlace)
        return replace(self, placed=(*self.placed, ship), chosen_cells=())

    def without_cell(self, cell: Cell) -> Draft:
        """Returns the draft without the ship or the chosen cell there; raises NotAPlacement."""
        if cell in self.chosen_cells:
            others = tuple(one for one in self.chosen_cells if one != cell)
            return replace(self, chosen_cells=others)
        return self._without(self._ship_at(cell))

    def turned(self, cell: Cell) -> Draft:
        """Returns the draft with the ship on a cell turned about its bow, inside the board.

        Raises NotAPlacement if no ship lies there, or CannotTurn.
        """
        there = self._ship_at(cell)
        is_down = there.direction is Direction.DOWN
        direction = Direction.ACROSS if is_down else Direction.DOWN
        turned = _slid_in(self.setup.ruleset.board, there.bow, direction, there.length)
        others = tuple(ship for ship in self.placed if ship != there)
        self._check(turned, others, CannotTurn, shown=there)
        return replace(
            self, placed=tuple(turned if ship == there else ship for ship in self.placed),
            direction=direction if there == self.held else self.direction,
        )  # fmt: skip

    def undone(self) -> Draft:
        """Returns the draft without the chosen cells, or else the last ship.

        Raises NothingPlaced.
        """
        if self.chosen_cells:
            return replace(self, chosen_cells=())
        if not self.placed:
            raise NothingPlaced("no ship has been placed")
        return self._without(self.placed[-1])

    def cleared(self) -> Draft:
        return replace(self, placed=(), chosen_cells=(), is_held=False)

    def filled(self, chance: Chance | None = None) -> Draft:
        """Returns the draft with every missing ship placed at random; raises DoesNotFit.

        If none is missing, all ships are placed again, because a second press asks for that.
        """
        chance = chance or Chance(os.urandom(SEED_BYTES), "fill", 0)
        kept = self.placed if self.missing else ()
        placed = fleets.complete(self.setup.ruleset, kept, chance)
        setup = replace(self.setup, is_dealt=not kept)
        return replace(self, setup=setup, placed=placed, chosen_cells=(), is_held=False)

    def against(self, opponent: str) -> Draft:
        """Returns the draft against another mind, with the same share of the seed."""
        setup = replace(self.setup.against(opponent), seed_shares=self.setup.seed_shares)
        return replace(self, setup=setup, parts=())

    def forgetting(self) -> Draft:
        """Returns the draft of a match before which the computer has learnt nothing."""
        if self.setup.learning is None:
            return self
        return replace(self, setup=replace(self.setup, learning=Learning()))

    def with_server_share(self) -> Draft:
        """Returns the draft with the server's share of the seed, which is drawn only once.

        Without a person who plays against a computer, nobody could answer with the other share. A
        draft that a feature starts, such as a challenge's, has a seed.
        """
        is_drawn = self.setup.seed_shares is not None or self.starter is not None
        if is_drawn or not self.setup.may_have_seed_shares:
            return self
        drawn = SeedShares(os.urandom(SHARE_BYTES).hex())
        return replace(self, setup=replace(self.setup, seed_shares=drawn))

    @property
    def starter(self) -> StartingPart | None:
        """The part that begins the match, if a feature does so."""
        return next((part for part in self.parts if isinstance(part, StartingPart)), None)

    @property
    def fleet(self) -> Fleet:
        """The whole fleet; raises an IllegalFleet."""
        if self.setup.is_solo:
            return ()
        if self.missing:
            raise ShipsMissing(len(self.missing))
        return fleets.make_fleet(self.setup.ruleset, self.placed)

    def start(self, hour: int | None = None, share: str = "") -> SavedMatch | Draft:
        """Returns the match with this fleet, or the second person's draft; raises IllegalFleet.

        `hour` is when the match begins, in hours since 1970. `share` is the player's seed
        share, empty without JavaScript. A committed draft starts the same match again.
        """
        setup, fleet = self.setup.for_new_match(), self.fleet
        if self.starter is not None:
            return self.starter.start(fleet, hour).play_ai_batch()
        if setup.is_shared and self.first is None:
            return Draft(setup, first=fleet)
        seed, seed_shares = os.urandom(SEED_BYTES), self.setup.seed_shares
        if seed_shares is not None:
            seed_shares = seed_shares._replace(client=share)
            setup = replace(setup, seed_shares=seed_shares)
            seed = seed_shares.with_fleet(fleet).seed
        started = begin(setup, seed, first=self.first or fleet, second=fleet, hour=hour)
        return started.play_ai_batch()

    def _ship_at(self, cell: Cell) -> Placement:
        ship = self.ship_on(cell)
        if ship is None:
            raise fleets.NotAPlacement(f"no ship on {self.setup.ruleset.board.name(cell)}")
        return ship

    def _without(self, ship: Placement) -> Draft:
        """Returns the draft without that ship, which becomes the next one to place."""
        placed = tuple(one for one in self.placed if one != ship)
        return replace(
            self, placed=placed, picked=ship.length, direction=ship.direction, is_held=False
        )

    def _with_chosen(self, cell: Cell, length: int) -> Draft:
        """Adds a cell to the ship in hand; its last cell places it."""
        rules = self.setup.ruleset
        chosen = {*self.chosen_cells, cell}
        if len(chosen) < length:
            return replace(self, chosen_cells=tuple(sorted(chosen)))
        for ship in fleets.all_placements(rules.board, length):
            if chosen == {*ship.cells}:
                fleets.check_beside(rules, ship, self.placed)
                return replace(self, placed=(*self.placed, ship), chosen_cells=())
        raise NotALine("the cells are not one line")

    def _check(
        self, ship: Placement, others: Sequence[Placement], error: type[CannotPlace], *,
        shown: Placement | None = None,
    ) -> None:  # fmt: skip
        """Raises an error that names `shown` if the ship may not lie beside the others."""
        try:
            fleets.check_beside(self.setup.ruleset, ship, others)
        except IllegalFleet as reason:
            raise error(shown or ship, self.setup, reason) from reason


def next_draft(saved: SavedMatch) -> Draft:
    """Returns the draft of the match after an ended one; raises ValueError before the end.

    A dealt fleet is followed by another one, and a fleet that a single person placed by itself.
    """
    draft = Draft(saved.next_round()).with_server_share()
    if not draft.setup.may_have_seed_shares:
        return draft
    if draft.setup.is_dealt:
        return draft.filled()
    return replace(draft, placed=saved.match.fleets[draft.side])


def _slid_in(board: Board, bow: Cell, direction: Direction, length: int) -> Placement:
    """Returns the ship with that bow, moved in from the edge if need be; raises OffBoard."""
    is_down = direction is Direction.DOWN
    column = board.column(bow) if is_down else min(board.column(bow), board.columns - length)
    row = min(board.row(bow), board.rows - length) if is_down else board.row(bow)
    if not board.has(column, row):
        raise fleets.OffBoard(f"longer than the board: {length}")
    return fleets.place(board, board.cell(column, row), direction, length)
