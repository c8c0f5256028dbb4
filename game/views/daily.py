"""The views of today's sea, of past ones, and of the chain's links."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.display.names import parse_day
from game.engine.presets import PRESETS
from game.matches import daily
from game.matches.daily import Chain
from game.matches.saved import Par, SavedMatch, begin
from game.matches.setup import Day, Setup, solo
from game.matches.tokens import seal_match, unseal_match
from game.views.answers import address, hour_now
from game.views.days import KeptDays, asked_day, chain_or_404, redirect_to_kept, refuse_day

KEPT_SEAS = KeptDays("sea-", seal_match, unseal_match)


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Redirects to the sea of the player's own day, which `?day=` names, or of UTC's."""
    chain = chain_or_404()
    day = asked_day(request, chain)
    if day is None:
        return refuse_day(
            request, chain, "daily", _("There is no sea for that day now."),
            title=_("Today’s sea"), back=("home", _("To the home page")),
            to_today=_("To today’s sea"),
        )  # fmt: skip
    return redirect_to_kept(request, KEPT_SEAS, _with_par(chain, day), "play")


@require_safe
def past_day(request: HttpRequest, day: str) -> HttpResponse:
    """Redirects to the sea of a day that has ended, or if it has not, to today's.

    A browser that still keeps its own match of that day is led to it.
    """
    chain, now, asked = chain_or_404(), daily.now(), parse_day(day)
    if asked in chain.open_days(now):
        return redirect(f"{reverse('daily')}?day={asked.isoformat()}")
    if asked is None or daily.published_link(chain, asked, now) is None:
        return refuse_day(
            request, chain, "daily", _("There is no sea for that day."), title=_("Past days"),
            back=("today", _("To the past days")), to_today=_("To today’s sea"), status=404,
        )  # fmt: skip
    kept = KEPT_SEAS.token(request, day_of(chain, asked))
    token = kept or seal_match(_with_par(chain, asked))
    return redirect(address("play", token))


def sea_of(chain: Chain, day: date) -> SavedMatch:
    """The match of a day before its first shot; raises NoSuchDay."""
    preset = PRESETS[daily.preset_of(day)]
    setup = replace(solo(daily.sea_rules(preset.ruleset), preset), day=day_of(chain, day))
    return begin(setup, daily.seed_of(chain.link(day), preset.name), hour=hour_now())


def _with_par(chain: Chain, day: date) -> SavedMatch:
    """The match of a day before its first shot, whose par is known; raises NoSuchDay."""
    return replace(sea_of(chain, day), par=_par(chain, day))


@lru_cache(maxsize=64)  # the admiral takes a tenth of a second for a sea
def _par(chain: Chain, day: date) -> Par | None:
    return sea_of(chain, day).with_par_played(daily.SIDE**2).par


def day_of(chain: Chain, day: date) -> Day:
    """What tells a day's sea from that of another day or chain; raises NoSuchDay."""
    return Day(day, chain.number(day), chain.first_link)


def mark_helped(request: HttpRequest, response: HttpResponse) -> None:
    """Marks the seas that are under way in this browser as if the coach had been asked."""
    chain = daily.chain()
    if chain is None:
        return
    for day in chain.open_days(daily.now()):
        kept = KEPT_SEAS.read(request, day_of(chain, day))
        if kept is None or kept.match.outcome is not None:
            continue
        setup = kept.setup.switched(coach=True).switched(coach=kept.setup.assists.coach)
        helped = replace(kept, setup=setup)
        if helped != kept:
            KEPT_SEAS.set_cookie(request, response, helped, seal_match(helped))


@require_safe
def links(request: HttpRequest) -> HttpResponse:
    """The public links of the chain as text: the first, and the newest that may be known."""
    chain = chain_or_404()
    lines = f"{daily.LABEL.decode()}\nfirst {chain.first} {chain.length} {chain.first_link.hex()}\n"
    newest = daily.newest_published(chain, daily.now())
    if newest is not None:
        lines += f"{newest} {chain.link(newest).hex()}\n"
    return HttpResponse(lines, content_type="text/plain")


def day_link(setup: Setup) -> str:
    """The link of a match's day in hexadecimal; empty while it must not be known."""
    chain = daily.chain()
    if setup.day is None or chain is None or chain.first_link != setup.day.first_link:
        return ""
    link = daily.published_link(chain, setup.day.date, daily.now())
    return link.hex() if link is not None else ""
