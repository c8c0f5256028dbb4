"""A mind behind the engine protocol: one line in, one line out.

    hello 1                    -> hello 1 bonn-hard
    new 7 {"columns": 10, …}   -> ok
    deploy                     -> fleet C4h5 …
    aim                        -> fire B7
    shot B7 hit                -> ok

The engine knows only what the lines say, and makes an Observation of it for the mind.
docs/engine-protocol.md describes the whole protocol.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import (
    Course,
    Fleet,
    IllegalFleet,
    Placement,
    all_placements,
    check_beside,
    steered,
)
from game.engine.geometry import Cell
from game.engine.observation import Observation, OwnShip, Phase, Result, Shot, Stay, Steer
from game.engine.rules import AtLimit, IllegalRules, Ruleset, Side
from game.players.mind import Mind

VERSION = 1
_RULES: dict[str, type | tuple[type, ...]] = {
    "columns": int, "rows": int, "fleet": list, "touching": bool, "again": bool, "moving": bool,
    "turns": (int, type(None)), "at_limit": str, "salvo": bool,
}  # fmt: skip


class BadLine(ValueError):
    """A line that is no command, or that can't be answered now."""


@runtime_checkable
class Believer(Protocol):
    """A mind that can say what it believes."""

    def believe(self, seen: Observation, chance: Chance) -> list[float]:
        """For every cell, row by row from A1, the chance that an unsunk enemy ship lies there."""
        ...


def rules_from_json(text: str) -> Ruleset:
    """The ruleset of a `new` line; raises BadLine."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadLine("the rules are not JSON") from error
    if not isinstance(found, dict) or found.keys() != _RULES.keys():
        raise BadLine(f"the rules need the keys {' '.join(_RULES)}, and no others")
    for key, kind in _RULES.items():
        value = found[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadLine(f"not a value for {key}: {json.dumps(value)}")
    if any(type(length) is not int for length in found["fleet"]):
        raise BadLine(f"not a value for fleet: {json.dumps(found['fleet'])}")
    try:
        return Ruleset(
            **found | {"fleet": tuple(found["fleet"]), "at_limit": AtLimit(found["at_limit"])}
        )
    except (IllegalRules, ValueError) as error:
        raise BadLine(str(error)) from error


def rules_json(rules: Ruleset) -> str:
    """The rules as a `new` line has them, without who begins."""
    found: dict[str, Any] = {key: getattr(rules, key) for key in _RULES}
    return json.dumps(found | {"fleet": list(rules.fleet), "at_limit": rules.at_limit.value})


@dataclass
class _Table:
    """What one engine has been told of a match so far."""

    rules: Ruleset
    seed: bytes
    turn: int = 0
    plies: int = 0
    has_acted: bool = False
    """Whether the engine's own turn has begun."""
    shots: list[Shot] = field(default_factory=list)
    incoming: list[Shot] = field(default_factory=list)
    aimed: dict[Cell, int] = field(default_factory=dict)
    """The cells aimed at whose results are not known yet, and the ply of each."""
    open_hits: int = 0
    wrecks: list[Placement] = field(default_factory=list)
    fleet: list[Placement] = field(default_factory=list)
    wounds: list[set[Cell]] = field(default_factory=list)

    def chance(self, act: str) -> Chance:
        return Chance(self.seed, f"first/{act}", self.plies)

    def afloat(self, ship: int) -> bool:
        return len(self.wounds[ship]) < self.fleet[ship].length

    def enemy_left(self) -> tuple[int, ...]:
        left = Counter(self.rules.fleet)
        left.subtract(wreck.length for wreck in self.wrecks)
        return tuple(sorted(left.elements(), reverse=True))

    def wreck_at(self, cell: Cell) -> Placement | None:
        """The ship that a hit there has sunk: the longest that lies all on hits."""
        hits = self.open_hits | 1 << cell
        for length in sorted(set(self.enemy_left()), reverse=True):
            for placement in all_placements(self.rules.board, length):
                if cell in placement.cells and placement.mask & ~hits == 0:
                    return placement
        return None

    def spent(self) -> frozenset[Cell]:
        told = () if self.rules.moving else (shot.cell for shot in self.shots)
        hits = (cell for cell in self.rules.board.cells if self.open_hits >> cell & 1)
        return frozenset((*told, *hits, *self.aimed))

    def steers(self, ship: int) -> tuple[Steer, ...]:
        if self.wounds[ship] or not self.rules.moving:
            return ()
        return tuple(
            Steer(ship, course) for course in Course if self.target(ship, course) is not None
        )

    def target(self, ship: int, course: Course) -> Placement | None:
        """The placement of an own ship after a move, or None if the move is illegal."""
        target = steered(self.rules.board, self.fleet[ship], course)
        if target is None:
            return None
        others = [
            placement
            for other, placement in enumerate(self.fleet)
            if other != ship and self.afloat(other)
        ]
        try:
            check_beside(self.rules, target, others)
        except IllegalFleet:
            return None
        return target

    def observation(self, phase: Phase) -> Observation:
        spent = self.spent()
        volley = sum(map(self.afloat, range(len(self.fleet)))) if self.rules.salvo else 1
        left = max(1, min(volley - len(self.aimed), self.rules.board.size - len(spent)))
        return Observation(
            ruleset=self.rules, side=Side.FIRST, turn=self.turn, phase=phase, is_to_act=True,
            outcome=None, shots=tuple(self.shots), incoming=tuple(self.incoming),
            aimed=tuple(self.aimed), shots_left=left if phase is Phase.FIRING else 0, spent=spent,
            ships=tuple(
                OwnShip(
                    id=ship, placement=placement, hits=frozenset(self.wounds[ship]),
                    is_afloat=self.afloat(ship), steers=self.steers(ship),
                )
                for ship, placement in enumerate(self.fleet)
            ),
            enemy_left=self.enemy_left(),
        )  # fmt: skip


class Engine:
    """A mind that speaks the protocol."""

    def __init__(self, mind: Mind) -> None:
        """`mind` gives all answers; its name is the engine's."""
        self._mind = mind
        self._table: _Table | None = None
        self._commands: dict[str, tuple[int, Callable[..., str]]] = {
            "hello": (1, self._hello), "new": (2, self._new), "deploy": (0, self._deploy),
            "aim": (0, self._aim), "shot": (2, self._shot), "steer": (0, self._steer),
            "incoming": (2, self._incoming), "turn": (0, self._turn),
            "probabilities": (0, self._probabilities),
        }  # fmt: skip

    def answer(self, line: str) -> str:
        """The answer to one line, without line ends; `error …` if it can't be answered."""
        try:
            name, *words = line.split(" ", 2) if line.startswith("new ") else line.split(" ")
            if name not in self._commands:
                raise BadLine(f"unknown command: {name[:20]!r}")
            count, command = self._commands[name]
            if len(words) != count:
                raise BadLine(f"{name} takes {count} words, not {len(words)}")
            return command(*words)
        except ValueError as error:
            return "error " + " ".join(str(error).split())

    def _known(self) -> _Table:
        if self._table is None:
            raise BadLine("no match: say new first")
        return self._table

    def _hello(self, version: str) -> str:
        if version != str(VERSION):
            raise BadLine(f"not a version I speak: {version[:20]!r}")
        return f"hello {VERSION} {self._mind.name}"

    def _new(self, seed: str, rules: str) -> str:
        if not (seed.isascii() and seed.isdigit() and int(seed) < 1 << 64):
            raise BadLine(f"not an unsigned 64-bit integer: {seed[:24]!r}")
        self._table = _Table(rules_from_json(rules), int(seed).to_bytes(SEED_BYTES, "big"))
        return "ok"

    def _deploy(self) -> str:
        table = self._known()
        chance = Chance(table.seed, "first/deploy", 0)
        fleet: Fleet = self._mind.deploy(Observation.opening(table.rules, Side.FIRST), chance)
        table.fleet, table.wounds = list(fleet), [set() for _ in fleet]
        return " ".join(("fleet", *map(str, fleet)))

    def _aim(self) -> str:
        table = self._known()
        seen = table.observation(Phase.FIRING)
        if not seen.targets or not seen.enemy_left:
            raise BadLine("there is nothing left to fire at")
        cell = self._mind.aim(seen, table.chance("aim"))
        table.aimed[cell] = table.plies
        table.plies += 1
        table.has_acted = True
        return f"fire {table.rules.board.name(cell)}"

    def _shot(self, cell_text: str, result_text: str) -> str:
        table = self._known()
        cell, result = table.rules.board.parse(cell_text), _result(result_text)
        if cell not in table.aimed:  # a referee may report shots that the engine never chose
            table.aimed[cell] = table.plies
            table.plies += 1
        ply = table.aimed.pop(cell)
        wreck = table.wreck_at(cell) if result is Result.SUNK else None
        if result is Result.HIT or (result is Result.SUNK and wreck is None):
            table.open_hits |= 1 << cell
        if wreck is not None:
            table.open_hits &= ~wreck.mask
            table.wrecks.append(wreck)
        shot = Shot(ply, table.turn, Side.FIRST, cell, result, wreck)
        table.shots.append(shot)
        table.has_acted = True
        return "ok"

    def _steer(self) -> str:
        table = self._known()
        if not table.rules.moving:
            raise BadLine("ships don't move in these rules")
        if not table.fleet:
            raise BadLine("no fleet: say deploy first")
        table.plies += 1
        action = self._mind.steer(table.observation(Phase.MOVING), table.chance("steer"))
        if isinstance(action, Stay):
            return "stay"
        target = table.target(action.ship, action.course)
        if target is None:
            raise BadLine("no such move")
        table.fleet[action.ship] = target
        return f"steer {action.ship} {action.course.value}"

    def _incoming(self, cell_text: str, result_text: str) -> str:
        table = self._known()
        cell, result = table.rules.board.parse(cell_text), _result(result_text)
        ship = next(
            (
                index
                for index, placement in enumerate(table.fleet)
                if cell in placement.cells and table.afloat(index)
            ),
            None,
        )
        if (ship is None) is not (result is Result.WATER):
            raise BadLine(f"that can't be: my fleet says otherwise of {cell_text}")
        wreck = None
        if ship is not None:
            if cell in table.wounds[ship]:
                raise BadLine(f"that can't be: {cell_text} was hit before")
            whole = len(table.wounds[ship] | {cell}) == table.fleet[ship].length
            if whole is not (result is Result.SUNK):
                raise BadLine(f"that can't be: my fleet says otherwise of {cell_text}")
            table.wounds[ship].add(cell)
            wreck = table.fleet[ship] if whole else None
        turn = table.turn + table.has_acted
        table.incoming.append(Shot(table.plies, turn, Side.SECOND, cell, result, wreck))
        table.plies += 1
        return "ok"

    def _turn(self) -> str:
        table = self._known()
        table.turn += 1 + table.has_acted
        table.plies += table.rules.moving
        table.has_acted = False
        return "ok"

    def _probabilities(self) -> str:
        table = self._known()
        if not isinstance(self._mind, Believer):
            return "error unsupported"
        belief = self._mind.believe(table.observation(Phase.FIRING), table.chance("aim"))
        return " ".join(("probabilities", *(f"{chance:.6f}" for chance in belief)))


def _result(text: str) -> Result:
    try:
        return Result(text)
    except ValueError as error:
        raise BadLine(f"not water, hit or sunk: {text[:12]!r}") from error
