"""What a page at two devices says of the other player: where they are, and what they do."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display.names import friend_in_text, isolated
from game.engine.rules import Side
from game.matches.duel import Duel
from game.matches.presence import Presence
from game.matches.setup import Setup


class Company(NamedTuple):
    """The words of a page for the presence of the other player."""

    doing: str
    """What the other player does while present: `aiming`, `placing` or `waiting`; or `left`."""
    line: str
    """What is known now; empty if nothing is."""
    here: str
    away: str
    """With `{minutes}` in place of the number, which is 2 at least."""
    long_away: str
    nudged: str
    remind: str


def company(duel: Duel, side: Side, there: Presence) -> Company:
    """Returns what a seat is told of the other one, which anybody could know from the steps."""
    other, name = side.opponent, friend_name(duel, side)
    doing = _doing(duel, other)
    words = {"name": name}
    said = {
        "aiming": _("%(name)s is aiming"),
        "placing": _("%(name)s is placing ships"),
        "waiting": _("%(name)s is waiting"),
        "left": _("%(name)s has left the match"),
    }
    here = said[doing] % words
    away = _("%(name)s has been away for {minutes} minutes") % words
    long_away = _("%(name)s has been away for more than ten minutes") % words
    line = away.replace("{minutes}", str(there.minutes_away)) if there.is_away else ""
    if doing == "left" or there.is_here:
        line = here
    elif there.may_end:
        line = long_away
    return Company(
        doing, line, here, away, long_away, _("%(name)s nudges you!") % words,
        _("Remind %(name)s") % words if duel.setup.names[other] else _("Remind"),
    )  # fmt: skip


def presence_word(found: Company, there: Presence) -> str:
    """Returns `data-presence`; empty if nothing is known."""
    if found.doing == "left" or there.is_here:
        return found.doing
    return "away" if there.is_away else ""


def friend_name(duel: Duel, side: Side) -> str:
    """Returns the name of the other player within a sentence."""
    return isolated(duel.setup.names[side.opponent]) or _("Your opponent")


def _doing(duel: Duel, other: Side) -> str:
    match = duel.match
    if duel.left[other]:
        return "left"
    if match is None:
        return "placing" if duel.fleets[other] is None else "waiting"
    return "aiming" if match.outcome is None and match.side is other else "waiting"


def rematch(duel: Duel, side: Side) -> str:
    """Returns what a seat is told of a rematch that one of them wants; empty if neither does."""
    if duel.wishes[side]:
        return _("You have offered a rematch. It begins once your opponent wants it, too.")
    if duel.wishes[side.opponent]:
        return _("%(name)s wants a rematch.") % {"name": friend_name(duel, side)}
    return ""


def opponent_left(setup: Setup) -> str:
    name = friend_in_text(setup)
    if name:
        return _("%(name)s has left the match.") % {"name": name}
    return _("Your opponent has left the match.")


def withdrawn(setup: Setup) -> str:
    name = isolated(setup.names[Side.FIRST])
    if name:
        return _("%(name)s has withdrawn this invitation.") % {"name": name}
    return _("This invitation has been withdrawn.")


def call(inviter: str) -> str:
    """Returns what the page of an invitation calls for."""
    if inviter:
        words = {"name": isolated(inviter)}
        return _("%(name)s invites you to a game of Battleship") % words
    return _("You are invited to a game of Battleship")


def invitation(name: str, game: str) -> str:
    """Returns the sentence that goes with the link to a friend."""
    if name:
        words = {"name": isolated(name), "game": game}
        return _("%(name)s invites you to a game of Battleship: %(game)s.") % words
    return _("You are invited to a game of Battleship: %(game)s.") % {"game": game}


def reminder(game: str) -> str:
    """Returns the sentence that goes with the link back to a match."""
    return _("Our game of Battleship goes on here: %(game)s.") % {"game": game}
