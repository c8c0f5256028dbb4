"""The pages of a room: the teacher's, which a projector shows, and those of its pupils."""

import csv
import re
from time import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from game.display.unfinished import mark_of, of_match
from game.engine.fleets import DoesNotFit
from game.engine.rules import IllegalRules, TooTight
from game.features.room import models, results
from game.features.room.models import Room
from game.features.room.parts import Seat
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_match
from game.views import images
from game.views.addresses import address, address_elsewhere, is_of_this_device
from game.views.answers import see_other
from game.views.before import asked_setup, preset_or_404, refuse_rules
from game.views.cookies import UNFINISHED, keep_unfinished
from game.views.decorators import database_view
from game.web import forms
from game.web.networks import network_of
from game.web.responses import error_page
from game.web.rows import TooMany
from game.web.seats import Seats, keep_seats, seat_hash_of, seats_of, seats_to_claim

room_view = database_view(gettext_lazy("Rooms for a class are switched off on this site."))


def _gone(request: HttpRequest) -> HttpResponse:
    sentence = _("A room and all that it keeps is deleted 24 hours after it was opened.")
    return error_page(request, 410, _("This room is no longer there"), sentence)


# --- the teacher's pages ---


@room_view
def new_room(request: HttpRequest, preset: str) -> HttpResponse:
    """Opens a room in which all search the game that the fields ask for."""
    chosen = preset_or_404(preset)
    if request.method != "POST":
        return see_other(f"{reverse('setup', args=[preset])}?{request.GET.urlencode()}")
    try:
        setup = asked_setup(request, chosen, opponent=forms.SOLO)
        room_id = models.open_room(setup, network_of(request))
    except DoesNotFit:
        return refuse_rules(request, chosen, TooTight("no fleet was found"))
    except (IllegalRules, forms.Refused) as error:
        return refuse_rules(request, chosen, error)
    except TooMany:
        sentence = _("From here, %(most)s rooms were opened in the last hour.")
        return error_page(request, 429, _("Too many rooms"), sentence % {"most": models.MOST_ROOMS})
    return see_other(reverse("room", args=[room_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@room_view
def room(request: HttpRequest, room_id: str) -> HttpResponse:
    """The code and numbers while pupils search; then what all have found."""
    row = Room.find(id=room_id)
    if row is None:
        return _gone(request)
    if request.method == "POST":
        match request.POST.get("action"):
            case "full":
                models.change(row, code=None)
            case "close":
                models.change(row, code=None, closed=int(time()))
        return see_other(request.path)
    if row.is_closed:
        return _show_results(request, row, "room/room.html")
    where = f"{reverse('any_join')}?code={row.code}" if row.is_joinable else ""
    link = address_elsewhere(request, where) if where else ""
    context = {
        "room": row,
        "setup": row.setup,
        "counts": models.counts_of(row),
        "code": f"{row.code[:3]} {row.code[3:]}" if where and row.code else "",
        "shown_address": link.partition("//")[2].partition("?")[0].rstrip("/"),
        "qr_code": images.qr_code(link),
        "is_for_this_device": is_of_this_device(link),
        "minutes": models.JOINING // 60,
        "count_address": f"{settings.PATH}count/{row.id}/",
    }
    return render(request, "room/room.html", context)


@require_safe
@room_view
def table(request: HttpRequest, room_id: str) -> HttpResponse:
    """A line for each pupil as CSV, in the order of joining, once the room is closed."""
    row = Room.find(id=room_id)
    if row is None:
        return _gone(request)
    if not row.is_closed:
        sentence = _("Close the room first.")
        return error_page(request, 409, _("Pupils are still searching"), sentence)
    board = row.setup.ruleset.board
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="class.csv"'
    lines = csv.writer(response)
    lines.writerow(["pupil", "shots", "marked", "first"])
    for number, pupil in enumerate(models.pupils_of(row), 1):
        first = " ".join(board.names[cell] for cell in pupil.cells)
        lines.writerow([number, pupil.shots or "", "yes" if pupil.is_marked else "", first])
    return response


def _show_results(
    request: HttpRequest, row: Room, template: str, own: str | None = None
) -> HttpResponse:
    pupils, saved = models.pupils_of(row), row.match
    if row.par is None and (par := results.par_of(saved)) is not None:
        models.change(row, par=par)
        row.par = par
    found = results.results_of(saved, pupils, row.par, own)
    context = {"room": row, "setup": saved.setup, "results": found}
    return render(request, template, context)


# --- pupils ---


@require_safe
@room_view
def searched(request: HttpRequest, public: str) -> HttpResponse:
    """What the class has found, for a pupil, who sees their own bar."""
    row = Room.find(public=public)
    if row is None:
        return _gone(request)
    if not row.is_closed:
        return render(request, "room/waiting.html", {"room": row})
    seats = seats_of(request)
    own = _key(seats, row) if seats else None
    return _show_results(request, row, "room/searched.html", own)


def _key(seats: Seats, row: Room) -> str:
    return seat_hash_of(seats.own_secret(row.public, 0))


@require_http_methods(["GET", "HEAD", "POST"])
@room_view
def join(request: HttpRequest) -> HttpResponse:
    """The page on which a pupil types the code.

    A seat is only taken by pressing the button, because cameras open links, too.
    """
    asked = re.sub("[^0-9]", "", request.POST.get("code", request.GET.get("code", ""))[:20])
    asked = asked if len(asked) == 6 else ""
    seats, refused, status = seats_of(request), "", 200
    if request.method == "POST":
        try:
            if seats is None:  # the page has set the cookie, so the browser refuses it
                refused = _("Your seat is kept in a cookie: allow cookies, then try again.")
                status = 403
            elif not asked:
                raise models.WrongCode
            else:
                return _begin(request, models.join(asked, network_of(request)), seats)
        except TooMany:
            refused, status = _("Too many wrong codes came from here. Wait ten minutes."), 429
        except models.Full:
            refused, status = _("This room is full."), 409
        except models.WrongCode:
            refused, status = _("There is no such code now. Look at the projector again."), 422
    context = {"code": asked, "refused": refused}
    response = render(request, "room/join.html", context, status=status)
    # The cookie is set before the press, so that a second press comes from the same browser.
    keep_seats(request, response, seats_to_claim(request))
    return response


def _begin(request: HttpRequest, row: Room, seats: Seats) -> HttpResponse:
    """The response to a pupil who joins: their search, or again the one that goes on."""
    seat, saved = Seat(row.public, _key(seats, row)), row.match
    is_new, kept = models.take_seat(row, seat), UNFINISHED.read(request)
    if kept is not None and kept.mark == mark_of(saved.match.seed):
        return see_other(reverse("continue"))
    if not is_new:  # they may know the sea
        models.mark(seat)
    setup = saved.setup
    token = seal_match(SavedMatch(setup, saved.match, parts=(seat,)))
    response = see_other(address("play", token))
    keep_unfinished(request, response, of_match(saved), "play", token)
    return response
