"""The views of an invitation, and of a seat that is brought to another device."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from game.display.match_view import Action, CallView
from game.display.names import preset_card
from game.display.rule_words import rule_line
from game.engine.rules import Side
from game.features.duel import models, parts
from game.features.duel.models import WriteConflict
from game.features.duel.seats import keep_seats, seats_of, seats_to_claim
from game.features.duel.state import DuelState, Seats, seat_hash_of
from game.features.duel.views import Player, gone, notice, seat_view, taken
from game.features.duel.words import call, withdrawn
from game.views import images
from game.views.answers import HtmxRequest, address, address_elsewhere, show_call
from game.views.site import in_own_language


@seat_view
def invite(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """An invitation. Only a press on Join takes the seat, as messengers open addresses, too."""
    duel, seats = models.find(duel_id), seats_of(request)
    if duel is None:
        return gone(request)
    side = seats.side_of(duel) if seats else None
    if duel.is_open and duel.is_closed:
        is_own = side is Side.FIRST
        sentence = _("You have withdrawn the invitation.") if is_own else withdrawn(duel.setup)
        return notice(request, sentence, status=410)
    if side is Side.FIRST:
        return _own(request, duel)
    if seats is not None and side is Side.SECOND:
        return Player(request, seats, side).lead_to(duel)
    if not duel.is_open:
        return taken(request)
    if request.POST.get("action") == "join":
        return _join(request, duel, seats)
    setup = duel.seated(Side.SECOND)
    found = CallView(
        sentence=call(setup.names[Side.FIRST]),
        rules=rule_line(setup.ruleset),
        actions=[Action(address("invite", duel_id), (("action", "join"),))],
    )
    context = {
        "preset_card": preset_card(setup.preset), "shared_path": address("any_invite", duel_id),
    }  # fmt: skip
    response = show_call(request, "duel/invite.html", found, context)
    # The cookie is set before the press, so that a second press comes from the same browser.
    keep_seats(request, response, seats_to_claim(request))
    return response


def _own(request: HtmxRequest, duel: DuelState) -> HttpResponse:
    """The response to the inviter's own browser; once a friend has joined, the way to the match."""
    if not duel.is_open:
        sentence = _("This is your own invitation, and your friend has joined.")
        return notice(request, sentence, status=422, match=address("duel", duel.id))
    link = address_elsewhere(request, address("any_invite", duel.id))
    sentence = _("This is your own invitation. Send the link to your friend.")
    return notice(request, sentence, status=422, link=link)


def any_invite(request: HtmxRequest, duel_id: str) -> HttpResponse:
    """The address of an invitation that is sent, which has no language."""
    return invite(request, duel_id) if request.method == "POST" else in_own_language(request)


def _join(request: HtmxRequest, duel: DuelState, seats: Seats | None) -> HttpResponse:
    if seats is None:  # the invitation has set the cookie, so the browser refuses it
        sentence = _("Your seat is kept in a cookie: allow cookies, then open the link again.")
        return notice(request, sentence, status=403)
    seat_hash = seat_hash_of(seats.seat_secret(duel.id, Side.SECOND))
    try:
        joined = models.write(duel.joined(seat_hash), is_joining=True)
    except WriteConflict:
        joined = models.find(duel.id) or duel
    if joined.seat_hashes[Side.SECOND] != seat_hash:
        return taken(request)
    response = Player(request, seats, Side.SECOND).lead_to(joined)
    keep_seats(request, response, seats)
    return response


@seat_view
def keep_seat(request: HtmxRequest, token: str) -> HttpResponse:
    """Brings a seat from another device or browser to this one, once the button is pressed."""
    duel_id, seat_secret = parts.unseal_kept_seat(token)
    if request.method != "POST":
        where = address_elsewhere(request, address("keep", token))
        context = {
            "form_action": address("keep", token), "keep_address": where,
            "code": images.qr_code(where),
        }  # fmt: skip
        return render(request, "duel/keep.html", context)
    seats = seats_to_claim(request).with_secret(seat_secret)
    duel = models.find(duel_id)
    if duel is None:
        return gone(request)
    side = seats.side_of(duel)
    if side is None:
        return taken(request)
    response = Player(request, seats, side).lead_to(duel)
    keep_seats(request, response, seats)
    return response
