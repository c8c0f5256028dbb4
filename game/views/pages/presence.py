"""The part of a page at two devices that is about the other player."""

from __future__ import annotations

from html import escape
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString

from game.display.duel_words import presence_mark, presence_words, reminder
from game.display.names import isolated, preset_card, waters_of
from game.engine.rules import Side
from game.matches import presence
from game.matches.duel import Duel, poll_key
from game.matches.presence import Presence, here_key
from game.views import rendering
from game.views.rendering import Slot


def presence_values(
    duel: Duel, side: Side, there: Presence, *, form_action: str, link: str
) -> dict[str, Any]:
    """The values of the names, of the presence line, and of the buttons beside it.

    `link` is the address that leads the other player back to the match.
    """
    names = duel.setup.names
    named: dict[str, Any] = {
        "own_name": Slot(names[side]),
        "opponent_name": Slot(names[side.opponent]),
    }
    has_left = duel.left[side.opponent]
    name = isolated(names[side.opponent])
    if name:
        named["enemy_waters"] = SafeString(_with_name(waters_of(name), name))
    if duel.is_open or (duel.is_closed and not has_left):  # the one whose page it is has left
        return named
    words = presence_words(duel, side, there)
    line = rendering.render_cached("duel/_presence.html", {
        "line": SafeString(_with_name(words.line, name)), "nudged": Slot(words.nudged),
        "here": Slot(_with_name(words.here, name)), "away": Slot(_with_name(words.away, name)),
        "gone": Slot(_with_name(words.gone, name)), "doing": Slot(words.doing),
        "nudge": Slot(there.nudge or ""), "has_left": has_left,
    })  # fmt: skip
    buttons = rendering.render_cached("duel/_presence_buttons.html", {
        "form_action": Slot(form_action), "link": Slot(link), "remind": Slot(words.remind),
        "is_here": there.is_here, "is_away": there.is_away, "may_end": there.may_end,
        "may_nudge": words.doing != "waiting" or duel.is_over,
        "text": Slot(reminder(preset_card(duel.setup.preset).title)),
        "is_running": duel.match is not None and not duel.is_over,
    })  # fmt: skip
    return {
        **named,
        "presence": Slot(presence_mark(words, there)),
        "presence_line": line,
        "presence_buttons": "" if has_left else buttons,
    }


def _with_name(sentence: str, name: str) -> str:
    """The sentence as HTML, with the name in an element of its own, which alone is cut off."""
    text, part = escape(sentence, quote=False), escape(name, quote=False)
    return text.replace(part, f"<bdi>{part}</bdi>", 1) if part else text


def wait_address(duel: Duel, side: Side, *, is_shown: bool) -> str:
    """The address at which a seat's page asks for a newer step, and who is there.

    `is_shown` is whether the other player is shown that somebody asks.
    """
    of = "" if duel.is_open else f"of={here_key(poll_key(duel.id, side.opponent))}"
    query = "&".join(filter(None, (of, "" if is_shown else "hide")))
    where = f"{settings.PATH}wait/{poll_key(duel.id, side)}/{duel.step}/"
    return where + (f"?{query}" if query else "")


def present_address(duel_id: bytes, side: Side, *, is_shown: bool) -> str:
    """The address at which the page of a seat says that a fleet is being placed there."""
    return f"{settings.PATH}wait/{poll_key(duel_id, side)}/placing/" + ("" if is_shown else "?hide")


def presence_of(duel: Duel, side: Side) -> Presence:
    """What is known of the other player; nothing is asked once a player has left."""
    return presence.NOBODY if duel.is_closed else presence.of(duel, side)
