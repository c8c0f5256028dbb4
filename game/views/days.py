"""Which day is asked for, what a browser keeps of its match, and what is said of the result.

The browser keeps the token of the match in a cookie, so that the page of the day leads back to it,
and so that a match is marked if it goes on from an older address or without the help that was used.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, Protocol, Self, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from game.display.words import joined
from game.feature import DayMark, DayState
from game.matches import daily
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.matches.keyring import BadToken
from game.matches.setup import Setup
from game.views.addresses import address
from game.web.memory import Memory
from game.web.responses import SwitchedOff, error_page

SECONDS = 3 * 24 * 60 * 60
"""How long a match is kept: a date lasts for 50 hours between the world's first clock and last."""

MOST_DAYS = 2
"""How many days of a game a browser keeps, so that all its cookies fit into a request."""


class DayMatch(Protocol):
    """A saved match of either game, as far as its day needs it."""

    @property
    def day_key(self) -> tuple[Any, ...] | None:
        """The date as `2026-11-22`, and what tells the match from that of another chain.

        None for a match that belongs to no day.
        """

    @property
    def history(self) -> tuple[object, ...]:
        """The person's actions, and at the end that they gave up, as that shows the ships too."""

    def marked_as(self, other: Self, *, went_back: bool = False) -> Self:
        """The match with the marks for help of another state of it."""


M = TypeVar("M", bound=DayMatch)


@dataclass(frozen=True, slots=True)
class KeptDays(Generic[M]):
    """The cookies of one game: one for each day, as two or three days are open at a time."""

    prefix: str
    """The start of the cookies' names, before the date."""
    seal: Callable[[M], str]
    unseal: Callable[[str], M]

    def read(self, request: HttpRequest, day_key: tuple[Any, ...] | None) -> M | None:
        """The match that the browser keeps of that day."""
        if day_key is None:
            return None
        try:
            kept = self.unseal(self._memory(day_key).read(request))
        except BadToken:
            return None
        return kept if kept.day_key == day_key else None

    def token(self, request: HttpRequest, day_key: tuple[Any, ...] | None) -> str:
        """The token of that match; empty without one."""
        is_kept = self.read(request, day_key) is not None
        return self._memory(day_key).read(request) if is_kept and day_key else ""

    def _memory(self, day_key: tuple[Any, ...]) -> Memory[str]:
        return Memory(f"{self.prefix}{day_key[0]}", "", str, str, seconds=SECONDS)

    def has_played(self, request: HttpRequest, saved: M) -> bool:
        """Whether the browser keeps this state of the match, or an earlier one."""
        kept = self.read(request, saved.day_key)
        return kept is not None and saved.history[: len(kept.history)] == kept.history

    def marked(self, request: HttpRequest, acted: M) -> M:
        """The match with the marks of what this browser has already seen of it."""
        kept = self.read(request, acted.day_key)
        if kept is None:
            return acted
        # A repeated request leads to where the browser has been; another action there doesn't.
        pairs = zip(acted.history, kept.history, strict=False)
        return acted.marked_as(kept, went_back=any(own != other for own, other in pairs))

    def keep(self, request: HttpRequest, response: HttpResponse, acted: M, token: str) -> None:
        """Has the browser keep the match, or the later state of it that it already keeps.

        Marks that were made at an older address go into the later state.
        """
        if acted.day_key is None:
            return
        kept, own = self.read(request, acted.day_key), acted.history
        if kept is not None and len(own) < len(kept.history) and kept.history[: len(own)] == own:
            token = self.seal(kept.marked_as(acted))
        memory = self._memory(acted.day_key)
        others = {name for name in request.COOKIES if name.startswith(self.prefix)} - {memory.name}
        for old in sorted(others)[: 1 - MOST_DAYS]:
            response.delete_cookie(old, samesite="Lax")
        memory.keep(request, response, token)


def redirect_to_kept(
    request: HttpRequest, kept_days: KeptDays[M], fresh: M, view: str
) -> HttpResponse:
    """Redirects to a day's match as far as this browser has played it, or before its first move."""
    token = kept_days.token(request, fresh.day_key) or kept_days.seal(fresh)
    return redirect(address(view, token))


# --- which day ---


def day_link(setup: Setup) -> str:
    """The link of a match's day in hexadecimal; empty while it must not be known."""
    chain = daily.chain()
    if setup.day is None or chain is None or chain.first_link != setup.day.first_link:
        return ""
    link = daily.published_link(chain, setup.day.date, daily.now())
    return link.hex() if link is not None else ""


def chain_or_404() -> Chain:
    """The site's chain; raises SwitchedOff if it has none."""
    chain = daily.chain()
    if chain is None:
        raise SwitchedOff(_("The games of the day are switched off on this site."))
    return chain


def asked_day(request: HttpRequest, chain: Chain) -> date | None:
    """The open day that `?day=2026-11-22` names, or the day in UTC; None if it isn't open."""
    now = daily.now()
    asked = request.GET.get("day", now.date().isoformat())
    return next((day for day in chain.open_days(now) if day.isoformat() == asked), None)


def refuse_day(
    request: HttpRequest, chain: Chain, view: str, sentence: str, *, title: str,
    back: tuple[str, str], to_today: str, status: int = 422,
) -> HttpResponse:  # fmt: skip
    """The page for a day that can't be begun: why, and the links that lead on.

    `to_today` is the text of the link to the view's own day, which is left out if the chain
    doesn't have the day in UTC. `back` is the view and the text of the other link.
    """
    now, where = daily.now(), reverse(view)
    ways = [(where, to_today)] if now.date() in chain.open_days(now) else []
    ways.append((reverse(back[0]), back[1]))
    return error_page(
        request, status, title, sentence, ways=ways, template="day_refused.html", address=where
    )


# --- what is said of a search ---


def search_state(ended: DayResult | None, begun: int, counted: Callable[[int], str]) -> DayState:
    """What the home page says of a search, such as `3 so far`; `counted` puts shots in words."""
    if ended is None:
        so_far = _("%(count)s so far") % {"count": begun}
        return DayState(so_far if begun else pgettext("game", "new"))
    if not ended.is_sunk:
        return DayState(pgettext("fleet", "not found"), is_done=True)
    return DayState(counted(ended.shots), is_done=True, is_found=True)


def search_mark(ended: DayResult, style: str, counted: str) -> DayMark:
    """The mark of a search in the calendar; `counted` says how many shots it took."""
    said = joined(
        counted,
        _("par %(par)s") % {"par": ended.par} if ended.par else _("par not worked out"),
        "" if ended.is_sunk else _("not all found"),
        _("with help") if ended.is_helped else "",
        between=", ",
    )
    return DayMark(ended.shots, f"{style} is-{ended.grade}", f"{said}.")
