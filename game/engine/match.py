"""A match is its record: ruleset, fleets, seed and actions. Its state is computed from them.

>>> match = Match(rules, fleets, seed)                                     # doctest: +SKIP
>>> match.fire(board.parse("B7")).results[0]                               # doctest: +SKIP
<Result.WATER: 'water'>
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from game.engine.actions import STAY, Action, Fire, MatchOver, Outcome, Question, Shot, Steer
from game.engine.chance import SEED_BYTES
from game.engine.fleets import Fleet, IllegalFleet, make_fleet
from game.engine.geometry import Cell
from game.engine.match_state import MatchState
from game.engine.rules import Pair, Ruleset, Side


class Moment(NamedTuple):
    """What a replay needs of a match before a ply; much less than the match as it stood then."""

    turn: int
    shots: int
    """The number of shots with known results."""
    placements: Pair[Fleet]


@dataclass(frozen=True)
class Match:
    """An immutable match; raises IllegalFleet or IllegalAction for an illegal record.

    `seed` has 16 bytes and determines all randomness of the match. A ply is an index into
    `actions`. `resigned` is the side that gave up after the last action, or None; `abandoned` is
    whether it was ended there without a winner.
    """

    ruleset: Ruleset
    fleets: Pair[Fleet]
    seed: bytes
    actions: tuple[Action, ...] = ()
    resigned: Side | None = None
    abandoned: bool = False
    _is_successor = False
    """Whether `act` has made it."""

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"not a seed of {SEED_BYTES} bytes: {len(self.seed)} bytes")
        for side, fleet in zip(Side, self.fleets, strict=True):
            if not self.ruleset.fleet_of(side):
                if fleet:
                    raise IllegalFleet("who searches alone has no fleet")
                continue
            if make_fleet(self.ruleset, fleet) != fleet:
                raise IllegalFleet("the ships are not in the ruleset's order")
        self._state  # noqa: B018 (plays the actions, so that an illegal record raises here)

    @cached_property
    def _state(self) -> MatchState:
        state = MatchState(self.ruleset, self.fleets)
        for action in self.actions:
            state.act(action)
        if self.resigned is not None:
            state.cut_short(self.resigned)
        if self.abandoned:
            state.cut_short(None)
        return state

    # --- acting ---

    def act(self, action: Action) -> Match:
        """The match after an action; raises an IllegalAction or NotACell.

        If a move is still due, a Stay is put before a shot. So each turn of a side with ships that
        may move has exactly one Steer or Stay, and then its shots.
        """
        # A match that `act` has made hands its state on, which takes a sixth of the time of a copy,
        # and computes it again when it is asked for. So no two threads may act on such a match.
        state = self.__dict__.pop("_state", None) if self._is_successor else None
        if state is None:
            state = self._state.copy()
        actions = self.actions
        if state.is_move_due and state.volley_left and type(action) is Fire:
            state.act(STAY)
            actions += (STAY,)
        state.act(action)
        match = object.__new__(Match)  # the constructor would replay the record
        values = match.__dict__
        values.update(self.__dict__)
        values["actions"], values["_state"] = actions + (action,), state  # noqa: RUF005
        values["_is_successor"] = True
        return match

    def keep_state(self) -> None:
        """Has the match keep its state when it is acted on, as one does that wasn't made by act."""
        self.__dict__.pop("_is_successor", None)

    def fire(self, cell: Cell) -> Match:
        """The match after a shot by the side to act; raises an IllegalAction or NotACell."""
        return self.act(Fire(cell))

    def resign(self, side: Side) -> Match:
        """The match after a side has given up, at any time; raises MatchOver."""
        return self._cut_short(side, abandoned=False)

    def abandon(self) -> Match:
        """The match ended without a winner, as one side is away; raises MatchOver."""
        return self._cut_short(None, abandoned=True)

    def _cut_short(self, resigned: Side | None, *, abandoned: bool) -> Match:
        if self.outcome is not None:
            raise MatchOver("the match is over")
        return replace(self, resigned=resigned, abandoned=abandoned)

    def at(self, ply: int) -> Match:
        """The match before the action of that ply, or at its end; raises IndexError."""
        if not 0 <= ply <= len(self.actions):
            raise IndexError(f"no such ply: {ply!r}")
        if ply == len(self.actions):
            return self
        return replace(self, actions=self.actions[:ply], resigned=None, abandoned=False)

    def stages(self) -> Iterator[Match]:
        """The match before each ply and at its end, in a single pass."""
        stage = self.at(0)
        for action in self.actions:
            yield stage
            stage = stage.act(action)
        yield self

    def moments(self) -> Iterator[Moment]:
        """The moments before each ply and at the end, in a tenth of the time of `stages`."""
        state = MatchState(self.ruleset, self.fleets)
        for action in self.actions:
            yield _moment(state)
            state.act(action)
        yield _moment(self._state)

    # --- asking ---

    @property
    def ply(self) -> int:
        """The number of actions taken."""
        return len(self.actions)

    @property
    def turn(self) -> int:
        """The current turn, counting both sides' turns from 0; at the end it may be the limit."""
        return self._state.turn

    @property
    def side(self) -> Side:
        """The side to act; meaningless once the match is over."""
        return self._state.side

    @property
    def is_move_due(self) -> bool:
        """Whether the side to act has not moved or stayed yet in a turn that has to begin so."""
        return self._state.is_move_due and self._state.outcome is None

    @property
    def outcome(self) -> Outcome | None:
        return self._state.outcome

    @property
    def is_cut_short(self) -> bool:
        """Whether it ended after its last action, not by it: given up or abandoned."""
        return self.abandoned or self.resigned is not None

    @property
    def shots(self) -> tuple[Shot, ...]:
        """The shots of both sides with known results, in order."""
        return tuple(self._state.shots)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of both sides with their answers, in order."""
        return tuple(self._state.questions)

    def questions_left(self, side: Side) -> int:
        return self._state.questions_left[side]

    @property
    def may_ask(self) -> bool:
        """Whether the side to act may ask a question before its next shot."""
        state = self._state
        has_any_left = state.questions_left[state.side] > 0
        return has_any_left and not state.has_asked and state.outcome is None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The side that took the action of each ply."""
        return tuple(self._state.who)

    def last_ply(self, side: Side) -> int:
        """The ply of a side's last action; -1 before its first."""
        who = self._state.who
        last = len(who) - 1
        while last >= 0 and who[last] is not side:
            last -= 1
        return last

    @property
    def aimed(self) -> tuple[Cell, ...]:
        """The cells of the unfinished volley."""
        return tuple(cell for _, cell in self._state.aimed)

    @property
    def shots_left(self) -> int:
        """The number of shots left in the volley; 0 at the end, and for a side that only hides."""
        return self._state.volley_left if self._state.outcome is None else 0

    def placements(self, side: Side) -> Fleet:
        """The current placements of a side's ships; for a sunk ship, where it sank."""
        return tuple(self._state.placements[side])

    def hits(self, side: Side) -> frozenset[Cell]:
        """The hits on a side's ships afloat."""
        state = self._state
        hidden = self.aimed if side is state.side.opponent else ()  # spent, but not yet applied
        return frozenset(state.spent[side] & state.ship_at[side].keys()).difference(hidden)

    def is_afloat(self, side: Side, ship: int) -> bool:
        """Whether a ship has a cell without a hit."""
        return self._state.cells_left[side][ship] > 0

    def are_afloat(self, side: Side) -> list[bool]:
        """Whether each of a side's ships has a cell without a hit."""
        return [left > 0 for left in self._state.cells_left[side]]

    def steers(self, side: Side) -> tuple[Steer, ...]:
        """The legal moves of a side's ships, by ship, fore before aft."""
        return tuple(self._state.steers(side)) if self.ruleset.moving else ()

    def spent(self, side: Side) -> frozenset[Cell]:
        """The cells of a side's board that may not be fired at, including this volley's."""
        return frozenset(self._state.spent[side])


def _moment(state: MatchState) -> Moment:
    first, second = state.placements
    return Moment(state.turn, len(state.shots), (tuple(first), tuple(second)))
