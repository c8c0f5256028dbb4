"""The engine beside the naive model: one match as both play it, compared after every step."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from game.engine.actions import STAY, Action, Ask, Fire, MatchOver, Question, Steer
from game.engine.chance import SEED_BYTES
from game.engine.codec import Reader, decode, encode
from game.engine.fleets import Course, Fleet, Placement, place
from game.engine.geometry import Board, Cell, Direction
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import MOST_QUESTIONS, AtLimit, Ruleset, Side, Touching
from tests.support.naive import Answer, Deed, Naive, Ship, Ships, Spot, Told, may_lie_beside, places

Pick = Callable[[int], int]
"""A source of choices: a number from 0 up to, but not including, the one it is given."""


# --- from the model's words to the engine's, and back ---


def cell_at(board: Board, spot: Spot) -> Cell:
    return Cell(spot[1] * board.columns + spot[0])  # plain: a spot off the board stays off it


def placement_of(board: Board, ship: Ship) -> Placement:
    down = len({column for column, _ in ship}) == 1
    bow = min(ship, key=sum)
    direction = Direction.DOWN if down else Direction.ACROSS
    return place(board, cell_at(board, bow), direction, len(ship))


def fleet_of(board: Board, ships: Iterable[Ship]) -> Fleet:
    return tuple(placement_of(board, ship) for ship in ships)


def action_of(board: Board, deed: Deed) -> Action:
    if deed[0] == "fire":
        return Fire(cell_at(board, deed[1]))
    if deed[0] == "ask":
        return Ask(cell_at(board, deed[1]), cell_at(board, deed[2]))
    return STAY if deed[0] == "stay" else Steer(deed[1], Course(deed[2]))


def spot_at(board: Board, cell: Cell) -> Spot:
    return board.column(cell), board.row(cell)


def spots(board: Board, cells: Iterable[Cell]) -> Ship:
    return frozenset(spot_at(board, cell) for cell in cells)


def answers(board: Board, questions: Iterable[Question]) -> list[Answer]:
    return [
        (one.ply, one.turn, int(one.side), spot_at(board, one.ask.first),
         spot_at(board, one.ask.last), one.is_yes)
        for one in questions
    ]  # fmt: skip


# --- what both say about a match, in the same words ---


def told_by_engine(match: Match) -> list[dict[str, Any]]:
    """What a match says, and what each side may know of it."""
    board, end = match.ruleset.board, match.outcome
    shots = [
        Told(shot.ply, shot.turn, int(shot.side), spot_at(board, shot.cell), shot.result.value,
             spots(board, shot.wreck.cells) if shot.wreck else None, shot.ship)
        for shot in match.shots
    ]  # fmt: skip
    told = {
        "step": "over" if end else "move" if match.is_move_due else "fire",
        "side": match.side if end is None else None,
        "ply": match.ply,
        "actions": list(zip(match.sides, match.actions, strict=True)),
        "shots": shots,
        "answers": answers(board, match.questions),
        "afloat": [sum(match.are_afloat(side)) for side in Side],
        "cut short": match.is_cut_short,
        "last plies": [match.last_ply(side) for side in Side],
    }
    return [told, *(seen_by_engine(match, side) for side in Side)]


def told_by_model(model: Naive) -> list[dict[str, Any]]:
    deeds = [[ply for ply, (by, _) in enumerate(model.deeds) if by == side] for side in Side]
    told = {
        "step": model.step,
        "side": model.side if model.end is None else None,
        "ply": len(model.deeds),
        "actions": [(by, action_of(model.rules.board, deed)) for by, deed in model.deeds],
        "shots": list(model.told),
        "answers": list(model.answers),
        "afloat": [len(model.afloat(side)) for side in Side],
        "cut short": model.end is not None and model.end[1] in ("resigned", "abandoned"),
        "last plies": [max(plies, default=-1) for plies in deeds],
    }
    return [told, *(seen_by_model(model, side) for side in Side)]


def seen_by_engine(match: Match, side: Side) -> dict[str, Any]:
    seen, board = observe(match, side), match.ruleset.board
    assert seen.shots == tuple(shot for shot in match.shots if shot.side is side)
    assert seen.incoming == tuple(shot for shot in match.shots if shot.side is side.opponent)
    return {
        "acts": seen.is_to_act,
        "may move": seen.may_move,
        "turns": (seen.turn, seen.turns_left, seen.own_turn, seen.own_turns_left),
        "rounds": seen.rounds_begun,
        "end": seen.outcome and (seen.outcome.winner, seen.outcome.reason.value),
        "marks": [
            {spot_at(board, cell): (mark.known.value, mark.turn) for cell, mark in marks.items()}
            for marks in (seen.marks, seen.incoming_marks)
        ],
        "counted": len(seen.counted),
        "enemy hits": seen.enemy_hits,
        "aimed": [spot_at(board, cell) for cell in seen.aimed],
        "shots left": seen.shots_left,
        "targets": spots(board, seen.targets),
        "ships": [
            (spots(board, ship.placement.cells), spots(board, ship.hits), ship.is_afloat)
            for ship in seen.ships
        ],
        "moves": [(steer.ship, steer.course.value) for steer in seen.steers],
        "enemy left": list(seen.enemy_left),
        "asked": [answers(board, asked) for asked in (seen.asked, seen.asked_by_enemy)],
        "questions": (seen.questions_left, seen.may_ask),
    }


def seen_by_model(model: Naive, side: int) -> dict[str, Any]:
    acts, enemy, limit = model.end is None and model.side == side, 1 - side, model.rules.limit
    mine, own_turns = model.told_to(side), partial(model.own_turns, side)
    moves = sorted(model.moves(side), key=lambda move: (move[0], move[1] == "aft"))
    is_untold = model.rules.silent and model.end is None
    there = range(len(model.ships[enemy])) if is_untold else model.afloat(enemy)
    lengths = [len(model.ships[enemy][ship]) for ship in there]
    sinkings = [at for at, shot in enumerate(mine, 1) if shot.result == "sunk"]
    return {
        "acts": acts,
        "may move": acts and model.step == "move" and bool(moves),
        "turns": (
            model.turn,
            limit and limit - model.turn,
            max(1, own_turns(model.turn + 1)),
            limit and own_turns(limit) - own_turns(model.turn),
        ),
        "rounds": len({shot.turn // 2 for shot in model.told}),
        "end": model.end,
        "marks": [model.marks(side), model.marks(enemy)],
        "counted": len(mine) if lengths or model.rules.silent else max(sinkings, default=0),
        "enemy hits": tuple(
            sum(shot.ship == ship for shot in mine) for ship in range(len(model.ships[1]))
        ),
        "aimed": [spot for _, spot in model.aimed] if acts else [],
        "shots left": model.volley - len(model.aimed) if acts else 0,
        "targets": frozenset(model.open(enemy)),
        "ships": [
            (ship, frozenset(hits), ship != hits)
            for ship, hits in zip(model.ships[side], model.hits[side], strict=True)
        ],
        "moves": moves,
        "enemy left": sorted(lengths, reverse=True),
        "asked": [[one for one in model.answers if one[2] == by] for by in (side, enemy)],
        "questions": (model.questions_left(side), acts and model.may_ask),
    }


# --- both taken through the same actions ---


class Both:
    """One match as the engine and as the model play it; every step compares all they tell."""

    def __init__(self, rules: Ruleset, ships: tuple[Ships, Ships], seed: bytes) -> None:
        first, second = (fleet_of(rules.board, fleet) for fleet in ships)
        self.match = Match(rules, (first, second), seed)
        self.model = Naive(rules, ships)
        self.past: dict[int, list[dict[str, Any]]] = {}
        self.compare()

    def do(self, deed: Deed) -> None:
        """Asserts that both act, or both refuse by the same rule; the former match is unchanged."""
        before = self.match
        refusal, action = self.model.refusal(deed), action_of(self.match.ruleset.board, deed)
        if refusal is None:
            self.match = self.match.act(action)
            self.model.do(deed)
        else:
            with pytest.raises(ValueError, match=r"^[a-z]") as raised:
                self.match.act(action)
            assert type(raised.value).__name__ == refusal
        if before.ply % 3 == 0:
            assert told_by_engine(before) == self.past[before.ply]
        self.compare()

    def cut_short(self, side: int | None) -> None:
        """A side gives up, or nobody wins; both tell the same of it, or the match is over."""
        before = self.match
        cut = self.match.abandon if side is None else partial(self.match.resign, Side(side))
        if self.model.end is None:
            self.match = cut()
            self.model.abandon() if side is None else self.model.resign(side)
        else:
            with pytest.raises(MatchOver):
                cut()
        assert self.match.actions == before.actions
        self.past.pop(self.match.ply)
        self.compare()

    def compare(self) -> None:
        told = told_by_engine(self.match)
        assert told == told_by_model(self.model)
        self.past[self.match.ply] = told

    def through_the_codec(self) -> None:
        """The record read back tells the same match."""
        record = encode(self.match)
        assert self.match.ply <= self.match.ruleset.most_actions
        again = decode(Reader(record), self.match.ruleset)
        assert again == self.match
        assert encode(again) == record
        assert told_by_engine(again) == told_by_engine(self.match)

    def back_to(self, ply: int) -> None:
        """The match at an earlier ply tells what it told then."""
        then = self.match.at(ply)
        assert then.actions == self.match.actions[:ply]
        if ply in self.past:
            assert told_by_engine(then) == self.past[ply]
        else:  # between a turn's first shot and the stay that was put before it
            assert (self.match.actions[ply - 1], then.is_move_due) == (STAY, False)


def deal(pick: Pick, *, asks: bool = False) -> Both:
    """A match of random rules and fleets, small enough to be played to its end."""
    columns, rows = 4 + pick(4), 4 + pick(3)
    silent = pick(4) == 0
    touching, moving = tuple(Touching)[pick(3)], not (asks or silent) and bool(pick(2))
    lengths = [1 + pick(4) for _ in range(1 + pick(4))]
    if pick(8) == 0:
        columns, lengths = 9, [*lengths[:2], 5 + pick(4)]
    first = deal_fleet(pick, columns, rows, lengths, touching=touching)
    kept = [len(ship) for ship in first]
    second = deal_fleet(pick, columns, rows, kept, touching=touching)
    if len(second) < len(kept):
        second = first
    solo = pick(3) == 0
    if solo:
        first = ()
    salvo = not (asks or silent) and bool(pick(2))
    named = not silent and bool(pick(2))
    questions = 1 + pick(MOST_QUESTIONS) if asks else 0
    rules = Ruleset(
        columns=columns, rows=rows, fleet=tuple(kept), touching=touching, again=bool(pick(2)),
        moving=moving, turns=(None, 1 + pick(4), 4 + pick(16))[pick(3)],
        at_limit=tuple(AtLimit)[pick(4) == 0], salvo=salvo,
        begins=Side.FIRST if solo else Side(pick(2)), named=named, solo=solo,
        silent=silent,
        questions=questions,
    )  # fmt: skip
    return Both(rules, (first, second), bytes(pick(256) for _ in range(SEED_BYTES)))


def deal_fleet(
    pick: Pick, columns: int, rows: int, lengths: list[int], *, touching: Touching
) -> Ships:
    """Ships in random places, but for those that no longer fit."""
    ships: list[Ship] = []
    for length in lengths:
        free = [
            ship
            for ship in places(columns, rows, length)
            if all(may_lie_beside(ship, other, touching=touching) for other in ships)
        ]
        if free:
            ships.append(free[pick(len(free))])
    return tuple(ships)


@cache
def play_out(seed: int, *, asks: bool = False) -> Both:
    """A match from its first action to its end, all of it decided by the number.

    One of eight matches may be cut short.
    """
    random = Random(seed)
    both = deal(random.randrange, asks=asks)
    skill = random.random()
    patience = random.randrange(20) if seed % 8 == 7 else None
    rash = Random(f"rash {seed}")
    while both.model.end is None:
        if len(both.model.deeds) == patience:
            both.cut_short(random.choice((0, 1, None)))
            break
        if rash.random() < 0.3:
            deed = any_deed(rash, both.match.ruleset)
            if both.model.refusal(deed):  # what it may do, it does at its turn
                both.do(deed)
        both.do(random.choice(both.model.options(aiming_well=random.random() < skill)))
        both.back_to(random.randrange(both.match.ply + 1))
        if random.random() < 0.1:
            both.through_the_codec()
    both.through_the_codec()
    both.cut_short(0)
    return both


def any_deed(random: Random, rules: Ruleset) -> Deed:
    """Anything that a player could try, most of it against the rules."""

    def spot() -> Spot:
        return random.randrange(rules.columns), random.randrange(-1, rules.rows + 1)

    return random.choice(
        [
            ("fire", spot()),
            ("ask", spot(), spot()),
            ("steer", random.randrange(-1, 6), random.choice(("fore", "aft"))),
            ("stay",),
        ]
    )
