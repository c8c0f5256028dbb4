"""The views for sharing: the result of a match, and its address for another device."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display import sharing
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_replay, unseal_ended, unseal_match, unseal_replay
from game.views import images
from game.views.answers import (
    HtmxRequest,
    address_elsewhere,
    check_open,
    ended_match_view,
    panel,
    path_if_any,
    play_address,
    token_view,
)
from game.views.expensive import one_at_a_time
from game.views.places import outcomes


@ended_match_view(unseal_ended)
def share(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The result in a sentence, with a link that only lets the match be watched.

    For a day's sea the link leads to that sea, as others may still be searching it.
    """
    context = {
        "sentence": " ".join((sharing.result(saved), *outcomes(saved, on_device=True))),
        "signs": sharing.signs(saved) if saved.setup.is_solo else "",
        "play_address": play_address(saved.setup, token),
    }
    sea = ""
    if saved.setup.is_late and saved.setup.day:
        sea = path_if_any("any_past_day", saved.setup.day.date.isoformat())
        context["link_label"] = _("Link to this sea")
    elif saved.setup.day:
        sea = path_if_any("any_daily")
    if sea:
        context["sea_address"] = address_elsewhere(request, sea)
    else:
        public_replay = seal_replay(saved)
        context["public_replay_address"] = address_elsewhere(
            request, reverse("public_replay", args=[public_replay])
        )
        context["card_address"] = reverse("card", args=[public_replay])
    return panel(request, "game/_share.html", context)


@one_at_a_time
@ended_match_view(unseal_replay)
def card(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The picture that messengers show for a shared replay."""
    return images.picture(images.match_card(saved), images.FOR_EVER)


@one_at_a_time
@token_view
def elsewhere(request: HtmxRequest, token: str) -> HttpResponse:
    """The address of a match to copy, and as a QR code.

    It shows nothing of the match; for two persons, the address opens on the curtain.
    """
    saved = unseal_match(token)
    check_open(saved.setup, saved.match)
    play_address = reverse("play", args=[token])
    address = address_elsewhere(request, play_address)
    context = {
        "match_address": address,
        "play_address": play_address,
        "code": images.qr_code(address) if len(address) <= images.MOST_IN_CODE else "",
    }
    return panel(request, "game/_elsewhere.html", context)
