"""A mind behind the engine protocol: one line in, one line out.

    hello 1                    -> hello 1 bonn-hard
    new 7 {"columns": 10, …}   -> ok
    deploy                     -> fleet C4h5 …
    aim                        -> fire B7
    shot B7 hit                -> ok
    aim                        -> ask A1 D4
    answer yes                 -> ok

The mind's Observation is built from these lines alone. docs/programs.md describes the whole
protocol.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from game.engine.actions import Ask, Question, Result, Shot, Stay, Steer
from game.engine.chance import SEED_BYTES, Chance
from game.engine.fleets import (
    Course,
    Fleet,
    IllegalFleet,
    Placement,
    all_placements,
    blocked_by,
    parse_placement,
    steered,
)
from game.engine.geometry import Cell, NotACell, mask_of
from game.engine.observation import Observation, OwnShip
from game.engine.rules import Ruleset, Side
from game.features.programs.terms import MOST_SHOWN, BadLine, quoted, shown, terms_from_json
from game.players.mind import Mind
from game.players.sinkings import afloat_hits, lengths_left, readings, settled

VERSION = 1
_WORDS: dict[str, tuple[int, ...]] = {
    "hello": (1,), "new": (2,), "deploy": (0,), "aim": (0,), "shot": (2, 3, 4), "steer": (0,),
    "incoming": (2,), "turn": (0,), "probabilities": (0,), "answer": (1,), "asked": (3,),
}  # fmt: skip
"""How many words may follow each command, of which the Engine has a method."""
_AFTER_AN_ANSWER = ("deploy", "aim", "shot", "steer", "incoming", "turn", "asked")
"""The commands that are refused while a question has no answer."""


@dataclass
class _Table:
    """What the engine was told of a match so far."""

    rules: Ruleset
    wrecks: bool
    in_a_row: bool
    seed: bytes
    turn: int = 0
    plies: int = 0
    has_acted: bool = False
    """Whether the engine's own turn has begun, so that no ship may be moved any more."""
    shots: list[Shot] = field(default_factory=list)
    incoming: list[Shot] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    asked_by_enemy: list[Question] = field(default_factory=list)
    question: Ask | None = None
    """The engine's question without an answer."""
    aimed: dict[Cell, int] = field(default_factory=dict)
    """The cells of the volley without a result, and the ply of each."""
    is_told: bool = False
    """Whether some results of the volley were told, but not all."""
    fleet: list[Placement] = field(default_factory=list)
    wounds: list[set[Cell]] = field(default_factory=list)

    def chance(self, act: str) -> Chance:
        return Chance(self.seed, f"first/{act}", self.plies)

    def begin_shots(self) -> None:
        """Counts the Stay of a turn that begins without a move."""
        self.plies += self.rules.moving and not self.has_acted
        self.has_acted = True

    def may_ask(self, asked: list[Question], shots: list[Shot]) -> bool:
        """Whether a side may ask before its next shot, after these questions and shots."""
        is_due = not asked or (bool(shots) and shots[-1].ply > asked[-1].ply)
        return len(asked) < self.rules.questions and (self.in_a_row or is_due)

    def check_answers(self, asked: list[Question], shots: list[Shot]) -> None:
        """Raises BadLine if no fleet agrees with all answers to the engine."""
        if not asked:
            return
        from game.players.belief.tables import read_answers  # NumPy, which few engines need

        board = self.rules.board
        answers = read_answers(board, tuple(shots), tuple(asked))
        for shot in shots:
            if shot.result is not Result.WATER and answers.water >> shot.cell & 1:
                raise BadLine(f"that can't be: no ship lies at {board.name(shot.cell)}")
        if 0 in answers.ship_in:
            raise BadLine("that can't be: a rectangle with a ship has no cell left for it")

    def afloat(self, ship: int) -> bool:
        return len(self.wounds[ship]) < self.fleet[ship].length

    def volley(self) -> int:
        """The number of shots that are aimed before any result is told."""
        if not self.rules.salvo:
            return 1
        return sum(map(self.afloat, range(len(self.fleet)))) or len(self.rules.fleet)

    def spent(self) -> frozenset[Cell]:
        if self.rules.moving:
            return afloat_hits(self.rules, self.shots).union(self.aimed)
        return frozenset(shot.cell for shot in self.shots).union(self.aimed)

    def may_be_hit(self, ship: int, cell: Cell) -> bool:
        """Whether an enemy ship could cover that cell and all hits that name it, and be afloat."""
        sunk = {one.ship for one in self.shots if one.result is Result.SUNK}
        hits = 1 << cell | mask_of(one.cell for one in self.shots if one.ship == ship)
        # If ships move, earlier shots don't rule out that this ship is there now.
        barred = mask_of(
            placement.cell
            for placement in self.shots
            if placement.ship != ship
            and not (self.rules.moving and (placement.ship is None or placement.ship in sunk))
        )
        return any(
            hits & ~placement.mask == 0 and not placement.mask & barred and hits != placement.mask
            for placement in all_placements(self.rules.board, self.rules.fleet[ship])
        )

    def steers(self, ship: int) -> tuple[Steer, ...]:
        if self.wounds[ship] or not self.rules.moving:
            return ()
        return tuple(
            Steer(ship, course) for course in Course if self.target(ship, course) is not None
        )

    def target(self, ship: int, course: Course) -> Placement | None:
        """The placement of the ship after a move, or None if the move is illegal."""
        target = steered(self.rules.board, self.fleet[ship], course)
        others = [one for at, one in enumerate(self.fleet) if at != ship and self.afloat(at)]
        is_free = target is not None and not target.mask & blocked_by(self.rules, others)
        return target if is_free else None

    def observation(self, *, may_move: bool = False) -> Observation:
        spent = self.spent()
        left = max(1, min(self.volley() - len(self.aimed), self.rules.board.size - len(spent)))
        return Observation(
            ruleset=self.rules, side=Side.FIRST, turn=self.turn, is_to_act=True,
            may_move=may_move, outcome=None, shots=tuple(self.shots), incoming=tuple(self.incoming),
            aimed=tuple(self.aimed), shots_left=left, spent=spent,
            ships=tuple(
                OwnShip(
                    id=ship, placement=placement, hits=frozenset(self.wounds[ship]),
                    is_afloat=self.afloat(ship), steers=self.steers(ship),
                )
                for ship, placement in enumerate(self.fleet)
            ),
            enemy_left=lengths_left(self.rules, self.shots),
            asked=tuple(self.asked), asked_by_enemy=tuple(self.asked_by_enemy),
            questions_left=self.rules.questions - len(self.asked),
            may_ask=self.may_ask(self.asked, self.shots),
        )  # fmt: skip


class Engine:
    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._table: _Table | None = None

    def answer(self, line: str) -> str:
        """The answer to one line, without line breaks; `error …` if there is none."""
        try:
            name, *words = line.split(" ", 2) if line.startswith("new ") else line.split(" ")
            if name not in _WORDS:
                raise BadLine(f"unknown command: {quoted(line)}")
            counts = _WORDS[name]
            if len(words) not in counts:
                wanted = " or ".join(map(str, counts))
                raise BadLine(f"{name} takes {wanted} words, not {len(words)}: {quoted(line)}")
            if self._table and self._table.question and name in _AFTER_AN_ANSWER:
                raise BadLine("a question is still to be answered: say answer first")
            command: Callable[..., str] = getattr(self, f"_{name}")
            if name in ("hello", "new"):
                return command(*words)
            if self._table is None:
                raise BadLine("no match: say new first")
            return command(self._table, *words)
        except ValueError as error:
            return "error " + " ".join(str(error).split())

    def _hello(self, version: str) -> str:
        if version != str(VERSION):
            raise BadLine(f"not a version that is spoken here: {shown(version)}")
        return f"hello {VERSION} {self._mind.name}"

    def _new(self, seed: str, rules: str) -> str:
        if (number := _whole(seed)) is None or number >= 1 << 64:
            raise BadLine(f"not an unsigned 64-bit integer: {shown(seed)}")
        self._table = _Table(*terms_from_json(rules), number.to_bytes(SEED_BYTES, "big"))
        return "ok"

    def _deploy(self, table: _Table) -> str:
        if table.plies or table.turn:
            raise BadLine("the match has begun: a fleet is deployed before it")
        opening = Observation.opening(table.rules, Side.FIRST)
        fleet: Fleet = self._mind.deploy(opening, table.chance("deploy"))
        table.fleet, table.wounds = list(fleet), [set() for _ in fleet]
        return " ".join(("fleet", *map(str, fleet)))

    def _aim(self, table: _Table) -> str:
        if table.is_told or len(table.aimed) >= table.volley():
            raise BadLine("a result is still to be told: say shot first")
        seen = table.observation()
        if not seen.targets or not seen.enemy_left:
            raise BadLine("there is nothing left to fire at")
        table.begin_shots()
        if seen.may_ask:
            table.question = self._mind.ask(seen, table.chance("ask"))
        name = table.rules.board.name
        if (ask := table.question) is not None:
            return f"ask {name(ask.first)} {name(ask.last)}"
        cell = self._mind.aim(seen, table.chance("aim"))
        table.aimed[cell] = table.plies
        table.plies += 1
        return f"fire {name(cell)}"

    def _shot(self, table: _Table, cell_text: str, result_text: str, *more: str) -> str:
        cell, result = _cell_and_result(table.rules, cell_text, result_text)
        ship, wreck = _told(table, result, more)
        # A referee may report shots that the engine didn't choose.
        ply = table.aimed.get(cell, table.plies)
        shot = Shot(ply, table.turn, Side.FIRST, cell, result, None, ship)
        shots = [*table.shots, shot]
        if ship is not None and any(
            one.ship == ship and one.result is Result.SUNK for one in table.shots
        ):
            raise BadLine(f"that can't be: ship {ship} has sunk")
        if result is Result.SUNK:
            ships = readings(table.rules, shots)[len(table.shots)]
            if wreck is not None and wreck not in ships:
                raise BadLine(f"that can't be: {wreck} is no ship that sank with {cell_text}")
            if ship is not None and not ships:
                raise BadLine(f"that can't be: ship {ship} lies not all on hits that name it")
            shots[-1] = shot._replace(wreck=wreck)
            shots = list(settled(table.rules, shots))
        elif ship is not None and not table.may_be_hit(ship, cell):
            raise BadLine(f"that can't be: ship {ship} has no place with all its hits")
        table.check_answers(table.asked, shots)
        if cell in table.aimed:
            del table.aimed[cell]
        else:
            table.begin_shots()
            table.plies += 1
            table.aimed.clear()  # the referee fired at another cell instead
        table.is_told = bool(table.aimed)
        table.shots = shots
        return "ok"

    def _steer(self, table: _Table) -> str:
        if not table.rules.moving:
            raise BadLine("ships don't move in these rules")
        if not table.fleet:
            raise BadLine("no fleet: say deploy first")
        if table.has_acted:
            raise BadLine("a ship moves once in a turn, before its first shot")
        seen = table.observation(may_move=True)
        action = self._mind.steer(seen, table.chance("steer"))
        table.plies += 1
        table.has_acted = True
        if isinstance(action, Stay):
            return "stay"
        target = table.target(action.ship, action.course)
        if target is None:
            raise BadLine("no such move")
        table.fleet[action.ship] = target
        return f"steer {action.ship} {action.course.value}"

    def _incoming(self, table: _Table, cell_text: str, result_text: str) -> str:
        cell, result = _cell_and_result(table.rules, cell_text, result_text)
        at_cell = (at for at, ship in enumerate(table.fleet) if cell in ship.cells)
        ship = next(filter(table.afloat, at_cell), None)
        wreck, expected = None, Result.WATER
        if ship is not None:
            if cell in table.wounds[ship]:
                raise BadLine(f"that can't be: {cell_text} was hit before")
            is_last = len(table.wounds[ship]) + 1 == table.fleet[ship].length
            is_sunk = is_last and not table.rules.silent
            wreck, expected = (table.fleet[ship], Result.SUNK) if is_sunk else (None, Result.HIT)
        if result is not expected:
            raise BadLine(f"that can't be: my fleet says otherwise of {cell_text}")
        if ship is not None:
            table.wounds[ship].add(cell)
        turn = table.turn + table.has_acted
        named = ship if table.rules.named else None
        table.incoming.append(Shot(table.plies, turn, Side.SECOND, cell, result, wreck, named))
        table.plies += 1
        return "ok"

    def _answer(self, table: _Table, word: str) -> str:
        if table.question is None:
            raise BadLine("no question was asked")
        answered = Question(table.plies, table.turn, Side.FIRST, table.question, _is_yes(word))
        table.check_answers([*table.asked, answered], table.shots)
        table.asked.append(answered)
        table.question = None
        table.plies += 1
        return "ok"

    def _asked(self, table: _Table, first: str, last: str, word: str) -> str:
        board = table.rules.board
        try:
            ask = Ask(board.parse(first), board.parse(last))
        except NotACell as error:
            raise BadLine(f"not a cell of this board: {shown(str(error))}") from error
        if Ask(*board.corners(ask.first, ask.last)) != ask:
            raise BadLine(f"not the upper left and the lower right cell: {first} {last}")
        if not table.may_ask(table.asked_by_enemy, table.incoming):
            raise BadLine("the opponent may ask no question now")
        is_yes = _is_yes(word)
        box = board.rectangle(ask.first, ask.last)
        if table.fleet and is_yes != any(one.mask & box for one in table.fleet):
            raise BadLine(f"that can't be: my fleet says otherwise of {first} {last}")
        turn = table.turn + table.has_acted
        table.asked_by_enemy.append(Question(table.plies, turn, Side.SECOND, ask, is_yes))
        table.plies += 1
        return "ok"

    def _turn(self, table: _Table) -> str:
        table.turn += 1 + table.has_acted
        table.plies += table.rules.moving
        table.has_acted = False
        return "ok"

    def _probabilities(self, table: _Table) -> str:
        if (believe := getattr(self._mind, "believe", None)) is None:
            return "error unsupported"
        belief = believe(table.observation(), table.chance("aim"))
        return " ".join(("probabilities", *(f"{chance:.6f}" for chance in belief)))


def _told(
    table: _Table, result: Result, words: tuple[str, ...]
) -> tuple[int | None, Placement | None]:
    """The ship's index and the wreck, if these rules tell them; raises BadLine."""
    has_name = table.rules.named and result is not Result.WATER
    has_wreck = table.wrecks and result is Result.SUNK
    if len(words) != has_name + has_wreck:
        due = ["a ship's number"] * has_name + ["a placement"] * has_wreck
        raise BadLine(f"after {result.value} comes {', then '.join(due) or 'nothing'}")
    ship, wreck = None, None
    if has_name:
        ship = _whole(words[0])
        if ship is None or ship >= len(table.rules.fleet):
            raise BadLine(f"no such ship: {shown(words[0])}")
    if has_wreck:
        try:
            wreck = parse_placement(table.rules.board, words[-1])
        except IllegalFleet as error:
            raise BadLine(f"not a placement on this board: {shown(words[-1])}") from error
    return ship, wreck


def _cell_and_result(rules: Ruleset, cell: str, result: str) -> tuple[Cell, Result]:
    try:
        return rules.board.parse(cell), Result(result)
    except NotACell as error:
        raise BadLine(f"not a cell of this board: {shown(cell)}") from error
    except ValueError as error:
        raise BadLine(f"not water, hit or sunk: {shown(result)}") from error


def _is_yes(word: str) -> bool:
    if word not in ("yes", "no"):
        raise BadLine(f"not yes or no: {shown(word)}")
    return word == "yes"


def _whole(text: str) -> int | None:
    """The number that decimal digits represent; None for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_SHOWN else None
