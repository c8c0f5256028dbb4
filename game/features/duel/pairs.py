"""Pairs from one link: each player who joins plays the next one who joins.

A browser that opens the link again, or in a second tab, keeps its seat.
"""

from contextlib import suppress
from functools import partial
from time import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.engine.actions import IllegalAction
from game.engine.presets import OWN
from game.engine.rules import IllegalRules, Side
from game.features.duel import models
from game.features.duel.invitation import joining_page, without_cookie
from game.features.duel.models import Pairs, WriteConflict
from game.features.duel.presence import SILENT
from game.features.duel.state import NOBODY, DuelState, SeatTaken, new_id
from game.features.duel.views import Player, on_top, player_of, seat_view
from game.ops.database import DatabaseDown
from game.views import images
from game.views.addresses import address_elsewhere, is_of_this_device
from game.views.answers import see_other
from game.views.before import asked_setup, refuse_rules
from game.views.requests import HtmxRequest
from game.web import forms
from game.web.networks import network_of
from game.web.responses import error_page
from game.web.rows import TooMany
from game.web.seats import Seats, seat_hash_of, seats_of

_TRIES = 40
"""How often somebody tries to be paired while others are paired at the same time."""


@seat_view
def new_pairs(request: HtmxRequest) -> HttpResponse:
    """Opens a link for the game that the fields ask for."""
    if request.method != "POST":
        return see_other(f"{reverse('setup', args=[OWN.name])}?{request.GET.urlencode()}")
    try:
        setup = asked_setup(request, OWN, opponent=forms.FRIEND)
        pairs_id = models.open_pairs(setup, request.GET.urlencode(), network_of(request))
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, OWN, error)
    except TooMany:
        sentence = _("From here, %(most)s links for pairs were made today.")
        return error_page(request, 429, _("Too many links"), sentence % {"most": models.MOST_PAIRS})
    return see_other(reverse("pairs", args=[pairs_id]))


@seat_view
def pairs(request: HtmxRequest, pairs_id: str) -> HttpResponse:
    """The teacher's page: the link and its code."""
    row = Pairs.find(id=pairs_id)
    if row is None:
        return _gone(request)
    link = address_elsewhere(request, reverse("any_pair", args=[pairs_id]))
    context = {
        "setup": row.setup,
        "link": link,
        "qr_code": images.qr_code(link),
        "is_for_this_device": is_of_this_device(link),
    }
    return render(request, "duel/pairs.html", context)


@seat_view
def pair(request: HtmxRequest, pairs_id: str) -> HttpResponse:
    """The pupils' page. Only a press on Join takes a seat, as messengers open links, too."""
    row, seats = Pairs.find(id=pairs_id), seats_of(request)
    if row is None:
        return _gone(request)
    duel = _seated(row, seats) if seats else None
    if duel and (player := player_of(request, duel, seats)):
        return player.lead_to(duel)
    if request.method == "POST":
        return _join(request, row, seats) if seats else without_cookie(request)
    sentence = row.setup.title or _("Play in pairs")
    return joining_page(request, row.setup, sentence, "pair", pairs_id)


def _gone(request: HttpRequest) -> HttpResponse:
    sentence = _("A link for pairs works for a day. Ask for a new one.")
    return error_page(request, 410, _("This link has ended"), sentence)


def _key(row: Pairs, seats: Seats) -> str:
    return seat_hash_of(seats.own_secret(row.id, Side.FIRST))


def _seated(row: Pairs, seats: Seats) -> DuelState | None:
    """The browser's duel, unless a player has left it or nobody will be led to it any more."""
    duel_id = row.seats.get(_key(row, seats))
    duel = models.find(duel_id) if duel_id else None
    if duel is None or duel.is_closed or (duel.is_open and row.waiting != duel.id):
        return None
    return duel


def _waits(duel: DuelState) -> bool:
    """Whether its first player waits, and has been there lately."""
    is_free = duel.is_open and not duel.is_closed
    return is_free and time() < duel.seen[Side.FIRST].until + SILENT


def _join(request: HtmxRequest, row: Pairs, seats: Seats) -> HttpResponse:
    """Takes the second seat of the waiting duel; opens a duel that waits if there is none."""
    duel_id = new_id()
    first = seat_hash_of(seats.own_secret(duel_id, Side.FIRST))
    own = DuelState(duel_id, 0, 0, (first, NOBODY), row.setup.for_new_match())
    models.add(own)
    for _attempt in range(_TRIES):
        waiting = models.find(row.waiting) if row.waiting else None
        with suppress(WriteConflict, SeatTaken, IllegalAction):
            if waiting is None or not _waits(waiting):
                models.seat_in_pairs(row, _key(row, seats), own.id, own.id)
                return Player(request, seats, Side.FIRST).lead_to(own)
            models.seat_in_pairs(row, _key(row, seats), waiting.id, "")
            second = seat_hash_of(seats.own_secret(waiting.id, Side.SECOND))
            joined = on_top(waiting, partial(DuelState.joined, seat_hash=second))
            models.forget(own.id)
            return Player(request, seats, Side.SECOND).lead_to(joined)
        row = Pairs.find(id=row.id) or row
    raise DatabaseDown("another browser was always first")
