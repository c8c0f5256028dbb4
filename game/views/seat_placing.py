"""Placing a fleet for a seat of a match at two devices."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from game.display import messages
from game.engine.fleets import Fleet
from game.engine.rules import Side
from game.forms import clean_name
from game.matches import duel_store, tokens
from game.matches.draft import Claim, Draft
from game.matches.duel import DUEL_ID_BYTES, Duel, SeatTaken, opened
from game.matches.duel_store import WriteConflict
from game.matches.seats import Seats, seat_hash_of
from game.ops.match_store import MatchStoreDown, MatchStoreFull
from game.views.answers import HtmxRequest, Page, hour_now, show
from game.views.duel import Player, leave, notice, on_top
from game.views.pages.placing import placing_page
from game.views.preferences import Preferences, keep, preferences_of
from game.views.seats import seats_of


def claimed(draft: Draft, seats: Seats) -> Draft:
    duel_id = os.urandom(DUEL_ID_BYTES)
    seat_hash = seat_hash_of(seats.seat_secret(duel_id, Side.FIRST))
    return replace(draft, claim=Claim(duel_id, Side.FIRST, seat_hash))


def place_page(request: HtmxRequest, draft: Draft) -> Page:
    return placing_page(draft, tokens.seal_draft(draft), visitor=preferences_of(request))


def leave_placing(request: HtmxRequest, claim: Claim) -> HttpResponse | None:
    """The response to a player who leaves instead of placing; None if there is no duel yet."""
    found = _found(request, claim)
    if found is None:
        return None
    player, duel = found
    _check_seat(duel, claim)
    return leave(player, duel) if duel.match is None else player.outdated(duel)


def refused_seat(request: HttpRequest, draft: Draft) -> HttpResponse | None:
    """The refusal of a draft whose seat the browser doesn't hold; None if it does."""
    claim, seats = draft.claim, seats_of(request)
    if claim is None or (seats is not None and seats.secret_for(*claim)):
        return None
    sentence = _("Only the player whose fleet this is can see it. Cookies must be allowed.")
    return notice(request, sentence, status=403)


def with_name(visitor: Preferences, draft: Draft, fields: Mapping[str, str]) -> Preferences:
    """The preferences with the name that the player has typed, if it was asked for."""
    if draft.claim is None or "name" not in fields:
        return visitor
    return replace(visitor, name=clean_name(fields["name"]))


def already_placed(request: HtmxRequest, claim: Claim) -> HttpResponse | None:
    """The response with the match if the seat's fleet has been placed already, else None."""
    found = _found(request, claim)
    if found is None or found[1].is_to_place(claim.side):
        return None
    player, duel = found
    _check_seat(duel, claim)
    return player.lead_to(duel)


def _found(request: HtmxRequest, claim: Claim) -> tuple[Player, Duel] | None:
    """The player of a claimed seat, and the newest step; None before the first one."""
    duel, seats = duel_store.find(claim.id), seats_of(request)
    if duel is None or seats is None:
        return None
    return Player(request, seats, claim.side), duel


def start(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    """The response once a seat's fleet is placed; raises IllegalFleet.

    A refusal keeps the fleet, so that the player can press Start again.
    """
    try:
        return _started(request, draft, visitor)
    except MatchStoreFull:  # with another status htmx shows no page
        return _refused(request, draft, messages.match_store_full(), status=409)
    except MatchStoreDown:
        return _refused(request, draft, messages.match_store_down(), status=503)


def _refused(request: HtmxRequest, draft: Draft, sentence: str, *, status: int) -> HttpResponse:
    response = show(request, place_page(request, draft).refused(sentence), status=status)
    if status == 503:
        response["Retry-After"] = "5"
    return response


def _started(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    claim, fleet, seats = draft.claim, draft.fleet, seats_of(request)
    assert claim is not None  # noqa: S101 (asked only of these)
    assert seats is not None  # noqa: S101 (see refused_seat)
    name = draft.setup.names[claim.side]
    duel = duel_store.find(claim.id)
    if duel is None and claim.side is Side.SECOND:
        return _refused(request, draft, messages.match_lost(), status=409)
    if duel is None:
        duel = opened(draft.setup.renewed(), claim.id, claim.seat_hash, fleet, name)
        try:
            duel_store.write(duel)
        except WriteConflict:
            duel = duel_store.find(claim.id) or duel
    duel = on_top(duel, lambda last: _placed(last, claim, fleet, name))
    response = Player(request, seats, claim.side).lead_to(duel)
    keep(request, response, visitor)
    return response


def _placed(duel: Duel, claim: Claim, fleet: Fleet, name: str) -> Duel:
    """The duel with one more fleet; a seat that was lost with the store's data is taken again.

    If the player pressed twice, or in two tabs, the first fleet counts.
    """
    step = duel.step + 1
    if claim.side is Side.SECOND and duel.is_open:
        duel = duel.joined(claim.seat_hash)
    _check_seat(duel, claim)
    if duel.fleets[claim.side] is not None:
        return duel
    return replace(duel.placed(claim.side, fleet, name, hour_now()), step=step)


def _check_seat(duel: Duel, claim: Claim) -> None:
    if duel.seat_hashes[claim.side] != claim.seat_hash:
        raise SeatTaken("somebody else holds the seat")
