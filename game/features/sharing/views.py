"""The views for sharing: the result of a match, its card, and its address for another device."""

import re
from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from game.display.boards import revealed
from game.display.names import mind_name, preset_card, public_names
from game.feature import features
from game.features.sharing import words
from game.features.sharing.moment import moment_of
from game.matches.saved import SavedMatch
from game.matches.tokens import seal_replay, unseal_match, unseal_replay
from game.views import hooks, images
from game.views.addresses import address, address_elsewhere, path_if_any
from game.views.answers import panel
from game.views.decorators import ended_match_view, one_at_a_time, token_view
from game.views.expiry import check_open
from game.views.requests import HtmxRequest

WRITTEN = re.compile(
    "[ -\u02af\u0370-\u03e1\u03f0-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2026\u2030-\u205e]*"
)
"""What the font writes: letters of Latin, Greek and Cyrillic, and general punctuation."""


@ended_match_view(unseal_match)
def share(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The result in a sentence, with a link that only lets the match be watched.

    For a day's sea the link leads to that sea, as others may still be searching it.
    """
    context = {
        "sentence": " ".join((words.result(saved), *hooks.outcomes(saved, on_device=True))),
        "signs": words.signs(saved) if saved.setup.is_solo else "",
        "play_address": address("play", token),
    }
    day, sea = saved.setup.day, ""
    if day and saved.setup.is_late:
        sea = path_if_any("any_past_day", day.date.isoformat())
        context["link_label"] = _("Link to this sea")
    elif day:
        sea = path_if_any("any_daily")
        context["link_label"] = _("Link to today’s sea")
    if sea:
        context["sea_address"] = address_elsewhere(request, sea)
        return panel(request, "game/_share.html", context)
    public_replay = seal_replay(saved)
    where = reverse("public_replay", args=[public_replay])
    context["public_replay_address"] = address_elsewhere(request, where)
    context["card_address"] = reverse("card", args=[public_replay])
    return panel(request, "sharing/_replay.html", context)


def told(saved: SavedMatch, token: str) -> dict[str, object]:
    """What a public replay tells besides: how the match went, and the card of its link."""
    alt = (
        _("The board at the end of the match, with all ships and shots.")
        if saved.setup.is_solo
        else _("Both boards at the end of the match, with all ships and shots.")
    )
    description = _("Watch the match shot by shot, and play one.")
    made = images.Card(words.result(saved), description, address("card", token), alt)
    return {"told": words.headline(saved), "card": made}


@one_at_a_time
@ended_match_view(unseal_replay)
def card(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The picture that messengers show for a shared replay."""
    return images.picture(match_card(saved), images.FOR_EVER)


def match_card(saved: SavedMatch) -> bytes:
    """The boards of an ended match with its result, as a PNG."""
    setup, names = saved.setup, "".join(saved.setup.person_names)
    if not names.isprintable() or not WRITTEN.fullmatch(names):  # not all can be seen and written
        setup = replace(setup, person_names=("", ""))
        saved = replace(saved, setup=setup)
    enemy, own = revealed(saved.match, saved.seen, setup.cell_names)
    headline, lines = words.headline(saved), [preset_card(setup.preset).title]
    if setup.is_solo:
        return images.drawn_card(headline, [*lines, _("Search alone")], ((enemy, ""),))
    if setup.opponent:
        lines.append(mind_name(setup.opponent))
    who = public_names(setup)
    theirs, mine = who[saved.viewer.opponent], who[saved.viewer]
    return images.drawn_card(headline, lines, ((enemy, theirs), (own, mine)))


@one_at_a_time
@ended_match_view(unseal_replay)
def moment(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The moment of a match to remember, which anybody may see; after an escape with its fleet."""
    shown, setup = moment_of(saved), saved.setup
    if shown is None or setup.day:
        return redirect(address("public_replay", token))
    added = hooks.merged(feature.public_replay(saved, token) for feature in features())
    card = images.Card(shown.title, shown.says, address("moment_card", token), shown.says)
    context = {
        "moment": shown,
        "card": card,
        "setup": setup,
        "cell_names": setup.cell_names,
        "same_fleet": added.get("same_fleet") if shown.is_escape else "",
        "film_address": address("public_replay", token),
    }
    return render(request, "sharing/moment.html", context)


@one_at_a_time
@ended_match_view(unseal_replay)
def moment_card(request: HtmxRequest, saved: SavedMatch, token: str) -> HttpResponse:
    """The picture that messengers show for a moment."""
    shown = moment_of(saved)
    if shown is None or saved.setup.day:
        return redirect(address("card", token))
    hulls = tuple(one for one in shown.board.hulls if one.look != "trail")
    lines = [preset_card(saved.setup.preset).title]
    sheets = ((shown.board._replace(hulls=hulls), ""),)
    return images.picture(images.drawn_card(shown.title, lines, sheets), images.FOR_EVER)


@one_at_a_time
@token_view
def elsewhere(request: HtmxRequest, token: str) -> HttpResponse:
    """The address of a match to copy, and as a QR code.

    It shows nothing of the match; for two persons, the address opens on the curtain.
    """
    saved = unseal_match(token)
    check_open(saved.setup, saved.match)
    back = address("play", token)
    where = address_elsewhere(request, back)
    context = {
        "panel_title": _("Continue elsewhere"),
        "match_address": where,
        "play_address": back,
        "code": images.qr_code(where),
    }
    return panel(request, "sharing/_elsewhere.html", context)
