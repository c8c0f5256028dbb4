"""The pages before a match: a fleet being placed, the curtain, and the invitation of a friend."""

from __future__ import annotations

from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards, fleets, messages, placing
from game.display.boards import BoardView
from game.display.duel_words import DuelView, invitation, opponent_left
from game.display.habits import noticed_of, remembered_fleet
from game.display.handles import Marked
from game.display.match_view import (
    Action,
    Fleets,
    FleetToCome,
    MatchView,
    Status,
    game_of,
    rules_of,
)
from game.display.messages import Onboarding
from game.display.names import opponent_label, player_names, preset_card, tally_line
from game.display.options import rules_query
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.observation import observe
from game.engine.presets import OWN
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.duel import Duel
from game.matches.setup import Setup
from game.views import images, places
from game.views.answers import Page, address, is_of_this_device
from game.views.pages.base import BOARDS, curtain, match_page, simple_page
from game.views.pages.playing import waiting_title
from game.views.pages.presence import lost_action, present_address
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
    shares, setup, board = draft.setup.seed_shares, draft.setup, draft.setup.ruleset.board
    if draft.claim is not None:
        setup = replace(setup, seat=draft.claim.side)
    noticed, remembered = noticed_of(setup), remembered_fleet(draft)
    features = places.placing(draft)
    result = "".join(it.tally for it in features.values()) or tally_line(setup)
    # The name of the person who places, if two share the device.
    game = game_of(setup, player=player_names(setup)[draft.side] if setup.is_shared else "")
    is_first = setup.seat is not None and not setup.tally.rounds
    options_address = "" if is_first or result else _options_address(setup)
    view = MatchView(
        phase="placing",
        turn=0,
        setup=setup.public,
        title=_("Place your fleet"),
        address=where or address("place", token),
        game=game,
        status=Status(
            remembered or placing.placing_message(draft, step), keys=placing.keys_line(draft)
        ),
        own=boards.placing_board(draft),
        fleets=Fleets(own=fleets.ships_to_place(draft)),
        fleet=FleetToCome(
            shares.server_seed_hash if shares else None,
            noticed.habit if noticed else None,
            noticed.sentence if noticed else "",
            "yes" if setup.ruleset.touching else "no",
        ),
        rules=rules_of(setup),
        results=[result] if result and not is_first else [],
        links={"options": options_address} if options_address else {},
        features=_seat(draft, visitor),
    )
    view = places.joining(view, features)
    name = _own_name(draft, visitor) if is_first else None
    # Who invites has nothing to leave before the first fleet is placed.
    may_leave = setup.seat is Side.SECOND or (setup.seat is not None and not is_first)
    last_bow = board.name(draft.placed[-1].bow) if draft.placed else ""
    placed = [str(ship) for ship in draft.placed]
    fields = [("half", "")] if shares else []
    fields += [("ship", ship) for ship in placed]
    fields += [("name", name)] if name is not None else []
    fields += [("pick", str(draft.in_hand))] if draft.in_hand else []
    fields += [("direction", draft.direction.value)]
    may = {
        "undo": bool(draft.placed or draft.chosen_cells), "clear": True, "forget": bool(noticed),
        "leave": may_leave, "random": True, "start": not draft.missing,
    }  # fmt: skip
    buttons = [
        ("action", "keep"),
        ("action", "quick"),
        *(("place", board.name(cell)) for cell in board.cells),
        *([("turn", last_bow)] if last_bow else []),
        *(("action", action) for action, is_open in may.items() if is_open),
    ]
    place = Action(address("place", token), tuple(buttons), tuple(fields))
    return match_page(
        "placing",
        replace(view, actions={"place": place}),
        features,
        scripts=(*BOARDS, "game/placing.js"),
        is_remembered=bool(remembered),
        placed=placed,
        missing=len(draft.missing),
        is_by_cells=draft.is_by_cells,
        may=may,
        starts_by_itself=visitor is not None and visitor.starts_at_last(setup.preset),
        opponent_label=opponent_label(setup),
        typed_name=name,
        rules_address=_rules_address(setup) if setup.preset is OWN else "",
        direction=draft.direction.value,
        placed_last=placing.placed_last(draft),
        last_bow=last_bow,
        misplaced_words=placing.cannot_place_template(),
        placed_line=placing.placed_line(draft),
        own_board_in_front=True,
    )


def _seat(draft: Draft, visitor: Preferences | None) -> dict[str, Marked]:
    found: dict[str, Marked] = {}
    claim, names = draft.claim, draft.setup.names
    if claim is not None:
        # The page of a seat asks there, so that the other player sees that somebody places ships.
        is_shown = visitor is None or visitor.presence == "on"
        found["duel"] = DuelView(
            names[claim.side] or None,
            names[claim.side.opponent] or None,
            present=present_address(claim.id, claim.side, is_shown=is_shown),
        )
    return found


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


def _rules_address(setup: Setup) -> str:
    return f"{reverse('new', args=[OWN.name])}?{rules_query(setup.ruleset)}"


def draft_curtain(draft: Draft, token: str) -> Page:
    """The curtain before one of two persons at one device places a fleet."""
    where, status = address("place", token), tally_line(draft.setup)
    return curtain(draft.setup, draft.side, where, status=status, is_placing=True)


def invited_page(
    duel: Duel, side: Side, token: str, feature: DuelView, *, keep: str, is_lost: bool
) -> Page:
    """The page of a seat whose fleet is placed, before the match has begun."""
    setup, where = duel.seated(side), address("duel", token)
    name, friend, invite = setup.names[side], setup.names[side.opponent], feature.invite
    status = messages.opponent_places(setup)
    if is_lost:
        status = messages.match_lost()
    elif invite:
        status = _("Your fleet is ready. Send the link to your friend.")
    actions = {}
    if invite:
        actions["withdraw"] = Action(where, (("action", "withdraw"),))
        actions["change"] = Action(where, (("action", "change"),))
    elif is_lost:
        actions["lost"] = lost_action(where)
    else:
        if company := feature.company(where):
            actions["company"] = company
        actions["leave"] = Action(where, (("action", "leave"),))
    tally = tally_line(setup)
    own, seen = _sheets(duel, side)
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
        links={"keep": keep, "puzzles": reverse("puzzles")},
        features={"duel": feature},
    )
    return match_page(
        "invited",
        view,
        invite_text=invitation(name, preset_card(setup.preset).title),
        code=images.qr_code(invite) if invite else "",
        is_for_this_device=is_of_this_device(invite or ""),
        is_lost=is_lost,
    )


def _sheets(duel: Duel, side: Side) -> tuple[BoardView | None, BoardView | None]:
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


def left_page(duel: Duel, side: Side, token: str, feature: DuelView) -> Page:
    """The page of a seat once a player has left before the match has begun."""
    setup, where = duel.seated(side), address("duel", token)
    status = _("You have left the match.")
    if duel.is_open:
        status = _("You have withdrawn the invitation.")
    elif duel.left[side.opponent]:
        status = opponent_left(setup)
    page = simple_page(
        "left", setup, where, phase="waiting", title=_("The match has ended"), status=status
    )
    again = f"{reverse('new', args=[setup.preset.name])}?opponent=friend"
    return page.showing(links={"invite_again": again}, features={"duel": feature})
