"""Sentences for the engine's values, in the language of the request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntFlag
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from game.display.boards import last_turn
from game.display.names import in_sentence, kind_name, player_names, ship_names, wreck_name
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
from game.engine.presets import Placing, is_1990
from game.engine.rules import Ruleset, Side
from game.matches.draft import CannotPlace, CannotTurn, Draft, NotALine, NothingPlaced, ShipsMissing
from game.matches.duel import NotYourTurn
from game.matches.saved import SavedMatch
from game.matches.setup import Setup


class Onboarding(IntFlag):
    """What a first match explains, each in one sentence and once."""

    NONE = 0
    PLACE = 1
    FIRE = 2
    HIT = 4
    MOVE = 8


FULLY_ONBOARDED = Onboarding.PLACE | Onboarding.FIRE | Onboarding.HIT | Onboarding.MOVE


def refusal(error: Exception) -> str:
    """Why an action was refused, in one sentence."""
    match error:
        case CannotTurn():
            words = {**_placed_words(error.ship, error.rules), "reason": refusal(error.reason)}
            return _("%(ship)s at %(cell)s can’t turn. %(reason)s") % words
        case CannotPlace():
            words = {**_placed_words(error.ship, error.rules), "reason": refusal(error.reason)}
            return cannot_place_template() % words
        case ShipsMissing():
            return ships_missing(error.count)
    sentences: dict[type[Exception], str] = {
        NotACell: _("That is not a cell of this board."),
        CellSpent: _("You know that cell already: choose another."),
        NotFiring: _("You can’t fire now: move a ship, or skip."),
        NotMoving: _("You can only fire now."),
        MatchOver: _("This match is over."),
        NotYourTurn: _("It is not your turn."),
        NoSuchShip: _("There is no such ship."),
        ShipHit: _("A ship that has been hit cannot move."),
        CourseBlocked: _("That ship cannot move there."),
        ShipsOverlap: _("Two ships cannot lie on the same cell."),
        ShipsTouch: _("Ships must not touch, not even at the corners."),
        OffBoard: _("The ship would stick out over the edge."),
        NotAPlacement: _("No ship can lie there."),
        NotALine: _("Choose cells side by side, in one line."),
        NothingPlaced: _("No ship is placed yet."),
        WrongShips: _("These are not the ships of this fleet."),
        DoesNotFit: _("The other ships no longer fit: take one back, or clear the board."),
    }
    return sentences.get(type(error), _("That is not possible now."))


def cannot_place_template() -> str:
    """The sentence that a ship can't lie there, with placeholders for ship, cell and reason."""
    return _("%(ship)s at %(cell)s: %(reason)s")


def placed_line(draft: Draft) -> str:
    """How many ships of a draft are placed: `5 of 10 placed`."""
    of = len(draft.setup.ruleset.fleet)
    return _("%(count)s of %(of)s placed") % {"count": len(draft.placed), "of": of}


def placed_last(draft: Draft) -> str:
    """The ship placed last and its bow's cell; empty if none is placed."""
    if not draft.placed:
        return ""
    return _("%(ship)s at %(cell)s") % _placed_words(draft.placed[-1], draft.setup.ruleset)


def _placed_words(ship: Placement, rules: Ruleset) -> dict[str, str]:
    name = kind_name(rules, ship.length)
    return {"ship": name, "cell": rules.board.name(ship.bow)}


def _shot(cell: str, result: Result, ship: str) -> str:
    """`B7: water`; `ship` is the name of the ship that was hit or sunk, or empty."""
    words = {"cell": cell, "ship": in_sentence(ship)}
    match result:
        case Result.WATER:
            return _("%(cell)s: water") % words
        case Result.SUNK:
            return _("%(cell)s: %(ship)s sunk") % words
    return (_("%(cell)s: %(ship)s hit") if ship else _("%(cell)s: hit")) % words


def _ship_hit(shot: Shot, rules: Ruleset, known: Mapping[Placement, int]) -> str:
    """The name of the ship that was hit or sunk, or empty."""
    ship = shot.ship
    if ship is None and shot.wreck is not None:
        ship = known.get(shot.wreck)
    if ship is not None:
        return ship_names(rules)[ship]
    return wreck_name(rules, shot.wreck.length) if shot.wreck else ""


def _describe_shot(shot: Shot, rules: Ruleset, known: Mapping[Placement, int]) -> str:
    return _shot(rules.board.name(shot.cell), shot.result, _ship_hit(shot, rules, known))


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
    ply = match.last_ply(side)
    if ply < 0 or not isinstance(match.actions[ply], Steer):
        return ""
    return f"{step_line(match, ply)}."


def status_message(
    seen: Observation, setup: Setup, moved: str = "", onboarding: Onboarding = Onboarding.NONE
) -> str:
    """What has just happened, and what is to be done where that changes.

    The own result stands first; `moved`, the sentence of `own_move`, takes its place. The other
    side's reply is told in sum: its cells stand in the text view. `onboarding` is told in place of
    what is to be done.
    """
    # While a salvo is aimed, only the number of its shots changes.
    parts = [] if seen.aimed else [moved or _own_result(seen), _reply(seen, setup)]
    if seen.outcome is None and seen.is_to_act:
        parts.append(_first_time(seen, onboarding) if onboarding else to_do(seen))
    elif seen.outcome is None and setup.seat is not None:
        parts.append(waiting_for(setup))
    elif seen.outcome is None and not setup.is_solo:
        parts.append(computer_plays_on())
    return " ".join(filter(None, parts))


def computer_plays_on() -> str:
    """That the computer is to act again, in a sentence."""
    return _("The computer plays on.")


def waiting_for(setup: Setup) -> str:
    """That a seat waits for the other one, in a sentence."""
    name = setup.names[setup.seat.opponent] if setup.seat is not None else ""
    return _("Waiting for %(name)s.") % {"name": name} if name else _("Waiting for your opponent.")


def _own_result(seen: Observation) -> str:
    if not seen.shots:
        return ""
    if seen.ruleset.salvo:
        return _in_sum(_("Salvo"), last_turn(seen.shots), seen.ruleset)
    return f"{describe_shots(seen.shots[-1:], seen.ruleset)}."


def _reply(seen: Observation, setup: Setup) -> str:
    acted = seen.shots[-1].ply if seen.shots else -1
    reply = [shot for shot in seen.incoming if shot.ply > acted]
    who = player_names(setup)[seen.side.opponent]
    return _in_sum(who, reply, seen.ruleset, _own_wrecks(seen)) if reply else ""


def _in_sum(
    who: str,
    shots: Sequence[Shot],
    rules: Ruleset,
    known: Mapping[Placement, int] = MappingProxyType({}),
) -> str:
    """`Ben: B7, water.` for one shot, and `Ben: 3 hits, destroyer sunk.` for several."""
    hit = [_ship_hit(shot, rules, known) for shot in shots if shot.result is not Result.WATER]
    sunk = [_ship_hit(shot, rules, known) for shot in shots if shot.result is Result.SUNK]
    words = {
        "name": who, "cell": rules.board.name(shots[0].cell), "count": len(hit), "of": len(sunk),
        "ship": in_sentence((sunk or hit or [""])[0]),
    }  # fmt: skip
    if len(shots) == 1:
        return _single(shots[0].result, is_named=bool(words["ship"])) % words
    if not hit:
        said = _("%(name)s: water.")
    elif not sunk:
        said = ngettext("%(name)s: %(count)s hit.", "%(name)s: %(count)s hits.", len(hit))
    elif len(sunk) == 1:
        said = ngettext(
            "%(name)s: %(count)s hit, %(ship)s sunk.",
            "%(name)s: %(count)s hits, %(ship)s sunk.",
            len(hit),
        )
    else:
        said = _("%(name)s: %(count)s hits, %(of)s ships sunk.")
    return said % words


def _single(result: Result, *, is_named: bool) -> str:
    match result:
        case Result.WATER:
            return _("%(name)s: %(cell)s, water.")
        case Result.SUNK:
            return _("%(name)s: %(cell)s, %(ship)s sunk.")
    if is_named:
        return _("%(name)s: %(cell)s, %(ship)s hit.")
    return _("%(name)s: %(cell)s, hit.")


def last_shots(seen: Observation, setup: Setup) -> str:
    """The shots of both sides' last turns, the observer's first; empty before the first."""
    parts = []
    if seen.shots:
        mine = describe_shots(last_turn(seen.shots), seen.ruleset)
        parts.append(_("You fire at %(shots)s.") % {"shots": mine})
    if seen.incoming:
        theirs = describe_shots(last_turn(seen.incoming), seen.ruleset, _own_wrecks(seen))
        if setup.opponent:
            parts.append(_("The computer fires at %(shots)s.") % {"shots": theirs})
        else:
            who = player_names(setup)[seen.side.opponent]
            parts.append(_("%(name)s fires at %(shots)s.") % {"name": who, "shots": theirs})
    return " ".join(parts)


def public_status_message(saved: SavedMatch) -> str:
    """The last turn as both of two persons may see it; empty before the first shot."""
    match = saved.match
    if not match.shots:
        return ""
    last = last_turn(match.shots)
    return _in_sum(player_names(saved.setup)[last[0].side], last, match.ruleset)


def to_do(seen: Observation) -> str:
    """What the observer is to do now; empty where it is to fire, as always."""
    if seen.phase is Phase.MOVING:
        return _("Move one ship one cell, or skip.")
    left = seen.shots_left
    if seen.aimed:
        return ngettext("%(count)s shot left.", "%(count)s shots left.", left) % {"count": left}
    if seen.shots:
        return ""
    return ngettext("Your turn: choose a cell.", "Your turn: choose %(count)s cells.", left) % {
        "count": left
    }


# --- the end ---


def end_message(seen: Observation, setup: Setup) -> str:
    """What has just happened, and who won."""
    outcome = seen.outcome
    assert outcome is not None  # noqa: S101 (asked only of ended matches)
    if outcome.reason is Reason.RESIGNED:
        return _who_won(seen, setup)  # to give up is no shot
    return " ".join(filter(None, (status_message(seen, setup), _who_won(seen, setup))))


def _who_won(seen: Observation, setup: Setup) -> str:
    assert seen.outcome is not None  # noqa: S101 (asked only of ended matches)
    winner, reason = seen.outcome.winner, seen.outcome.reason
    if winner is None:
        return _("It’s a draw.")
    is_mine, names = setup.is_personal, player_names(setup)
    if setup.is_solo and reason is not Reason.RESIGNED:
        return _all_sunk(seen) if winner is seen.side else ""
    if reason is Reason.RESIGNED:
        if is_mine and winner is not seen.side:
            return _("You gave up.")
        if is_mine:
            return _("%(name)s gave up. You win.") % {"name": names[winner.opponent]}
        words = {"name": names[winner.opponent], "winner": names[winner]}
        return _("%(name)s gave up: %(winner)s wins.") % words
    if not is_mine:
        return _("%(name)s wins.") % {"name": names[winner]}
    return _("You win.") if winner is seen.side else _("You lose.")


def _all_sunk(seen: Observation) -> str:
    count = len(seen.shots)
    return ngettext(
        "The whole fleet with %(count)s shot!", "The whole fleet with %(count)s shots!", count
    ) % {"count": count}


def par_line(saved: SavedMatch) -> str:
    """How the admiral fared in this sea, in a sentence; empty where nobody searches alone."""
    if saved.par is None:
        return ""
    shots = saved.par.shots
    if shots is None:
        return _("The admiral is still searching this sea.")
    if saved.par.match.outcome and saved.par.match.outcome.winner is not Side.FIRST:
        return _("The admiral did not find them all.")
    words = {"count": shots, "edition": saved.par.minds_version}
    return (
        ngettext(
            "Par is %(count)s shot: what the admiral needed here (edition %(edition)s).",
            "Par is %(count)s shots: what the admiral needed here (edition %(edition)s).",
            shots,
        )
        % words
    )


def onboarding_step(seen: Observation) -> Onboarding:
    """What a first match teaches at this moment, or NONE."""
    if seen.outcome is not None or not seen.is_to_act:
        return Onboarding.NONE
    if seen.phase is Phase.MOVING:
        return Onboarding.MOVE
    if not seen.shots:
        return Onboarding.FIRE
    is_hit = any(shot.result is Result.HIT for shot in last_turn(seen.shots))
    return Onboarding.HIT if is_hit else Onboarding.NONE


def _first_time(seen: Observation, onboarding: Onboarding) -> str:
    """What the observer is to do now, for one who has never done it."""
    if onboarding is Onboarding.MOVE:
        return _("Move one ship one cell, or skip. Hit ships stay.")
    if onboarding is Onboarding.FIRE:
        return to_do(seen) if seen.ruleset.salvo else _("Tap a cell to fire.")
    if seen.ruleset.again and seen.shots[-1].turn == seen.turn:
        return _("You fire again. Try the cells beside it.")
    return _("Try the cells beside it.")


def match_lost() -> str:
    """That the match store has lost a duel, and how it goes on."""
    return _("The server lost track of this match. It goes on once your opponent’s page is open.")


def opponent_places(setup: Setup) -> str:
    """That the other seat is placing its fleet."""
    name = setup.names[setup.seat.opponent] if setup.seat is not None else ""
    if name:
        return _("%(name)s is placing a fleet.") % {"name": name}
    return _("Your opponent is placing a fleet.")


def verdict(seen: Observation, setup: Setup) -> tuple[str, str]:
    """The headline of an ended match, and how it came to that, in one line from its record."""
    return _headline(seen, setup), _why(seen, setup)


def _headline(seen: Observation, setup: Setup) -> str:
    assert seen.outcome is not None  # noqa: S101 (asked only of ended matches)
    winner, reason = seen.outcome.winner, seen.outcome.reason
    if winner is None:
        return _("A draw")
    if not setup.is_personal:
        return _("%(name)s wins") % {"name": player_names(setup)[winner]}
    if winner is seen.side:
        return _("The sea is yours")
    if setup.is_solo:
        return _("They got away")
    return _("Your fleet is lost") if reason is Reason.ALL_SUNK else _("The sea is theirs")


def _why(seen: Observation, setup: Setup) -> str:
    assert seen.outcome is not None  # noqa: S101 (asked only of ended matches)
    winner, reason = seen.outcome.winner, seen.outcome.reason
    if winner is not None and reason is Reason.RESIGNED:
        return _given_up(seen, setup, winner.opponent)
    if winner is not None and reason is Reason.ALL_SUNK:
        return _last_sunk(seen, setup, winner)
    if reason is Reason.LIMIT:
        left = len(seen.enemy_left)
        return ngettext(
            "The turns ran out, with %(count)s ship still to find.",
            "The turns ran out, with %(count)s ships still to find.",
            left,
        ) % {"count": left}
    mine, theirs = sum(ship.is_afloat for ship in seen.ships), len(seen.enemy_left)
    if winner is None:
        return ngettext(
            "The turns ran out, with %(count)s ship afloat on each side.",
            "The turns ran out, with %(count)s ships afloat on each side.",
            mine,
        ) % {"count": mine}
    if setup.is_personal:
        return ngettext(
            "The turns ran out: %(count)s ship afloat against %(theirs)s.",
            "The turns ran out: %(count)s ships afloat against %(theirs)s.",
            mine,
        ) % {"count": mine, "theirs": theirs}
    one, other = player_names(setup)[seen.side], player_names(setup)[seen.side.opponent]
    why = _("The turns ran out. Ships afloat: %(one)s %(mine)s, %(other)s %(theirs)s.")
    return why % {"one": one, "mine": mine, "other": other, "theirs": theirs}


def _given_up(seen: Observation, setup: Setup, who: Side) -> str:
    if setup.is_solo:
        left = len(seen.enemy_left)
        return ngettext(
            "You gave up with %(count)s ship still to find.",
            "You gave up with %(count)s ships still to find.",
            left,
        ) % {"count": left}
    turn = max(1, seen.ruleset.turns_of(who, seen.turn + 1))
    if setup.is_personal and who is seen.side:
        afloat = sum(ship.is_afloat for ship in seen.ships)
        return ngettext(
            "You gave up in turn %(turn)s, with %(count)s ship still afloat.",
            "You gave up in turn %(turn)s, with %(count)s ships still afloat.",
            afloat,
        ) % {"turn": turn, "count": afloat}
    return _("%(name)s gave up in turn %(turn)s.") % {
        "name": player_names(setup)[who],
        "turn": turn,
    }


def _last_sunk(seen: Observation, setup: Setup, winner: Side) -> str:
    """The last ship of the loser, and what the winner had left."""
    rules, has_won = seen.ruleset, winner is seen.side
    shots = seen.shots if has_won else seen.incoming
    last = next(shot for shot in reversed(shots) if shot.result is Result.SUNK)
    words: dict[str, object] = {
        "ship": in_sentence(_kind_sunk(last, rules, _own_wrecks(seen))),
        "cell": rules.board.name(last.cell),
    }
    if not setup.is_personal:
        words["name"] = player_names(setup)[winner.opponent]
        return _("%(name)s lost the last ship, a %(ship)s, at %(cell)s.") % words
    if not has_won:
        words["count"] = left = len(seen.enemy_left)
        why = ngettext(
            "Your last ship, a %(ship)s, sank at %(cell)s. They had one left.",
            "Your last ship, a %(ship)s, sank at %(cell)s. They had %(count)s left.",
            left,
        )
        return why % words
    if seen.ships and all(ship.is_afloat for ship in seen.ships):
        return _("Their last ship, a %(ship)s, sank at %(cell)s. You lost none.") % words
    words["count"] = spare = _turns_to_spare(seen)
    if not spare:
        return _("Their last ship, a %(ship)s, sank at %(cell)s.") % words
    why = ngettext(
        "Their last ship, a %(ship)s, sank at %(cell)s, with %(count)s turn to spare.",
        "Their last ship, a %(ship)s, sank at %(cell)s, with %(count)s turns to spare.",
        spare,
    )
    return why % words


def _kind_sunk(shot: Shot, rules: Ruleset, known: Mapping[Placement, int]) -> str:
    """What kind of ship was sunk, without the number that tells it from others of its kind."""
    if is_1990(rules.fleet):
        return _ship_hit(shot, rules, known)
    return kind_name(rules, shot.wreck.length) if shot.wreck else ""


def _turns_to_spare(seen: Observation) -> int:
    """How many turns the observer had left after its last shot; 0 where nobody set a limit."""
    if seen.ruleset.turns is None or seen.own_limit is None:
        return 0
    return seen.own_limit - seen.ruleset.turns_of(seen.side, seen.shots[-1].turn + 1)


# --- turns, figures and steps ---


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
    if setup.is_solo:
        return [_figures(mine, seen.shots)]
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
    return _("no ship moves")


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
    (cell, chance), *others = best
    words = {"cell": board.name(cell), "chance": percent(chance)}
    said = [_("Coach: best %(cell)s, %(chance)s.") % words]
    if others:
        words["others"] = "; ".join(f"{board.name(it)}, {percent(rate)}" for it, rate in others)
        said = [_("Coach: best %(cell)s, %(chance)s; then %(others)s.") % words]
    hits = open_hits(seen)
    if hits:
        ships = "; ".join(
            f"{names[ship]} {' '.join(map(board.name, where))}" for ship, where in hits.items()
        )
        said.append(_("Hit, still afloat: %(ships)s.") % {"ships": ships})
    return " ".join(said)


def open_hits(seen: Observation) -> dict[int, list[Cell]]:
    """Where hits are named: the cells hit of each enemy ship that is hit and afloat."""
    found: dict[int, list[Cell]] = {}
    for shot in seen.shots:
        if shot.ship is not None and seen.enemy_hits[shot.ship] < seen.ruleset.fleet[shot.ship]:
            found.setdefault(shot.ship, []).append(shot.cell)
    return found


def told_word(shot: Shot, rules: Ruleset) -> str:
    """The result of a shot in a word, and the ship where hits are named: `hit, cruiser`."""
    word = result_word(shot.result)
    return word if shot.ship is None else f"{word}, {in_sentence(ship_names(rules)[shot.ship])}"


def coach_waits() -> str:
    """The coach's line while the person is not to fire."""
    return _("Coach: back at your next shot.")


def ships_missing(count: int) -> str:
    """How many ships are yet to be placed."""
    return ngettext("%(count)s ship left to place.", "%(count)s ships left to place.", count) % {
        "count": count
    }


def placing_onboarding_step(draft: Draft) -> Onboarding:
    """What a first match teaches of placing at this moment, or NONE."""
    is_new = not draft.placed and draft.setup.preset.placing is Placing.SHIPS
    return Onboarding.PLACE if is_new else Onboarding.NONE


def placing_message(draft: Draft, onboarding: Onboarding = Onboarding.NONE) -> str:
    """What is to be done next with a draft; `onboarding` is told in place of it."""
    if onboarding:
        return _("Tap a ship, then the sea; or Random.")
    if draft.held is not None:
        return _("%(ship)s picked up: choose the cell for its bow.") % {
            "ship": kind_name(draft.setup.ruleset, draft.held.length)
        }
    if not draft.missing:
        if draft.setup.is_shared and draft.first is None:
            return _("Your fleet is ready. The other player places next.")
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
        return _("Ship by ship: choose the cell for its bow.")
    return _("Choose a ship, then a cell for its bow. Or press Random.")
