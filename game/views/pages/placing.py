"""The pages before a match: a fleet being placed, the curtain, and the invitation of a friend."""

from __future__ import annotations

from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards, fleets, messages, placing
from game.display.boards import BoardView
from game.display.challenge import result
from game.display.duel_words import invitation, opponent_left
from game.display.habits import noticed_of, remembered_fleet
from game.display.messages import Onboarding
from game.display.names import (
    opponent_label,
    opponent_line,
    player_names,
    preset_card,
    tally_line,
)
from game.display.options import rules_query
from game.display.rules import rule_line
from game.display.status_line import status_line
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import OWN
from game.engine.rules import Side
from game.matches.challenge import Challenge
from game.matches.draft import Draft
from game.matches.duel import Duel
from game.matches.setup import Setup
from game.views import images
from game.views.answers import Page, address, is_of_this_device
from game.views.pages.base import BOARDS, curtain, match_page
from game.views.pages.playing import waiting_title
from game.views.pages.presence import present_address
from game.views.preferences import Preferences


def placing_page(
    draft: Draft, token: str, *, where: str = "", visitor: Preferences | None = None
) -> Page:
    """The page of a draft, at `where` if given.

    A `visitor` who has never placed a fleet is told how.
    """
    step = (
        visitor.onboarding(placing.placing_onboarding_step(draft)) if visitor else Onboarding.NONE
    )
    # The server's seed share stays hidden until the end, so no template gets it.
    seed_shares, setup = draft.setup.seed_shares, replace(draft.setup, seed_shares=None)
    own = address("place", token)
    draft = replace(draft, setup=setup)
    if draft.claim is not None:
        setup = replace(setup, seat=draft.claim.side)
    remembered = remembered_fleet(draft)
    status = remembered or placing.placing_message(draft, step)
    return match_page(
        "placing",
        setup,
        is_taken_up=draft.challenge is not None,
        scripts=(*BOARDS, "game/placing.js"),
        address=where or own,
        title=_("Place your fleet"),
        phase="placing",
        status=status,
        status_line=status_line(status, keys=placing.keys_line(draft)),
        is_remembered=bool(remembered),
        form_action=own,
        draft=draft,
        starts_by_itself=visitor is not None and visitor.starts_at_last(setup.preset),
        waters=boards.placing_board(draft),
        ships_to_place=fleets.ships_to_place(draft),
        rule_line=rule_line(setup.ruleset),
        opponent_line=opponent_line(setup),
        opponent_label=opponent_label(setup),
        tally_line=_result_to_beat(draft.challenge) if draft.challenge else tally_line(setup),
        # The name of the person who places, if two share the device.
        placer=player_names(setup)[draft.side] if setup.is_shared else "",
        name=_own_name(draft, visitor),
        present_address=_present_address(draft, visitor),
        # Who invites has nothing to leave before the first fleet is placed.
        may_leave=setup.seat is Side.SECOND or (setup.seat is not None and setup.tally.rounds > 0),
        own_name=setup.names[draft.side] if draft.claim else "",
        opponent_name=setup.names[draft.side.opponent] if draft.claim else "",
        rules_address=_rules_address(setup) if setup.preset is OWN else "",
        direction=draft.direction.value,
        placed_last=placing.placed_last(draft),
        last_bow=setup.ruleset.board.name(draft.placed[-1].bow) if draft.placed else "",
        misplaced_words=placing.cannot_place_template(),
        placed_line=placing.placed_line(draft),
        options_address=_options_address(setup),
        own_board_in_front=True,
        noticed=noticed_of(setup),
        server_seed_hash=seed_shares.server_seed_hash if seed_shares else "",
    )


def _result_to_beat(challenge: Challenge) -> str:
    return result(challenge.score, is_solo=challenge.setup.is_solo)


def _own_name(draft: Draft, visitor: Preferences | None) -> str | None:
    """The name given so far at a device of the player's own, or last time; else None."""
    if draft.claim is None:
        return None
    return draft.setup.names[draft.side] or (visitor.name if visitor else "")


def _options_address(setup: Setup) -> str:
    """The choices before a match; empty for two persons and between rounds."""
    if setup.is_shared or setup.remote or setup.tally.rounds:
        return ""
    return reverse("setup", args=[setup.preset.name])


def _present_address(draft: Draft, visitor: Preferences | None) -> str:
    """Where the page of a seat asks, so that the other player sees that somebody places ships."""
    claim = draft.claim
    if claim is None:
        return ""
    is_shown = visitor is None or visitor.presence == "on"
    return present_address(claim.id, claim.side, is_shown=is_shown)


def _rules_address(setup: Setup) -> str:
    return f"{reverse('new', args=[OWN.name])}?{rules_query(setup.ruleset)}"


def draft_curtain(draft: Draft, token: str) -> Page:
    """The curtain before one of two persons at one device places a fleet."""
    where, status = address("place", token), tally_line(draft.setup)
    return curtain(draft.setup, draft.side, where, status=status, is_placing=True)


def invited_page(duel: Duel, side: Side, token: str, *, invite: str, is_lost: bool) -> Page:
    """The page of a seat whose fleet is placed, before the match has begun.

    `invite` is the address for the friend's device, empty once the seat is taken.
    """
    setup, where = duel.seated(side), address("duel", token)
    name, friend = setup.names[side], setup.names[side.opponent]
    status = messages.opponent_places(setup)
    if is_lost:
        status = messages.match_lost()
    elif invite:
        status = _("Your fleet is ready. Send the link to your friend.")
    return match_page(
        "invited",
        setup,
        address=where,
        title=_("Invite a friend") if invite else waiting_title(friend),
        phase="waiting",
        status=status,
        form_action=where,
        invite=invite,
        invite_text=invitation(name, preset_card(setup.preset).title),
        code=images.qr_code(invite) if invite else "",
        is_for_this_device=is_of_this_device(invite),
        is_lost=is_lost,
        tally_line=tally_line(setup),
    ).having(**_sheets(duel, side))


def _sheets(duel: Duel, side: Side) -> dict[str, BoardView]:
    """A seat's own sheet before the match, and what the other player will see of it."""
    fleet = duel.fleets[side]
    if fleet is None:
        return {}
    # A match of the fleet with itself: of the other one nothing is known yet.
    match = Match(duel.setup.ruleset, (fleet, fleet), bytes(SEED_BYTES))
    own, theirs = (
        replace(observe(match, one), is_to_act=False, may_move=False, shots_left=0)
        for one in (side, side.opponent)
    )
    return {
        "own": boards.own_board(own),
        "seen": boards.enemy_board(theirs, hints=False)._replace(kind="seen"),
    }


def left_page(duel: Duel, side: Side, token: str) -> Page:
    """The page of a seat once a player has left before the match has begun."""
    setup, where = duel.seated(side), address("duel", token)
    status = _("You have left the match.")
    if duel.is_open:
        status = _("You have withdrawn the invitation.")
    elif duel.left[side.opponent]:
        status = opponent_left(setup)
    return match_page(
        "left",
        setup,
        address=where,
        title=_("The match has ended"),
        phase="waiting",
        status=status,
        form_action=where,
        again_address=f"{reverse('new', args=[setup.preset.name])}?opponent=friend",
    )
