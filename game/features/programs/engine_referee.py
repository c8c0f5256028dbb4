"""A referee for two engines that speak the engine protocol (docs/programs.md)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TypeAlias, TypeVar

from game.engine.actions import STAY, Action, Ask, Fire, Manoeuvre, Shot, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Course, Fleet, IllegalFleet, make_fleet, parse_placement
from game.engine.geometry import Board
from game.engine.match import Match
from game.engine.rules import Pair, Ruleset, Side
from game.features.programs.engine_process import EngineFailed, EngineProcess
from game.features.programs.protocol import VERSION, Engine
from game.features.programs.terms import quoted, start_of, terms_to_json

T = TypeVar("T")


class Foul(Exception):
    """What loses an engine its match: it broke a rule, or gave no answer."""

    def __init__(self, side: Side, reason: str) -> None:
        super().__init__(reason)
        self.side = side


class InProcess:
    """An engine of ours, which is told the same lines, without a process of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def answer(self, line: str, seconds: float) -> str:
        return self._engine.answer(line)

    def close(self) -> None:
        pass

    kill = close


def log_nothing(_line: str) -> None:
    """Lets a line be told to nobody."""


Tell: TypeAlias = Callable[[str], None]
RunningEngine: TypeAlias = EngineProcess | InProcess
START_SECONDS = 30
"""How long an engine may take until it answers its first line, `hello`."""


class Seat:
    """One side's engine, and the referee's conversation with it."""

    def __init__(
        self,
        side: Side,
        start: Callable[[], RunningEngine],
        seconds: float,
        log: Tell = log_nothing,
    ) -> None:
        """`start` starts the engine, at first and after each foul; it may raise EngineFailed."""
        self.side, self._start, self._seconds, self._log = side, start, seconds, log
        self._engine: RunningEngine | None = None
        self.name = ""
        self.aim_seconds: list[float] = []
        self.slowest = 0.0
        """The seconds of its slowest answer of matches."""

    def get_ready(self) -> None:
        """Starts the engine unless it runs; raises Foul."""
        if self._engine is None:
            try:
                self._engine = self._start()
            except EngineFailed as error:
                raise self._foul(str(error)) from None
            self.name = self._asked(f"hello {VERSION}", _name, START_SECONDS)

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

    def tell(self, line: str) -> None:
        self._asked(line, _ok, self._seconds)

    def deploy(self, rules: Ruleset) -> Fleet:
        return self._asked("deploy", lambda said: _fleet(rules, said), self._seconds)

    def aim(self, board: Board) -> Fire | Ask:
        began = perf_counter()
        action = self._asked("aim", lambda said: _shot_or_question(board, said), self._seconds)
        self.aim_seconds.append(perf_counter() - began)
        return action

    def steer(self) -> Manoeuvre:
        return self._asked("steer", _manoeuvre, self._seconds)

    def play(self, match: Match, action: Action) -> Match:
        """The match after an action that the engine has chosen; raises Foul if it is illegal."""
        try:
            return match.act(action)
        except ValueError as error:
            raise self._foul(f"broke a rule: {error}") from None

    def _asked(self, line: str, read: Callable[[str], T], seconds: float) -> T:
        assert self._engine is not None  # noqa: S101 (get_ready comes first)
        self._log(f"< {line}")
        began = perf_counter()
        try:
            said = self._engine.answer(line, seconds)
        except EngineFailed as error:
            raise self._foul(str(error)) from None
        self._log(f"> {said}")
        if seconds == self._seconds:
            self.slowest = max(self.slowest, perf_counter() - began)
        try:
            return read(said)
        except ValueError as error:
            raise self._foul(
                f"answered {start_of(line)} with {quoted(said, 60)}: {error}"
            ) from None

    def _foul(self, reason: str) -> Foul:
        """The foul, after which the engine is ended: nobody knows what it thinks of the match."""
        if self._engine is not None:
            self._engine.kill()
            self._engine = None
        self._log(f"! {reason}")
        return Foul(self.side, reason)


def play_match(seats: Pair[Seat], rules: Ruleset, seeds: Pair[int]) -> Match:
    """A whole match in which sinkings tell the wreck's place; raises Foul."""
    *_turns, match = turns(seats, rules, seeds, wrecks=True)
    return match


def turns(seats: Pair[Seat], rules: Ruleset, seeds: Pair[int], *, wrecks: bool) -> Iterator[Match]:
    """Yields a match after each of its turns; raises Foul."""
    terms = terms_to_json(rules, wrecks=wrecks)
    for seat, seed in zip(seats, seeds, strict=True):
        seat.get_ready()
        seat.tell(f"new {seed} {terms}")
    match = Match(rules, (seats[0].deploy(rules), seats[1].deploy(rules)), bytes(SEED_BYTES))
    while match.outcome is None:
        side = match.side
        match = _turn(seats[side], seats[side.opponent].tell, match, wrecks=wrecks)
        seats[side.opponent].tell("turn")
        yield match


def play_alone(seat: Seat, rules: Ruleset, fleet: Fleet, seed: int, most: int) -> Match:
    """A match against a fleet that doesn't fire, of at most so many shots; raises Foul.

    The engine is told nothing of this, and places a fleet of its own.
    """
    seat.get_ready()
    seat.tell(f"new {seed} {terms_to_json(rules)}")
    seat.deploy(rules)
    match = Match(replace(rules, solo=True), ((), fleet), bytes(SEED_BYTES))
    while match.outcome is None and len(match.shots) < most:
        match = _turn(seat, log_nothing, match, wrecks=False)
        seat.tell("turn")
    return match


def _turn(seat: Seat, tell: Tell, match: Match, *, wrecks: bool) -> Match:
    """The match after a turn, of which the other side hears by `tell`."""
    turn = match.turn
    while match.outcome is None and match.turn == turn:
        if match.is_move_due:
            match = seat.play(match, seat.steer())
            continue
        untold = len(match.shots)
        for _shot in range(match.shots_left):
            match = _shoot(seat, tell, match)
        for shot in match.shots[untold:]:
            _tell_result(seat, tell, match.ruleset.board, shot, wrecks=wrecks)
    return match


def _shoot(seat: Seat, tell: Tell, match: Match) -> Match:
    """The match after one shot and the questions before it."""
    board = match.ruleset.board
    while True:
        action = seat.aim(board)
        match = seat.play(match, action)
        if isinstance(action, Fire):
            return match
        answer = "yes" if match.questions[-1].is_yes else "no"
        seat.tell(f"answer {answer}")
        tell(f"asked {board.name(action.first)} {board.name(action.last)} {answer}")


def _tell_result(seat: Seat, tell: Tell, board: Board, shot: Shot, *, wrecks: bool) -> None:
    words = f"{board.name(shot.cell)} {shot.result.value}"
    name = "" if shot.ship is None else f" {shot.ship}"
    wreck = f" {shot.wreck}" if wrecks and shot.wreck is not None else ""
    seat.tell(f"shot {words}{name}{wreck}")
    tell(f"incoming {words}")


# --- answers; each function raises ValueError for any other ---


def _ok(said: str) -> None:
    if said != "ok":
        raise ValueError("not ok")


def _name(said: str) -> str:
    match said.split(" "):
        case ["hello", version, name] if version == str(VERSION) and name:
            return start_of(name, 24)
    raise ValueError(f"not hello {VERSION} NAME")


def _fleet(rules: Ruleset, said: str) -> Fleet:
    word, *ships = said.split(" ")
    if word != "fleet":
        raise ValueError("not a fleet")
    placed = tuple(parse_placement(rules.board, ship) for ship in ships)
    fleet = make_fleet(rules, placed)
    if fleet != placed:
        raise IllegalFleet("the ships are not in the order of RULES")
    return fleet


def _shot_or_question(board: Board, said: str) -> Fire | Ask:
    match said.split(" "):
        case ["fire", cell]:
            return Fire(board.parse(cell))
        case ["ask", first, last]:
            return Ask(board.parse(first), board.parse(last))
    raise ValueError("neither fire CELL nor ask CELL CELL")


def _manoeuvre(said: str) -> Manoeuvre:
    match said.split(" "):
        case ["stay"]:
            return STAY
        case ["steer", ship, course] if ship.isascii() and ship.isdigit() and len(ship) < 4:
            return Steer(int(ship), Course(course))
    raise ValueError("neither stay nor steer ID fore or aft")
