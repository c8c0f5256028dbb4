"""The end of a match in sentences: the outcome, how it came about, par, and both sides' figures."""

from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display.messages import Status, status_of
from game.display.names import in_words, player_names
from game.display.words import joined, plural
from game.engine.actions import Outcome, Reason, Result, until_all_sunk
from game.engine.observation import Observation
from game.engine.rules import Side
from game.matches.saved import SavedMatch
from game.matches.setup import Setup


def _outcome(seen: Observation) -> Outcome:
    if seen.outcome is None:
        raise ValueError("the match goes on")
    return seen.outcome


def end_status(seen: Observation, setup: Setup, par: int | None = None) -> Status:
    """Returns the last shots, who won, and par."""
    outcome, status = _outcome(seen), status_of(seen, setup)
    winner = outcome.winner
    said = joined(
        "" if outcome.reason is Reason.ALL_SUNK else _("The turns ran out."),
        _who_won(seen, setup, winner),
    )
    if outcome.reason is Reason.ABANDONED:
        said, status = _("The match was ended without a winner."), Status()
    elif winner is not None and outcome.reason is Reason.RESIGNED:  # to give up is no shot
        said, status = _gave_up(seen, setup, winner), Status()
    return replace(status, to_do=joined(said, _("Par: %(count)s.") % {"count": par} if par else ""))


def _gave_up(seen: Observation, setup: Setup, winner: Side) -> str:
    if setup.is_personal and winner is not seen.side:
        return _("You gave up.")
    names, won = player_names(setup), _("%(name)s gave up. You win.")
    line = won if setup.is_personal else _("%(name)s gave up: %(winner)s wins.")
    return line % {"name": names[winner.opponent], "winner": names[winner]}


def _who_won(seen: Observation, setup: Setup, winner: Side | None) -> str:
    if winner is None:
        return _("It’s a draw.")
    if setup.is_solo and winner is not seen.side:
        return ""
    if setup.is_solo:
        count = len(seen.counted)
        return plural(
            "The whole fleet in %(count)s shot!", "The whole fleet in %(count)s shots!", count
        )
    if not setup.is_personal:
        return _("%(name)s wins.") % {"name": player_names(setup)[winner]}
    return _("You win.") if winner is seen.side else _("You lose.")


def verdict(seen: Observation, setup: Setup, par: int | None = None) -> tuple[str, str]:
    """Returns the headline of an ended match, and a line about how it ended, which may be empty.

    `par` is what `par_met` returns.
    """
    outcome = _outcome(seen)
    shots = len(seen.counted)
    if not setup.is_solo or outcome.winner is not seen.side:
        return _headline(seen, setup, outcome), _why(seen, setup, outcome)
    if par is None or shots > par:
        return _("All ships sunk"), ""
    return _("Better than the admiral") if shots < par else _("As good as the admiral"), ""


def _headline(seen: Observation, setup: Setup, outcome: Outcome) -> str:
    winner = outcome.winner
    if outcome.reason is Reason.ABANDONED:
        return _("No winner")
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
    """Returns what the last sentence of the status has not said; empty if that says it all."""
    winner, reason = outcome.winner, outcome.reason
    if reason is Reason.ABANDONED:
        return _("One of the two players was away for more than ten minutes.")
    if winner is not None and reason is Reason.RESIGNED:
        return _still_to_find(len(seen.enemy_left)) if setup.is_solo else ""
    if winner is not None and reason is Reason.ALL_SUNK:
        return _lead(seen, winner) if setup.is_personal else ""
    mine, theirs = sum(ship.is_afloat for ship in seen.ships), len(seen.enemy_left)
    if reason is Reason.LIMIT:
        neither = _(
            "Neither fleet is sunk. By these rules that is a draw, no matter who sank more."
        )
        return _still_to_find(theirs) if setup.is_solo else neither
    if winner is not None and not setup.is_personal:
        names = player_names(setup)
        own, other = names[seen.side], names[seen.side.opponent]
        why = _("Ships afloat: %(one)s %(mine)s, %(other)s %(theirs)s.")
        return why % {"one": own, "mine": mine, "other": other, "theirs": theirs}
    if winner is None:
        return plural(
            "%(count)s ship afloat on each side.", "%(count)s ships afloat on each side.", mine
        )
    return plural(
        "%(count)s ship afloat against %(theirs)s.",
        "%(count)s ships afloat against %(theirs)s.",
        mine,
        theirs=theirs,
    )


def _still_to_find(left: int) -> str:
    return plural("%(count)s ship still to find.", "%(count)s ships still to find.", left)


def _lead(seen: Observation, winner: Side) -> str:
    """Returns by how much the winner was ahead, to the loser or to the winner."""
    if winner is not seen.side:
        left = len(seen.enemy_left)
        return plural("They had %(count)s ship left.", "They had %(count)s ships left.", left)
    if all(ship.is_afloat for ship in seen.ships):
        return _("You lost none.")
    if seen.ruleset.turns is None or seen.own_limit is None:
        return ""
    spare = seen.own_limit - seen.ruleset.turns_of(seen.side, seen.shots[-1].turn + 1)
    said = plural("%(count)s turn to spare.", "%(count)s turns to spare.", spare)
    return said if spare else ""


class Figures(NamedTuple):
    who: str
    shots: int
    hits: int
    rate: float  # percent of the shots
    sunk: int
    questions: str
    """`3 of 5`; empty where the rules have no questions."""


def figures(seen: Observation, setup: Setup) -> list[Figures]:
    """Returns the figures of both sides, the observer's first."""
    names, may_ask = player_names(setup), seen.ruleset.questions
    met = len(seen.ruleset.fleet) - len(seen.enemy_left)
    sides = [(names[seen.side], seen.counted, seen.asked, met)]
    if not setup.is_solo:
        incoming = until_all_sunk(seen.incoming, len(seen.ruleset.fleet))
        lost = sum(not ship.is_afloat for ship in seen.ships)
        sides.append((names[seen.side.opponent], incoming, seen.asked_by_enemy, lost))
    rows = []
    for who, shots, asked, sunk in sides:
        hits = sum(shot.result is not Result.WATER for shot in shots)
        rate = 100 * hits / len(shots) if shots else 0.0
        told = _("%(count)s of %(of)s") % {"count": len(asked), "of": may_ask} if may_ask else ""
        rows.append(Figures(who, len(shots), hits, rate, sunk, told))
    return rows


def goal(saved: SavedMatch) -> str:
    """Returns `Sink five ships. The admiral needed 31 shots (par).`; empty unless alone.

    Par is told before the end of a day's sea only, where it is known from the start.
    """
    if not saved.setup.is_solo:
        return ""
    count = len(saved.setup.ruleset.fleet)
    said = plural("Sink the ship.", "Sink %(count)s ships.", count, count=in_words(count))
    if saved.setup.day and (par := par_met(saved)):
        told = plural(
            "The admiral needed %(count)s shot (par).",
            "The admiral needed %(count)s shots (par).",
            par,
        )
        said = f"{said} {told}"
    return said


def score(saved: SavedMatch, seen: Observation) -> tuple[str, ...]:
    """Returns `47 shots`, and if par is known `par 25` and for a whole fleet `22 over par`."""
    shots, par, outcome = len(seen.counted), par_met(saved), seen.outcome
    said = [plural("%(count)s shot", "%(count)s shots", shots)]
    if par and (outcome is not None or saved.setup.day):
        said.append(_("par %(par)s") % {"par": par})
        if outcome is not None and outcome.winner is seen.side:
            over = shots - par
            line = _("%(count)s over par") if over > 0 else _("%(count)s under par")
            said.append(line % {"count": abs(over)} if over else _("on par"))
    return tuple(said)


def par_met(saved: SavedMatch) -> int | None:
    """Returns par if it is known, and the admiral found the whole fleet."""
    return saved.par.shots or None if saved.par else None


def par_line(saved: SavedMatch) -> str:
    """Returns how the admiral did in the same sea; empty unless the player searches alone."""
    if saved.is_par_due:
        return _("The admiral is still searching this sea.")
    if saved.par is None:
        return ""
    shots, asked = saved.par
    if not shots:
        return _("The admiral did not find them all.")
    said = plural(
        "Par: %(count)s shot, as many as the admiral needed.",
        "Par: %(count)s shots, as many as the admiral needed.",
        shots,
    )
    if asked:
        and_asked = plural(
            "The admiral asked %(count)s question.", "The admiral asked %(count)s questions.", asked
        )
        said = f"{said} {and_asked}"
    return said


def assists_line(used: tuple[str, ...]) -> str:
    """Returns the help that was used, such as `with hints, with a turn taken back`, or nothing."""
    said = {
        (): "",
        ("hints",): _("with hints"),
        ("coach",): _("with the coach"),
        ("hints", "coach"): _("with hints and the coach"),
    }[tuple(mark for mark in used if mark != "back")]
    # A player who goes back to an older address has seen what lies there.
    return joined(said, _("with a turn taken back") if "back" in used else "", between=", ")
