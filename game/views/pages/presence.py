"""The part of a page at two devices that is about the other player."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from game.display.duel_words import presence_mark, presence_words, reminder
from game.display.names import isolated, preset_card, waters_of
from game.engine.rules import Side
from game.matches import presence
from game.matches.duel import Duel, poll_key
from game.matches.presence import Presence, here_key


def presence_values(duel: Duel, side: Side, there: Presence, *, link: str) -> dict[str, Any]:
    """The values of the names, of the presence line, and of the buttons beside it.

    `link` is the address that leads the other player back to the match.
    """
    names, has_left = duel.setup.names, duel.left[side.opponent]
    name = isolated(names[side.opponent])
    friend: dict[str, Any] = {"name": name}
    found = {"own_name": names[side], "opponent_name": names[side.opponent], "friend": friend}
    if name:
        found["enemy_waters"] = waters_of(name)
    if duel.is_open or (duel.is_closed and not has_left):  # the one whose page it is has left
        return found
    words = presence_words(duel, side, there)
    friend |= {
        "words": words, "there": there, "link": link, "has_left": has_left,
        "may_nudge": words.doing != "waiting" or duel.is_over,
        "text": reminder(preset_card(duel.setup.preset).title),
        "is_running": duel.match is not None and not duel.is_over,
    }  # fmt: skip
    return {**found, "presence": presence_mark(words, there)}


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
