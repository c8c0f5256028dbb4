"""The parts of pages that are about the other player, and the pages of a seat before the match."""

from __future__ import annotations

from dataclasses import replace

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards
from game.display.boards import BoardView
from game.display.match_view import Action, MatchView, game_of
from game.display.messages import Status
from game.display.names import preset_card, tally_line
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.rules import Side
from game.feature import PageAddition
from game.features.duel import words
from game.features.duel.presence import Presence
from game.features.duel.state import Claim, DuelState, poll_key
from game.features.duel.words import DuelView
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.views import images
from game.views.answers import Page, address, is_of_this_device, path_if_any
from game.views.pages.base import match_page
from game.views.pages.playing import waiting_title

STYLE = "duel/duel.css"


def duel_view(
    duel: DuelState, side: Side, there: Presence, *, link: str, is_shown: bool
) -> DuelView:
    """What a seat's page tells of both players.

    `link` is the address that leads the other player back to the match, or that invites a friend.
    `is_shown` is whether the other player is shown that somebody looks at the page.
    """
    names, has_left = duel.setup.names, duel.left[side.opponent]
    seat_hash = duel.seat_hashes[side]
    view = DuelView(
        names[side] or None,
        names[side.opponent] or None,
        step=str(duel.step),
        invite=link if duel.is_open and not duel.is_closed else None,
        wait=_wait_address(duel.id, seat_hash, duel.step, is_shown=is_shown),
        has_wished=duel.wishes[side],
        left=(duel.left[side], has_left),
    )
    if duel.is_open or (duel.is_closed and not has_left):  # the one whose page it is has left
        return view
    said = words.presence_words(duel, side, there)
    return replace(
        view,
        presence=words.presence_mark(said, there) or None,
        words=said,
        there=there,
        link=link,
        reminder=words.reminder(preset_card(duel.setup.preset).title),
        is_running=duel.match is not None and not duel.is_over,
        may_nudge=said.doing != "waiting" or duel.is_over,
    )


def with_friend(page: Page, duel: DuelState, feature: DuelView, keep: str) -> Page:
    """The page of a match at two devices, with what concerns the other player.

    `keep` is the address by which the seat is played on another device. Forms name the step.
    """
    view = page.view
    assert view is not None  # noqa: S101 (it is a match)
    where = _where(duel)
    actions = {name: it._replace(address=where) for name, it in view.actions.items()}
    links = dict(view.links)
    if view.end is None:
        links["keep"] = keep
    elif True in feature.left:
        links["invite_again"] = invite_again(view.setup)
    else:
        wish = () if feature.has_wished else (("action", "rematch"),)
        actions["rematch"] = Action(where, wish)
    if company := feature.company(where):
        actions["company"] = company
    if view.end is not None and not feature.left[0]:
        actions["leave"] = Action(where, (("action", "leave"),))
    features = {**view.features, "duel": feature}
    page = page.showing(address=where, actions=actions, links=links, features=features)
    return _at(page, duel)


def _where(duel: DuelState) -> str:
    """The address of forms, which names the step."""
    return f"{address('duel', duel.id)}?step={duel.form_step}"


def _at(page: Page, duel: DuelState) -> Page:
    """The page at the duel's own address, which is the same for all steps."""
    plain = address("duel", duel.id)
    return page._replace(address=plain).having(address=plain)


def _wait_address(duel_id: str, seat_hash: str, step: int | str, *, is_shown: bool) -> str:
    """The address at which a seat's page asks for a newer step, and who is there.

    While a fleet is placed, the step is `placing`. `is_shown` is whether the other player is shown
    that somebody asks.
    """
    hides = "" if is_shown else "?hide"
    return f"{settings.PATH}wait/{duel_id}/{poll_key(seat_hash)}/{step}/{hides}"


def invite_again(setup: Setup) -> str:
    return f"{reverse('new', args=[setup.preset.name])}?opponent=friend"


# --- before the match ---


def placing(draft: Draft, *, is_shown: bool) -> PageAddition:
    """What is added to the page on which a fleet is placed for a seat.

    The page asks at an address, so that the other player sees that somebody places ships.
    """
    claim, names = draft.part(Claim), draft.setup.names
    assert claim is not None  # noqa: S101 (only then the feature is called)
    where = _wait_address(claim.id, claim.seat_hash, "placing", is_shown=is_shown)
    view = DuelView(names[claim.side] or None, names[claim.side.opponent] or None, present=where)
    return PageAddition(view, styles=(STYLE,))


def invited_page(duel: DuelState, side: Side, feature: DuelView, *, keep: str) -> Page:
    """The page of a seat whose fleet is placed, before the match has begun."""
    setup, where = duel.seated(side), _where(duel)
    name, friend, invite = setup.names[side], setup.names[side.opponent], feature.invite
    status = words.opponent_places(setup)
    if invite:
        status = _("Your fleet is ready. Send the link to your friend.")
    actions = {}
    if invite:
        actions["withdraw"] = Action(where, (("action", "withdraw"),))
        actions["change"] = Action(where, (("action", "change"),))
    else:
        if company := feature.company(where):
            actions["company"] = company
        actions["leave"] = Action(where, (("action", "leave"),))
    tally = tally_line(setup)
    own, seen = _sheets(duel, side)
    puzzles = path_if_any("puzzles")
    view = MatchView(
        phase="waiting",
        turn=0,
        setup=setup.public,
        title=_("Invite a friend") if invite else waiting_title(friend),
        address=where,
        game=game_of(setup),
        status=Status(status),
        enemy=seen,
        own=own,
        results=[tally] if tally else [],
        actions=actions,
        links={"keep": keep, **({"puzzles": puzzles} if puzzles else {})},
        features={"duel": feature},
    )
    page = match_page(
        "duel/_invited.html",
        view,
        styles=("game/match.css", STYLE),
        invite_text=words.invitation(name, preset_card(setup.preset).title),
        code=images.qr_code(invite) if invite else "",
        is_for_this_device=is_of_this_device(invite or ""),
    )
    return _at(page, duel)


def _sheets(duel: DuelState, side: Side) -> tuple[BoardView | None, BoardView | None]:
    """A seat's own sheet before the match, and what the other player will see of it."""
    fleet = duel.fleets[side]
    if fleet is None:
        return None, None
    # A match of the fleet with itself: of the other one nothing is known yet.
    match = Match(duel.setup.ruleset, (fleet, fleet), bytes(SEED_BYTES))
    own, theirs = (
        replace(observe(match, one), is_to_act=False, may_move=False, shots_left=0)
        for one in (side, side.opponent)
    )
    seen = boards.enemy_board(theirs)._replace(kind="seen")
    return boards.own_board(own), seen


def left_page(duel: DuelState, side: Side, feature: DuelView) -> Page:
    """The page of a seat once a player has left before the match has begun."""
    setup, where = duel.seated(side), _where(duel)
    status = _("You have left the match.")
    if duel.is_open:
        status = _("You have withdrawn the invitation.")
    elif duel.left[side.opponent]:
        status = words.opponent_left(setup)
    view = MatchView(
        phase="waiting",
        turn=0,
        setup=setup.public,
        title=_("The match has ended"),
        address=where,
        game=game_of(setup),
        status=Status(status),
        links={"invite_again": invite_again(setup)},
        features={"duel": feature},
    )
    return _at(match_page("duel/_left.html", view, styles=("game/match.css", STYLE)), duel)
