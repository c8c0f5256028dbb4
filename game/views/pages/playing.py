"""The pages of a match before its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display import boards, fleets, messages, outcomes, questions, review_page
from game.display.boards import BoardView
from game.display.names import (
    isolated,
    opponent_line,
    player_names,
    sea_name,
    tally_line,
)
from game.display.rules import rule_line
from game.display.shot_log import SHORT, shot_log
from game.display.text_view import text_view
from game.engine.observation import Observation, observe
from game.forms import asked_in
from game.matches.questions import best_question, yes_of_100
from game.matches.review import outlook
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, Tally
from game.views import rendering
from game.views.answers import HtmxRequest, Page, address
from game.views.onboarding import has_hit
from game.views.pages.base import challenge_values, curtain, effects, match_page, news, status_of
from game.views.preferences import Preferences, preferences_of
from game.views.rendering import Slot
from game.views.wrecks import wreck_field

LONGEST_TYPED = 20
"""How much of a refused text is shown again, in characters."""
VAST = 12
"""With more columns or rows than these, cells on phones may be too small for a finger."""


def play_page(
    request: HtmxRequest,
    saved: SavedMatch,
    token: str,
    *,
    visitor: Preferences | None = None,
    has_effects: bool = True,
    is_lost: bool = False,
    shots_already_shown: int | None = None,
) -> Page:
    """The page of a match before its end, as its viewer sees it.

    Most requests are for this page, so `render_page` renders it: everything but the slots is part
    of the cache's key, and addresses have a placeholder for the token. `visitor` has the
    preferences if they are newer than the request's, and `is_lost` is true if the match store has
    lost the match. In the query, `look` says which board is in front in a window with room for one.
    """
    setup, match, person = saved.setup, saved.match, saved.viewer
    visitor = visitor or preferences_of(request)
    seen = observe(match, person)
    if is_lost:
        seen = replace(seen, is_to_act=False, may_move=False, shots_left=0, aimed=())
    mine, theirs = news(saved, shots_already_shown)
    shows_enemy = settings.DEBUG and request.GET.get("show") == "enemy"
    reveal = match.placements(person.opponent) if shows_enemy else ()
    enemy = boards.enemy_board(seen, hints=setup.assists.hints, reveal=reveal)
    enemy, coach_line = _coached(seen, enemy) if setup.assists.coach else (enemy, "")
    own = boards.own_board(seen)
    step = visitor.onboarding(messages.onboarding_step(seen))
    moved = messages.own_move(match, person)
    status, goal = messages.status_message(seen, setup, moved, step), outcomes.goal(saved)
    if goal and not match.actions:
        status = f"{goal} {status}"
    is_waiting = not seen.is_to_act
    route = "duel" if setup.remote else "play"
    late, query = rendering.placeholder("token"), "?show=enemy" if shows_enemy else ""
    of, afloat = len(setup.ruleset.fleet), sum(ship.is_afloat for ship in seen.ships)
    names, shows_all = player_names(setup), request.GET.get("look") == "shots"
    left, has_radar = len(seen.enemy_left), setup.preset.has_radar
    page = match_page(
        "playing",
        template_key(setup),
        address=address(route, late) + query,
        token=Slot(token),
        title=Slot(_play_title(setup, is_waiting=is_waiting)),
        phase="waiting" if is_waiting else "firing",
        turn=Slot(seen.turn),
        **status_of(messages.match_lost() if is_lost else status, seen, setup),
        form_action=address(route, late) + query,
        plain_address=address(route, late),
        elsewhere_address=address("elsewhere", late),
        enemy=rendering.board(enemy, "cells/enemy.html", has_radar=has_radar),
        own=rendering.board(own, "cells/own.html", "table", has_radar=has_radar),
        enemy_fleet=rendering.fleet(fleets.enemy_fleet(seen)),
        own_fleet=rendering.fleet(fleets.own_fleet(seen)),
        own_afloat=Slot(_("%(count)s of %(of)s afloat") % {"count": afloat, "of": of}),
        own_left=Slot(f"{afloat}/{of}"),
        enemy_left=Slot(ngettext("%(count)s left", "%(count)s left", left) % {"count": left}),
        report=rendering.text_view(text_view(seen, setup), moving=setup.ruleset.moving, goal=goal),
        log=rendering.shot_log(
            shot_log(match, person, None if shows_all else SHORT),
            (names[person], names[person.opponent]),
            is_solo=setup.is_solo,
        ),
        is_log_cut=not shows_all and seen.rounds_begun > SHORT,
        shows_all_shots=shows_all,
        player=Slot(names[person] if setup.is_shared else ""),
        tally_line=Slot(tally_line(setup)),
        goal=Slot(_goal_line(saved, goal, len(seen.counted))),
        is_taken_up=saved.challenge is not None,
        **(challenge_values(saved) if saved.challenge else {}),
        opponent_line=Slot(opponent_line(setup)),
        rule_line=Slot(rule_line(setup.ruleset)),
        turn_line=Slot(messages.turn_line(seen)),
        turn_meter=_turn_meter(seen),
        coach_line=Slot(coach_line),
        commitment=Slot(saved.commitment),
        has_seed_shares=setup.seed_shares is not None,
        shots=Slot(len(seen.shots)),
        shots_left=Slot(seen.shots_left if setup.ruleset.salvo else ""),
        **(_asking(request, seen, setup) if setup.ruleset.questions else {}),
        own_board_in_front=not setup.is_solo and request.GET.get("look") == "own",
        may_move=seen.may_move,
        first_ages=not moved and not setup.assists.coach and boards.are_ages_new(seen),
        wreck_field=wreck_field(request, saved),
        is_waiting=is_waiting,
        is_vast=max(seen.board.columns, seen.board.rows) > VAST,
        is_lost=is_lost,
        is_countdown=messages.is_countdown(seen),
        is_fresh=setup.day is not None and not setup.is_late and not match.actions,
        is_late=setup.is_late,
        offers_sound=visitor.may_offer_sound and has_hit(seen),
        debug_switch=settings.DEBUG,
        shows_enemy=shows_enemy,
        **(effects(seen.board, mine, theirs) if has_effects else {}),
    )
    return page._replace(address=address(route, token) + query, is_cached=True)


def _goal_line(saved: SavedMatch, goal: str, shots: int) -> str:
    """The goal of a search alone, and from the first shot on the score of a day's sea."""
    if not saved.match.actions:
        return goal
    return " · ".join(outcomes.score(saved, shots)) if saved.setup.day else ""


def _asking(request: HtmxRequest, seen: Observation, setup: Setup) -> dict[str, Any]:
    """The values of the form that asks a question, and of the list of all that were asked.

    The coach proposes the best one, or says how the one in the query divides the fleets. That takes
    much of an answer's time, so an answer to a shot leaves it out: the script asks for it when the
    player chooses to ask.
    """
    board, left = seen.board, seen.questions_left
    given = asked_in(board, request.GET)
    says_yes = setup.assists.coach and seen.may_ask and request.method != "POST"
    best = best_question(seen) if says_yes and not given else None
    offered = given or (best.ask if best else questions.first_box(seen))
    return {
        "may_ask": seen.may_ask,
        "questions_left": Slot(left),
        "questions_left_words": Slot(
            ngettext("%(count)s left", "%(count)s left", left) % {"count": left}
        ),
        "ask_from": Slot(board.name(offered.first)),
        "ask_to": Slot(board.name(offered.last)),
        "ask_share": Slot(questions.divided(yes_of_100(seen, offered)) if says_yes else ""),
        "asked": rendering.questions(questions.boxes(board, seen.asked)),
        **questions.form_words(),
    }


def template_key(setup: Setup) -> Setup:
    """The setup without what the templates of an unfinished match don't use."""
    one, other = setup.minds
    return replace(
        setup, names=("", ""), tally=Tally(), learning=None, started_hour=None, seed_shares=None,
        minds=(one and "", other and ""), minds_version=0, is_dealt=False,
    )  # fmt: skip


def _play_title(setup: Setup, *, is_waiting: bool) -> str:
    """The title of the tab, which says whose turn it is at two devices."""
    if setup.is_solo:
        return sea_name(setup)
    if not setup.remote:
        return _("The match")
    friend = setup.names[setup.person.opponent]
    if is_waiting:
        return waiting_title(friend)
    if friend:
        return _("Your turn – %(name)s") % {"name": isolated(friend)}
    return _("Your turn")


def waiting_title(friend: str) -> str:
    if friend:
        return _("Waiting for %(name)s") % {"name": isolated(friend)}
    return _("Waiting for your opponent")


def _turn_meter(seen: Observation) -> SafeString:
    """How far the match is, or in the countdown how far it may still go; empty without a limit."""
    left, limit = seen.own_turns_left, seen.own_limit
    if left is None or limit is None or seen.ruleset.turns is None:
        return SafeString("")
    if seen.is_countdown:
        return rendering.meter(left, max(seen.ruleset.countdown // 2, left))
    return rendering.meter(seen.own_turn, limit)


def _coached(seen: Observation, enemy: BoardView) -> tuple[BoardView, str]:
    """The enemy's board, with chances while the person is to fire, and the coach's line."""
    if not (seen.is_to_act and seen.shots_left):
        return enemy, messages.coach_waits()
    view = outlook(seen)
    said = messages.coach_line(seen, view.ranked(seen.targets))
    return review_page.with_chances(enemy, seen, view), said


def match_curtain(saved: SavedMatch, token: str) -> Page:
    return curtain(
        saved.setup, saved.viewer, address("play", token), turn=saved.match.turn,
        status=messages.public_status_message(saved), tally_line=tally_line(saved.setup),
    )  # fmt: skip


def watching_page(saved: SavedMatch, token: str) -> Page:
    """The page of a match between two minds before its end; only its progress is shown."""
    names, where = player_names(saved.setup), address("play", token)
    return match_page(
        "watching",
        saved.setup,
        address=where,
        title=" – ".join(names),
        phase="handover",
        turn=saved.match.turn,
        status=messages.turn_line(observe(saved.match, saved.viewer)),
        form_action=where,
        names=names,
    )
