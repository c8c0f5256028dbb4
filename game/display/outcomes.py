"""The end of a match in sentences: the outcome, how it came about, par, and both sides' figures."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.messages import own_wrecks, ship_hit, status_message
from game.display.names import in_sentence, kind_name, player_names
from game.engine.actions import Outcome, Reason, Result, Shot
from game.engine.observation import Observation
from game.engine.presets import is_1990
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup


def _outcome(seen: Observation) -> Outcome:
    if seen.outcome is None:
        raise ValueError("the match goes on")
    return seen.outcome


def end_message(seen: Observation, setup: Setup) -> str:
    outcome = _outcome(seen)
    winner = outcome.winner
    if winner is not None and outcome.reason is Reason.RESIGNED:
        return _who_resigned(seen, setup, winner)  # to give up is no shot
    return " ".join(filter(None, (status_message(seen, setup), _who_won(seen, setup, winner))))


def _who_resigned(seen: Observation, setup: Setup, winner: Side) -> str:
    if setup.is_personal and winner is not seen.side:
        return _("You gave up.")
    names = player_names(setup)
    words = {"name": names[winner.opponent], "winner": names[winner]}
    if setup.is_personal:
        return _("%(name)s gave up. You win.") % words
    return _("%(name)s gave up: %(winner)s wins.") % words


def _who_won(seen: Observation, setup: Setup, winner: Side | None) -> str:
    if winner is None:
        return _("It’s a draw.")
    if setup.is_solo:
        count = len(seen.shots)
        said = ngettext(
            "The whole fleet with %(count)s shot!", "The whole fleet with %(count)s shots!", count
        )
        return said % {"count": count} if winner is seen.side else ""
    if not setup.is_personal:
        return _("%(name)s wins.") % {"name": player_names(setup)[winner]}
    return _("You win.") if winner is seen.side else _("You lose.")


def verdict(seen: Observation, setup: Setup) -> tuple[str, str]:
    """Returns the headline of an ended match, and one line about how it ended."""
    outcome = _outcome(seen)
    return _headline(seen, setup, outcome), _why(seen, setup, outcome)


def _headline(seen: Observation, setup: Setup, outcome: Outcome) -> str:
    winner = outcome.winner
    if winner is None:
        return _("A draw")
    if not setup.is_personal:
        return _("%(name)s wins") % {"name": player_names(setup)[winner]}
    if winner is seen.side:
        return _("The sea is yours")
    if setup.is_solo:
        return _("They got away")
    return _("Your fleet is lost") if outcome.reason is Reason.ALL_SUNK else _("The sea is theirs")


def _why(seen: Observation, setup: Setup, outcome: Outcome) -> str:
    winner, reason = outcome.winner, outcome.reason
    if winner is not None and reason is Reason.RESIGNED:
        return _given_up(seen, setup, winner.opponent)
    if winner is not None and reason is Reason.ALL_SUNK:
        return _last_sunk(seen, setup, winner)
    mine, theirs = sum(ship.is_afloat for ship in seen.ships), len(seen.enemy_left)
    if reason is Reason.LIMIT:
        return ngettext(
            "The turns ran out, with %(count)s ship still to find.",
            "The turns ran out, with %(count)s ships still to find.",
            theirs,
        ) % {"count": theirs}
    if winner is not None and not setup.is_personal:
        names = player_names(setup)
        one, other = names[seen.side], names[seen.side.opponent]
        why = _("The turns ran out. Ships afloat: %(one)s %(mine)s, %(other)s %(theirs)s.")
        return why % {"one": one, "mine": mine, "other": other, "theirs": theirs}
    why = (
        ngettext(
            "The turns ran out, with %(count)s ship afloat on each side.",
            "The turns ran out, with %(count)s ships afloat on each side.",
            mine,
        )
        if winner is None
        else ngettext(
            "The turns ran out: %(count)s ship afloat against %(theirs)s.",
            "The turns ran out: %(count)s ships afloat against %(theirs)s.",
            mine,
        )
    )
    return why % {"count": mine, "theirs": theirs}


def _given_up(seen: Observation, setup: Setup, who: Side) -> str:
    if setup.is_solo:
        left = len(seen.enemy_left)
        return ngettext(
            "You gave up with %(count)s ship still to find.",
            "You gave up with %(count)s ships still to find.",
            left,
        ) % {"count": left}
    afloat = sum(ship.is_afloat for ship in seen.ships)
    turn = max(1, seen.ruleset.turns_of(who, seen.turn + 1))
    words = {"name": player_names(setup)[who], "turn": turn, "count": afloat}
    if not setup.is_personal or who is not seen.side:
        return _("%(name)s gave up in turn %(turn)s.") % words
    return (
        ngettext(
            "You gave up in turn %(turn)s, with %(count)s ship still afloat.",
            "You gave up in turn %(turn)s, with %(count)s ships still afloat.",
            afloat,
        )
        % words
    )


def _last_sunk(seen: Observation, setup: Setup, winner: Side) -> str:
    """Returns the last ship of the loser, and what the winner had left."""
    rules, has_won = seen.ruleset, winner is seen.side
    shots = seen.shots if has_won else seen.incoming
    last, wreck = next((shot, shot.wreck) for shot in reversed(shots) if shot.wreck)
    # Only the fleet of 1990 tells its ships of one length apart by their names.
    name = (
        ship_hit(last, rules, own_wrecks(seen))
        if is_1990(rules.fleet)
        else kind_name(rules, wreck.length)
    )
    words: dict[str, object] = {"ship": in_sentence(name), "cell": rules.board.name(last.cell)}
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


def _turns_to_spare(seen: Observation) -> int:
    """Returns how many turns the observer had left after its last shot; 0 without a limit."""
    if seen.ruleset.turns is None or seen.own_limit is None:
        return 0
    return seen.own_limit - seen.ruleset.turns_of(seen.side, seen.shots[-1].turn + 1)


class Figures(NamedTuple):
    who: str
    shots: int
    hits: int
    rate: float  # percent of the shots
    sunk: int


def figures(seen: Observation, setup: Setup) -> list[Figures]:
    """Returns the figures of both sides, the observer's first."""
    mine, theirs = player_names(setup)[seen.side], player_names(setup)[seen.side.opponent]
    if setup.is_solo:
        return [_figures(mine, seen.shots)]
    return [_figures(mine, seen.shots), _figures(theirs, seen.incoming)]


def _figures(who: str, shots: tuple[Shot, ...]) -> Figures:
    hits = sum(shot.result is not Result.WATER for shot in shots)
    sunk = sum(shot.result is Result.SUNK for shot in shots)
    return Figures(who, len(shots), hits, 100 * hits / len(shots) if shots else 0.0, sunk)


def par_line(saved: SavedMatch) -> str:
    """Returns how the admiral did in the same sea; empty unless the player searches alone."""
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
