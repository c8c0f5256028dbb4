"""The view of a match at two devices, and the answers that a seat gets.

The address names the duel, and each form the step that its page shows. Without the seat's cookie
there is no board until the match is over.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from game.display.match_history import EVERY_SHOT
from game.engine.actions import IllegalAction
from game.engine.fleets import Fleet
from game.engine.geometry import NotACell
from game.engine.presets import OWN
from game.engine.rules import Side
from game.features.duel import models, parts, words
from game.features.duel.models import Pairs, WriteConflict
from game.features.duel.pages import duel_view, page_before, with_friend
from game.features.duel.presence import CALLS, call_of
from game.features.duel.state import Claim, DuelState, NotYourTurn, SeatTaken
from game.matches.draft import Draft
from game.matches.tokens import seal_draft, seal_match, seal_replay
from game.ops import metrics
from game.ops.database import DatabaseDown
from game.views.addresses import address, address_elsewhere
from game.views.answers import lead_to, see_other, show
from game.views.cookies import is_kept, keep_misspelt, keep_unfinished
from game.views.decorators import database_view, token_view
from game.views.expiry import check_open
from game.views.onboarding import after_action
from game.views.page import Page
from game.views.pages.base import Visit
from game.views.pages.ended import over_page
from game.views.pages.playing import LONGEST_TYPED, asking_to_resign, drawer_panel, play_page
from game.views.preferences import preferences_of, save_preferences
from game.views.requests import HtmxRequest, View, swaps, typed
from game.views.wrecks import asking_page, keep_asked, wreck_question
from game.web.forms import Refused, parse_action, refusal, single
from game.web.responses import error_page, foreign_form
from game.web.seats import Seats, is_from_here, renew_seats, seats_of

_TRIES = 4
"""How often a step is tried again on top of a newer one, if it doesn't depend on that."""


_database_view = database_view(
    gettext_lazy("Matches on two devices are switched off on this site.")
)


def seat_view(view: View) -> View:
    """Decorates a view of a match at two devices; the response is 403 to a form from elsewhere."""

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and not is_from_here(request):
            return foreign_form(request)
        try:
            response = view(request, *args, **kwargs)
        except SeatTaken:
            response = notice(request, _("Somebody has taken this seat already."), status=403)
        renew_seats(request, response)
        return response

    return token_view(_database_view(wrapper))


def notice(request: HttpRequest, sentence: str, *, status: int) -> HttpResponse:
    """A page with one sentence."""
    return error_page(request, status, _("Play a friend"), sentence)


def gone(request: HttpRequest) -> HttpResponse:
    """The response at an address whose row was deleted, or never was there."""
    sentence = _(
        "This match is no longer here. The server deletes a match on two devices 60 days after its "
        "last step, and half an hour after the invitation was withdrawn or both players have left."
    )
    response = notice(request, sentence, status=410)
    if request.headers.get("HX-Request"):  # the page that asked is out of date, too
        response["HX-Refresh"] = "true"
    return response


@seat_view
def duel(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """A match as one seat sees it."""
    if (newest := models.find(duel_id)) is None:
        return gone(request)
    if (player := player_of(request, newest, seats_of(request))) is None:
        return _stranger(request, newest)
    side = player.side
    newest = newest.for_seat(side)
    check_open(newest.setup, newest.match)
    if request.method == "POST":
        return _post(player, newest)
    if newest.is_to_place(side):
        return player.lead_to(newest)
    if newest.is_waiting(side):  # a page without script loads itself again
        before, state = newest.seen[side], "visible" if swaps(request) else ""
        after = before.after(state, is_shown=player.shows_presence)
        models.record(duel_id, side, before, after)
    saved, visit = newest.saved(side), Visit.of(request)
    if saved and saved.match.outcome is None and visit.opens_drawer:
        return drawer_panel(visit, saved, duel_id)
    return player.kept(show(request, player.page(newest)), newest)


def lead_back(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """Redirects to a match that opens in this browser, and refuses another one as its page does."""
    response = duel(request, duel_id)
    return redirect(address("duel", duel_id)) if response.status_code == 200 else response


def _stranger(request: HtmxRequest, newest: DuelState) -> HttpResponse:
    """The response without a seat: 403, or the public replay once the match is over."""
    saved = newest.saved(None)
    if saved is not None and newest.is_over:
        return see_other(address("public_replay", seal_replay(saved)))
    sentence = _("Only the two players can see this match until it is over.")
    return notice(request, sentence, status=403)


def _post(player: Player, newest: DuelState) -> HttpResponse:
    """The response to a form, given the newest state."""
    request, side, step = player.request, player.side, player.step
    match request.POST.get("action"):
        case "show":
            return player.lead_to(newest)
        case "resign" if newest.match is not None and not newest.is_over:
            page = player.quiet_page(newest)
            return show(request, asking_to_resign(page))
        case str(call) if call in CALLS and not newest.is_open:
            return _call(player, newest, call)
        case "abandon" if not newest.is_over and not newest.there(side).may_end:
            sentence = _("%(name)s has been there in the last ten minutes.")
            sentence %= {"name": words.friend_name(newest, side)}
            return player.refuse(newest, sentence, status=422)
        case "leave" if newest.is_of_round(step):
            return leave(player, newest)
        case "change":  # leads the inviter back to placing
            return _change(player, newest, DuelState.unplaced, newest.fleets[side] or ())
        case "computer" if pairs := _pairs_of(newest):
            on_top(newest, lambda last: last.with_left(side))
            fields = QueryDict(pairs.query, mutable=True)
            fields["opponent"] = OWN.opponent
            return lead_to(request, f"{reverse('new', args=[OWN.name])}?{fields.urlencode()}")
        case "withdraw":
            return _change(player, newest, DuelState.withdrawn)
        case "rematch":
            return _change(player, newest, lambda last: last.wished(side))
        case "abandon":
            return _change(player, newest, lambda last: last.abandoned(step))
        case "resign-yes":
            response = _change(player, newest, lambda last: last.resigned(side))
            if response.status_code < 400 and not newest.is_over:
                metrics.count_action("resign")
            return response
    return _act(player, newest)


def _change(
    player: Player,
    newest: DuelState,
    change: Callable[[DuelState], DuelState],
    fleet: Fleet = (),
) -> HttpResponse:
    """The response to a step that fits any other one of its round; `fleet` is laid out after it."""
    if not newest.is_of_round(player.step):
        return player.outdated(newest)
    try:
        return player.lead_to(on_top(newest, change), fleet)
    except IllegalAction as error:
        return player.refuse_action(_reread(newest).for_seat(player.side), error)


def on_top(newest: DuelState, change: Callable[[DuelState], DuelState]) -> DuelState:
    """The duel after a change that fits any step; unchanged if it has been made already.

    Both seats may give up or wish a rematch at once. Raises IllegalAction if it doesn't fit.
    """
    for _try in range(_TRIES):
        last = _reread(newest)  # with a move that the seat isn't shown
        changed = change(last)
        if changed is last:
            return last
        with suppress(WriteConflict):
            return models.write(changed)
    raise DatabaseDown("another step was always first")


def _pairs_of(duel: DuelState) -> Pairs | None:
    """The pairs in which the duel waits for its second player."""
    return Pairs.find(waiting=duel.id) if duel.is_open else None


def _reread(duel: DuelState) -> DuelState:
    """The newest state; raises DatabaseDown."""
    newest = models.find(duel.id)
    if newest is None:
        raise DatabaseDown("the row was deleted meanwhile")
    return newest


def _act(player: Player, newest: DuelState) -> HttpResponse:
    """The response to a shot or a move; refuses every other form."""
    request, side, is_newest = player.request, player.side, player.step == newest.form_step
    try:
        action = parse_action(newest.setup.cell_names, single(request.POST))
        acted = newest.acted(side, action) if is_newest else None
    except (Refused, IllegalAction, NotACell) as error:
        response = player.refuse_action(newest, error)
        if (saved := newest.saved(side)) is not None:
            keep_misspelt(request, response, saved, error)
        return response
    before, after = newest.saved(side), acted.saved(side) if acted else None
    if acted and before and after:
        if question := wreck_question(request, before):
            page = player.quiet_page(newest)
            response = show(request, asking_page(before, page, question))
            keep_asked(request, response, before)
            return response
        try:
            response = player.lead_to(models.write(acted))
        except WriteConflict:
            newest = _reread(newest).for_seat(side)
        else:
            metrics.count_action(type(action).__name__.lower())
            save_preferences(
                request, response, after_action(preferences_of(request), before, after)
            )
            return response
    # The same action sent twice gets the same response.
    is_same = newest.has_acted(player.step, side, action)
    return player.lead_to(newest) if is_same else player.outdated(newest)


def _call(player: Player, newest: DuelState, call: str) -> HttpResponse:
    side = player.side
    if not newest.there(side).is_here:
        sentence = _("%(name)s is not there now.") % {"name": words.friend_name(newest, side)}
        return player.refuse(newest, sentence, status=422)
    is_sent = models.call(newest, side, call)
    sentence = words.called(newest, side, call, is_sent=is_sent)
    if not is_sent:
        return player.refuse(newest, sentence, status=422)
    page = player.quiet_page(newest)
    happened = player.page(newest).view
    said = f"{sentence} {happened.status.text if happened else ''}".rstrip()
    return show(player.request, page.saying(said))


def leave(player: Player, newest: DuelState) -> HttpResponse:
    left = on_top(newest, lambda last: last.with_left(player.side))
    if newest.is_over:  # it has been told how it ended
        return player.kept(lead_to(player.request, reverse("home")), left)
    return player.lead_to(left)


def player_of(request: HtmxRequest, duel: DuelState, seats: Seats | None) -> Player | None:
    """The player whose seat a browser holds, if it holds one."""
    side = duel.side_of(seats)
    return Player(request, seats, side) if seats and side is not None else None


class Player:
    """One of the two players, and the responses they get."""

    def __init__(self, request: HtmxRequest, seats: Seats, side: Side) -> None:
        self.request, self.seats, self.side = request, seats, side
        self.step = request.POST.get("step") or request.GET.get("step", "")
        """The step that the page shows which has sent the request."""

    @property
    def shows_presence(self) -> bool:
        return preferences_of(self.request).presence == "on"

    def quiet_page(self, duel: DuelState) -> Page:
        """The page of a step on which no shot is news; raises as `page` does."""
        return self.page(duel, EVERY_SHOT)

    def page(self, duel: DuelState, shots_already_shown: int | None = None) -> Page:
        """The page of a step of the duel, as this seat sees it; raises SeatTaken or Expired.

        Without `shots_already_shown` these are the shots that the page which asks has shown.
        """
        check_open(duel.setup, duel.match)
        request, side, duel = self.request, self.side, duel.for_seat(self.side)
        seat_secret = duel.secret_of(self.seats, side)
        if seat_secret is None:
            raise SeatTaken("somebody else holds the seat")
        keep = address("keep", parts.seal_kept_seat(duel.id, seat_secret))
        link = address_elsewhere(request, address("any_invite", duel.id))
        feature = duel_view(duel, side, link=link, is_shown=self.shows_presence)
        saved, shown = duel.saved(side), duel.match_at(self.step)
        is_known = shown is not None and duel.is_newer(self.step)
        if shots_already_shown is None and shown is not None and is_known:
            shots_already_shown = len(shown.shots)
        visit = Visit.of(request)._replace(shots_already_shown=shots_already_shown)
        if saved is None:
            page = page_before(duel, side, feature, keep, is_in_pairs=_pairs_of(duel) is not None)
        elif duel.is_over:
            page = over_page(visit, saved, seal_match(saved))
            if page.view and (wish := words.rematch(duel, side)):
                has_news = page.view.news.shots is not None
                page = page.saying(f"{page.view.status.text if has_news else ''} {wish}".lstrip())
        else:
            page = play_page(visit, saved, duel.id)
        page = page if saved is None else with_friend(page, duel, side, feature, keep)
        if feature.there.call and page.view and not swaps(request):  # else its script tells it
            heard = feature.heard[call_of(feature.there.call)]
            page = page.saying(f"{heard} {page.view.status.text}")
        return page

    def lead_to(self, duel: DuelState, fleet: Fleet = ()) -> HttpResponse:
        """The response that leads to a step of the duel: to its page, or to placing a fleet.

        `fleet` is laid out already.
        """
        if duel.is_to_place(self.side):
            claim = Claim(duel.id, self.side, duel.seat_hashes[self.side])
            draft = seal_draft(Draft(duel.setup, fleet, parts=(claim,)))
            response = lead_to(self.request, address("place_seat", draft))
        elif swaps(self.request):
            response = show(self.request, self.page(duel))
        else:
            response = see_other(address("duel", duel.id))
        return self.kept(response, duel)

    def kept(self, response: HttpResponse, duel: DuelState) -> HttpResponse:
        """The response by which the browser keeps the match; a look only updates what it keeps."""
        unfinished, is_over = words.of_duel(duel, self.side), duel.is_over or duel.is_closed
        if self.request.method == "POST" or is_kept(self.request, unfinished):
            keep_unfinished(self.request, response, unfinished, "duel", duel.id, is_over=is_over)
        return response

    def outdated(self, newest: DuelState) -> HttpResponse:
        """The response to a move that came too late: the newest step, with a sentence on it."""
        if newest.is_to_place(self.side):
            return self.lead_to(newest)
        sentence = _("The match has gone on meanwhile. This is how it stands.")
        return self.refuse(newest, sentence, status=409)

    def refuse_action(self, newest: DuelState, error: Exception) -> HttpResponse:
        """The response to what the newest step doesn't allow, as the page shows it or an older."""
        if self.step != newest.form_step:
            return self.outdated(newest)
        is_early = isinstance(error, NotYourTurn)
        sentence = _("It is not your turn.") if is_early else refusal(error)
        return self.refuse(newest, sentence, status=422)

    def refuse(self, duel: DuelState, sentence: str, *, status: int) -> HttpResponse:
        page = self.quiet_page(duel).refused(sentence)
        page = page.having(typed=typed(self.request, LONGEST_TYPED, duel.setup.cell_names))
        return show(self.request, page, status=status)
