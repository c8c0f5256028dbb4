"""Sentences for the engine's values, in the language of the request."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from math import inf
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.boards import last_turn, last_volley
from game.display.names import (
    friend_in_text,
    in_sentence,
    player_names,
    result_word,
    ship_names,
    steer_way,
    wreck_name,
)
from game.display.questions import answered, place_asked, surprise
from game.display.words import enumerated, joined, plural
from game.engine.actions import Ask, Fire, Question, Result, Shot, Steer
from game.engine.fleets import Placement
from game.engine.geometry import Cell
from game.engine.match import Match
from game.engine.observation import Known, Observation
from game.engine.rules import Ruleset, Side
from game.matches.cell_names import CellNames
from game.matches.saved import SavedMatch
from game.matches.setup import Setup

LONG_STATUS = 70
"""The longest status line that has room on a phone, in characters."""


@dataclass(frozen=True)
class Status:
    """The status line: up to three sentences."""

    to_do: str = ""
    """What the viewer is to do, how a match ended, or all that a page without shots says."""
    result: str = ""
    """What the viewer has just done."""
    reply: str = ""
    """What the other side did after it."""
    keys: str = ""
    """What follows on devices with keys."""
    is_struck: bool = False
    """Whether the result is a hit, which stands out."""
    is_refused: bool = False
    is_final: bool = False

    @property
    def text(self) -> str:
        return joined(self.result, self.reply, self.to_do)

    @property
    def whole(self) -> str:
        return joined(self.text, self.keys)

    @property
    def is_long(self) -> bool:
        """Whether it may scroll; then what the enemy did begins no line."""
        return len(self.text) > LONG_STATUS


class Onboarding(IntFlag):
    """What a first match explains, each in one sentence and once."""

    NONE = 0
    PLACE = 1
    FIRE = 2
    HIT = 4
    MOVE = 8


FULLY_ONBOARDED = Onboarding.PLACE | Onboarding.FIRE | Onboarding.HIT | Onboarding.MOVE


def named(seen: Observation, shots: Iterable[Shot]) -> list[Shot]:
    """Returns shots at the observer with the ship that each hit or sank.

    A ship may cross the wreck of another, and be hit there. Where sinkings aren't told, ships stay.
    """
    sunk = {shot.wreck: shot.ply for shot in seen.incoming if shot.wreck is not None}

    def ship_of(shot: Shot) -> int:
        there = [
            (inf if ship.is_afloat else sunk.get(ship.placement, inf), ship.id)
            for ship in seen.ships
            if shot.cell in ship.placement.cells
        ]
        return min(found for found in there if found[0] >= shot.ply)[1]

    return [
        shot if shot.result is Result.WATER else shot._replace(ship=ship_of(shot)) for shot in shots
    ]


def tell_shots(
    shots: Iterable[Shot], rules: Ruleset, cell_names: CellNames, *, is_yours: bool = False
) -> list[str]:
    """Returns `F7, F9, your cruiser, hit`, and `F8, water`: each result with its cells.

    `is_yours` says whether the ships are the reader's; then the shots are `named`.
    """
    alike: dict[tuple[Result, int | None, Placement | None], list[Shot]] = {}
    for shot in shots:
        alike.setdefault((shot.result, shot.ship, shot.wreck), []).append(shot)
    told = []
    for (result, _ship, _wreck), them in alike.items():
        ship = _ship_name(them[0], rules)
        said = _one_result(result, is_named=bool(ship), is_yours=is_yours)
        cells = ", ".join([cell_names.name(shot.cell) for shot in them])
        told.append(said % {"cells": cells, "ship": ship})
    return told


def _one_result(result: Result, *, is_named: bool, is_yours: bool) -> str:
    match result, is_yours:
        case Result.WATER, True | False:
            return _("%(cells)s, water")
        case Result.SUNK, True:
            return _("%(cells)s, your %(ship)s, sunk")
        case Result.SUNK, False:
            return _("%(cells)s, %(ship)s sunk")
        case Result.HIT, True:
            return _("%(cells)s, your %(ship)s, hit")
    return _("%(cells)s, %(ship)s hit") if is_named else _("%(cells)s, hit")


def _ship_name(shot: Shot, rules: Ruleset) -> str:
    """Returns the name of the ship that was hit or sunk; empty for water, and if it is unknown."""
    if shot.ship is not None:
        return in_sentence(ship_names(rules)[shot.ship])
    return in_sentence(wreck_name(rules, shot.wreck.length)) if shot.wreck else ""


def own_answer(seen: Observation, cell_names: CellNames) -> str:
    """Returns the question that the observer has just asked, with its answer; empty without one."""
    if not _has_asked(seen):
        return ""
    asked = seen.asked[-1]
    return joined(answered(asked, cell_names), surprise(seen, asked))


def _has_asked(seen: Observation) -> bool:
    """Returns whether the observer has asked a question since its last shot."""
    return bool(seen.asked) and seen.asked[-1].ply > _last_ply(seen)


def questions_line(seen: Observation, setup: Setup) -> str:
    """Returns `You: D4 to E5, yes; D4, no. Ben: A1, no. 3 questions left.`, or an empty text."""
    if not seen.ruleset.questions:
        return ""
    names, cell_names, left = player_names(setup), setup.cell_names, seen.questions_left
    words = pgettext("answer", "no"), pgettext("answer", "yes")
    parts = [
        f"{names[asked[0].side]}: "
        + "; ".join(f"{place_asked(one.ask, cell_names)}, {words[one.is_yes]}" for one in asked)
        + "."
        for asked in (seen.asked, seen.asked_by_enemy)
        if asked
    ]
    parts.append(plural("%(count)s question left.", "%(count)s questions left.", left))
    return " ".join(parts)


def own_move(match: Match, side: Side, cell_names: CellNames) -> str:
    """Returns the move that a side has just made, as a sentence; empty if it made none."""
    ply = match.last_ply(side)
    if ply < 0 or not isinstance(match.actions[ply], Steer):
        return ""
    return f"{step_line(match, ply, cell_names)}."


def status_of(
    seen: Observation, setup: Setup, moved: str = "", onboarding: Onboarding = Onboarding.NONE
) -> Status:
    """Returns what has just happened, and what the observer is to do now.

    The sentences of both sides begin with their names. In place of both stands `moved`, the
    sentence of `own_move`, or the answer to a question. `onboarding` replaces what the observer is
    to do.
    """
    cell_names, to_do = setup.cell_names, ""
    moved = moved or own_answer(seen, cell_names)
    if seen.outcome is None and seen.is_to_act:
        to_do = what_to_do(seen, cell_names, onboarding)
        to_do = to_do or (_("Now fire.") if moved else "")
    elif seen.outcome is None and setup.seat is not None:
        to_do = waiting_for(setup)
    elif seen.outcome is None and not setup.is_solo:
        to_do = computer_plays_on()
    if seen.aimed:  # while a salvo is aimed, only the number of its shots changes
        return Status(to_do)
    if moved:
        return Status(to_do, _by(_names(seen, setup)[0], moved))
    shots, last = last_volley(seen.ruleset, seen.shots), _last_ply(seen)
    asked = [question for question in seen.asked_by_enemy if question.ply > last]
    return Status(
        to_do,
        _own_turn(seen, setup, shots),
        _their_turn(seen, setup, _replied(seen), asked),
        is_struck=any(shot.result is not Result.WATER for shot in shots),
        is_final=seen.outcome is not None,
    )


def computer_plays_on() -> str:
    return _("The computer plays on.")


def waiting_for(setup: Setup) -> str:
    name = friend_in_text(setup)
    return _("Waiting for %(name)s.") % {"name": name} if name else _("Waiting for your opponent.")


def _own_turn(seen: Observation, setup: Setup, shots: Sequence[Shot]) -> str:
    who, most = _names(seen, setup)[0], _most_whole(seen)
    return _turn(who, shots, seen.ruleset, setup.cell_names, most=most)


def _their_turn(
    seen: Observation, setup: Setup, shots: Sequence[Shot], asked: Sequence[Question] = ()
) -> str:
    foe, is_yours = _names(seen, setup)[1], _is_to_you(seen, setup)
    shots = named(seen, shots) if is_yours else shots
    most = _most_whole(seen)
    return _turn(foe, shots, seen.ruleset, setup.cell_names, asked, most=most, is_yours=is_yours)


def _most_whole(seen: Observation) -> int:
    return TOLD_WHOLE if seen.outcome is None else _TOLD_WHOLE_AT_END


def _replied(seen: Observation) -> list[Shot]:
    last = _last_ply(seen)
    return [shot for shot in seen.incoming if shot.ply > last]


def _last_ply(seen: Observation) -> int:
    return seen.shots[-1].ply if seen.shots else -1


def _is_to_you(seen: Observation, setup: Setup) -> bool:
    """Returns whether the status calls the observer you; two at one device read the end's."""
    return setup.is_personal or seen.outcome is None


def _names(seen: Observation, setup: Setup) -> tuple[str, str]:
    """Returns what the status calls the observer and the other side."""
    names = player_names(setup)
    you = pgettext("who", "You") if _is_to_you(seen, setup) else names[seen.side]
    return you, names[seen.side.opponent]


def _by(who: str, told: str) -> str:
    return _("%(name)s: %(told)s") % {"name": who, "told": told}


TOLD_WHOLE = 4
"""The number of shots of a turn above which it is told in sum."""
_TOLD_WHOLE_AT_END = 2
"""The same where who won is told as well."""
_WORDS_OF_SUNK = 4
"""The longest names of sunk ships in such a sum, so that it has at most 20 words."""


def _turn(
    who: str,
    shots: Sequence[Shot],
    rules: Ruleset,
    cell_names: CellNames,
    asked: Sequence[Question] = (),
    *,
    most: int = TOLD_WHOLE,
    is_yours: bool = False,
) -> str:
    """Returns `Ben: question D4, no; F7, your cruiser, hit; F8, water.`: one sentence for a side.

    More than `most` shots are told in sum.
    """
    told = []
    if len(asked) > 1:
        told.append(plural("%(count)s question", "%(count)s questions", len(asked)))
    elif asked:
        said = _("question %(place)s, yes") if asked[0].is_yes else _("question %(place)s, no")
        told.append(said % {"place": place_asked(asked[0].ask, cell_names)})
    tell = tell_shots if len(shots) <= most else _in_sum
    told += tell(shots, rules, cell_names, is_yours=is_yours)
    return _by(who, f"{'; '.join(told)}.") if told else ""


def _in_sum(
    shots: Sequence[Shot], rules: Ruleset, cell_names: CellNames, *, is_yours: bool
) -> Iterator[str]:
    """Yields `7 shots, 5 hits`, `your cruiser sunk`, and `last J10, water`."""
    of, count = len(shots), sum(shot.result is not Result.WATER for shot in shots)
    said = plural("%(of)s shots, %(count)s hit", "%(of)s shots, %(count)s hits", count, of=of)
    yield said if count else _("%(of)s shots, all water") % {"of": of}
    sunk = [_ship_name(shot, rules) for shot in shots if shot.result is Result.SUNK]
    if sunk:
        yield _sunk(sunk, is_yours=is_yours)
    last = {"cell": cell_names.name(shots[-1].cell), "result": result_word(shots[-1].result)}
    yield _("last %(cell)s, %(result)s") % last


def _sunk(ships: Sequence[str], *, is_yours: bool) -> str:
    """Returns `your cruiser and destroyer sunk`, or a number if names are many or the same."""
    names, count = enumerated(*ships), len(ships)
    if len(set(ships)) == count and len(names.split()) <= _WORDS_OF_SUNK:
        return (_("your %(ships)s sunk") if is_yours else _("%(ships)s sunk")) % {"ships": names}
    return (_("%(of)s of your ships sunk") if is_yours else _("%(of)s ships sunk")) % {"of": count}


def last_turns(seen: Observation, setup: Setup) -> str:
    """Returns the shots of both sides' last turns, the observer's first; empty before the first."""
    mine, theirs = last_turn(seen.shots), last_turn(seen.incoming)
    return joined(_own_turn(seen, setup, mine), _their_turn(seen, setup, theirs))


def public_status_message(saved: SavedMatch) -> str:
    """Returns the last turn as both players at one device may see it, or an empty text."""
    match = saved.match
    if not match.shots:
        return ""
    last = last_turn(match.shots)
    asked = [question for question in match.questions if question.turn == last[0].turn]
    who = player_names(saved.setup)[last[0].side]
    return _turn(who, last, match.ruleset, saved.setup.cell_names, asked)


def what_to_do(
    seen: Observation, cell_names: CellNames, onboarding: Onboarding = Onboarding.NONE
) -> str:
    """Returns what the observer is to do now; empty if it just fires again."""
    if onboarding:
        return _first_time(seen, cell_names, onboarding)
    if seen.may_move and (not seen.shots or _near_miss(seen)):
        return _near_miss(seen) or _("Your turn. Fire, or move a ship first.")
    left = seen.shots_left
    if seen.aimed:
        return plural("%(count)s shot left.", "%(count)s shots left.", left)
    if cell := _beset(seen):
        said = _(
            "There is only water around %(cell)s: the ship came later. Fire at the oldest again."
        )
        return said % {"cell": cell_names.name(cell)}
    if seen.shots or seen.asked:
        return ""
    if cell_names.is_typed:
        return _("Your turn: type a cell.")
    return plural("Your turn: choose a cell.", "Your turn: choose %(count)s cells.", left)


def _beset(seen: Observation) -> Cell | None:
    """Returns a hit of a ship afloat with only water beside it, which the ship came after."""
    hits = [cell for cell, mark in seen.marks.items() if mark.known is Known.HIT]
    for cell in hits if seen.ruleset.moving else ():
        beside = [seen.marks.get(other) for other in seen.board.sides(cell)]
        if {mark and mark.known for mark in beside} == {Known.WATER}:
            return cell
    return None


def _near_miss(seen: Observation) -> str:
    """Returns that the enemy fired at water beside a ship that can move; empty if it did not.

    A ship that lies where shots have fallen beside it before is not told of again.
    """
    shots, names = last_turn(seen.incoming), ship_names(seen.ruleset)
    near = {cell for shot in shots for cell in seen.board.sides(shot.cell)}
    earlier = {shot.cell for shot in seen.incoming[: -len(shots)]}
    is_miss = all(shot.result is Result.WATER for shot in shots)
    for ship in seen.ships if is_miss else ():
        beside = {cell for own in ship.placement.cells for cell in seen.board.sides(own)}
        is_near = near.intersection(ship.placement.cells) and not beside & earlier
        if ship.steers and is_near:
            words = {"ship": in_sentence(names[ship.id])}
            return _("That was close. Your %(ship)s can still move.") % words
    return ""


def onboarding_step(seen: Observation) -> Onboarding:
    """Returns what a first match teaches at this moment, or NONE."""
    if seen.outcome is not None or not seen.is_to_act or _has_asked(seen):
        return Onboarding.NONE
    if not seen.shots:
        return Onboarding.FIRE
    # A hit of an earlier turn that fired again was explained in that turn.
    if _open_hit(seen) is not None and (not seen.ruleset.again or seen.shots[-1].turn == seen.turn):
        return Onboarding.HIT
    # After a longer reply there is no room for it.
    return Onboarding.MOVE if seen.may_move and len(_replied(seen)) < 2 else Onboarding.NONE


def _open_hit(seen: Observation) -> Cell | None:
    """Returns the newest cell of the last turn where a ship was hit and is afloat."""
    for shot in reversed(last_turn(seen.shots)):
        if seen.marks[shot.cell].known is Known.HIT:
            return shot.cell
    return None


def _first_time(seen: Observation, cell_names: CellNames, onboarding: Onboarding) -> str:
    """Returns what the observer is to do now, for a player who has never done it."""
    if onboarding is Onboarding.MOVE:
        return _("Before firing, you may move one ship one cell, but not a hit one.")
    if onboarding is Onboarding.FIRE:
        is_simple = not (seen.ruleset.salvo or seen.may_move or cell_names.is_typed)
        return _("Choose a cell to fire at.") if is_simple else what_to_do(seen, cell_names)
    said = _("Try the cells beside %(cell)s.")
    if seen.ruleset.again and seen.shots[-1].turn == seen.turn:
        said = _("You fire again. Try the cells beside %(cell)s.")
    cell = _open_hit(seen)
    return said % {"cell": "" if cell is None else cell_names.name(cell)}


def turn_line(seen: Observation) -> str:
    """Returns `Turn 3 of 20`, or near the limit a countdown."""
    count, left = seen.rounds_begun, seen.own_turns_left
    if seen.outcome is not None:
        return plural("Ended after %(count)s turn", "Ended after %(count)s turns", count)
    if seen.ruleset.turns is None or left is None:
        return _("Turn %(turn)s") % {"turn": seen.own_turn}
    if seen.is_countdown:
        return plural("%(count)s turn left", "%(count)s turns left", left)
    return _("Turn %(turn)s of %(limit)s") % {"turn": seen.own_turn, "limit": seen.own_limit}


def step_line(match: Match, ply: int, cell_names: CellNames) -> str:
    """Returns what happened at a ply of an ended match: `B7, hit`."""
    action = match.actions[ply]
    if isinstance(action, Fire):
        shots = match.shots  # in order; a replay asks for each of them
        at = bisect_left(shots, ply, key=attrgetter("ply"))
        shot = shots[at] if at < len(shots) and shots[at].ply == ply else None
        if shot is None:  # somebody gave up before the salvo was over
            return _("%(cell)s: aimed at") % {"cell": cell_names.name(action.cell)}
        if shot.ship is None and shot.wreck is not None:
            lie = match.placements(shot.side.opponent)
            shot = shot._replace(ship=lie.index(shot.wreck))
        return tell_shots([shot], match.ruleset, cell_names)[0]
    if isinstance(action, Steer):
        direction = match.fleets[match.sides[ply]][action.ship].direction
        template = {
            "up": _("%(ship)s moves up"),
            "down": _("%(ship)s moves down"),
            "left": _("%(ship)s moves left"),
            "right": _("%(ship)s moves right"),
        }[steer_way(direction, action.course)]
        return template % {"ship": ship_names(match.ruleset)[action.ship]}
    if isinstance(action, Ask):
        asked = next(question for question in match.questions if question.ply == ply)
        return answered(asked, cell_names)
    return _("no ship moves")


def percent(chance: float) -> str:
    """Returns a chance as whole percent, in the format of the language."""
    return _("%(rate)s%%") % {"rate": round(100 * chance)}


def coach_line(seen: Observation, best: Sequence[tuple[Cell, float]], cell_names: CellNames) -> str:
    """Returns the coach's best cells and their chances, and open hits if hits are named."""
    names = ship_names(seen.ruleset)
    (cell, chance), *others = best
    words = {"cell": cell_names.name(cell), "chance": percent(chance)}
    said = [_("Coach: best %(cell)s, %(chance)s.") % words]
    if others:
        listed = (f"{cell_names.name(other)}, {percent(rate)}" for other, rate in others)
        words["others"] = "; ".join(listed)
        said = [_("Coach: best %(cell)s, %(chance)s; then %(others)s.") % words]
    hits = open_hits(seen)
    if hits:
        ships = "; ".join(
            f"{names[ship]} {' '.join([cell_names.name(cell) for cell in where])}"
            for ship, where in hits.items()
        )
        said.append(_("Enemy ships hit but not sunk: %(ships)s.") % {"ships": ships})
    return " ".join(said)


def open_hits(seen: Observation) -> dict[int, list[Cell]]:
    """Returns the cells hit of each enemy ship that is hit and afloat, if hits are named."""
    hits: dict[int, list[Cell]] = {}
    for shot in seen.shots:
        if shot.ship is not None and seen.enemy_hits[shot.ship] < seen.ruleset.fleet[shot.ship]:
            hits.setdefault(shot.ship, []).append(shot.cell)
    return hits


def told_word(shot: Shot, rules: Ruleset) -> str:
    """Returns the result of a shot, with the ship if hits are named: `hit, cruiser`."""
    word = result_word(shot.result)
    return word if shot.ship is None else f"{word}, {in_sentence(ship_names(rules)[shot.ship])}"
