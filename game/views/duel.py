"""The views of a match at two devices: the invitation, the seats, and the match itself.

A seat's address holds the step that it was shown; the match store knows the newest. Without the
seat's cookie an address shows no board until the match is over.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import messages
from game.display.names import preset_card, rule_line
from game.display.unfinished import of_duel
from game.engine.actions import STAY, IllegalAction, MatchOver
from game.engine.fleets import Fleet
from game.engine.geometry import NotACell
from game.engine.rules import Side
from game.forms import Refused, parse_action, refusal
from game.matches import duel_store, tokens
from game.matches.draft import Claim, Draft
from game.matches.duel import DUEL_ID_BYTES, Duel, SeatTaken, opened
from game.matches.duel_store import MatchStoreDown, WriteConflict
from game.matches.seats import Seats, seat_hash_of
from game.ops import match_store, metrics
from game.responses import foreign_form
from game.views import images
from game.views.answers import (
    HtmxRequest,
    Page,
    address,
    address_elsewhere,
    check_open,
    hour_now,
    lead_to,
    see_other,
    show,
    token_view,
    typed,
)
from game.views.pages.ended import over_page
from game.views.pages.placing import invited_page, placing_page, wait_address
from game.views.pages.playing import LONGEST_TYPED, play_page
from game.views.preferences import Preferences, after_action, keep, preferences_of
from game.views.rendering import Slot
from game.views.seats import is_from_here, keep_seats, renew_seats, seats_of, seats_to_claim
from game.views.site import in_own_language
from game.views.unfinished import drop_ended, is_kept, keep_unfinished

_TRIES = 4
"""How often a step is tried again on top of a newer one, if it doesn't depend on that."""

View = Callable[..., HttpResponse]


def seat_view(view: View) -> View:
    """Decorates a view of a match at two devices.

    The response is 404 on a site without a match store, 503 while the store is down, and 403 to a
    form from elsewhere.
    """

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not match_store.is_on():
            raise Http404("no match store")
        if request.method == "POST" and not is_from_here(request):
            return foreign_form(request)
        try:
            response = view(request, *args, **kwargs)
        except SeatTaken:
            response = _taken(request)
        except MatchStoreDown:
            sentence = _("The server can’t reach its memory just now. Try again in a moment.")
            response = notice(request, sentence, status=503)
        renew_seats(request, response)
        return response

    return token_view(wrapper)


def notice(request: HttpRequest, sentence: str, *, status: int, link: str = "") -> HttpResponse:
    """A page with one sentence, and perhaps the link to send to a friend."""
    context = {"sentence": sentence, "link": link}
    response = render(request, "duel/notice.html", context, status=status)
    if status == 503:
        response["Retry-After"] = "5"
    return response


@seat_view
def duel(request: HtmxRequest, token: str) -> HttpResponse:
    """A match as one seat sees it; every address of the match leads to its newest step."""
    held, seats = tokens.unseal_duel(token), seats_of(request)
    side = seats.side_of(held) if seats else None
    if seats is None or side is None:
        return _stranger(request, held)
    held = held.for_seat(side)  # the address may be the other seat's
    player = _Player(request, seats, side, held)
    is_shown = request.method == "POST" and request.POST.get("action") == "shown"
    newest = duel_store.show(held, side) if is_shown or held.is_over else duel_store.newest(held)
    if newest is None:
        return show(request, player.page(held, is_lost=True))
    check_open(newest.setup, newest.match)
    newest = duel_store.moved(newest, side, held)
    if request.method == "POST" and not is_shown:
        return _post(player, held, newest)
    if is_shown or newest != held or _is_to_place(newest, side):
        return player.lead_to(newest)
    return player.kept(show(request, player.page(newest)), newest)


def _stranger(request: HtmxRequest, held: Duel) -> HttpResponse:
    """The response without a seat: 403, or the public replay once the match is over."""
    newest = held if held.is_over else duel_store.find(held.id, held.step) or held
    saved = newest.saved(None)
    if saved is not None and newest.is_over:
        return see_other(address("public_replay", tokens.seal_replay(saved)))
    sentence = _("Only the two players can see this match until it is over.")
    return notice(request, sentence, status=403)


def _post(player: _Player, held: Duel, newest: Duel) -> HttpResponse:
    request, side = player.request, player.side
    match request.POST.get("action"):
        case "show":
            return player.lead_to(newest)
        case "resign" if newest.match is not None and not newest.is_over:
            page = player.page(newest, has_effects=False)
            return show(request, page.having(asks_to_resign=True))
        case "resign-yes" if held.is_same_match(newest):
            ended = _on_top(newest, lambda last: _decided(last).resigned(side), "resign")
            if ended.match is not None and ended.match.resigned is not side:
                return player.refuse(ended, refusal(MatchOver()), status=422)
            return player.lead_to(ended)
        case "rematch" if held.is_same_match(newest):
            return player.lead_to(_on_top(newest, lambda last: last.wished(side)))
    try:
        action = parse_action(held.setup.ruleset, request.POST.dict())
        acted = held.acted(side, action)
    except (Refused, IllegalAction, NotACell) as error:
        if newest != held:
            return player.outdated(newest)
        return player.refuse(newest, refusal(error), status=422)
    if newest.step == held.step:
        try:
            written = _written(newest, acted)
            if written == acted != newest:
                metrics.count_action(type(action).__name__.lower())
            newest = written
        except WriteConflict:
            newest = duel_store.find(held.id, newest.step) or newest
    # The same move sent twice gets the same response.
    if not newest.includes(acted):
        return player.outdated(newest)
    response = player.lead_to(newest)
    before, after = held.saved(side), acted.saved(side)
    if before is not None and after is not None:
        keep(request, response, after_action(preferences_of(request), before, after))
    return response


def _written(newest: Duel, acted: Duel) -> Duel:
    """The duel after an action on its newest state; raises WriteConflict.

    Returns another state than `acted` if the side has made another move since.
    """
    if not acted.includes(newest):
        return newest
    if acted.step == newest.step:
        return duel_store.decide(acted)
    decided = _decided(newest)
    return duel_store.write(acted) if acted.includes(decided) else decided


def _decided(duel: Duel) -> Duel:
    """The duel after the move of its turn, or after Stay if there has been none.

    Raises WriteConflict.
    """
    if duel.match is None or not duel.is_move_due:
        return duel
    return duel_store.decide(duel.acted(duel.match.side, STAY))


def _on_top(newest: Duel, change: Callable[[Duel], Duel], kind: str = "") -> Duel:
    """The duel after a change that fits any step; unchanged if it has been made already.

    Both seats may give up or wish a rematch at once. `kind` is for the counters.
    """
    for _try in range(_TRIES):
        try:
            changed = change(newest)
            if changed is newest:
                return newest
            written = duel_store.write(changed)
        except IllegalAction:  # it is over already, or the next match is on its way
            return newest
        except WriteConflict:
            newest = duel_store.find(newest.id, newest.step) or newest
            continue
        if kind:
            metrics.count_action(kind)
        return written
    raise MatchStoreDown("another step was always first")


def _is_to_place(duel: Duel, side: Side) -> bool:
    return duel.match is None and duel.fleets[side] is None


class _Player:
    """One of the two players, and the responses they get."""

    def __init__(
        self, request: HtmxRequest, seats: Seats, side: Side, held: Duel | None = None
    ) -> None:
        self.request, self.seats, self.side, self.held = request, seats, side, held

    def page(self, duel: Duel, *, is_lost: bool = False, has_effects: bool = True) -> Page:
        """The page of a step of the duel, as this seat sees it; raises SeatTaken or Expired."""
        check_open(duel.setup, duel.match)
        token, side = tokens.seal_duel(duel), self.side
        saved = duel.saved(side)
        seat_secret = self.seats.secret_of(duel, side)
        if seat_secret is None:  # after a data loss somebody else may have taken it
            raise SeatTaken("somebody else holds the seat")
        kept = address("keep", tokens.seal_kept_seat(duel.id, seat_secret))
        if saved is None:
            invite = ""
            if duel.is_open and not is_lost:
                where = address("any_invite", tokens.seal_invite(duel.id))
                invite = address_elsewhere(self.request, where)
            return invited_page(
                duel, side, token, invite=invite, keep_address=kept, is_lost=is_lost
            )
        wait, shown = Slot(wait_address(duel, side)), self._shots_already_shown(duel)
        if saved.match.outcome is not None:
            over = over_page(saved, token, has_effects=has_effects, shots_already_shown=shown)
            return over.having(
                wait_address=wait, wishes=(duel.wishes[side], duel.wishes[side.opponent])
            )
        page = play_page(
            self.request, saved, token, has_effects=has_effects, is_lost=is_lost,
            shots_already_shown=shown,
        )  # fmt: skip
        return page.having(wait_address=wait, keep_address=Slot(kept))

    def _shots_already_shown(self, duel: Duel) -> int | None:
        """How many shots the seat's last page has shown; None if unknown."""
        held = self.held
        if held is None or held.match is None or held.step == duel.step:
            return None
        return len(held.match.shots) if held.is_same_match(duel) else None

    def lead_to(self, duel: Duel) -> HttpResponse:
        """The response that leads to a step of the duel: to its page, or to placing a fleet."""
        if _is_to_place(duel, self.side):
            claim = Claim(duel.id, self.side, duel.seat_hashes[self.side])
            draft = tokens.seal_draft(Draft(duel.setup, claim=claim))
            return self.kept(lead_to(self.request, address("place", draft)), duel)
        duel = duel_store.moved(duel, self.side)
        if not self.request.htmx:
            return self.kept(see_other(address("duel", tokens.seal_duel(duel))), duel)
        return self.kept(show(self.request, self.page(duel)), duel)

    def kept(self, response: HttpResponse, duel: Duel) -> HttpResponse:
        """The response by which the browser keeps the match; a look only updates what it keeps."""
        found = of_duel(duel, self.side)
        if duel.is_over:
            drop_ended(self.request, response, found)
        elif self.request.method == "POST" or is_kept(self.request, found):
            keep_unfinished(self.request, response, found, "duel", tokens.seal_duel(duel))
        return response

    def outdated(self, newest: Duel) -> HttpResponse:
        """The response to a move that came too late: the newest step, with a sentence on it."""
        if _is_to_place(newest, self.side):
            return self.lead_to(newest)
        sentence = _("The match has gone on meanwhile. This is how it stands.")
        return self.refuse(newest, sentence, status=409)

    def refuse(self, duel: Duel, sentence: str, *, status: int) -> HttpResponse:
        page = self.page(duel, has_effects=False).refused(sentence)
        page = page.having(typed=typed(self.request, LONGEST_TYPED))
        return show(self.request, page, status=status)


def claimed(draft: Draft, seats: Seats) -> Draft:
    duel_id = os.urandom(DUEL_ID_BYTES)
    seat_hash = seat_hash_of(seats.seat_secret(duel_id, Side.FIRST))
    return replace(draft, claim=Claim(duel_id, Side.FIRST, seat_hash))


def place_page(request: HtmxRequest, draft: Draft) -> Page:
    return placing_page(draft, tokens.seal_draft(draft), visitor=preferences_of(request))


def refused_seat(request: HttpRequest, draft: Draft) -> HttpResponse | None:
    """The refusal of a draft whose seat the browser doesn't hold; None if it does."""
    claim, seats = draft.claim, seats_of(request)
    if claim is None or (seats is not None and seats.secret_for(*claim)):
        return None
    sentence = _("Only the player whose fleet this is can see it. Cookies must be allowed.")
    return notice(request, sentence, status=403)


def already_placed(request: HtmxRequest, claim: Claim) -> HttpResponse | None:
    """The response with the match if the seat's fleet has been placed already, else None."""
    duel, seats = duel_store.find(claim.id), seats_of(request)
    if duel is None or seats is None or duel.fleets[claim.side] is None:
        return None
    _check_seat(duel, claim)
    return _Player(request, seats, claim.side).lead_to(duel)


def start(request: HtmxRequest, draft: Draft, visitor: Preferences) -> HttpResponse:
    """The response once a seat's fleet is placed; raises IllegalFleet."""
    claim, fleet, seats = draft.claim, draft.fleet, seats_of(request)
    assert claim is not None  # noqa: S101 (asked only of these)
    assert seats is not None  # noqa: S101 (see refused_seat)
    name = draft.setup.names[claim.side]
    duel = duel_store.find(claim.id)
    if duel is None and claim.side is Side.SECOND:
        page = place_page(request, draft).refused(messages.match_lost())
        return show(request, page, status=409)
    if duel is None and match_store.is_nearly_full():
        return lead_to(request, reverse("new_invitation", args=[draft.setup.preset.name]))
    if duel is None:
        duel = opened(draft.setup.renewed(), claim.id, claim.seat_hash, fleet, name)
        try:
            duel_store.write(duel)
        except WriteConflict:
            duel = duel_store.find(claim.id) or duel
    duel = _on_top(duel, lambda last: _placed(last, claim, fleet, name))
    response = _Player(request, seats, claim.side).lead_to(duel)
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


@seat_view
def invite(request: HtmxRequest, token: str) -> HttpResponse:
    """An invitation. Only a press on Join takes the seat, as messengers open addresses, too."""
    duel_id = tokens.unseal_invite(token)
    duel, seats = duel_store.find(duel_id), seats_of(request)
    if duel is None:
        sentence = _("This invitation opens once your friend’s page is open. Try again then.")
        return notice(request, sentence, status=409)
    side = seats.side_of(duel) if seats else None
    if side is Side.FIRST:
        link = address_elsewhere(request, address("any_invite", token))
        sentence = _("This is your own invitation. Send the link to your friend.")
        return notice(request, sentence, status=422, link=link)
    if seats is not None and side is Side.SECOND:
        return _Player(request, seats, side).lead_to(duel)
    if not duel.is_open:
        return _taken(request)
    if request.POST.get("action") == "join":
        return _join(request, duel, seats)
    setup = duel.seated(Side.SECOND)
    context = {
        "inviter": setup.names[Side.FIRST],
        "preset_card": preset_card(setup.preset),
        "rule_line": rule_line(setup.ruleset),
        "form_action": address("invite", token),
        "shared_path": address("any_invite", token),
    }
    response = render(request, "duel/invite.html", context)
    # The cookie is set before the press, so that a second press comes from the same browser.
    keep_seats(request, response, seats_to_claim(request))
    return response


def any_invite(request: HtmxRequest, token: str) -> HttpResponse:
    """The address of an invitation that is sent, which has no language."""
    return invite(request, token) if request.method == "POST" else in_own_language(request)


def _join(request: HtmxRequest, duel: Duel, seats: Seats | None) -> HttpResponse:
    if seats is None:  # the invitation has set the cookie, so the browser refuses it
        sentence = _("Your seat is kept in a cookie: allow cookies, then open the link again.")
        return notice(request, sentence, status=403)
    seat_hash = seat_hash_of(seats.seat_secret(duel.id, Side.SECOND))
    try:
        joined = duel_store.write(duel.joined(seat_hash))
    except WriteConflict:
        joined = duel_store.find(duel.id) or duel
    if joined.seat_hashes[Side.SECOND] != seat_hash:
        return _taken(request)
    response = _Player(request, seats, Side.SECOND).lead_to(joined)
    keep_seats(request, response, seats)
    return response


def _taken(request: HttpRequest) -> HttpResponse:
    return notice(request, _("Somebody has taken this seat already."), status=403)


@seat_view
def keep_seat(request: HtmxRequest, token: str) -> HttpResponse:
    """Brings a seat from another device or browser to this one, once the button is pressed."""
    duel_id, seat_secret = tokens.unseal_kept_seat(token)
    if request.method != "POST":
        where = address_elsewhere(request, address("keep", token))
        context = {
            "form_action": address("keep", token), "keep_address": where,
            "code": images.qr_code(where),
        }  # fmt: skip
        return render(request, "duel/keep.html", context)
    seats = seats_to_claim(request).with_secret(seat_secret)
    duel = duel_store.find(duel_id)
    if duel is None:
        sentence = _("Your seat is kept here. Now open the match’s own address on this device.")
        response = notice(request, sentence, status=200)
    elif (side := seats.side_of(duel)) is None:  # after a loss somebody else has taken it
        return _taken(request)
    else:
        response = _Player(request, seats, side).lead_to(duel)
    keep_seats(request, response, seats)
    return response
