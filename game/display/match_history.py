"""What a viewer has done and seen in a match that goes on, besides the observation.

It has the log, turn by turn, as one side may know it:

24  B7, water; C4, hit  |  Cruiser moves left; D2, water

And the last shots as data for effects and sounds: `enemy:H5:hit own:F2:water own:F3:sunk`.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from game.display import messages, outcomes
from game.display.boards import last_volley
from game.display.questions import box
from game.engine.actions import Result, Shot, Steer
from game.engine.geometry import Board
from game.engine.match import Match
from game.engine.observation import Observation
from game.engine.rules import Pair, Side
from game.matches.cell_names import CellNames
from game.matches.saved import SavedMatch

_GRAVITY = (Result.WATER, Result.HIT, Result.SUNK)
EVERY_SHOT = sys.maxsize
"""In place of the number of shots that are already shown: none is news."""
SHORT_ENTRY = 12
"""An entry of the log that stays on one line, such as `J10, Treffer`."""


class Entry(NamedTuple):
    text: str
    is_hit: bool = False

    @property
    def shown(self) -> str:
        """The text. Only a short one stays on one line, as columns are narrow on phones."""
        is_short = len(self.text) <= SHORT_ENTRY
        return self.text.replace(", ", ",\N{NO-BREAK SPACE}") if is_short else self.text


class LogRow(NamedTuple):
    turn: int
    """Counted from 1."""
    sides: Pair[Sequence[Entry]]
    """What the viewer has done, and what the enemy has."""


class MatchHistory(NamedTuple):
    unseen_shots: Pair[Sequence[Shot]] = ((), ())
    """The viewer's shots and the enemy's that the last page has not shown."""
    moved: str = ""
    """The viewer's move, if it came last, as a sentence."""
    is_new: bool = False
    """Whether nothing has been done yet."""
    goal: str = ""
    """What a search alone is for."""
    score: str = ""
    """The score of a day's sea from the first action on."""
    commitment: str = ""


def history_of(
    saved: SavedMatch, seen: Observation, *, shots_already_shown: int | None = None
) -> MatchHistory:
    """Returns the past of a match's viewer; see `unseen_shots` for `shots_already_shown`."""
    return past_of(saved, seen)._replace(
        unseen_shots=unseen_shots(saved, shots_already_shown), commitment=saved.commitment
    )


def past_of(saved: SavedMatch, seen: Observation) -> MatchHistory:
    """Returns the past without the shots that are news and the commitment."""
    return MatchHistory(
        moved=messages.own_move(saved.match, saved.viewer, saved.setup.cell_names),
        is_new=not saved.match.actions,
        goal=outcomes.goal(saved),
        score=" · ".join(outcomes.score(saved, seen)) if saved.setup.day else "",
    )


def unseen_shots(saved: SavedMatch, shots_already_shown: int | None) -> Pair[Sequence[Shot]]:
    """Returns the viewer's shots and the enemy's that no page has shown.

    These are the shots after those that the last page has shown, or if that is not known, those
    that the last action has led to.
    """
    match, person = saved.match, saved.viewer
    if shots_already_shown is None and not saved.setup.remote:
        return new_shots(match, person)
    if shots_already_shown is None:
        shots_already_shown = len(match.at(match.ply - 1).shots) if match.ply else 0
    fresh = match.shots[shots_already_shown:]
    mine = [shot for shot in fresh if shot.side is person]
    return mine, [shot for shot in fresh if shot.side is not person]


def new_shots(match: Match, side: Side) -> Pair[Sequence[Shot]]:
    """Returns the shots that a side's last action revealed, and the enemy's reply."""
    acted, shots = match.last_ply(side), match.shots
    mine = [shot for shot in shots if shot.side is side]
    theirs = [shot for shot in shots if shot.ply > acted and shot.side is not side]
    if not mine or mine[-1].ply < acted:
        return (), theirs
    return last_volley(match.ruleset, tuple(mine)), theirs


def shots_told(board: Board, mine: Sequence[Shot], theirs: Sequence[Shot]) -> str:
    """Returns the shots in order, each as the board it fell on, its cell and its result."""
    return " ".join(
        f"{kind}:{board.name(shot.cell)}:{shot.result.value}"
        for kind, shots in (("enemy", mine), ("own", theirs))
        for shot in shots
    )


def gravest(shots: Sequence[Shot]) -> str | None:
    """Returns the most serious result of shots; None without any."""
    return max((shot.result for shot in shots), key=_GRAVITY.index).value if shots else None


def shot_log(match: Match, seen: Observation, cell_names: CellNames) -> list[LogRow]:
    """Returns all turns, the newest first.

    Moves are only those of the observer; the other side's moves are hidden.
    """
    rows: dict[int, Pair[list[Entry]]] = {}
    for _ply, turn, is_mine, entry in sorted(_entries(match, seen, cell_names)):
        rows.setdefault(turn // 2 + 1, ([], []))[0 if is_mine else 1].append(entry)
    return [LogRow(turn, sides) for turn, sides in reversed(rows.items())]


def _entries(
    match: Match, seen: Observation, cell_names: CellNames
) -> Iterator[tuple[int, int, bool, Entry]]:
    """Yields the ply, the turn, whether it is the side's own, and what happened."""
    side, sides = seen.side, match.sides
    mine = [shot for shot in match.shots if shot.side is side]
    theirs = messages.named(seen, [shot for shot in match.shots if shot.side is not side])
    for shot in (*mine, *theirs):
        is_mine = shot.side is side
        told = messages.tell_shots([shot], match.ruleset, cell_names, is_yours=not is_mine)
        yield shot.ply, shot.turn, is_mine, Entry(told[0], shot.result is not Result.WATER)
    for question in (*seen.asked, *seen.asked_by_enemy):
        asked = box(question, cell_names).words
        yield question.ply, question.turn, question.side is side, Entry(asked)
    for ply, action in enumerate(match.actions):
        if sides[ply] is side and isinstance(action, Steer):
            turn = next((shot.turn for shot in mine if shot.ply > ply), match.turn)
            yield ply, turn, True, Entry(messages.step_line(match, ply, cell_names))
