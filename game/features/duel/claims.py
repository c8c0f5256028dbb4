"""The views of a fleet that is placed for a seat, by the player who invites or the other one."""

from __future__ import annotations

from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from game.engine.fleets import Fleet
from game.engine.rules import IllegalRules, Side
from game.features.duel import models, words
from game.features.duel.models import WriteConflict
from game.features.duel.seats import keep_seats, seats_of, seats_to_claim
from game.features.duel.state import Claim, DuelState, SeatTaken, new_id, opened, seat_hash_of
from game.features.duel.views import Player, gone, leave, notice, on_top, seat_view
from game.matches.draft import Draft
from game.matches.tokens import seal_draft
from game.ops.database import DatabaseDown
from game.views import hooks
from game.views.answers import HtmxRequest, Page, View, hour_now, see_other, show
from game.views.before import asked_fields, change, preset_or_404, refuse_rules
from game.views.pages.placing import placing_page
from game.views.preferences import Preferences, keep, preferences_of
from game.web import forms


@seat_view
def lead_to_invitation(request: HtmxRequest, preset: str) -> HttpResponse:
    where = f"{reverse('new_invitation', args=[preset])}?{request.META['QUERY_STRING']}"
    return redirect(where, preserve_request=request.method == "POST")


@seat_view
def new_invitation(request: HtmxRequest, preset: str) -> HttpResponse:
    """The placing page of somebody who is about to invite a friend.

    It has an address of its own, so that proxies can limit invitations: each response allows one.
    """
    chosen = preset_or_404(request.POST.get("preset", preset))
    fields = {**asked_fields(request), "opponent": forms.FRIEND}
    try:
        setup = hooks.new_setup(request, forms.parse_setup(chosen, fields))
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    seats = seats_to_claim(request)
    duel_id = new_id()
    seat_hash = seat_hash_of(seats.seat_secret(duel_id, Side.FIRST))
    hooks.use_names(setup)
    draft = Draft(setup, parts=(Claim(duel_id, Side.FIRST, seat_hash),))
    if request.method == "POST":
        # Without a cookie there is no seat to claim; the response to GET sets one.
        return _refused_seat(request, draft) or change(request, draft)
    response = show(request, _place_page(request, draft))
    keep_seats(request, response, seats)
    return response


def draft_view(view: View) -> View:
    """The view of a fleet that is placed for a seat, which nobody else sees."""

    @wraps(view)
    def wrapper(request: HtmxRequest, draft: Draft, token: str) -> HttpResponse:
        if refused := _refused_seat(request, draft):
            return refused
        is_leaving = request.POST.get("action") == "leave"
        if request.method == "POST" and not is_leaving:
            return view(request, draft, token)
        claim, seats = _claim_of(draft), seats_of(request)
        duel = models.find(claim.id)
        if seats is None or duel is None:
            return see_other(reverse("home")) if is_leaving else view(request, draft, token)
        if not is_leaving and duel.is_to_place(claim.side):
            return view(request, draft, token)
        _check_seat(duel, claim)
        player = Player(request, seats, claim.side)
        if is_leaving and duel.match is None:
            return leave(player, duel)
        return player.outdated(duel) if is_leaving else player.lead_to(duel)

    return seat_view(wrapper)


def _claim_of(draft: Draft) -> Claim:
    claim = draft.part(Claim)
    assert claim is not None  # noqa: S101 (only then the feature is called)
    return claim


def _place_page(request: HtmxRequest, draft: Draft) -> Page:
    return placing_page(draft, seal_draft(draft), visitor=preferences_of(request))


def _refused_seat(request: HttpRequest, draft: Draft) -> HttpResponse | None:
    """The refusal of a draft whose seat the browser doesn't hold; None if it does."""
    seats = seats_of(request)
    if seats is not None and seats.secret_for(*_claim_of(draft)):
        return None
    sentence = _("Only the player whose fleet this is can see it. Cookies must be allowed.")
    return notice(request, sentence, status=403)


def start(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    """The response once a seat's fleet is placed; raises IllegalFleet.

    A refusal keeps the fleet, so that the player can press Start again.
    """
    try:
        return _started(request, draft, visitor)
    except DatabaseDown:
        page = _place_page(request, draft).refused(words.database_down())
        response = show(request, page, status=503)
        response["Retry-After"] = "5"
        return response


def _started(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    claim, fleet, seats = _claim_of(draft), draft.fleet, seats_of(request)
    assert seats is not None  # noqa: S101 (see _refused_seat)
    name = draft.setup.names[claim.side]
    duel = models.find(claim.id)
    if duel is None and claim.side is Side.SECOND:
        return gone(request)
    if duel is None:
        duel = opened(draft.setup.renewed(), claim.id, claim.seat_hash, fleet, name)
        try:
            models.add(duel)
        except WriteConflict:
            duel = models.find(claim.id) or duel
    duel = on_top(duel, lambda last: _placed(last, claim, fleet, name))
    response = Player(request, seats, claim.side).lead_to(duel)
    keep(request, response, visitor)
    return response


def _placed(duel: DuelState, claim: Claim, fleet: Fleet, name: str) -> DuelState:
    """The duel with one more fleet.

    If the player pressed twice, or in two tabs, the first fleet counts.
    """
    _check_seat(duel, claim)
    if duel.fleets[claim.side] is not None:
        return duel
    return duel.placed(claim.side, fleet, name, hour_now())


def _check_seat(duel: DuelState, claim: Claim) -> None:
    if duel.seat_hashes[claim.side] != claim.seat_hash:
        raise SeatTaken("somebody else holds the seat")
