"""From the engine's values to sentences, in the language of the request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from game.boards import last_turn
from game.engine.geometry import Board, Cell, Direction, NotACell
from game.engine.match import (
    CellSpent,
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
    WayBarred,
)
from game.engine.observation import Observation, Phase, Shot
from game.engine.rules import (
    DoesNotFit,
    NotAPlacement,
    OffBoard,
    Ruleset,
    ShipsOverlap,
    ShipsTouch,
    Way,
    WrongShips,
)
from game.sitting import Draft

COUNTDOWN = 20
"""The countdown is shown over this many last half-turns."""


_SHIPS = {
    1: pgettext_lazy("ship", "Patrol boat"),
    2: pgettext_lazy("ship", "Submarine"),
    3: pgettext_lazy("ship", "Destroyer"),
    4: pgettext_lazy("ship", "Cruiser"),
    5: pgettext_lazy("ship", "Battleship"),
    6: pgettext_lazy("ship", "Carrier"),
    7: pgettext_lazy("ship", "Heavy carrier"),
    8: pgettext_lazy("ship", "Supercarrier"),
}


def ship_name(length: int) -> str:
    """What a ship of that length is called."""
    return str(_SHIPS[length])


_MINDS = {
    "bonn-easy": gettext_lazy("Bonn, easy"),
    "bonn-medium": gettext_lazy("Bonn, medium"),
    "bonn-hard": gettext_lazy("Bonn, hard"),
    "drifter": gettext_lazy("The drifter"),
    "recruit": gettext_lazy("Recruit"),
    "sailor": gettext_lazy("Sailor"),
    "lieutenant": gettext_lazy("Lieutenant"),
    "captain": gettext_lazy("Captain"),
    "admiral": gettext_lazy("Admiral"),
}


def opponent_line(name: str) -> str:
    """Whom one plays against."""
    return _("Opponent: %(name)s.") % {"name": _MINDS[name]}


def refusal(error: Exception) -> str:
    """One sentence for a person whose action was refused."""
    sentences: dict[type[Exception], str] = {
        NotACell: _("That is not a cell of this board."),
        CellSpent: _("There is nothing new to learn there: choose another cell."),
        NotFiring: _("It is time to move a ship or to stay, not to fire."),
        NotMoving: _("It is time to fire, not to move a ship."),
        MatchOver: _("This match is over."),
        NoSuchShip: _("There is no such ship."),
        ShipHit: _("A ship that has been hit cannot move."),
        WayBarred: _("That ship cannot move there."),
        ShipsOverlap: _("Two ships cannot lie on the same cell."),
        ShipsTouch: _("Ships must not touch, not even at the corners."),
        OffBoard: _("The ship would stick out over the edge of the board."),
        NotAPlacement: _("That is not a place for a ship."),
        WrongShips: _("These are not the ships of this fleet."),
        DoesNotFit: _("The missing ships no longer fit: take one back or clear the board."),
    }
    return sentences.get(type(error), _("That is not possible now."))


def _shot(board_name: str, result: Result, length: int | None) -> str:
    if result is Result.WATER:
        return _("%(cell)s: water") % {"cell": board_name}
    if length is not None:
        return _("%(cell)s: %(ship)s sunk") % {"cell": board_name, "ship": ship_name(length)}
    return _("%(cell)s: hit") % {"cell": board_name}


def tell(shots: tuple[Shot, ...], rules: Ruleset) -> str:
    """`B7: hit, B8: water`: what shots met, in order."""
    return ", ".join(
        _shot(rules.board.name(s.cell), s.result, s.wreck.length if s.wreck else None)
        for s in shots
    )


def news(seen: Observation) -> str:
    """What just happened, and what is to be done: one text, said once a turn."""
    rules = seen.ruleset
    parts = []
    if seen.shots:
        mine = last_turn(seen.shots) if rules.salvo else seen.shots[-1:]
        parts.append(f"{tell(mine, rules)}.")
    reply = tuple(shot for shot in seen.incoming if not seen.shots or shot.ply > seen.shots[-1].ply)
    if reply:
        parts.append(_("The computer fires at %(shots)s.") % {"shots": tell(reply, rules)})
    if seen.outcome is None and seen.is_to_act:
        parts.append(to_do(seen))
    return " ".join(parts)


def to_do(seen: Observation) -> str:
    """What the observer is to do now."""
    if seen.phase is Phase.MOVING:
        return _("Move one ship by a cell, or stay.")
    if seen.ruleset.salvo:
        left = ngettext("%(count)s shot left.", "%(count)s shots left.", seen.shots_left)
        return _("Your salvo:") + " " + left % {"count": seen.shots_left}
    again = seen.shots and seen.shots[-1].turn == seen.turn and seen.ruleset.again
    return _("Fire again!") if again else _("Your turn: fire!")


def verdict(seen: Observation) -> tuple[str, str]:
    """The headline of an ended match, and one sentence that says why."""
    assert seen.outcome is not None  # noqa: S101 (asked only of ended matches)
    outcome = seen.outcome
    if outcome.winner is None:
        headline = _("A draw.")
    elif outcome.winner is seen.side:
        headline = _("You won!")
    else:
        headline = _("You lost.")
    mine = sum(ship.is_afloat for ship in seen.ships)
    theirs = len(seen.enemy_left)
    if outcome.reason is Reason.ALL_SUNK:
        if outcome.winner is seen.side:
            why = _("You sank the whole enemy fleet.")
        else:
            why = _("Your whole fleet is sunk.")
    elif outcome.reason is Reason.LIMIT:
        why = _("The turns ran out.")
    else:
        why = _("The turns ran out. Ships afloat: you %(mine)s, the computer %(theirs)s.")
        why %= {"mine": mine, "theirs": theirs}
    return headline, why


class FleetLine(NamedTuple):
    """One kind of ship in a fleet's list."""

    name: str
    length: int
    ships: tuple[tuple[str, str], ...]
    """Each ship's look (afloat, hit, sunk) and its state in words."""
    is_gone: bool


def enemy_fleet(seen: Observation) -> tuple[FleetLine, ...]:
    """The enemy's fleet by length: which ships are still to be found."""
    left = Counter(seen.enemy_left)
    lines = []
    for length, count in sorted(Counter(seen.ruleset.fleet).items(), reverse=True):
        afloat = [("afloat", _("afloat"))] * left[length]
        sunk = [("sunk", pgettext("ship", "sunk"))] * (count - left[length])
        lines.append(FleetLine(ship_name(length), length, (*afloat, *sunk), not left[length]))
    return tuple(lines)


def own_fleet(seen: Observation) -> tuple[FleetLine, ...]:
    """One's own fleet by length, and how each ship is."""
    kinds: dict[int, list[tuple[str, str]]] = {}
    for ship in seen.ships:
        if not ship.is_afloat:
            state = ("sunk", pgettext("ship", "sunk"))
        elif ship.hits:
            hits, of = len(ship.hits), ship.placement.length
            state = ("hit", _("hit %(hits)s of %(of)s") % {"hits": hits, "of": of})
        else:
            state = ("afloat", _("afloat"))
        kinds.setdefault(ship.placement.length, []).append(state)
    return tuple(
        FleetLine(ship_name(length), length, tuple(ships), all(s[0] == "sunk" for s in ships))
        for length, ships in sorted(kinds.items(), reverse=True)
    )


def rule_line(rules: Ruleset) -> str:
    """The rules in force, in one line of short sentences."""
    parts = [
        _("Ships may touch.") if rules.touching else _("Ships never touch, not even at corners."),
        _("Whoever hits fires again.")
        if rules.again
        else _("One volley a turn.")
        if rules.salvo
        else _("One shot a turn."),
    ]
    if rules.salvo:
        parts.insert(1, _("A salvo: one shot for each ship afloat."))
    if rules.moving:
        parts.append(_("After firing, one ship may move."))
    if rules.turns is not None:
        parts.append(
            ngettext("%(count)s turn.", "%(count)s turns in all.", rules.turns)
            % {"count": rules.turns}
        )
    return " ".join(parts)


def turn_line(seen: Observation) -> str:
    """Which turn it is, of how many; a countdown over the last of them."""
    limit, left = seen.ruleset.turns, seen.turns_left
    if seen.outcome is not None:
        return ngettext("Ended after %(count)s turn", "Ended after %(count)s turns", seen.turn) % {
            "count": seen.turn
        }
    if limit is None or left is None:
        return _("Turn %(turn)s") % {"turn": seen.turn + 1}
    if left <= COUNTDOWN:
        return ngettext("%(count)s turn left", "%(count)s turns left", left) % {"count": left}
    return _("Turn %(turn)s of %(limit)s") % {"turn": seen.turn + 1, "limit": limit}


def is_countdown(seen: Observation) -> bool:
    """Whether the countdown is running."""
    left = seen.turns_left
    return seen.outcome is None and seen.ruleset.turns is not None and (left or 0) <= COUNTDOWN


class Figures(NamedTuple):
    """One side's match in numbers."""

    who: str
    shots: int
    hits: int
    rate: float
    """Percent of the shots that hit."""
    sunk: int


def figures(seen: Observation) -> list[Figures]:
    """Shots, hits, rate and sinkings of both sides."""
    return [_figures(_("You"), seen.shots), _figures(_("Computer"), seen.incoming)]


def _figures(who: str, shots: tuple[Shot, ...]) -> Figures:
    hits = sum(shot.result is not Result.WATER for shot in shots)
    sunk = sum(shot.result is Result.SUNK for shot in shots)
    return Figures(who, len(shots), hits, 100 * hits / len(shots) if shots else 0.0, sunk)


def result_word(result: Result) -> str:
    """What a shot met, in a word."""
    words = {
        Result.WATER: _("water"),
        Result.HIT: _("hit"),
        Result.SUNK: pgettext("cell", "sunk"),
    }
    return words[result]


def step_line(match: Match, ply: int) -> str:
    """What happened at a ply of an ended match, in a few words."""
    board, action = match.ruleset.board, match.actions[ply]
    if isinstance(action, Fire):
        shot = next(shot for shot in match.shots if shot.ply == ply)
        return _shot(board.name(shot.cell), shot.result, shot.wreck.length if shot.wreck else None)
    if isinstance(action, Steer):
        length = match.ruleset.fleet[action.ship]
        is_fore = action.way is Way.FORE
        is_down = match.fleets[match.sides[ply]][action.ship].direction is Direction.DOWN
        template = {
            (True, True): _("%(ship)s moves up"),
            (True, False): _("%(ship)s moves left"),
            (False, True): _("%(ship)s moves down"),
            (False, False): _("%(ship)s moves right"),
        }[is_fore, is_down]
        return template % {"ship": ship_name(length)}
    return _("the ships stay")


def percent(chance: float) -> str:
    """A chance as whole percent, in the way of the language."""
    return _("%(rate)s%%") % {"rate": round(100 * chance)}


def coach_line(board: Board, best: Sequence[tuple[Cell, float]]) -> str:
    """The coach's advice: the best cells with their chances."""
    cells = ", ".join(f"{board.name(cell)} ({percent(chance)})" for cell, chance in best)
    return _("Best chances: %(cells)s.") % {"cells": cells}


def coach_waits() -> str:
    """What stands in the coach's line while there is nothing to fire at."""
    return _("The coach speaks again when you fire.")


class Berth(NamedTuple):
    """One kind of ship in the harbour: how many still wait to be placed."""

    length: int
    name: str
    left: int
    of: int
    is_picked: bool


def harbour(draft: Draft) -> list[Berth]:
    """The harbour of a draft, longest ships first."""
    left = Counter(draft.missing)
    return [
        Berth(length, ship_name(length), left[length], of, length == draft.in_hand)
        for length, of in sorted(Counter(draft.setup.ruleset.fleet).items(), reverse=True)
    ]


def still_to_place(count: int) -> str:
    """How many ships have no place yet."""
    return ngettext(
        "%(count)s ship still has to be placed.", "%(count)s ships still have to be placed.", count
    ) % {"count": count}


def placing_news(draft: Draft) -> str:
    """What is to be done while placing."""
    if not draft.missing:
        return _("Your fleet is ready. Start when you like.")
    if not draft.placed:
        return _("Place your fleet: drag the ships, tap, draw them, or leave it to chance.")
    return still_to_place(len(draft.missing))
