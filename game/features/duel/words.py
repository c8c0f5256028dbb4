"""What pages at two devices say of the other player, of the match, and of invitations."""

from django.utils.translation import gettext as _

from game.display.names import isolated
from game.display.unfinished import FRIEND, OTHER, PLACING, WAITING, YOU, Unfinished, mark_of
from game.engine.rules import Side
from game.features.duel.presence import CALLS
from game.features.duel.state import DuelState


def friend_name(duel: DuelState, side: Side) -> str:
    """Returns the name of the other player at the beginning of a sentence."""
    return isolated(duel.setup.person_names[side.opponent]) or _("Your opponent")


def doing(duel: DuelState, side: Side) -> str:
    """Returns what the other player does while present, or that it has left."""
    match, other = duel.match, side.opponent
    if duel.left[other]:
        return "left"
    if match is None:
        return "placing" if duel.fleets[other] is None else "waiting"
    return "aiming" if match.outcome is None and match.side is other else "waiting"


def here(duel: DuelState, side: Side) -> str:
    """Returns what a seat is told while the other player is there, or has left."""
    said = {
        "aiming": _("%(name)s is aiming"),
        "placing": _("%(name)s is placing ships"),
        "waiting": _("%(name)s is waiting"),
        "left": _("%(name)s has left the match"),
    }
    if duel.is_over:
        said["waiting"] = _("%(name)s is still here")
    return said[doing(duel, side)] % {"name": friend_name(duel, side)}


def away(duel: DuelState, side: Side) -> tuple[str, str]:
    """Returns what it is told while they are away: at first, and with `{minutes}` for a number."""
    name = {"name": friend_name(duel, side)}
    return _("%(name)s is away") % name, _("%(name)s: away for {minutes} min") % name


def calls() -> tuple[str, ...]:
    """Returns what can be called to the other player, in the order of CALLS."""
    return _("Nudge"), _("Good shot!"), _("Ouch!"), _("Good game!")


def calls_heard(duel: DuelState, side: Side) -> tuple[str, ...]:
    """Returns what a seat is told of each of the other player's calls, in the order of CALLS."""
    name = friend_name(duel, side)
    _nudge, *others = calls()
    said = (_("%(name)s: “%(call)s”") % {"name": name, "call": call} for call in others)
    return _("%(name)s nudges you!") % {"name": name}, *said


def called(duel: DuelState, side: Side, call: str, *, is_sent: bool) -> str:
    """Returns what a seat is told that has called something, or that did it too soon again."""
    name = isolated(duel.setup.person_names[side.opponent]) or _("your opponent")
    if call != "nudge":
        said = _("You: “%(call)s”") if is_sent else _("Wait a moment before you react again.")
        return said % {"call": calls()[CALLS.index(call)]}
    said = _("You have nudged %(name)s.")
    if not is_sent:
        said = _("You have nudged %(name)s already: once a minute is enough.")
    return said % {"name": name}


def rematch(duel: DuelState, side: Side) -> str:
    """Returns what a seat is told of a rematch; empty if there is none to offer or to accept."""
    if duel.is_closed or True not in duel.wishes:
        return ""
    if duel.wishes[side]:
        return _("Rematch offered.")
    return _("%(name)s wants a rematch.") % {"name": friend_name(duel, side)}


def left(duel: DuelState, side: Side) -> str:
    """Returns what a seat is told once a player has left before the match has begun."""
    if duel.is_open:
        return _("You have withdrawn the invitation.")
    if duel.left[side.opponent]:
        return _("%(name)s has left the match.") % {"name": friend_name(duel, side)}
    return _("You have left the match.")


def of_duel(duel: DuelState, side: Side) -> Unfinished:
    """Returns what the home page says of a duel that goes on."""
    turn = PLACING if duel.fleets[side] is None else WAITING
    if duel.match is not None:
        turn = YOU if duel.match.side is side else OTHER
    return Unfinished(duel.setup.preset.name, FRIEND, turn, mark_of(duel.id.encode()))


def call(inviter: str) -> str:
    """Returns what the page of an invitation calls for."""
    named = _("%(name)s invites you to a game of Battleship") % {"name": isolated(inviter)}
    return named if inviter else _("You are invited to a game of Battleship")


def invitation(name: str, game: str) -> str:
    """Returns the sentence that goes with the link to a friend."""
    named = _("%(name)s invites you to a game of Battleship: %(game)s.")
    said = named if name else _("You are invited to a game of Battleship: %(game)s.")
    return said % {"name": isolated(name), "game": game}
