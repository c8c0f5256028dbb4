"""The replay of an ended match: what each step shows, and how the steps differ."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from game.display.boards import BoardView, CellView, Hull, as_known, full_boards, hull, trails
from game.display.messages import step_line
from game.display.questions import Box, box
from game.engine.actions import Result, Shot, Stay
from game.engine.fleets import Fleet
from game.engine.match import Match, Moment
from game.engine.observation import observe
from game.engine.rules import Pair, Side
from game.matches.cell_names import CellNames

CELL_CODES = {
    ("sea", "unknown"): "?",
    ("sea", "sea"): "~",
    ("water", "water"): "w",
    ("hit", "hit"): "h",
    ("sunk", "sunk"): "s",
    ("ship", "ship"): "O",
    ("ship", "unknown"): "S",
    ("ship", "water"): "W",
}
"""The letter for a cell's state in the script's data: as it was, and as it was known then."""
_MARKS = {Result.WATER: "w", Result.HIT: "h", Result.SUNK: "s"}
_ENEMY, _OVER_ENEMY = dict(zip("?whs", "?whs", strict=True)), dict(zip("?whs", "SWhs", strict=True))
_OWN, _OVER_OWN = dict(zip("?whs", "~w~s", strict=True)), dict(zip("?whs", "OOhO", strict=True))
"""By what is known of a cell, its letter without a ship afloat there and with one."""


class Step(NamedTuple):
    number: int
    turn: int
    is_mine: bool
    who: str
    line: str
    is_own: bool
    """Whether it happens in the waters of the side whose replay it is."""

    def __str__(self) -> str:
        step = {"turn": self.turn // 2 + 1, "step": f"{self.who}: {self.line}"}
        return turn_words() % step


@dataclass(frozen=True)
class ReplayView:
    """Both boards at a step of an ended match, and all steps as words and data for the script.

    After a search alone the script gets only the board that was fired at.
    """

    enemy: BoardView
    own: BoardView
    turns: list[int]
    """The turn, of both sides' from 0, before each step and at the end."""
    steps: list[Step]
    data: dict[str, Any]
    """The boards before the first ply, what each step changes there, since the script doesn't know
    the rules, and the waters of each step, 1 for the side's own."""

    def is_own(self, step: int) -> bool:
        """Returns whether a step happens in the side's own waters, which step 0 doesn't."""
        return step > 0 and self.steps[step - 1].is_own


def replay_view(
    match: Match, side: Side, names: Pair[str], cell_names: CellNames, step: int, *,
    is_foggy: bool = False,
) -> ReplayView:  # fmt: skip
    """Returns an ended match at a step; with fog the enemy's board is as the side knew it then."""
    if match.outcome is None:
        raise ValueError("there is no replay before the outcome")
    moments, stage, board = moments_shown(match), stage_at(match, step), match.ruleset.board
    seen = observe(stage, side)
    enemy, own = full_boards(stage, seen, cell_names)
    if is_foggy:
        enemy = as_known(seen, enemy)
    fleets = {owner: [one.placements[owner] for one in moments[: step + 1]] for owner in Side}
    theirs = () if is_foggy else trails(board, fleets[side.opponent])
    told, shown = steps(match, moments, side, names, cell_names), frames(match, moments, side)
    turns = [one.turn for one in moments]
    sides = (side, side.opponent)
    asked, asked_by_enemy = (_boxes(match, asking, step, cell_names) for asking in sides)
    return ReplayView(
        enemy=enemy._replace(hulls=(*theirs, *enemy.hulls), boxes=asked),
        own=own._replace(
            hulls=(*trails(board, fleets[side]), *own.hulls),
            boxes=asked_by_enemy,
        ),
        turns=turns,
        steps=told,
        data={
            "turns": turns,
            "waters": "".join(str(int(step.is_own)) for step in told),
            "letters": {letter: states for states, letter in CELL_CODES.items()},
            "words": {
                state: CellView(state, is_over=True).words
                for state in sorted(set(chain.from_iterable(CELL_CODES)))
            },
            "start": [
                {"cells": frame.letters, "hulls": list(map(_as_data, frame.hulls))}
                for frame in shown[0]
            ],
            "changes": [
                [_changes(old, new) for old, new in zip(before, after, strict=True)]
                for before, after in pairwise(shown)
            ],
        },
    )


def _boxes(match: Match, side: Side, step: int, cell_names: CellNames) -> tuple[Box, ...]:
    """Returns the rectangles of all questions of a side, as they look at a step."""
    return tuple(
        box(question, cell_names)._replace(
            step=(asked := step_at(match, question.ply + 1)),
            look="now" if asked == step else "later" if asked > step else "",
        )
        for question in match.questions
        if question.side is side
    )


def _plies(match: Match) -> list[int]:
    """Returns how many plies have been played at each step.

    The decision not to move is no step. To cut a match short is one, before which everything is as
    at the end.
    """
    shown = [ply + 1 for ply, action in enumerate(match.actions) if not isinstance(action, Stay)]
    return [0, *shown, *([match.ply + 1] if match.is_cut_short else ())]


def step_at(match: Match, plies: int) -> int:
    """Returns the last step at which no more plies than that have been played."""
    return bisect_right(_plies(match), plies) - 1


def moments_shown(match: Match) -> list[Moment]:
    """Returns the moment of each step."""
    moments = list(match.moments())
    return [moments[min(plies, match.ply)] for plies in _plies(match)]


def stage_at(match: Match, step: int) -> Match:
    """Returns the match as it stood at a step."""
    return match.at(min(_plies(match)[step], match.ply))


def steps(
    match: Match, moments: Sequence[Moment], side: Side, names: Pair[str], cell_names: CellNames
) -> list[Step]:
    """Returns every step in words; `moments` are those of the steps."""
    at_the_other = {it.ply for it in match.shots} | {it.ply for it in match.questions}
    told = list[Step]()
    for step, plies in enumerate(_plies(match)):
        if 0 < plies <= match.ply:
            ply, who = plies - 1, match.sides[plies - 1]
            is_own = (who is side) is not (ply in at_the_other)
            turn, line = moments[step - 1].turn, step_line(match, ply, cell_names)
            told.append(Step(step, turn, who is side, names[who], line, is_own=is_own))
    last, by = (last_step(match), match.turn), match.resigned
    if match.abandoned:
        ended = _("the match was ended without a winner")
        told.append(Step(*last, False, _("End"), ended, is_own=False))
    if by is not None:
        is_mine = by is side
        is_own = is_mine and bool(match.fleets[side])
        told.append(Step(*last, is_mine, names[by], _("gave up"), is_own))
    return told


def last_step(match: Match) -> int:
    return len(_plies(match)) - 1


class Frame(NamedTuple):
    """One board at one step, as data for the script."""

    letters: str
    """A letter of CELL_CODES for each cell, in reading order."""
    hulls: tuple[Hull, ...]
    ringed: list[int]
    """The cells of the last shots."""


def frames(match: Match, moments: Sequence[Moment], side: Side) -> list[list[Frame]]:
    """Returns the boards at each moment, the enemy's and the side's own if it has a fleet.

    They show the same as boards.full_boards, but take a twentieth of the time, since a ply changes
    only what its action changes.
    """
    enemy = _frames_of(match, moments, side.opponent, is_own=False)
    if not match.fleets[side]:
        return [[frame] for frame in enemy]
    own = _frames_of(match, moments, side, is_own=True)
    return [list(both) for both in zip(enemy, own, strict=True)]


def _frames_of(
    match: Match, moments: Sequence[Moment], owner: Side, *, is_own: bool
) -> Iterator[Frame]:
    """Yields one side's board at each moment, and the same object while nothing changes."""
    board, is_salvo, shots = match.ruleset.board, match.ruleset.salvo, match.shots
    marks, looks = ["?"] * board.size, ["afloat"] * len(match.fleets[owner])
    told, last, ships = 0, list[Shot](), match.fleets[owner]
    drawn = cache(partial(hull, board))
    shown, over = (_OWN, _OVER_OWN) if is_own else (_ENEMY, _OVER_ENEMY)

    def drawn_now() -> Frame:
        letters, afloat = [shown[mark] for mark in marks], zip(ships, looks, strict=True)
        for cell in (cell for ship, look in afloat if look != "sunk" for cell in ship.cells):
            letters[cell] = over[marks[cell]]
        hulls = tuple(map(drawn, range(len(ships)), ships, looks))
        return Frame("".join(letters), hulls, sorted({shot.cell for shot in last}))

    frame = drawn_now()
    for moment in moments:
        fresh = [shot for shot in shots[told : moment.shots] if shot.side is not owner]
        told = moment.shots
        if fresh or moment.placements[owner] != ships:
            ships = moment.placements[owner]
            for shot in fresh:
                _mark(shot, ships, marks, looks)
                is_same_turn = bool(last) and last[0].turn == shot.turn
                last = [*last, shot] if is_same_turn and (is_own or is_salvo) else [shot]
            frame = drawn_now()
        yield frame


def _mark(shot: Shot, ships: Fleet, marks: list[str], looks: list[str]) -> None:
    """Changes the letters and the looks of ships as a shot does."""
    if shot.result is not Result.WATER or marks[shot.cell] != _MARKS[Result.SUNK]:
        marks[shot.cell] = _MARKS[shot.result]  # a wreck stays one if it is fired at again
    for cell in shot.wreck.cells if shot.wreck else ():
        marks[cell] = _MARKS[Result.SUNK]
    if shot.result is not Result.WATER:
        hit = next(
            at for at, ship in enumerate(ships) if looks[at] != "sunk" and shot.cell in ship.cells
        )
        looks[hit] = "sunk" if shot.wreck else "hit"


def _as_data(drawn: Hull) -> list[int | str]:
    return [drawn.id, drawn.x, drawn.y, drawn.look]


def _changes(before: Frame, after: Frame) -> list[Any]:
    """Returns the cells, hulls and ringed cells of a board that a step changes."""
    if after is before:
        return [[], [], after.ringed]
    letters = enumerate(zip(before.letters, after.letters, strict=True))
    cells = [[index, new] for index, (old, new) in letters if new != old]
    pairs = zip(before.hulls, after.hulls, strict=True)
    return [cells, [_as_data(one) for was, one in pairs if one != was], after.ringed]


def next_of(match: Match, step: int, *, sunk: bool, back: bool = False) -> int:
    """Returns the nearest later (or earlier) step that shows a hit (or a sinking).

    Without one, the last step (or step 0).
    """
    wanted = {Result.SUNK} if sunk else {Result.HIT, Result.SUNK}
    at = {plies: step for step, plies in enumerate(_plies(match))}
    hits = [at[shot.ply + 1] for shot in match.shots if shot.result in wanted]
    if back:
        return max((one for one in hits if one < step), default=0)
    return min((one for one in hits if one > step), default=last_step(match))


def turn_words() -> str:
    """Returns a sentence with placeholders for the turn, from 1, and what was done in it."""
    return _("Turn %(turn)s. %(step)s")


def step_words() -> str:
    """Returns a sentence with placeholders for the step's number, the last one and the line."""
    return _("Step %(number)s of %(last)s. %(line)s")


def step_text(steps: list[Step], step: int) -> str:
    """Returns a step in words: `Step 17 of 62. Turn 9. You: B7, hit`."""
    if not step:
        return _("Before the first shot")
    return step_words() % {"number": step, "last": len(steps), "line": steps[step - 1]}
