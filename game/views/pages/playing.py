"""The pages of a match before its end."""

from dataclasses import replace

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import gettext as _

from game.display import messages, outcomes
from game.display.match_history import history_of, past_of, shot_log
from game.display.match_view import (
    Game,
    Proof,
    Showing,
    asking,
    compared_view,
    game_of,
    playing_view,
)
from game.display.names import isolated, player_names, sea_name
from game.display.text_view import text_view
from game.engine.geometry import Cell
from game.matches.cell_names import CellNames
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.views import hooks
from game.views.addresses import address, play_address
from game.views.answers import panel
from game.views.onboarding import has_hit
from game.views.page import Page
from game.views.pages.base import Visit, curtain, match_page, simple_page
from game.views.wrecks import wreck_field
from game.web.forms import asked_in

LONGEST_TYPED = 20
"""How much of a refused text is shown again, in characters."""
VAST = 12
"""With more columns or rows than these, cells on phones may be too small for a finger."""


def play_page(visit: Visit, saved: SavedMatch, token: str) -> Page:
    """The page of a match before its end, as its viewer sees it.

    In the query, `look` says which board is in front in a window with room for one.
    """
    request, visitor = visit.request, visit.visitor
    setup, match, person = saved.setup, saved.match, saved.viewer
    seen, cell_names = saved.seen, setup.cell_names
    shows_enemy = settings.DEBUG and request.GET.get("show") == "enemy"
    plain_address = play_address(setup, token)
    names_on = () if setup.remote else hooks.playing_links()
    links = {name: f"{plain_address}{name}/" for name in names_on}
    view = playing_view(
        seen,
        setup,
        history_of(saved, seen, shots_already_shown=visit.shots_already_shown),
        Showing(
            title=_play_title(setup, is_waiting=not seen.is_to_act),
            address=plain_address + ("?show=enemy" if shows_enemy else ""),
            game=_game(saved),
            links=links,
            onboarding=visitor.onboarding(messages.onboarding_step(seen)),
            offered=asked_in(cell_names, request.GET),
            may_advise=request.method != "POST",
            reveal=match.placements(person.opponent) if shows_enemy else (),
        ),
    )
    features = hooks.playing(saved, seen)
    return match_page(
        "playing",
        hooks.joining(view, features),
        features,
        own_board_in_front=not setup.is_solo and visit.look == "own",
        wreck_field=wreck_field(request, saved),
        is_vast=cell_names.is_typed or max(seen.board.columns, seen.board.rows) > VAST,
        example=_example(cell_names),
        offers_sound=visitor.may_offer_sound and has_hit(seen),
        plain_address=plain_address,
        debug_switch=settings.DEBUG,
        shows_enemy=shows_enemy,
    )


def _example(cell_names: CellNames) -> str:
    """What the field for a cell shows while it is empty."""
    if cell_names.has_answers:
        return _("The answer of a cell")
    return cell_names.name(Cell(cell_names.board.columns + 1)) if cell_names.is_labelled else "B7"


def _game(saved: SavedMatch) -> Game:
    setup = saved.setup
    player = player_names(setup)[saved.viewer] if setup.is_shared else ""
    return replace(game_of(setup, player=player), is_late="yes" if setup.is_late else None)


def page_before(visit: Visit, saved: SavedMatch) -> Page:
    """What of the page of a match may differ after an action; see game.views.difference."""
    seen = saved.seen
    view = compared_view(seen, saved.setup, past_of(saved, seen), Showing(game=_game(saved)))
    values = {
        "offers_sound": visit.visitor.may_offer_sound and has_hit(seen),
        "wreck_field": wreck_field(visit.request, saved),
    }
    return Page("", "game", values, hooks.joining(view, hooks.playing(saved, seen)))


def drawer_panel(visit: Visit, saved: SavedMatch, token: str) -> HttpResponse:
    """What stands in a drawer of that page, or a page of its own: the match in words, or a hash."""
    setup, seen, names = saved.setup, saved.seen, player_names(saved.setup)
    context = {"setup": setup.public, "cell_names": setup.cell_names}
    context["play_address"] = play_address(setup, token)
    if visit.look == "fair":
        title, proof = _("Provably fair"), Proof(saved.commitment, setup.seed_shares is not None)
        context |= {"panel_title": title, "proof": proof}
        return panel(visit.request, "game/_pledged.html", context)
    context |= {
        "panel_title": _("Text view"),
        "styles": ("game/match.css",),
        "log": shot_log(saved.match, seen, setup.cell_names),
        "names": (names[seen.side], names[seen.side.opponent]),
        "report": text_view(seen, setup, outcomes.goal(saved)),
    }
    return panel(visit.request, "game/_told.html", context)


def asking_to_resign(page: Page) -> Page:
    """The page with the question whether to give up."""
    return page._replace(view=page.view and asking(page.view, "resign"))


def _play_title(setup: Setup, *, is_waiting: bool) -> str:
    """The title of the tab, which says whose turn it is at two devices."""
    if setup.is_solo:
        return sea_name(setup)
    if not setup.remote:
        return _("The match")
    friend = setup.person_names[setup.person.opponent]
    if is_waiting:
        return waiting_title(friend)
    if friend:
        return _("Your turn – %(name)s") % {"name": isolated(friend)}
    return _("Your turn")


def waiting_title(friend: str) -> str:
    if friend:
        return _("Waiting for %(name)s") % {"name": isolated(friend)}
    return _("Waiting for your opponent")


def match_curtain(saved: SavedMatch, token: str) -> Page:
    return curtain(
        saved.setup, saved.viewer, address("play", token), turn=saved.match.turn,
        status=messages.public_status_message(saved),
    )  # fmt: skip


def watching_page(saved: SavedMatch, token: str) -> Page:
    """The page of a match between two minds before its end; only its progress is shown."""
    names = player_names(saved.setup)
    return simple_page(
        "watching",
        saved.setup,
        address("play", token),
        title=" – ".join(names),
        turn=saved.match.turn,
        status=messages.turn_line(saved.seen),
        action="go on",
    ).having(names=names)
