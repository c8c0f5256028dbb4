"""What pages at two devices say: of the other player, of the database, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from game.display.handles import Marked, handle
from game.display.match_view import Action
from game.display.names import friend_in_text, isolated, waters_of
from game.display.unfinished import FRIEND, OTHER, PLACING, WAITING, YOU, Unfinished, mark_of
from game.display.words import plural
from game.engine.rules import Pair, Side
from game.features.duel.presence import NOBODY, Presence
from game.features.duel.state import DuelState, NotYourTurn
from game.matches.setup import Setup
from game.web import forms


class PresenceWords(NamedTuple):
    """The words of a page for the presence of the other player."""

    doing: str
    """What the other player does while present: `aiming`, `placing` or `waiting`; or `left`."""
    line: str
    """What is known now; empty if nothing is."""
    here: str
    gone: str
    away: str
    """What the script says, at first and with `{minutes}` in place of the number."""
    nudged: str
    remind: str


@dataclass(frozen=True)
class DuelView(Marked):
    """What a page at two devices tells of the two players."""

    name: str | None = handle("name")
    opponent_name: str | None = handle("opponent-name")
    step: str | None = handle("step")
    presence: str | None = handle("presence")
    invite: str | None = handle("invite")
    """The address for the friend's device, until the seat is taken."""
    wait: str | None = handle("wait")
    """The address at which the page asks for a newer step and for the other player's presence."""
    present: str | None = handle("present")
    """The address at which the page reports that a fleet is being placed."""
    words: PresenceWords | None = None
    there: Presence = NOBODY
    link: str = ""
    """The address that leads the other player back to the match."""
    reminder: str = ""
    is_running: bool = False
    may_nudge: bool = False
    has_wished: bool = False
    """Whether the player has offered a rematch."""
    left: Pair[bool] = (False, False)
    """Whether the player has left, and whether the other one has."""

    @property
    def shown_name(self) -> str:
        return isolated(self.opponent_name or "")

    @property
    def waters(self) -> str:
        """The caption of the other player's board; empty without a name."""
        return waters_of(self.shown_name) if self.opponent_name else ""

    @property
    def has_company(self) -> bool:
        """Whether there are buttons that concern the other player."""
        return self.words is not None and not self.left[1]

    def company(self, address: str) -> Action | None:
        nudge = [("action", "nudge")] if self.may_nudge else []
        end = [("action", "abandon")] if self.is_running else []
        return Action(address, (*nudge, *end)) if self.has_company else None


def presence_words(duel: DuelState, side: Side, there: Presence) -> PresenceWords:
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
    if duel.is_over:
        said["waiting"] = _("%(name)s is still here")
    here = said[doing] % words
    gone = _("%(name)s is away") % words
    minutes = there.minutes_away or 0
    line = ""
    if doing == "left" or there.is_here:
        line = here
    elif there.may_end:
        line = _("%(name)s has been away for more than ten minutes") % words
    elif there.is_away and not minutes:
        line = gone
    elif there.is_away:
        line = plural(
            "%(name)s has been away for %(count)s minute",
            "%(name)s has been away for %(count)s minutes",
            minutes,
            name=name,
        )
    away = _("%(name)s: away for {minutes} min") % words
    # The card of a result is narrow, and has the name in the line above.
    is_named = duel.setup.names[other] and not duel.is_over
    remind = _("Remind %(name)s") % words if is_named else _("Remind")
    return PresenceWords(doing, line, here, gone, away, nudges(duel, side), remind)


def presence_mark(found: PresenceWords, there: Presence) -> str:
    """Returns `data-presence`; empty if nothing is known."""
    if found.doing == "left" or there.is_here:
        return found.doing
    return "away" if there.is_away else ""


def friend_name(duel: DuelState, side: Side) -> str:
    """Returns the name of the other player within a sentence."""
    return isolated(duel.setup.names[side.opponent]) or _("Your opponent")


def nudges(duel: DuelState, side: Side) -> str:
    return _("%(name)s nudges you!") % {"name": friend_name(duel, side)}


def nudged(duel: DuelState, side: Side, *, is_first: bool) -> str:
    """Returns what a seat is told that nudges the other one, once or again within a minute."""
    name = isolated(duel.setup.names[side.opponent])
    if is_first:
        said = _("You have nudged %(name)s.") if name else _("You have nudged your opponent.")
    elif name:
        said = _("You have nudged %(name)s already: once a minute is enough.")
    else:
        said = _("You have nudged your opponent already: once a minute is enough.")
    return said % {"name": name}


def _doing(duel: DuelState, other: Side) -> str:
    match = duel.match
    if duel.left[other]:
        return "left"
    if match is None:
        return "placing" if duel.fleets[other] is None else "waiting"
    return "aiming" if match.outcome is None and match.side is other else "waiting"


def rematch(duel: DuelState, side: Side) -> str:
    """Returns what a seat is told of a rematch; empty if there is none to offer or to accept."""
    if duel.is_closed:
        return ""
    name = isolated(duel.setup.names[side.opponent])
    if duel.wishes[side]:
        said = _("Rematch offered to %(name)s.") if name else _("Rematch offered.")
        return said % {"name": name}
    if duel.wishes[side.opponent]:
        return _("%(name)s wants a rematch.") % {"name": friend_name(duel, side)}
    return ""


def opponent_left(setup: Setup) -> str:
    name = friend_in_text(setup)
    said = _("%(name)s has left the match.") if name else _("Your opponent has left the match.")
    return said % {"name": name}


def withdrawn(setup: Setup) -> str:
    name, nobody = isolated(setup.names[Side.FIRST]), _("This invitation has been withdrawn.")
    return _("%(name)s has withdrawn this invitation.") % {"name": name} if name else nobody


def call(inviter: str) -> str:
    """Returns what the page of an invitation calls for."""
    named = _("%(name)s invites you to a game of Battleship") % {"name": isolated(inviter)}
    return named if inviter else _("You are invited to a game of Battleship")


def invitation(name: str, game: str) -> str:
    """Returns the sentence that goes with the link to a friend."""
    named = _("%(name)s invites you to a game of Battleship: %(game)s.")
    said = named if name else _("You are invited to a game of Battleship: %(game)s.")
    return said % {"name": isolated(name), "game": game}


def reminder(game: str) -> str:
    """Returns the sentence that goes with the link back to a match."""
    return _("Our game of Battleship goes on here: %(game)s.") % {"game": game}


def database_down() -> str:
    return _("The server can’t reach its memory just now. Try again in a moment.")


def gone() -> str:
    return _(
        "This match is no longer here. The server deletes a match at two devices 60 days after its "
        "last step, and half an hour after the invitation was withdrawn or both players have left."
    )


def opponent_places(setup: Setup) -> str:
    name, nobody = friend_in_text(setup), _("Your opponent has yet to place a fleet.")
    return _("%(name)s has yet to place a fleet.") % {"name": name} if name else nobody


def refusal(error: Exception) -> str:
    """Returns why an action is refused."""
    return _("It is not your turn.") if isinstance(error, NotYourTurn) else forms.refusal(error)


def of_duel(duel: DuelState, side: Side) -> Unfinished:
    """Returns what the home page says of a duel that goes on."""
    turn = PLACING if duel.fleets[side] is None else WAITING
    if duel.match is not None:
        turn = YOU if duel.match.side is side else OTHER
    return Unfinished(duel.setup.preset.name, FRIEND, turn, mark_of(duel.id.encode()))
