"""Pairs from one link: each player who joins plays the next one who joins.

A browser that opens the link again, or in a second tab, keeps its seat.
"""

from __future__ import annotations

from contextlib import suppress
from time import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.match_view import Action, CallView
from game.display.names import preset_card
from game.display.rule_words import rule_line
from game.engine.actions import IllegalAction
from game.engine.presets import OWN
from game.engine.rules import IllegalRules, Side
from game.features.duel import models, words
from game.features.duel.models import Pairs, WriteConflict
from game.features.duel.presence import SILENT
from game.features.duel.state import NOBODY, DuelState, SeatTaken, new_id
from game.features.duel.views import Player, notice, on_top, seat_view
from game.ops.database import DatabaseDown
from game.views import hooks, images
from game.views.addresses import address_elsewhere, is_of_this_device
from game.views.answers import see_other, show_call
from game.views.before import asked_fields, refuse_rules
from game.views.requests import HtmxRequest
from game.views.site import in_own_language
from game.web import forms
from game.web.networks import network_of
from game.web.responses import error_page
from game.web.seats import Seats, keep_seats, seat_hash_of, seats_of, seats_to_claim

_TRIES = 40
"""How often somebody tries to be paired while others are paired at the same time."""


@seat_view
def new_pairs(request: HtmxRequest) -> HttpResponse:
    """Opens a link for the game that the fields ask for."""
    if request.method != "POST":
        return see_other(f"{reverse('setup', args=[OWN.name])}?{request.GET.urlencode()}")
    fields = {**asked_fields(request), "opponent": forms.FRIEND}
    try:
        setup = hooks.new_setup(request, forms.parse_setup(OWN, fields))
        pairs_id = models.open_pairs(setup, request.GET.urlencode(), network_of(request))
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, OWN, error)
    except models.TooMany:
        sentence = _("From here, %(most)s links for pairs were made today.")
        sentence %= {"most": models.MOST_PAIRS}
        return error_page(request, 429, _("Too many links"), sentence)
    return see_other(reverse("pairs", args=[pairs_id]))


@seat_view
def pairs(request: HtmxRequest, pairs_id: str) -> HttpResponse:
    """The teacher's page: the link and its code."""
    row = models.find_pairs(id=pairs_id)
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
    row, seats = models.find_pairs(id=pairs_id), seats_of(request)
    if row is None:
        return _gone(request)
    if seats is not None and (duel := _seated(row, seats)):
        side = duel.side_of(seats)
        if side is not None:
            return Player(request, seats, side).lead_to(duel)
    setup = row.setup
    if request.method == "POST":
        if seats is None:  # this page has set the cookie, so the browser refuses it
            sentence = _("Your seat is kept in a cookie: allow cookies, then open the link again.")
            return notice(request, sentence, status=403)
        return _join(request, row, seats)
    call = CallView(
        sentence=setup.title or _("Play in pairs"),
        rules=rule_line(setup.ruleset),
        actions=[Action(request.path, (("action", "join"),))],
    )
    context = {
        "preset_card": preset_card(setup.preset),
        "shared_path": reverse("any_pair", args=[pairs_id]),
        "is_for_pairs": True,
    }
    response = show_call(request, "duel/invite.html", call, context)
    keep_seats(request, response, seats_to_claim(request))
    return response


def any_pair(request: HtmxRequest, pairs_id: str) -> HttpResponse:
    """The address that pupils open, which has no language."""
    return in_own_language(request)


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


def _joined(duel: DuelState, seats: Seats) -> DuelState:
    """Raises SeatTaken, or DatabaseDown."""
    second = seat_hash_of(seats.own_secret(duel.id, Side.SECOND))
    return on_top(duel, lambda last: last.joined(second))


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
            joined = _joined(waiting, seats)
            models.forget(own.id)
            return Player(request, seats, Side.SECOND).lead_to(joined)
        row = models.find_pairs(id=row.id) or row
    raise DatabaseDown(words.database_down())
