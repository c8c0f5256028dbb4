"""The views of today's sea, of past ones, of all of today's games, and of the chain's links."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from math import inf
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.display.names import day_name, parse_day, short_day_name
from game.display.public_values import PublicValues, public
from game.engine.presets import PRESETS
from game.feature import DayGame, PageAddition, PageName
from game.features.daily import words
from game.matches import daily
from game.matches.daily import Chain
from game.matches.day_results import SEA, streak
from game.matches.par import Par, work_out_par
from game.matches.saved import SavedMatch, begin
from game.matches.setup import Day, Setup, solo
from game.matches.tokens import seal_match, unseal_match
from game.views import hooks
from game.views.addresses import address
from game.views.calendar import calendar_view
from game.views.days import KeptDays, asked_day, chain_or_404, redirect_to_kept, refuse_day
from game.views.expiry import hour_now
from game.views.requests import HtmxRequest

KEPT_SEAS = KeptDays("sea-", seal_match, unseal_match)


@require_safe
def sea(request: HttpRequest) -> HttpResponse:
    """Redirects to the sea of the player's own day, which `?day=` names, or of UTC's."""
    chain = chain_or_404()
    day = asked_day(request, chain)
    if day is None:
        return refuse_day(
            request, chain, "daily", _("There is no sea for that day now."),
            title=_("Today’s sea"), back=("home", _("To the home page")),
            to_today=_("To today’s sea"),
        )  # fmt: skip
    fresh = replace(sea_of(chain, day), par=_par(chain, day))
    return redirect_to_kept(request, KEPT_SEAS, fresh, "play")


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
    token = kept or seal_match(sea_of(chain, asked))
    return redirect(address("play", token))


def sea_of(chain: Chain, day: date) -> SavedMatch:
    """The match of a day before its first shot; raises NoSuchDay."""
    preset = PRESETS[daily.preset_of(day)]
    setup = replace(solo(daily.sea_rules(preset.ruleset), preset), day=day_of(chain, day))
    return begin(setup, daily.seed_of(chain.link(day), preset.name), hour=hour_now())


@lru_cache(maxsize=8)  # the admiral takes a tenth of a second for a sea
def _par(chain: Chain, day: date) -> Par | None:
    return work_out_par(sea_of(chain, day).match, seconds=inf)


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
        setup = kept.setup.with_help(coach=True).with_help(coach=kept.setup.assists.coach)
        helped = replace(kept, setup=setup)
        if helped != kept:
            KEPT_SEAS.keep(request, response, helped, seal_match(helped))


@require_safe
def links(request: HttpRequest) -> HttpResponse:
    """The public links of the chain as text: the first, and the newest that may be known."""
    chain = chain_or_404()
    lines = f"{daily.LABEL.decode()}\nfirst {chain.first} {chain.length} {chain.first_link.hex()}\n"
    newest = daily.newest_published(chain, daily.now())
    if newest is not None:
        lines += f"{newest} {chain.link(newest).hex()}\n"
    return HttpResponse(lines, content_type="text/plain")


# --- all of today's games ---


@require_safe
def page(request: HtmxRequest) -> HttpResponse:
    """Today's games and the last weeks' results; for htmx the row of the day that it asks for."""
    chain, today = chain_or_404(), _today(request)
    if request.htmx:
        response = render(request, "daily/_today.html", {"today": today})
    else:
        calendar = calendar_view(hooks.day_results(request), daily.now(), first=chain.first)
        context = {"today": today, "calendar": {**calendar, "title": _("Past days")}}
        response = render(request, "daily/today.html", context)
    response["Cache-Control"] = "no-store"
    return response


def on_page(request: HttpRequest, page: PageName) -> PageAddition | None:
    """The row of today's games on the home page, and what About says of the chain of days."""
    if page != "home":
        return _about() if page == "about" else None
    today = _today(request)
    if today is None:
        return None
    return PageAddition(today, styles=("daily/daily.css",), scripts=("daily/daily.js",))


def _today(request: HttpRequest) -> dict[str, Any] | None:
    """The day's games with what this browser has done in them; None if the site has none now."""
    chain, now = daily.chain(), daily.now()
    if chain is None:
        return None
    open_days = chain.open_days(now)
    asked = (asked_day(request, chain), now.date(), *open_days)
    day = next((day for day in asked if day in open_days), None)
    if day is None:
        return None
    days = hooks.day_results(request)
    ended = {result.kind: result for result in days if result.date == day}
    cards = [
        (game, game.state(ended.get(game.kind), game.begun(request, chain, day)))
        for game in hooks.day_games()
    ]
    row = streak((result.date for result in days), daily.open_days(now)[0])
    return {
        "day": day,
        "date": short_day_name(day),
        "cards": cards,
        "streak": words.days_in_a_row(row.now),
    }


def shots_of(request: HttpRequest, chain: Chain, day: date) -> int:
    """How often this browser has fired in the sea of a day that it keeps."""
    kept = KEPT_SEAS.read(request, day_of(chain, day))
    return len(kept.match.shots) if kept else 0


# --- a match of a day ---


@dataclass(frozen=True)
class SeaView(PublicValues):
    """What the page of a match has of its day."""

    fresh: str | None = public("fresh")
    """The address of today's sea, before its first shot."""
    next_game: DayGame | None = None
    """Another game of the day, at the end."""
    spread: Sequence[tuple[str, int]] = ()
    """How often the player's seas took how many shots, at the end."""


def playing(saved: SavedMatch) -> PageAddition:
    is_fresh = not saved.match.actions and not saved.setup.is_late
    return PageAddition(
        SeaView(reverse("daily") if is_fresh else None), scripts=("daily/daily.js",)
    )


def ended(request: HttpRequest, saved: SavedMatch) -> PageAddition | None:
    """What comes next: a game of the same day, or after a late search the past days."""
    day = saved.setup.day
    if day is None:
        return None
    if saved.setup.is_late:
        return PageAddition(SeaView(), {"past_days": reverse("today") + "#days-title"})
    days = hooks.day_results(request)
    ended = {SEA, *(result.kind for result in days if result.date == day.date)}
    following = next((game for game in hooks.day_games() if game.kind not in ended), None)
    links = {}
    if following:
        links[following.id.removeprefix("act-").replace("-", "_")] = reverse(following.view)
    counts = {it.date: it.shots for it in days if it.kind == SEA and it.is_sunk}
    in_a_row, spread = "", words.spread(list(counts.values()))
    if KEPT_SEAS.has_played(request, saved) and daily.is_offered():
        dates = {*(result.date for result in days), *((day.date,) if saved.match.shots else ())}
        in_a_row = words.days_in_a_row(streak(dates, daily.open_days(daily.now())[0]).now)
    why = f"{in_a_row}." if in_a_row else ""
    return PageAddition(
        SeaView(next_game=following, spread=spread), links, why=why, scripts=("daily/daily.js",)
    )


def new_match_link(setup: Setup | None) -> tuple[str, str] | None:
    """The link to today's sea in place of one that doesn't open any more."""
    is_of_a_day = setup is not None and setup.day is not None and daily.is_offered()
    return (reverse("daily"), _("To today’s sea")) if is_of_a_day else None


def _about() -> PageAddition | None:
    chain, now = daily.chain(), daily.now()
    if chain is None:
        return None
    newest = daily.newest_published(chain, now)
    return PageAddition(
        {
            "first_link": chain.first_link.hex(),
            "first_day": day_name(chain.first),
            "days": chain.length,
            "newest_day": newest and day_name(newest),
            "newest_link": newest and chain.link(newest).hex(),
        }
    )


def day_game() -> DayGame:
    return DayGame(
        kind=SEA,
        view="daily",
        id="act-daily",
        order=1,
        title=lambda: _("Today’s sea"),
        noun=lambda: _("a new sea"),
        begun=shots_of,
        state=words.state,
        mark=words.mark,
        legend=words.legend,
        past="past_day",
    )
