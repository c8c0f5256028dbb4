"""The view of a match at two devices, and the answers that a seat gets.

The address names the duel, and each form the step that its page shows. Without the seat's cookie
there is no board until the match is over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from game.engine.actions import IllegalAction, MatchOver
from game.engine.fleets import Fleet
from game.engine.geometry import NotACell
from game.engine.rules import Side
from game.features.duel import models, parts, presence, words
from game.features.duel.models import WriteConflict
from game.features.duel.pages import duel_view, invited_page, left_page, with_friend
from game.features.duel.presence import Presence
from game.features.duel.seats import is_from_here, renew_seats, seats_of
from game.features.duel.state import Claim, DuelState, Seats, SeatTaken
from game.matches.draft import Draft
from game.matches.tokens import seal_draft, seal_match, seal_replay
from game.ops import database, metrics
from game.ops.database import DatabaseDown
from game.views import hooks
from game.views.answers import (
    HtmxRequest,
    Page,
    address,
    address_elsewhere,
    check_open,
    lead_to,
    see_other,
    show,
    swaps,
    token_view,
    typed,
)
from game.views.cookies import is_kept, keep_unfinished
from game.views.onboarding import after_action
from game.views.pages.ended import over_page
from game.views.pages.playing import LONGEST_TYPED, asking_to_resign, play_page
from game.views.preferences import keep, preferences_of
from game.views.wrecks import show_asking, wreck_question
from game.web.forms import Refused, parse_action, single
from game.web.responses import SwitchedOff, error_page, foreign_form

_TRIES = 4
"""How often a step is tried again on top of a newer one, if it doesn't depend on that."""

View = Callable[..., HttpResponse]


def seat_view(view: View) -> View:
    """Decorates a view of a match at two devices.

    The response is 404 on a site without a database, 503 while that is down, and 403 to a form from
    elsewhere.
    """

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not database.is_on():
            raise SwitchedOff(_("Matches on two devices are switched off on this site."))
        if request.method == "POST" and not is_from_here(request):
            return foreign_form(request)
        try:
            response = view(request, *args, **kwargs)
        except SeatTaken:
            response = taken(request)
        except DatabaseDown:
            response = notice(request, words.database_down(), status=503)
        renew_seats(request, response)
        return response

    return token_view(wrapper)


def notice(
    request: HttpRequest, sentence: str, *, status: int, link: str = "", match: str = ""
) -> HttpResponse:
    """A page with one sentence, and perhaps the link to send to a friend, or to the match."""
    ways = [(match, _("Back to the match"))] if match else []
    if status == 503 and request.method == "GET":
        ways.append((request.get_full_path(), _("Try again")))
    drawing = "bonn-still" if status == 503 else "water"
    title, template = _("Play a friend"), "duel/notice.html"
    response = error_page(
        request, status, title, sentence, ways=ways, drawing=drawing, template=template, link=link
    )
    if status == 503:
        response["Retry-After"] = "5"
    return response


def taken(request: HttpRequest) -> HttpResponse:
    return notice(request, _("Somebody has taken this seat already."), status=403)


def gone(request: HttpRequest) -> HttpResponse:
    """The response at an address whose row was deleted, or never was there."""
    response = notice(request, words.gone(), status=410)
    if request.headers.get("HX-Request"):  # the page that asked is out of date, too
        response["HX-Refresh"] = "true"
    return response


@seat_view
def duel(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """A match as one seat sees it."""
    newest, seats = models.find(duel_id), seats_of(request)
    if newest is None:
        return gone(request)
    side = seats.side_of(newest) if seats else None
    if seats is None or side is None:
        return _stranger(request, newest)
    hooks.use_names(newest.setup)
    newest = newest.for_seat(side)
    check_open(newest.setup, newest.match)
    shown = request.POST.get("step") or request.GET.get("step", "")
    player = Player(request, seats, side, newest.held(shown))
    if request.method == "POST":
        return _post(player, newest)
    if newest.is_to_place(side):
        return player.lead_to(newest)
    if player.is_waiting(newest):
        player.record_presence(newest)
    return player.kept(show(request, player.page(newest)), newest)


@seat_view
def lead_back(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """Redirects to a match that opens in this browser, and refuses another one as its page does."""
    duel, seats = models.find(duel_id), seats_of(request)
    if duel is None:
        return gone(request)
    if seats is None or seats.side_of(duel) is None:
        return _stranger(request, duel)
    check_open(duel.setup, duel.match)
    return redirect(address("duel", duel_id))


def _stranger(request: HtmxRequest, newest: DuelState) -> HttpResponse:
    """The response without a seat: 403, or the public replay once the match is over."""
    saved = newest.saved(None)
    if saved is not None and newest.is_over:
        return see_other(address("public_replay", seal_replay(saved)))
    sentence = _("Only the two players can see this match until it is over.")
    return notice(request, sentence, status=403)


def _post(player: Player, newest: DuelState) -> HttpResponse:
    """The response to a form, given the newest state.

    A named action that doesn't fit the newest state is refused as a shot without a cell is.
    """
    side, is_same_round = player.side, player.held is not None
    is_same_match = is_same_round and newest.match is not None
    match player.request.POST.get("action"):
        case "show":
            return player.lead_to(newest)
        case "resign" if newest.match is not None and not newest.is_over:
            page = player.page(newest, has_effects=False)
            return show(player.request, asking_to_resign(page))
        case "resign-yes" if is_same_match:
            ended = on_top(newest, lambda last: last.resigned(side), "resign")
            if ended.match is not None and ended.match.resigned is not side:
                return player.refuse(ended, words.refusal(MatchOver()), status=422)
            return player.lead_to(ended)
        case "rematch" if is_same_match:
            return player.lead_to(on_top(newest, lambda last: last.wished(side)))
        case "nudge" if not newest.is_open:
            return _nudge(player, newest)
        case "change" if newest.is_open:  # leads the inviter back to placing
            changed = on_top(newest, DuelState.unplaced)
            if changed.is_to_place(side):
                return player.lead_to(changed, newest.fleets[side] or ())
            return player.outdated(changed)
        case "withdraw" if newest.is_open:
            withdrawn = on_top(newest, DuelState.withdrawn)
            return player.lead_to(withdrawn) if withdrawn.is_closed else player.outdated(withdrawn)
        case "leave" if is_same_round:
            return leave(player, newest)
        case "abandon" if is_same_match:
            return _abandon(player, newest)
    return _act(player, newest)


def _act(player: Player, newest: DuelState) -> HttpResponse:
    """The response to a shot or a move; refuses every other form."""
    request, side, held = player.request, player.side, player.held
    if held is None:
        return player.outdated(newest)
    try:
        action = parse_action(held.setup.ruleset, single(request.POST))
        acted = held.acted(side, action)
    except (Refused, IllegalAction, NotACell) as error:
        if newest != held:
            return player.outdated(newest)
        return player.refuse(newest, words.refusal(error), status=422)
    saved = held.saved(side)
    if saved is not None and newest == held and (question := wreck_question(request, saved)):
        return show_asking(request, saved, player.page(newest, has_effects=False), question)
    if newest == held:
        try:
            newest = models.write(acted)
            metrics.count_action(type(action).__name__.lower())
        except WriteConflict:
            newest = _reread(newest).for_seat(side)
    # The same action sent twice gets the same response.
    if not newest.follows(acted):
        return player.outdated(newest)
    response = player.lead_to(newest)
    before, after = held.saved(side), acted.saved(side)
    if before is not None and after is not None:
        keep(request, response, after_action(preferences_of(request), before, after))
    return response


def _reread(duel: DuelState) -> DuelState:
    """The newest state; raises DatabaseDown."""
    found = models.find(duel.id)
    if found is None:
        raise DatabaseDown("the row was deleted meanwhile")
    return found


def _nudge(player: Player, newest: DuelState) -> HttpResponse:
    side = player.side
    if not presence.of(newest, side).is_here:
        sentence = _("%(name)s is not there now.") % {"name": words.friend_name(newest, side)}
        return player.refuse(newest, sentence, status=422)
    is_first = presence.nudge(newest, side)
    sentence = words.nudged(newest, side, is_first=is_first)
    if not is_first:
        return player.refuse(newest, sentence, status=422)
    view = player.page(newest).view
    said = f"{sentence} {view.status.text if view else ''}".rstrip()
    return show(player.request, player.page(newest, has_effects=False).saying(said))


def leave(player: Player, newest: DuelState) -> HttpResponse:
    left = on_top(newest, lambda last: last.with_left(player.side))
    if newest.is_over:  # it has been told how it ended
        return player.kept(lead_to(player.request, reverse("home")), left)
    return player.lead_to(left)


def _abandon(player: Player, newest: DuelState) -> HttpResponse:
    """The response with the match ended, if the other player has been away for long enough.

    Unlike giving up, this never ends a newer step than the page shows: who acts is back.
    """
    if newest.match is not None and newest.match.abandoned:
        return player.lead_to(newest)
    if newest.is_over:
        return player.refuse(newest, words.refusal(MatchOver()), status=422)
    if player.held is None or newest.step != player.held.step:
        return player.outdated(newest)
    if not presence.of(newest, player.side).may_end:
        sentence = _("%(name)s has been there in the last ten minutes.")
        sentence %= {"name": words.friend_name(newest, player.side)}
        return player.refuse(newest, sentence, status=422)
    step = newest.step
    ended = on_top(newest, lambda last: last.abandoned() if last.step == step else last)
    is_ended = ended.match is not None and ended.match.abandoned
    return player.lead_to(ended) if is_ended else player.outdated(ended)


def on_top(
    newest: DuelState, change: Callable[[DuelState], DuelState], kind: str = ""
) -> DuelState:
    """The duel after a change that fits any step; unchanged if it has been made already.

    Both seats may give up or wish a rematch at once. `kind` is for the counters.
    """
    last = _reread(newest)  # with a move that the seat isn't shown
    for _try in range(_TRIES):
        try:
            changed = change(last)
            if changed is last:
                return last
            written = models.write(changed)
        except IllegalAction:  # it is over already, or the next match is on its way
            return last
        except WriteConflict:
            last = _reread(last)
            continue
        if kind:
            metrics.count_action(kind)
        return written
    raise DatabaseDown("another step was always first")


class Player:
    """One of the two players, and the responses they get."""

    def __init__(
        self, request: HtmxRequest, seats: Seats, side: Side, held: DuelState | None = None
    ) -> None:
        """`held` is the state that the page shows which has sent the request."""
        self.request, self.seats, self.side, self.held = request, seats, side, held

    def page(self, duel: DuelState, *, has_effects: bool = True) -> Page:
        """The page of a step of the duel, as this seat sees it; raises SeatTaken or Expired."""
        check_open(duel.setup, duel.match)
        side, duel = self.side, duel.for_seat(self.side)
        saved = duel.saved(side)
        seat_secret = self.seats.secret_of(duel, side)
        if seat_secret is None:
            raise SeatTaken("somebody else holds the seat")
        keep = address("keep", parts.seal_kept_seat(duel.id, seat_secret))
        link = address_elsewhere(self.request, address("any_invite", duel.id))
        there = presence.of(duel, side)
        feature = duel_view(duel, side, there, link=link, is_shown=self.shows_presence)
        if saved is None and duel.is_closed:
            return left_page(duel, side, feature)
        if saved is None:
            return self._with_nudge(invited_page(duel, side, feature, keep=keep), duel, there)
        shown = self._shots_already_shown(duel)
        if saved.match.outcome is not None:
            token = seal_match(saved)
            page = over_page(
                saved, token, has_effects=has_effects, shots_already_shown=shown,
                is_lifted=self.request.GET.get("look") == "own",
            )  # fmt: skip
            if page.view and (wish := words.rematch(duel, side)):
                has_news = page.view.news.shots is not None
                page = page.saying(f"{page.view.status.text if has_news else ''} {wish}".lstrip())
        else:
            page = play_page(
                self.request, saved, duel.id, has_effects=has_effects, shots_already_shown=shown
            )
        return self._with_nudge(with_friend(page, duel, feature, keep), duel, there)

    def _with_nudge(self, page: Page, duel: DuelState, there: Presence) -> Page:
        """The page with a nudge in its status, unless its script tells the nudge by itself."""
        if not there.nudge or swaps(self.request):
            return page
        said = page.view.status.text if page.view else ""
        return page.saying(f"{words.nudges(duel, self.side)} {said}")

    @property
    def shows_presence(self) -> bool:
        return preferences_of(self.request).presence == "on"

    def record_presence(self, duel: DuelState) -> None:
        presence.record_visit(duel, self.side, is_shown=self.shows_presence)

    def is_waiting(self, duel: DuelState) -> bool:
        """Whether the other player is to act, so that a page without script loads itself again."""
        match = duel.match
        return match is None or (match.outcome is None and match.side is not self.side)

    def _shots_already_shown(self, duel: DuelState) -> int | None:
        """How many shots the seat's last page has shown; None if unknown."""
        held = self.held
        if held is None or held.match is None or held.step == duel.step:
            return None
        return len(held.match.shots)

    def lead_to(self, duel: DuelState, fleet: Fleet = ()) -> HttpResponse:
        """The response that leads to a step of the duel: to its page, or to placing a fleet.

        `fleet` is laid out already.
        """
        if duel.is_to_place(self.side):
            claim = Claim(duel.id, self.side, duel.seat_hashes[self.side])
            draft = seal_draft(Draft(duel.setup, fleet, parts=(claim,)))
            return self.kept(lead_to(self.request, address("place", draft)), duel)
        if not swaps(self.request):
            return self.kept(see_other(address("duel", duel.id)), duel)
        return self.kept(show(self.request, self.page(duel)), duel)

    def kept(self, response: HttpResponse, duel: DuelState) -> HttpResponse:
        """The response by which the browser keeps the match; a look only updates what it keeps."""
        found, is_over = words.of_duel(duel, self.side), duel.is_over or duel.is_closed
        if self.request.method == "POST" or is_kept(self.request, found):
            keep_unfinished(self.request, response, found, "duel", duel.id, is_over=is_over)
        return response

    def outdated(self, newest: DuelState) -> HttpResponse:
        """The response to a move that came too late: the newest step, with a sentence on it."""
        if newest.is_to_place(self.side):
            return self.lead_to(newest)
        sentence = _("The match has gone on meanwhile. This is how it stands.")
        return self.refuse(newest, sentence, status=409)

    def refuse(self, duel: DuelState, sentence: str, *, status: int) -> HttpResponse:
        page = self.page(duel, has_effects=False).refused(sentence)
        page = page.having(typed=typed(self.request, LONGEST_TYPED))
        return show(self.request, page, status=status)
