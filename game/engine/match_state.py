"""The rules: the state of a match, and what each action changes.

`MatchState` applies the rules to every action, whether it comes from a click or from a record.
"""

from __future__ import annotations

from game.engine import actions
from game.engine.actions import Ask, Fire, Outcome, Question, Reason, Result, Shot, Stay, Steer
from game.engine.fleets import Course, Fleet, Placement, reach, tables
from game.engine.geometry import Cell, NotACell
from game.engine.rules import MOST_SHIPS, AtLimit, Pair, Ruleset, Side

# Looking members up in their class takes a good part of an action's time.
_WATER, _HIT, _SUNK = Result
_FORE, _AFT = Course
_STEERS = [(Steer(ship, _FORE), Steer(ship, _AFT)) for ship in range(MOST_SHIPS)]


class MatchState:
    """The mutable state of a match."""

    def __init__(self, rules: Ruleset, fleets: Pair[Fleet]) -> None:
        self.rules, self.board, self.limit = rules, rules.board, rules.limit
        self.steering_tables = [tables(rules.board, length).steering for length in rules.fleet]
        self.placements = [list(fleets[0]), list(fleets[1])]
        self.cells_left = [[ship.length for ship in fleet] for fleet in fleets]
        self.afloat = [len(fleet) for fleet in fleets]
        # By side, the cells of its ships afloat: no two of them share one.
        self.afloat_masks = [sum([ship.mask for ship in fleet]) for fleet in fleets]
        self.movable = [set(range(len(fleet))) for fleet in fleets]
        self.ship_at: list[dict[Cell, int]] = [
            {cell: index for index, ship in enumerate(fleet) for cell in ship.cells}
            for fleet in fleets
        ]
        self.spent: list[set[Cell]] = [set(), set()]  # by the side that is fired at
        self.shots: list[Shot] = []
        self.questions: list[Question] = []
        self.questions_left = [rules.questions, rules.questions]
        self.has_asked = False  # since the last shot
        self.who: list[Side] = []  # by ply
        self.turn = 0
        self.side = rules.begins
        self.enemy = rules.begins.opponent
        self.outcome: Outcome | None = None
        self.aimed: list[tuple[int, Cell]] = []
        self.is_move_due = False
        self.volley_hit = False
        self.volley_left = 0
        self._begin_turn()

    def copy(self) -> MatchState:
        twin = object.__new__(MatchState)
        # A Match is immutable, so the copy may only share values that never change.
        values = twin.__dict__
        for name, value in vars(self).items():
            values[name] = value.copy() if type(value) is list else value
        for name in ("cells_left", "movable", "placements", "ship_at", "spent"):
            values[name] = [of_side.copy() for of_side in values[name]]
        return twin

    def act(self, action: actions.Action) -> None:
        """Applies one action; raises IllegalAction or NotACell and then changes nothing."""
        if self.outcome is not None:
            raise actions.MatchOver("the match is over")
        side = self.side  # the action may end the turn, which swaps the sides
        if type(action) is Fire:
            self._fire(action.cell)
        elif type(action) is Ask:
            self._ask(action)
        elif not self.is_move_due:
            raise actions.NotMoving(
                "a ship moves once in a turn, before its shots, and only in some rules"
            )
        else:
            if type(action) is Steer:
                self._steer(action)
            elif type(action) is not Stay:
                raise TypeError(f"not an action: {action!r}")
            self.is_move_due = False
            if self.volley_left == 0:
                self._end_turn()
        self.who.append(side)

    def _begin_turn(self) -> None:
        """Starts a turn with a move if ships move; a side that hides from a searcher never fires.

        A searcher has no ship to move.
        """
        self.is_move_due = self.rules.moving and bool(self.placements[self.side])
        if not (self.rules.solo and self.side is Side.SECOND):
            self._start_volley()
        elif not self.is_move_due:
            self._end_turn()

    def _start_volley(self) -> None:
        """Starts a volley of one shot, or in a salvo of one shot for each ship afloat."""
        size = 1
        if self.rules.salvo:
            # A volley larger than the cells left to fire at could never be completed.
            targets = self.board.size - len(self.spent[self.enemy])
            guns = len(self.rules.fleet) if self.rules.solo else self.afloat[self.side]
            size = min(guns, targets)
        self.volley_left = size
        self.volley_hit = False
        self.has_asked = False

    def _ask(self, action: Ask) -> None:
        side, first, last = self.side, action.first, action.last
        if not self.questions_left[side]:
            raise actions.NoQuestionLeft("no question is left")
        if self.has_asked:
            raise actions.AskedAlready("one question before each shot")
        for cell in (first, last):
            if not 0 <= cell < self.board.size:
                raise NotACell(f"not a cell of the board: {cell!r}")
        names = f"{self.board.name(first)} {self.board.name(last)}"
        if self.board.corners(first, last) != (first, last):
            raise actions.NotARectangle(f"not the upper left and the lower right cell: {names}")
        if any(one.side is side and one.ask == action for one in self.questions):
            raise actions.SameQuestion(f"asked before: {names}")
        if first == last and first in self.spent[self.enemy]:
            raise actions.CellSpent(f"nothing new to learn there: {self.board.name(first)}")
        box = self.board.rectangle(first, last)
        # Ships that have sunk count, too. Where questions are asked, no ship moves.
        is_yes = sum(ship.mask for ship in self.placements[self.enemy]) & box != 0
        self.questions.append(Question(len(self.who), self.turn, side, action, is_yes))
        self.questions_left[side] -= 1
        self.has_asked = True

    def _fire(self, cell: Cell) -> None:
        if self.is_move_due:
            raise actions.NotFiring(f"a move or stay comes before the turn's shots: cell {cell!r}")
        if not 0 <= cell < self.board.size:
            raise NotACell(f"not a cell of the board: {cell!r}")
        spent = self.spent[self.enemy]
        if cell in spent:
            raise actions.CellSpent(f"nothing new to learn there: {self.board.name(cell)}")
        spent.add(cell)  # already now, because a salvo may not aim at a cell twice
        self.aimed.append((len(self.who), cell))
        self.volley_left -= 1
        if self.volley_left == 0:
            self._reveal_results()

    def _reveal_results(self) -> None:
        """Applies all shots of the volley, whose results are revealed together."""
        enemy = self.enemy
        for ply, cell in self.aimed:
            self._apply_shot(ply, cell, enemy)
        self.aimed.clear()
        if self.afloat[enemy] == 0:
            self.outcome = Outcome(self.side, Reason.ALL_SUNK)
        elif self.rules.again and self.volley_hit:
            self._start_volley()
        else:
            self._end_turn()

    def _apply_shot(self, ply: int, cell: Cell, enemy: Side) -> None:
        ship = self.ship_at[enemy].get(cell)
        result: Result = _WATER
        wreck: Placement | None = None
        if ship is not None:
            self.volley_hit = True
            self.movable[enemy].discard(ship)
            self.cells_left[enemy][ship] -= 1
            result = _HIT
            if self.cells_left[enemy][ship] == 0:
                sunk = self.placements[enemy][ship]
                self._sink(enemy, sunk)
                if not self.rules.silent:
                    result, wreck = _SUNK, sunk
        elif self.rules.moving:
            self.spent[enemy].discard(cell)  # a ship may move there later
        named = ship if self.rules.named else None
        self.shots.append(Shot(ply, self.turn, self.side, cell, result, wreck, named))

    def _sink(self, enemy: Side, wreck: Placement) -> None:
        self.afloat[enemy] -= 1
        self.afloat_masks[enemy] ^= wreck.mask
        # Another ship may move onto the cells of a wreck and be hit there.
        for cell in wreck.cells:
            del self.ship_at[enemy][cell]
        if self.rules.moving:
            self.spent[enemy].difference_update(wreck.cells)

    def _steer(self, action: Steer) -> None:
        """Moves a ship, which only changes its two end cells."""
        side, ship = self.side, action.ship
        target = self.target(side, action)
        ships, before = self.ship_at[side], self.placements[side][ship]
        self.afloat_masks[side] ^= before.mask ^ target.mask
        left, taken = (-1, 0) if action.course is _FORE else (0, -1)
        del ships[before.cells[left]]
        ships[target.cells[taken]] = ship
        self.placements[side][ship] = target

    def _end_turn(self) -> None:
        self.turn += 1
        self.side, self.enemy = self.enemy, self.side
        # The limit counts whole turns, so it never cuts a volley short.
        if self.turn == self.limit:
            self.outcome = self._at_limit()
        else:
            self._begin_turn()

    def cut_short(self, resigned: Side | None) -> None:
        """Ends the match with a win of the other side, or without a winner; raises MatchOver."""
        if self.outcome is not None:
            raise actions.MatchOver("the match is over")
        winner = None if resigned is None else resigned.opponent
        self.outcome = Outcome(winner, Reason.ABANDONED if winner is None else Reason.RESIGNED)

    def _at_limit(self) -> Outcome:
        first, second = self.afloat
        if self.rules.solo:
            return Outcome(Side.SECOND, Reason.LIMIT)
        if self.rules.at_limit is AtLimit.DRAW:
            return Outcome(None, Reason.LIMIT)
        if first == second:
            return Outcome(None, Reason.AS_MANY_AFLOAT)
        return Outcome(Side.FIRST if first > second else Side.SECOND, Reason.MORE_AFLOAT)

    def target(self, side: Side, action: Steer) -> Placement:
        """The placement after a move; raises an IllegalAction."""
        ship, course = action.ship, action.course
        if ship not in self.movable[side]:
            if not 0 <= ship < len(self.placements[side]):
                raise actions.NoSuchShip(f"no such ship: {ship!r}")
            raise actions.ShipHit(f"a ship that was hit can't move: {ship!r}")
        target = self.steering_tables[ship][course is _AFT][self.placements[side][ship].number]
        if target is None:
            raise actions.CourseBlocked(f"over the edge of the board: {ship}-{course.value}")
        others = self.afloat_masks[side] ^ self.placements[side][ship].mask
        if others & reach(self.rules, target):
            raise actions.CourseBlocked(f"too near another ship: {ship}-{course.value}")
        return target

    def steers(self, side: Side) -> list[Steer]:
        """Every legal move of a side's ships, by ship, fore before aft."""
        lie, tables = self.placements[side], self.steering_tables
        afloat, rules = self.afloat_masks[side], self.rules
        return [
            steer
            for ship in sorted(self.movable[side])
            for steer, targets in zip(_STEERS[ship], tables[ship], strict=True)
            if (target := targets[lie[ship].number]) is not None
            and not reach(rules, target) & (afloat ^ lie[ship].mask)
        ]
