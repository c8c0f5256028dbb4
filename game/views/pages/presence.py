"""The part of a page at two devices that is about the other player."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.urls import reverse

from game.display.duel_words import DuelView, presence_mark, presence_words, reminder
from game.display.match_view import Action
from game.display.names import preset_card
from game.engine.rules import Side
from game.matches import presence
from game.matches.duel import Duel, poll_key
from game.matches.presence import Presence, here_key
from game.views.answers import Page


def duel_view(
    duel: Duel, side: Side, there: Presence, *, wait: str, link: str, is_lost: bool
) -> DuelView:
    """What a seat's page tells of both players.

    `link` is the address that leads the other player back to the match, or that invites a friend.
    """
    names, has_left = duel.setup.names, duel.left[side.opponent]
    view = DuelView(
        names[side] or None,
        names[side.opponent] or None,
        invite=link if duel.is_open and not duel.is_closed and not is_lost else None,
        wait=wait,
        lost="" if is_lost else None,
        has_wished=duel.wishes[side],
        left=(duel.left[side], has_left),
    )
    if duel.is_open or (duel.is_closed and not has_left):  # the one whose page it is has left
        return view
    words = presence_words(duel, side, there)
    return replace(
        view,
        presence=presence_mark(words, there) or None,
        words=words,
        there=there,
        link=link,
        reminder=reminder(preset_card(duel.setup.preset).title),
        is_running=duel.match is not None and not duel.is_over,
        may_nudge=words.doing != "waiting" or duel.is_over,
    )


def with_friend(page: Page, feature: DuelView, keep: str) -> Page:
    """The page of a match at two devices, with what concerns the other player.

    `keep` is the address by which the seat is played on another device.
    """
    view = page.view
    assert view is not None  # noqa: S101 (it is a match)
    where, actions, links = view.address, dict(view.actions), dict(view.links)
    company = feature.company(where)
    if view.end is None:
        links["keep"] = keep
        if company:
            actions["company"] = company
        if feature.lost is not None:
            actions["lost"] = lost_action(where)
    elif True in feature.left:
        links["invite_again"] = f"{reverse('new', args=[view.setup.preset.name])}?opponent=friend"
    else:
        wish = () if feature.has_wished else (("action", "rematch"),)
        actions["rematch"] = Action(where, wish)
        if company:
            actions["company"] = company
    if view.end is not None and not feature.left[0]:
        actions["leave"] = Action(where, (("action", "leave"),))
    features = {**view.features, "duel": feature}
    return page.showing(actions=actions, links=links, features=features)


def lost_action(address: str) -> Action:
    """What looks again for a match that the match store has lost."""
    return Action(address, (("action", "shown"),), (("action", "shown"),))


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
