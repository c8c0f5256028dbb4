"""The pages of a match before its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from django.conf import settings
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
from game.matches.setup import Setup
from game.views.answers import HtmxRequest, Page, address
from game.views.onboarding import has_hit
from game.views.pages.base import challenge_values, curtain, effects, match_page, news, status_of
from game.views.preferences import Preferences, preferences_of
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

    `visitor` has the preferences if they are newer than the request's, and `is_lost` is true if the
    match store has lost the match. In the query, `look` says which board is in front in a window
    with room for one.
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
    where, query = address(route, token), "?show=enemy" if shows_enemy else ""
    of, afloat = len(setup.ruleset.fleet), sum(ship.is_afloat for ship in seen.ships)
    names, shows_all = player_names(setup), request.GET.get("look") == "shots"
    left = len(seen.enemy_left)
    return match_page(
        "playing",
        setup,
        address=where + query,
        title=_play_title(setup, is_waiting=is_waiting),
        phase="waiting" if is_waiting else "firing",
        turn=seen.turn,
        **status_of(messages.match_lost() if is_lost else status, seen, setup),
        form_action=where + query,
        plain_address=where,
        elsewhere_address=address("elsewhere", token),
        enemy=enemy,
        own=own,
        enemy_fleet=fleets.enemy_fleet(seen),
        own_fleet=fleets.own_fleet(seen),
        own_afloat=_("%(count)s of %(of)s afloat") % {"count": afloat, "of": of},
        own_left=f"{afloat}/{of}",
        enemy_left=ngettext("%(count)s left", "%(count)s left", left) % {"count": left},
        report=text_view(seen, setup),
        log=shot_log(match, person, None if shows_all else SHORT),
        log_names=(names[person], names[person.opponent]),
        is_log_cut=not shows_all and seen.rounds_begun > SHORT,
        shows_all_shots=shows_all,
        player=names[person] if setup.is_shared else "",
        tally_line=tally_line(setup),
        goal=_goal_line(saved, goal, len(seen.counted)),
        whole_goal=goal,
        is_taken_up=saved.challenge is not None,
        **(challenge_values(saved) if saved.challenge else {}),
        opponent_line=opponent_line(setup),
        rule_line=rule_line(setup.ruleset),
        turn_line=messages.turn_line(seen),
        turn_meter=_turn_meter(seen),
        coach_line=coach_line,
        commitment=saved.commitment,
        has_seed_shares=setup.seed_shares is not None,
        shots=len(seen.shots),
        shots_left=str(seen.shots_left) if setup.ruleset.salvo else "",
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
        "questions_left": str(left),
        "questions_left_words": ngettext("%(count)s left", "%(count)s left", left)
        % {"count": left},
        "ask_from": board.name(offered.first),
        "ask_to": board.name(offered.last),
        "ask_share": questions.divided(yes_of_100(seen, offered)) if says_yes else "",
        "asked": questions.boxes(board, seen.asked),
        **questions.form_words(),
    }


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


class Meter(NamedTuple):
    """A bar for a number of turns; screen readers have it in words beside it."""

    value: int
    most: int


def _turn_meter(seen: Observation) -> Meter | None:
    """How far the match is, or in the countdown how far it may still go; None without a limit."""
    left, limit = seen.own_turns_left, seen.own_limit
    if left is None or limit is None or seen.ruleset.turns is None:
        return None
    if seen.is_countdown:
        return Meter(left, max(seen.ruleset.countdown // 2, left))
    return Meter(seen.own_turn, limit)


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
