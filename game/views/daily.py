"""The views of today's sea, and what a browser keeps of it while its match goes on.

The browser keeps the token of the match in a cookie, so that the page leads back to it, and so that
a match that goes on from an older address, or without the help that was used, is marked.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.engine.presets import PRESETS
from game.matches import daily
from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Day, Setup, solo
from game.matches.tokens import seal_match, unseal_match
from game.views.answers import address, hour_now

COOKIE = "sea-{}"
"""A cookie for each day: two or three are open at once."""
COOKIE_AGE = 3 * 24 * 60 * 60
"""Seconds: longer than any day lasts between the first clock of the world and the last."""


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Leads to the sea of the player's own day, by UTC where the address names none."""
    chain, now = daily.chain(), daily.now()
    if chain is None:
        raise Http404("this site offers no daily")
    asked = request.GET.get("day")
    days = {day.isoformat(): day for day in daily.open_days(now)}
    day = now.date() if asked is None else days.get(asked)
    if day is None or not chain.first <= day <= chain.last:
        words = {
            "refused": _("There is no sea for that day now."), "has_other": asked is not None,
            "address": reverse("daily"),
        }  # fmt: skip
        return render(request, "daily.html", words, status=422)
    token, kept = kept_sea(request, _day(chain, day))
    return redirect(address("play", token if kept else seal_match(sea_of(chain, day))))


def sea_of(chain: daily.Chain, day: date) -> SavedMatch:
    """The match of a day before its first shot; raises NoSuchDay."""
    preset = PRESETS[daily.preset_of(day)]
    setup = replace(solo(preset.ruleset, preset), day=_day(chain, day))
    return begin(setup, daily.seed_of(chain.link(day), preset.name), hour=hour_now())


def _day(chain: daily.Chain, day: date) -> Day:
    return Day(day.isoformat(), chain.number(day), chain.first_link)


@require_safe
def links(request: HttpRequest) -> HttpResponse:
    """The public links of the chain as text: the first, and the newest that may be known."""
    chain = daily.chain()
    if chain is None:
        raise Http404("this site offers no daily")
    lines = [
        daily.LABEL.decode(),
        f"first {chain.first.isoformat()} {chain.length} {chain.first_link.hex()}",
    ]
    newest = daily.newest_published(chain, daily.now())
    if newest is not None:
        lines.append(f"{newest.isoformat()} {chain.link(newest).hex()}")
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain")


def day_link(setup: Setup) -> str:
    """The link of a match's day in hexadecimal; empty while it must not be known."""
    chain, now = daily.chain(), daily.now()
    if setup.day is None or chain is None or chain.first_link != setup.day.first_link:
        return ""
    link = daily.published_link(chain, date.fromisoformat(setup.day.date), now)
    return link.hex() if link is not None else ""


# --- what the browser keeps ---


def kept_sea(request: HttpRequest, day: Day) -> tuple[str, SavedMatch | None]:
    """The token and the match that the browser keeps of a day's sea; None if it keeps none."""
    token = request.COOKIES.get(COOKIE.format(day.date), "")
    try:
        kept = unseal_match(token)
    except BadToken:
        return "", None
    return (token, kept) if kept.setup.day == day else ("", None)


def is_kept(request: HttpRequest, saved: SavedMatch) -> bool:
    """Whether this browser has come as far in that sea: it's no match of somebody else."""
    day = saved.setup.day
    kept = None if day is None else kept_sea(request, day)[1]
    return kept is not None and _course(kept) == _course(saved)


def marked(request: HttpRequest, acted: SavedMatch) -> SavedMatch:
    """The match of a day's sea with the marks of what this browser has seen of it."""
    day = acted.setup.day
    kept = None if day is None else kept_sea(request, day)[1]
    if kept is None:
        return acted
    one, other = _course(acted), _course(kept)
    shared = min(len(one), len(other))
    setup = acted.setup.marked_as(kept.setup)
    # A repeated request leads to where the browser has been; another shot there doesn't.
    is_elsewhere = one[:shared] != other[:shared]
    return replace(acted, setup=replace(setup, went_back=setup.went_back or is_elsewhere))


def _course(saved: SavedMatch) -> tuple[object, ...]:
    """The actions, and at their end who gave up: that too shows where the ships are."""
    resigned = saved.match.resigned
    return saved.match.actions if resigned is None else (*saved.match.actions, resigned)


def keep_sea(request: HttpRequest, response: HttpResponse, acted: SavedMatch, token: str) -> None:
    """Has the browser keep the match of a day's sea, or the later state of it that it keeps.

    What was marked at an older address stays marked in the later state.
    """
    day = acted.setup.day
    if day is None:
        return
    _token, kept = kept_sea(request, day)
    if kept is not None:
        one, other = _course(acted), _course(kept)
        if len(one) < len(other) and other[: len(one)] == one:
            token = seal_match(replace(kept, setup=kept.setup.marked_as(acted.setup)))
    response.set_cookie(
        COOKIE.format(day.date), token, max_age=COOKIE_AGE, samesite="Lax",
        secure=request.is_secure(), httponly=True, path=reverse("front_door"),
    )  # fmt: skip
