"""A second, naive implementation of the rules, with which the engine is compared.

A cell is (column, row) from (0, 0) at the top left, a ship a set of cells, a side 0 or 1. Nothing
here comes from the engine but the values of the switches.
"""

from dataclasses import dataclass
from typing import Any

from game.engine.rules import Touching

Spot = tuple[int, int]
Ship = frozenset[Spot]
Ships = tuple[Ship, ...]
Deed = tuple[Any, ...]
"""("fire", cell), ("ask", cell, cell), ("steer", ship, "fore" or "aft") or ("stay",)."""


Answer = tuple[int, int, int, Spot, Spot, bool]
"""A question: its ply, turn and side, the rectangle's first and last cell, and whether yes."""


@dataclass(frozen=True)
class Told:
    """A shot whose result was told."""

    ply: int
    turn: int
    side: int
    spot: Spot
    result: str
    wreck: Ship | None
    ship: int | None = None
    """Which ship was hit, where that is told."""


def may_lie_beside(one: Ship, other: Ship, *, touching: Touching | bool) -> bool:
    """Whether two ships may be on the board together."""
    apart = [(abs(a - c), abs(b - d)) for a, b in one for c, d in other]
    if touching is Touching.CORNERS:
        return all(across + down > 1 for across, down in apart)
    return all(max(two) > (0 if touching else 1) for two in apart)


def places(columns: int, rows: int, length: int) -> list[Ship]:
    """Every place of a ship on an empty board."""
    across = {
        frozenset((column + i, row) for i in range(length))
        for column in range(columns - length + 1)
        for row in range(rows)
    }
    down = {
        frozenset((column, row + i) for i in range(length))
        for column in range(columns)
        for row in range(rows - length + 1)
    }
    return sorted(across | down, key=sorted)


class Naive:
    """A match, changed in place by `do`; what may not be done, `refusal` names."""

    def __init__(self, rules: Any, fleets: tuple[Ships, Ships]) -> None:
        """`rules` has the switches of a ruleset as attributes."""
        self.rules = rules
        self.every = [(column, row) for row in range(rules.rows) for column in range(rules.columns)]
        self.ships = [list(fleet) for fleet in fleets]
        self.hits = [[set[Spot]() for _ in fleet] for fleet in fleets]
        self.fired_at: list[set[Spot]] = [set(), set()]
        self.told: list[Told] = []
        self.answers: list[Answer] = []
        self.deeds: list[tuple[int, Deed]] = []
        self.turn, self.side, self.step = 0, int(rules.begins), "fire"
        self.end: tuple[int | None, str] | None = None
        self.aimed: list[tuple[int, Spot]] = []
        self._begin_turn()

    # --- asking ---

    def is_sunk(self, side: int, ship: int) -> bool:
        return self.hits[side][ship] == self.ships[side][ship]

    def afloat(self, side: int) -> list[int]:
        return [ship for ship in range(len(self.ships[side])) if not self.is_sunk(side, ship)]

    def hit_spots(self, side: int) -> set[Spot]:
        """The hit cells of ships that are still afloat."""
        return {spot for ship in self.afloat(side) for spot in self.hits[side][ship]}

    def closed(self, side: int) -> set[Spot]:
        """The cells of a side's waters where a shot is refused, as it could tell nothing new."""
        closed = set(self.hit_spots(side)) if self.rules.moving else set(self.fired_at[side])
        if side != self.side:
            closed |= {spot for _, spot in self.aimed}
        return closed

    def open(self, side: int) -> set[Spot]:
        """The cells of a side's waters that may be fired at."""
        return set(self.every) - self.closed(side)

    def moved(self, side: int, ship: int, course: str) -> Ship:
        """Where a ship would be after a move, be it legal or not. A single cell lies across."""
        by = -1 if course == "fore" else 1
        across = len({row for _, row in self.ships[side][ship]}) == 1
        return frozenset(
            (column + by, row) if across else (column, row + by)
            for column, row in self.ships[side][ship]
        )

    def is_way_free(self, side: int, ship: int, course: str) -> bool:
        target = self.moved(side, ship, course)
        return target <= set(self.every) and all(
            may_lie_beside(target, self.ships[side][other], touching=self.rules.touching)
            for other in self.afloat(side)
            if other != ship
        )

    def moves(self, side: int) -> set[tuple[int, str]]:
        """Every legal move of a side's ships as they lie."""
        unhit = [ship for ship, hits in enumerate(self.hits[side]) if not hits]
        return {
            (ship, course)
            for ship in (unhit if self.rules.moving else ())
            for course in ("fore", "aft")
            if self.is_way_free(side, ship, course)
        }

    def told_to(self, side: int) -> list[Told]:
        """The shots of a side."""
        return [shot for shot in self.told if shot.side == side]

    def marks(self, side: int) -> dict[Spot, tuple[str, int]]:
        """What a side was last told of each cell of the other's waters, and in which turn."""
        return {
            spot: (shot.result, shot.turn)
            for shot in self.told_to(side)
            for spot in shot.wreck or [shot.spot]
        }

    def own_turns(self, side: int, count: int) -> int:
        """How many of the first turns are a side's."""
        return sum((turn % 2 == 0) == (side == self.rules.begins) for turn in range(count))

    def options(self, *, aiming_well: bool) -> list[Deed]:
        """What may be done now; aiming well, a shot meets a ship wherever one may.

        A turn that begins with a shot is left to chance one time in two.
        """
        if self.step == "move" and (self.hides() or len(self.deeds) % 2):
            return [("stay",), *sorted(("steer", *move) for move in self.moves(self.side))]
        if self.may_ask and len(self.deeds) % 3 == 0:
            deeds = [("ask", first, last) for first in self.every for last in self.every]
            return [deed for deed in deeds if self.refusal(deed) is None]
        enemy = 1 - self.side
        free = self.open(enemy)
        ships = {spot for ship in self.afloat(enemy) for spot in self.ships[enemy][ship]}
        return [("fire", spot) for spot in sorted((aiming_well and free & ships) or free)]

    def refusal(self, deed: Deed) -> str | None:
        """The name of the rule that a deed would break now."""
        if self.end is not None:
            return "MatchOver"
        if deed[0] == "fire":
            return self._refuse_shot(deed[1])
        if deed[0] == "ask":
            return self._refuse_question(deed[1], deed[2])
        if self.step != "move":
            return "NotMoving"
        return None if deed[0] == "stay" else self._refuse_move(deed[1], deed[2])

    def _refuse_shot(self, spot: Spot) -> str | None:
        if self.hides():
            return "NotFiring"
        if spot not in self.every:
            return "NotACell"
        return "CellSpent" if spot in self.closed(1 - self.side) else None

    def questions_left(self, side: int) -> int:
        return int(self.rules.questions) - sum(asker == side for _, _, asker, *_ in self.answers)

    def has_asked(self) -> bool:
        """Whether the last deed was a question, as then no shot has followed it."""
        return bool(self.deeds) and self.deeds[-1][1][0] == "ask"

    @property
    def may_ask(self) -> bool:
        return self.end is None and bool(self.questions_left(self.side)) and not self.has_asked()

    def _refuse_question(self, first: Spot, last: Spot) -> str | None:
        if not self.questions_left(self.side):
            return "NoQuestionLeft"
        if self.has_asked():
            return "AskedAlready"
        if first not in self.every or last not in self.every:
            return "NotACell"
        if first[0] > last[0] or first[1] > last[1]:
            return "NotARectangle"
        if (self.side, ("ask", first, last)) in self.deeds:
            return "SameQuestion"
        known = self.fired_at[1 - self.side]
        return "CellSpent" if first == last and first in known else None

    def _refuse_move(self, ship: int, course: str) -> str | None:
        if not 0 <= ship < len(self.ships[self.side]):
            return "NoSuchShip"
        if self.hits[self.side][ship]:
            return "ShipHit"
        return None if self.is_way_free(self.side, ship, course) else "CourseBlocked"

    # --- doing ---

    def do(self, deed: Deed) -> None:
        """Carries out a legal deed; a shot without a move before it counts as a stay."""
        assert self.refusal(deed) is None, deed
        if deed[0] == "fire" and self.step == "move":
            self.do(("stay",))
        self.deeds.append((self.side, deed))
        if deed[0] == "fire":
            self._aim(deed[1])
            return
        if deed[0] == "ask":
            self._answer(deed[1], deed[2])
            return
        if deed[0] == "steer":
            self.ships[self.side][deed[1]] = self.moved(self.side, deed[1], deed[2])
        self.step = "fire"
        if self.hides():
            self._end_turn()

    def _answer(self, first: Spot, last: Spot) -> None:
        is_yes = any(
            first[0] <= column <= last[0] and first[1] <= row <= last[1]
            for ship in self.ships[1 - self.side]
            for column, row in ship
        )
        ply = len(self.deeds) - 1
        self.answers.append((ply, self.turn, self.side, first, last, is_yes))

    def resign(self, side: int) -> None:
        """A side gives up a match that is not over."""
        assert self.end is None
        self.end, self.step = (1 - side, "resigned"), "over"

    def abandon(self) -> None:
        """A match that is not over ends without a winner."""
        assert self.end is None
        self.end, self.step = (None, "abandoned"), "over"

    def hides(self) -> bool:
        """Whether it is the turn of a side that never fires."""
        return self.rules.solo and self.side == 1

    def _volley(self) -> int:
        enough = len(self.open(1 - self.side))
        guns = len(self.ships[1]) if self.rules.solo else len(self.afloat(self.side))
        return min(guns, enough) if self.rules.salvo else 1

    def _aim(self, spot: Spot) -> None:
        self.aimed.append((len(self.deeds) - 1, spot))
        if len(self.aimed) == self.volley:
            volley, self.aimed = self.aimed, []
            results = [self._land(ply, each) for ply, each in volley]
            self._after(any(result != "water" for result in results))

    def _land(self, ply: int, spot: Spot) -> str:
        enemy = 1 - self.side
        self.fired_at[enemy].add(spot)
        result, wreck, met = "water", None, None
        for ship in self.afloat(enemy):
            if spot in self.ships[enemy][ship]:
                self.hits[enemy][ship].add(spot)
                result, met = "hit", ship
                if self.is_sunk(enemy, ship) and not self.rules.silent:
                    result, wreck = "sunk", self.ships[enemy][ship]
                break
        name = met if self.rules.named else None
        self.told.append(Told(ply, self.turn, self.side, spot, result, wreck, name))
        return result

    def _after(self, has_hit: bool) -> None:
        if not self.afloat(1 - self.side):
            self.end, self.step = (self.side, "all-sunk"), "over"
        elif self.rules.again and has_hit:
            self.volley = self._volley()
        else:
            self._end_turn()

    def _begin_turn(self) -> None:
        self.step = "move" if self.rules.moving and self.ships[self.side] else "fire"
        self.volley = 0 if self.hides() else self._volley()
        if self.hides() and not self.rules.moving:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turn += 1
        self.side = 1 - self.side
        if self.turn == self.rules.limit:
            self.end, self.step = self._at_limit(), "over"
        else:
            self._begin_turn()

    def _at_limit(self) -> tuple[int | None, str]:
        first, second = len(self.afloat(0)), len(self.afloat(1))
        if self.rules.solo:
            return 1, "limit"
        if self.rules.at_limit.value == "draw":
            return None, "limit"
        if first == second:
            return None, "as-many-afloat"
        return (0 if first > second else 1), "more-afloat"
