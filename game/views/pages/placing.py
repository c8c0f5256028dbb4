"""The pages before a match: a fleet being placed, the curtain, and the invitation of a friend."""

from __future__ import annotations

from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards, fleets, messages, placing
from game.display.challenge import call
from game.display.habits import noticed_of
from game.display.messages import Onboarding
from game.display.names import opponent_line, player_names, rule_line, tally_line
from game.display.options import rules_query
from game.engine.presets import OWN
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.duel import Duel, poll_key
from game.matches.setup import Setup
from game.views import images
from game.views.answers import Page, address, is_of_this_device
from game.views.pages.base import BOARDS, curtain, match_page
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
    # The server's half stays hidden until the end, so no template gets it.
    seed_shares, setup = draft.setup.seed_shares, replace(draft.setup, seed_shares=None)
    own = address("place", token)
    draft = replace(draft, setup=setup)
    if draft.claim is not None:
        setup = replace(setup, seat=draft.claim.side)
    return match_page(
        "placing",
        setup,
        scripts=(*BOARDS, "game/placing.js"),
        address=where or own,
        title=_("Place your fleet"),
        phase="placing",
        status=placing.placing_message(draft, step),
        form_action=own,
        draft=draft,
        waters=boards.placing_board(draft),
        ships_to_place=fleets.ships_to_place(draft),
        rule_line=rule_line(setup.ruleset),
        opponent_line=opponent_line(setup),
        tally_line=call(draft.challenge) if draft.challenge else tally_line(setup),
        # The name of the person who places, if two share the device.
        placer=player_names(setup)[draft.side] if setup.is_shared else "",
        # The name given so far at a device of the player's own, else None.
        name=setup.names[draft.side] if draft.claim else None,
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


def _options_address(setup: Setup) -> str:
    """The choices before a match; empty for two persons and between rounds."""
    if setup.is_shared or setup.remote or setup.tally.rounds:
        return ""
    return reverse("setup", args=[setup.preset.name])


def _rules_address(setup: Setup) -> str:
    return f"{reverse('new', args=[OWN.name])}?{rules_query(setup.ruleset)}"


def draft_curtain(draft: Draft, token: str) -> Page:
    """The curtain before one of two persons at one device places a fleet."""
    where, status = address("place", token), tally_line(draft.setup)
    return curtain(draft.setup, draft.side, where, status=status, is_placing=True)


def invited_page(
    duel: Duel, side: Side, token: str, *, invite: str, keep_address: str, is_lost: bool
) -> Page:
    """The page of a seat whose fleet is placed, before the match has begun.

    `invite` is the address for the friend's device, empty once the seat is taken.
    """
    setup, where = duel.seated(side), address("duel", token)
    status = messages.opponent_places(setup)
    if is_lost:
        status = messages.match_lost()
    elif invite:
        status = _("Your fleet is ready. Send the link to your friend.")
    return match_page(
        "invited",
        setup,
        address=where,
        title=_("Invite a friend") if invite else _("Waiting for your opponent"),
        phase="waiting",
        status=status,
        wait_address=wait_address(duel, side),
        form_action=where,
        invite=invite,
        code=images.qr_code(invite) if invite else "",
        is_for_this_device=is_of_this_device(invite),
        keep_address=keep_address,
        is_lost=is_lost,
        tally_line=tally_line(setup),
    )


def wait_address(duel: Duel, side: Side) -> str:
    """The address at which a seat's page asks for a newer step."""
    return f"/wait/{poll_key(duel.id, side)}/{duel.step}/"
