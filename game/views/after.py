"""The views after a match: its replay and its record."""

from dataclasses import replace

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import replay as replays
from game.display.ending import public_ending
from game.display.match_view import FleetToCome, MatchView, Proof, game_of
from game.display.messages import Status
from game.display.names import player_names, public_names
from game.engine.rules import Pair
from game.feature import features
from game.matches.record import write
from game.matches.saved import SavedMatch
from game.matches.tokens import unseal_match, unseal_replay
from game.views import hooks
from game.views.addresses import address
from game.views.answers import show
from game.views.decorators import ended_match_view, one_at_a_time
from game.views.page import Page
from game.views.pages.base import match_page
from game.views.pages.ended import ended_view
from game.views.requests import HtmxRequest, step_of


@one_at_a_time
@ended_match_view(unseal_match)
def replay(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """An ended match as an animation, or without JavaScript as a page for each step."""
    setup, where = saved.setup, address("replay", token)
    view = ended_view(saved, token)
    links = {name: it for name, it in view.links.items() if name not in ("record", "recap")}
    end = view.end and replace(view.end, shots=None, par=None)
    view = replace(view, end=end, fleet=FleetToCome(), proof=Proof(), links=links)
    page = _at_step(request, saved, view, player_names(setup), where)
    watch_address = reverse("watch", args=[setup.preset.name])
    page = page.having(play_address=address("play", token), watch_address=watch_address)
    return show(request, page)


@one_at_a_time
@ended_match_view(unseal_replay)
def public_replay(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The replay for people with a shared link, without links to the rest of the match."""
    names = public_names(saved.setup)
    view = MatchView(
        phase="over", turn=0, setup=saved.setup.public, title="", address="",
        game=game_of(saved.setup, is_over=True), status=Status(""), end=public_ending(saved, names),
    )  # fmt: skip
    page = _at_step(request, saved, view, names, address("public_replay", token))
    added = hooks.merged(feature.public_replay(saved, token) for feature in features())
    return show(request, page.having(is_public=True, **added))


def _at_step(
    request: HtmxRequest, saved: SavedMatch, view: MatchView, names: Pair[str], where: str
) -> Page:
    """The page of a replay at the step that the query asks for."""
    match, last = saved.match, replays.last_step(saved.match)
    step = step_of(request.GET.get("step", ""), last)
    if "ply" in request.GET:
        step = replays.step_at(match, step_of(request.GET["ply"], match.ply))
    is_foggy = request.GET.get("fog") == "on"
    fog = "&fog=on" if is_foggy else ""
    recap = replays.replay_view(
        match, saved.viewer, names, saved.setup.cell_names, step, is_foggy=is_foggy
    )
    asked = request.GET.get("look")
    view = replace(
        view,
        address=f"{where}?step={step}{fog}" if step or is_foggy else where,
        title=_("Replay"),
        turn=recap.turns[step],
        status=Status(replays.step_text(recap.steps, step)),
        enemy=recap.enemy,
        own=None if saved.setup.is_solo else recap.own,
    )
    return match_page(
        "replay",
        view,
        styles=("game/replay.css",),
        scripts=("game/replay.js",),
        kind="replay",
        recap=recap,
        step=step,
        last=last,
        own_board_in_front=not saved.setup.is_solo
        and (asked == "own" or (asked != "enemy" and recap.is_own(step))),
        is_foggy=is_foggy,
        fog=fog,
        next_hit=replays.next_of(match, step, sunk=False),
        next_sunk=replays.next_of(match, step, sunk=True),
        last_hit=replays.next_of(match, step, sunk=False, back=True),
        last_sunk=replays.next_of(match, step, sunk=True, back=True),
        before=max(step - 1, 0),
        after=min(step + 1, last),
        says=str(recap.steps[step - 1]) if step else replays.step_text([], 0),
        step_words=replays.step_words(),
        turn_words=replays.turn_words(),
        plain_address=where,
    )


@ended_match_view(unseal_match)
def record(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The record of an ended match, which `manage.py verify` can check."""
    return HttpResponse(
        write(saved.record),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="battleship.txt"'},
    )
