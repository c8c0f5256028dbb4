"""The views before a match: inviting, placing a fleet for a seat, joining, and bringing a seat."""

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.match_view import Action, CallView
from game.display.names import preset_card
from game.display.rule_words import rule_line
from game.engine.rules import IllegalRules, Side
from game.features.duel import models, parts, words
from game.features.duel.models import WriteConflict
from game.features.duel.pages import claim_of
from game.features.duel.state import Claim, DuelState, SeatTaken, new_id, opened
from game.features.duel.views import Player, gone, leave, notice, on_top, player_of, seat_view
from game.matches.draft import Draft
from game.matches.setup import Setup
from game.matches.tokens import seal_draft, unseal_draft
from game.ops.database import DatabaseDown
from game.views import images
from game.views.addresses import address, address_elsewhere
from game.views.answers import see_other, show, show_call
from game.views.before import asked_setup, change, preset_or_404, refuse_rules
from game.views.decorators import database_down
from game.views.expiry import hour_now
from game.views.page import Page
from game.views.pages.placing import placing_page
from game.views.preferences import Preferences, preferences_of, save_preferences
from game.views.requests import HtmxRequest
from game.views.site import in_own_language
from game.web import forms
from game.web.seats import Seats, keep_seats, seat_hash_of, seats_of, seats_to_claim


@seat_view
def new_invitation(request: HtmxRequest, preset: str) -> HttpResponse:
    """The placing page of somebody who is about to invite a friend.

    It has an address of its own, so that proxies can limit invitations: each response allows one.
    """
    chosen = preset_or_404(request.POST.get("preset", preset))
    try:
        setup = asked_setup(request, chosen, opponent=forms.FRIEND)
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    seats, duel_id = seats_to_claim(request), new_id()
    seat_hash = seat_hash_of(seats.own_secret(duel_id, Side.FIRST))
    draft = Draft(setup, parts=(Claim(duel_id, Side.FIRST, seat_hash),))
    if request.method == "POST":
        # Without a cookie there is no seat to claim; the response to GET sets one.
        return _refused_seat(request, draft) or change(request, draft, _start)
    response = show(request, _place_page(request, draft))
    keep_seats(request, response, seats)
    return response


# --- placing for a seat ---


@seat_view
def place_seat(request: HtmxRequest, token: str) -> HttpResponse:
    """A fleet that is placed for a seat, which nobody else sees."""
    draft = unseal_draft(token)
    if draft.seat is None:
        return redirect(address("place", token))
    if refused := _refused_seat(request, draft):
        return refused
    is_leaving = request.POST.get("action") == "leave"
    if request.method == "POST" and not is_leaving:
        return change(request, draft, _start)
    claim = claim_of(draft)
    duel = models.find(claim.id)
    if is_leaving and duel is None:
        return see_other(reverse("home"))
    if duel is None or (not is_leaving and duel.is_to_place(claim.side)):
        return show(request, _place_page(request, draft))
    player = _player(request, duel, claim)
    if is_leaving:
        return leave(player, duel) if duel.match is None else player.outdated(duel)
    return player.lead_to(duel)


def _player(request: HtmxRequest, duel: DuelState, claim: Claim) -> Player:
    """The player of a draft; raises SeatTaken."""
    seats = seats_of(request)
    if seats is None or duel.seat_hashes[claim.side] != claim.seat_hash:
        raise SeatTaken("somebody else holds the seat")
    return Player(request, seats, claim.side)


def _place_page(request: HtmxRequest, draft: Draft) -> Page:
    return placing_page(draft, seal_draft(draft), visitor=preferences_of(request))


def _refused_seat(request: HttpRequest, draft: Draft) -> HttpResponse | None:
    """The refusal of a draft whose seat the browser doesn't hold; None if it does."""
    seats = seats_of(request)
    if seats is not None and seats.secret_of(*claim_of(draft)):
        return None
    sentence = _("Only the player whose fleet this is can see it. Cookies must be allowed.")
    return notice(request, sentence, status=403)


def _start(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    """The response once a seat's fleet is placed; raises IllegalFleet.

    A refusal keeps the fleet, so that the player can press Start again.
    """
    claim, fleet = claim_of(draft), draft.fleet
    name = draft.setup.person_names[claim.side]
    try:
        duel = models.find(claim.id)
        if duel is None and claim.side is Side.SECOND:
            return gone(request)
        if duel is None:
            duel = opened(draft.setup.for_new_match(), claim.id, claim.seat_hash, fleet, name)
            with suppress(WriteConflict):  # if the player has pressed twice, the first fleet counts
                models.add(duel)
        player = _player(request, duel, claim)
        duel = on_top(duel, lambda last: last.placed(claim.side, fleet, name, hour_now()))
    except DatabaseDown:
        page = _place_page(request, draft).refused(database_down())
        response = show(request, page, status=503)
        response["Retry-After"] = "5"
        return response
    response = player.lead_to(duel)
    save_preferences(request, response, visitor)
    return response


# --- joining ---


@seat_view
def invite(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """An invitation. Only a press on Join takes the seat, as messengers open addresses, too."""
    duel, seats = models.find(duel_id), seats_of(request)
    if duel is None:
        return gone(request)
    if player := player_of(request, duel, seats):  # who has joined, or has sent the invitation
        return player.lead_to(duel)
    if duel.is_open and duel.is_closed:
        return notice(request, _("This invitation has been withdrawn."), status=410)
    if not duel.is_open:
        raise SeatTaken("the second seat is taken")
    if request.POST.get("action") == "join":
        return _join(request, duel, seats)
    setup = duel.seated(Side.SECOND)
    return joining_page(
        request, setup, words.call(setup.person_names[Side.FIRST]), "invite", duel_id
    )


def joining_page(
    request: HtmxRequest, setup: Setup, sentence: str, view: str, row_id: str
) -> HttpResponse:
    """The page of a view whose button takes a seat."""
    action = Action(address(view, row_id), (("action", "join"),))
    call = CallView(sentence=sentence, rules=rule_line(setup.ruleset), actions=[action])
    context = {
        "setup": setup.public,
        "preset_card": preset_card(setup.preset),
        "shared_path": address(f"any_{view}", row_id),
        "is_for_pairs": view == "pair",
    }
    response = show_call(request, "duel/invite.html", call, context)
    # The cookie is set before the press, so that a second press comes from the same browser.
    keep_seats(request, response, seats_to_claim(request))
    return response


def without_cookie(request: HttpRequest) -> HttpResponse:
    """The refusal of a press: the page has set the cookie, so the browser refuses it."""
    sentence = _("Your seat is kept in a cookie: allow cookies, then open the link again.")
    return notice(request, sentence, status=403)


def any_invite(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """The address of an invitation that is sent, which has no language."""
    return invite(request, duel_id) if request.method == "POST" else in_own_language(request)


def _join(request: HtmxRequest, duel: DuelState, seats: Seats | None) -> HttpResponse:
    if seats is None:
        return without_cookie(request)
    seat_hash = seat_hash_of(seats.own_secret(duel.id, Side.SECOND))
    try:
        joined = models.write(duel.joined(seat_hash), is_joining=True)
    except WriteConflict:
        joined = models.find(duel.id) or duel
    claim = Claim(duel.id, Side.SECOND, seat_hash)
    return _player(request, joined, claim).lead_to(joined)


# --- a seat at another device ---


@seat_view
def keep_seat(request: HtmxRequest, token: str) -> HttpResponse:
    """Brings a seat from another device or browser to this one, once the button is pressed."""
    duel_id, seat_secret = parts.unseal_kept_seat(token)
    path = address("keep", token)
    if request.method != "POST":
        where = address_elsewhere(request, path)
        context = {"form_action": path, "keep_address": where, "code": images.qr_code(where)}
        return render(request, "duel/keep.html", context)
    seats = seats_to_claim(request).with_secret(seat_secret)
    duel = models.find(duel_id)
    if duel is None:
        return gone(request)
    if (player := player_of(request, duel, seats)) is None:
        raise SeatTaken("somebody else holds the seat")
    response = player.lead_to(duel)
    keep_seats(request, response, seats)
    return response
