"""The pages before a match: a fleet being placed, and the curtain."""

from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import boards, fleet_lists, placing_words
from game.display.choices import rules_query
from game.display.match_view import Action, Fleets, FleetToCome, MatchView, game_of, rules_of
from game.display.messages import Onboarding, Status
from game.display.names import opponent_label, player_names, tally_line
from game.display.noticed import noticed_of, remembered_fleet
from game.engine.presets import OWN
from game.engine.rules import Side, Touching
from game.matches.draft import Draft
from game.views import hooks
from game.views.addresses import address, place_address
from game.views.page import Page
from game.views.pages.base import BOARDS, curtain, match_page
from game.views.preferences import Preferences


def placing_page(
    draft: Draft, token: str, *, where: str = "", visitor: Preferences | None = None
) -> Page:
    """The page of a draft, at `where` if given.

    A `visitor` who has never placed a fleet is told how.
    """
    step = Onboarding.NONE
    if visitor:
        step = visitor.onboarding(placing_words.placing_onboarding_step(draft))
    shares, setup, board = draft.setup.seed_shares, draft.setup, draft.setup.ruleset.board
    if draft.seat is not None:
        setup = replace(setup, seat=draft.seat)
    noticed, remembered = noticed_of(setup), remembered_fleet(draft)
    features = hooks.placing(draft, is_presence_shown=visitor is None or visitor.presence == "on")
    result = "".join(it.tally for it in features.values()) or tally_line(setup)
    # The name of the person who places, if two share the device.
    game = game_of(setup, player=player_names(setup)[draft.side] if setup.is_shared else "")
    is_first = setup.seat is not None and not setup.tally.rounds
    links = {}
    is_given = bool(setup.title or setup.task)  # a pupil has no rules to choose
    is_free = not (is_given or is_first or result or setup.is_shared or setup.remote)
    if is_free and not setup.tally.rounds:
        links["options"] = reverse("setup", args=[setup.preset.name])
    view = MatchView(
        phase="placing",
        turn=0,
        setup=setup.public,
        title=_("Place your fleet"),
        address=where or place_address(draft, token),
        game=game,
        status=Status(
            remembered or placing_words.placing_message(draft, step),
            keys=placing_words.keys_line(draft),
        ),
        own=boards.placing_board(draft),
        fleets=Fleets(own=fleet_lists.ships_to_place(draft)),
        fleet=FleetToCome(
            shares.server_seed_hash if shares else None,
            noticed.habit,
            noticed.sentence,
            Touching(setup.ruleset.touching).value,
        ),
        rules=rules_of(setup),
        results=[result] if result and not is_first else [],
        links=links,
    )
    view = hooks.joining(view, features)
    name = None
    if is_first and draft.seat is not None:  # as given so far, or last time
        name = draft.setup.person_names[draft.side] or (visitor.name if visitor else "")
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
        "undo": bool(draft.placed or draft.chosen_cells),
        "clear": True,
        "forget": noticed.habit is not None,
        "leave": may_leave,
        "random": True,
        "start": not draft.missing,
    }
    buttons = [
        ("action", "keep"),
        ("action", "quick"),
        *(("place", board.name(cell)) for cell in board.cells),
        *([("turn", last_bow)] if last_bow else []),
        *(("action", action) for action, is_open in may.items() if is_open),
    ]
    rules_address = ""
    if setup.preset is OWN and not is_given:
        rules_address = f"{reverse('new', args=[OWN.name])}?{rules_query(setup.ruleset)}"
    place = Action(place_address(draft, token), tuple(buttons), tuple(fields))
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
        rules_address=rules_address,
        direction=draft.direction.value,
        placed_last=placing_words.placed_last(draft),
        last_bow=last_bow,
        misplaced_words=placing_words.cannot_place_template(),
        placed_line=placing_words.placed_line(draft),
        own_board_in_front=True,
    )


def draft_curtain(draft: Draft, token: str) -> Page:
    """The curtain before one of two persons at one device places a fleet."""
    where, status = address("place", token), tally_line(draft.setup)
    return curtain(draft.setup, draft.side, where, status=status, is_placing=True)
