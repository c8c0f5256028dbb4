"""Sentences for the engine's values, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntFlag
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.display.boards import last_turn
from game.display.names import kind_name, player_names, ship_names, wreck_name
from game.engine.fleets import (
    Course,
    DoesNotFit,
    NotAPlacement,
    OffBoard,
    Placement,
    ShipsOverlap,
    ShipsTouch,
    WrongShips,
)
from game.engine.geometry import Cell, Direction, NotACell
from game.engine.match import (
    CellSpent,
    CourseBlocked,
    Fire,
    Match,
    MatchOver,
    NoSuchShip,
    NotFiring,
    NotMoving,
    Reason,
    Result,
    ShipHit,
    Steer,
)
from game.engine.observation import Observation, Phase, Shot
from game.engine.presets import Placing
from game.engine.rules import Ruleset, Side
from game.matches.draft import CannotPlace, CannotTurn, Draft, NotALine, NothingPlaced, ShipsMissing
from game.matches.saved import SavedMatch
from game.matches.setup import Setup


class Lesson(IntFlag):
    """What a first match teaches, each in one sentence and once."""

    NONE = 0
    PLACE = 1
    FIRE = 2
    HIT = 4
    MOVE = 8


EVERY_LESSON = Lesson.PLACE | Lesson.FIRE | Lesson.HIT | Lesson.MOVE


def refusal(error: Exception) -> str:
    """Why an action was refused, in one sentence."""
    match error:
        case CannotTurn():
            words = {**_placed_words(error.ship, error.rules), "reason": refusal(error.reason)}
            return _("%(ship)s on %(cell)s stays as it lies: %(reason)s") % words
        case CannotPlace():
            words = {**_placed_words(error.ship, error.rules), "reason": refusal(error.reason)}
            return cannot_place_template() % words
        case ShipsMissing():
            return ships_missing(error.count)
    sentences: dict[type[Exception], str] = {
        NotACell: _("That is not a cell of this board."),
        CellSpent: _("There is nothing new to learn there: choose another cell."),
        NotFiring: _("It is time to move a ship or to stay, not to fire."),
        NotMoving: _("It is time to fire, not to move a ship."),
        MatchOver: _("This match is over."),
        NoSuchShip: _("There is no such ship."),
        ShipHit: _("A ship that has been hit cannot move."),
        CourseBlocked: _("That ship cannot move there."),
        ShipsOverlap: _("Two ships cannot lie on the same cell."),
        ShipsTouch: _("Ships must not touch, not even at the corners."),
        OffBoard: _("The ship would stick out over the edge of the board."),
        NotAPlacement: _("That is not a place for a ship."),
        NotALine: _("Those cells do not lie side by side in one line: choose them anew."),
        NothingPlaced: _("No ship has been placed yet."),
        WrongShips: _("These are not the ships of this fleet."),
        DoesNotFit: _("The missing ships no longer fit: take one back or clear the board."),
    }
    return sentences.get(type(error), _("That is not possible now."))


def cannot_place_template() -> str:
    """The sentence that a ship can't lie there, with placeholders for ship, cell and reason."""
    return _("%(ship)s on %(cell)s: %(reason)s")


def placed_line(draft: Draft) -> str:
    """How many ships of a draft are placed: `5 of 10 placed`."""
    of = len(draft.setup.ruleset.fleet)
    return _("%(count)s of %(of)s placed") % {"count": len(draft.placed), "of": of}


def placed_last(draft: Draft) -> str:
    """The ship placed last and its bow's cell; empty if none is placed."""
    if not draft.placed:
        return ""
    return _("%(ship)s on %(cell)s") % _placed_words(draft.placed[-1], draft.setup.ruleset)


def _placed_words(ship: Placement, rules: Ruleset) -> dict[str, str]:
    name = kind_name(rules, ship.length)
    return {"ship": name, "cell": rules.board.name(ship.bow)}


def _shot(cell: str, result: Result, ship: str) -> str:
    """`B7: water`; `ship` is the name of the ship that was hit or sunk, or empty."""
    words = {"cell": cell, "ship": ship}
    match result:
        case Result.WATER:
            return _("%(cell)s: water") % words
        case Result.SUNK:
            return _("%(cell)s: %(ship)s sunk") % words
    return (_("%(cell)s: %(ship)s hit") if ship else _("%(cell)s: hit")) % words


def _describe_shot(shot: Shot, rules: Ruleset, known: Mapping[Placement, int]) -> str:
    ship = shot.ship
    if ship is None and shot.wreck is not None:
        ship = known.get(shot.wreck)
    if ship is not None:
        name = ship_names(rules)[ship]
    else:
        name = wreck_name(rules, shot.wreck.length) if shot.wreck else ""
    return _shot(rules.board.name(shot.cell), shot.result, name)


def describe_shots(
    shots: Iterable[Shot], rules: Ruleset, known: Mapping[Placement, int] = MappingProxyType({})
) -> str:
    """`B7: hit, B8: water`: the shots in order.

    `known` are sunk ships that the reader can tell apart, by where they sank.
    """
    return ", ".join(_describe_shot(shot, rules, known) for shot in shots)


def _own_wrecks(seen: Observation) -> dict[Placement, int]:
    """The observer's own sunk ships, by where they sank."""
    return {ship.placement: ship.id for ship in seen.ships if not ship.is_afloat}


def own_move(match: Match, side: Side) -> str:
    """The move that a side has just made, as a sentence; empty if it made none."""
    mine = [ply for ply, who in enumerate(match.sides) if who is side]
    if not mine or not isinstance(match.actions[mine[-1]], Steer):
        return ""
    return f"{step_line(match, mine[-1])}."


def status_message(
    seen: Observation, setup: Setup, moved: str = "", lesson: Lesson = Lesson.NONE
) -> str:
    """What has just happened and what is to be done.

    `moved` is the sentence of `own_move`; `lesson` is taught in place of what is to be done.
    """
    rules = seen.ruleset
    parts = []
    if seen.shots:
        mine = last_turn(seen.shots) if rules.salvo else seen.shots[-1:]
        parts.append(f"{describe_shots(mine, rules)}.")
    parts += [moved] if moved else []
    reply = tuple(shot for shot in seen.incoming if not seen.shots or shot.ply > seen.shots[-1].ply)
    if reply:
        who = player_names(setup)[seen.side.opponent]
        parts.append(
            _fires(who if setup.is_shared else "", describe_shots(reply, rules, _own_wrecks(seen)))
        )
    if seen.outcome is None and seen.is_to_act:
        parts.append(_first_time(seen, lesson) if lesson else to_do(seen))
    return " ".join(parts)


def end_message(seen: Observation, setup: Setup) -> str:
    """What has just happened, and how the match ended."""
    outcome = seen.outcome
    is_resigned = outcome is not None and outcome.reason is Reason.RESIGNED
    shots = "" if is_resigned else status_message(seen, setup)
    return " ".join(filter(None, (shots, *verdict(seen, setup))))


def last_shots(seen: Observation, setup: Setup) -> str:
    """The shots of both sides' last turns, the observer's first; empty before the first."""
    parts = []
    if seen.shots:
        mine = describe_shots(last_turn(seen.shots), seen.ruleset)
        parts.append(_("You fire at %(shots)s.") % {"shots": mine})
    if seen.incoming:
        who = player_names(setup)[seen.side.opponent] if setup.is_shared else ""
        theirs = describe_shots(last_turn(seen.incoming), seen.ruleset, _own_wrecks(seen))
        parts.append(_fires(who, theirs))
    return " ".join(parts)


def _fires(who: str, shots: str) -> str:
    if who:
        return _("%(name)s fires at %(shots)s.") % {"name": who, "shots": shots}
    return _("The computer fires at %(shots)s.") % {"shots": shots}


def public_status_message(saved: SavedMatch) -> str:
    """The shots of the last turn as both of two persons may see them; empty before the first."""
    match = saved.match
    if not match.shots:
        return ""
    last = last_turn(match.shots)
    name = player_names(saved.setup)[last[0].side]
    return _fires(name, describe_shots(last, match.ruleset))


def to_do(seen: Observation) -> str:
    """What the observer is to do now."""
    if seen.phase is Phase.MOVING:
        return _("Move one ship by a cell, or stay.")
    if seen.ruleset.salvo:
        left = ngettext("%(count)s shot left.", "%(count)s shots left.", seen.shots_left)
        return _("Your salvo:") + " " + left % {"count": seen.shots_left}
    again = seen.shots and seen.shots[-1].turn == seen.turn and seen.ruleset.again
    return _("Fire again!") if again else _("Your turn: fire!")


def lesson_of(seen: Observation) -> Lesson:
    """What a first match teaches at this moment, or NONE."""
    if seen.outcome is not None or not seen.is_to_act:
        return Lesson.NONE
    if seen.phase is Phase.MOVING:
        return Lesson.MOVE
    if not seen.shots:
        return Lesson.FIRE
    is_hit = any(shot.result is Result.HIT for shot in last_turn(seen.shots))
    return Lesson.HIT if is_hit else Lesson.NONE


def _first_time(seen: Observation, lesson: Lesson) -> str:
    """What the observer is to do now, for one who has never done it."""
    if lesson is Lesson.MOVE:
        return _("Move one ship one cell, or skip. Hit ships stay.")
    if lesson is Lesson.FIRE:
        said = _("Tap a cell to fire.")
        return f"{to_do(seen)} {said}" if seen.ruleset.salvo else said
    if seen.ruleset.again and seen.shots[-1].turn == seen.turn:
        return _("You fire again. Try the cells beside it.")
    return f"{to_do(seen)} " + _("Try the cells beside it.")


def verdict(seen: Observation, setup: Setup) -> tuple[str, str]:
    """The headline of an ended match, and the reason in one sentence."""
    assert seen.outcome is not None  # noqa: S101 (asked only of ended matches)
    is_mine = len(setup.persons) == 1
    return (_headline if is_mine else _headline_by_name)(seen, setup), _why(seen, setup)


def _headline(seen: Observation, setup: Setup) -> str:
    winner = seen.outcome.winner if seen.outcome else None
    if winner is None:
        return _("A draw.")
    return _("You won!") if winner is seen.side else _("You lost.")


def _headline_by_name(seen: Observation, setup: Setup) -> str:
    winner = seen.outcome.winner if seen.outcome else None
    if winner is None:
        return _("A draw.")
    return _("%(name)s wins!") % {"name": player_names(setup)[winner]}


def _why(seen: Observation, setup: Setup) -> str:
    outcome = seen.outcome
    is_mine = len(setup.persons) == 1
    if outcome is None or outcome.reason is Reason.LIMIT:
        return _("The turns ran out.")
    if outcome.reason is Reason.RESIGNED and outcome.winner is not None:
        return _resigned(seen, setup, outcome.winner.opponent)
    if outcome.reason is Reason.ALL_SUNK and outcome.winner is not None:
        if not is_mine:
            loser = player_names(setup)[outcome.winner.opponent]
            return _("The whole fleet of %(name)s is sunk.") % {"name": loser}
        if outcome.winner is seen.side:
            return _("You sank the whole enemy fleet.")
        return _("Your whole fleet is sunk.")
    mine = sum(ship.is_afloat for ship in seen.ships)
    theirs = len(seen.enemy_left)
    if is_mine:
        why = _("The turns ran out. Ships afloat: you %(mine)s, the computer %(theirs)s.")
        return why % {"mine": mine, "theirs": theirs}
    one, other = player_names(setup)[seen.side], player_names(setup)[seen.side.opponent]
    why = _("The turns ran out. Ships afloat: %(one)s %(mine)s, %(other)s %(theirs)s.")
    return why % {"one": one, "mine": mine, "other": other, "theirs": theirs}


def _resigned(seen: Observation, setup: Setup, who: Side) -> str:
    if len(setup.persons) == 1:
        return _("You gave up.") if who is seen.side else _("The computer gave up.")
    return _("%(name)s gave up.") % {"name": player_names(setup)[who]}


def turn_line(seen: Observation) -> str:
    """The number of the observer's turn, and of how many; near the limit a countdown."""
    count, left = seen.rounds_begun, seen.own_turns_left
    if seen.outcome is not None:
        said = ngettext("Ended after %(count)s turn", "Ended after %(count)s turns", count)
        return said % {"count": count}
    if seen.ruleset.turns is None or left is None:
        return _("Turn %(turn)s") % {"turn": seen.own_turn}
    if seen.is_countdown:
        return ngettext("%(count)s turn left", "%(count)s turns left", left) % {"count": left}
    return _("Turn %(turn)s of %(limit)s") % {"turn": seen.own_turn, "limit": seen.own_limit}


def is_countdown(seen: Observation) -> bool:
    """Whether the countdown is shown: a limit that nobody chose is not."""
    return seen.ruleset.turns is not None and seen.is_countdown


class Figures(NamedTuple):
    """One side's match in numbers."""

    who: str
    shots: int
    hits: int
    rate: float
    """The percentage of shots that hit."""
    sunk: int


def figures(seen: Observation, setup: Setup) -> list[Figures]:
    """The figures of both sides, the observer's first."""
    mine, theirs = player_names(setup)[seen.side], player_names(setup)[seen.side.opponent]
    return [_figures(mine, seen.shots), _figures(theirs, seen.incoming)]


def _figures(who: str, shots: tuple[Shot, ...]) -> Figures:
    hits = sum(shot.result is not Result.WATER for shot in shots)
    sunk = sum(shot.result is Result.SUNK for shot in shots)
    return Figures(who, len(shots), hits, 100 * hits / len(shots) if shots else 0.0, sunk)


def result_word(result: Result) -> str:
    """A result in a word."""
    words = {
        Result.WATER: _("water"),
        Result.HIT: _("hit"),
        Result.SUNK: pgettext("cell", "sunk"),
    }
    return words[result]


def step_line(match: Match, ply: int) -> str:
    """What happened at a ply of an ended match, in a few words."""
    action = match.actions[ply]
    if isinstance(action, Fire):
        shot = next((shot for shot in match.shots if shot.ply == ply), None)
        if shot is None:  # somebody gave up before the salvo was over
            return _("%(cell)s: aimed at") % {"cell": match.ruleset.board.name(action.cell)}
        return _describe_shot(shot, match.ruleset, _wrecks(match, shot.side.opponent))
    if isinstance(action, Steer):
        is_fore = action.course is Course.FORE
        is_down = match.fleets[match.sides[ply]][action.ship].direction is Direction.DOWN
        template = {
            (True, True): _("%(ship)s moves up"),
            (True, False): _("%(ship)s moves left"),
            (False, True): _("%(ship)s moves down"),
            (False, False): _("%(ship)s moves right"),
        }[is_fore, is_down]
        return template % {"ship": ship_names(match.ruleset)[action.ship]}
    return _("the ships stay")


def _wrecks(match: Match, side: Side) -> dict[Placement, int]:
    """The sunk ships of a side, by where they sank."""
    ships = enumerate(match.placements(side))
    return {placement: ship for ship, placement in ships if not match.is_afloat(side, ship)}


def percent(chance: float) -> str:
    """A chance as whole percent, written as the language does."""
    return _("%(rate)s%%") % {"rate": round(100 * chance)}


def coach_line(seen: Observation, best: Sequence[tuple[Cell, float]]) -> str:
    """The coach's advice: the best cells, their chances, and where hits are named the ships hit."""
    board, names = seen.board, ship_names(seen.ruleset)
    cells = ", ".join(f"{board.name(cell)} ({percent(chance)})" for cell, chance in best)
    said = [_("Best chances: %(cells)s.") % {"cells": cells}]
    hits = open_hits(seen)
    if hits:
        ships = "; ".join(
            f"{names[ship]} {' '.join(map(board.name, where))}" for ship, where in hits.items()
        )
        said.append(_("Hit, but afloat: %(ships)s.") % {"ships": ships})
    return " ".join(said)


def open_hits(seen: Observation) -> dict[int, list[Cell]]:
    """Where hits are named: the cells hit of each enemy ship that is hit and afloat."""
    found: dict[int, list[Cell]] = {}
    for shot in seen.shots:
        if shot.ship is not None and seen.enemy_hits[shot.ship] < seen.ruleset.fleet[shot.ship]:
            found.setdefault(shot.ship, []).append(shot.cell)
    return found


def told_word(shot: Shot, rules: Ruleset) -> str:
    """The result of a shot in a word, and the ship where hits are named: `hit, Cruiser`."""
    word = result_word(shot.result)
    return word if shot.ship is None else f"{word}, {ship_names(rules)[shot.ship]}"


def coach_waits() -> str:
    """The coach's line while the person is not to fire."""
    return _("The coach speaks again when you fire.")


def ships_missing(count: int) -> str:
    """How many ships are yet to be placed."""
    return ngettext(
        "%(count)s ship still has to be placed.", "%(count)s ships still have to be placed.", count
    ) % {"count": count}


def placing_lesson(draft: Draft) -> Lesson:
    """What a first match teaches of placing at this moment, or NONE."""
    is_new = not draft.placed and draft.setup.preset.placing is Placing.SHIPS
    return Lesson.PLACE if is_new else Lesson.NONE


def placing_message(draft: Draft, lesson: Lesson = Lesson.NONE) -> str:
    """What is to be done next with a draft; `lesson` is taught in place of it."""
    if lesson:
        return _("Tap a ship, then the sea; or Random.")
    if draft.held is not None:
        return _("%(ship)s picked up: choose the cell for its bow.") % {
            "ship": kind_name(draft.setup.ruleset, draft.held.length)
        }
    if not draft.missing:
        if draft.setup.is_shared and draft.first is None:
            return _("Your fleet is ready. Then it is the other’s turn to place.")
        return _("Your fleet is ready. Start when you like.")
    if draft.is_by_cells:
        left = (draft.in_hand or 0) - len(draft.chosen_cells)
        return ngettext(
            "Choose %(count)s cell in a line for the next ship.",
            "Choose %(count)s cells in a line for the next ship.",
            left,
        ) % {"count": left}
    if draft.placed:
        return ships_missing(len(draft.missing))
    if draft.setup.preset.placing is Placing.KEYS:
        return _("Place ship by ship, each with its bow on a cell that you choose.")
    return _("Place your fleet: drag the ships, tap, draw them, or leave it to chance.")
