"""Responses of views: a page, a part of it for htmx, or a redirect; and views' decorators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, wraps
from threading import BoundedSemaphore, Lock
from typing import Any, NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, replace_url
from django_htmx.middleware import HtmxDetails

from game.display.choices import rules_query
from game.display.match_view import CallView, MatchView
from game.display.messages import Status
from game.display.names import day_name, language_shown, offered_languages
from game.engine.match import Match
from game.matches import daily
from game.matches.cell_names import CellNames
from game.matches.draft import Draft
from game.matches.keyring import BadToken
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.ops import metrics
from game.views import hooks
from game.views.preferences import for_templates, preferences_of
from game.web.forms import FRIEND, SOLO
from game.web.page_json import call_json, is_in_json, json_response, match_json
from game.web.responses import error_page, one_moment
from game.web.spelling import cleaned
from game.web.versions import own_mark

View = Callable[..., HttpResponse]


class HtmxRequest(HttpRequest):
    """A request that django-htmx's middleware has handled."""

    htmx: HtmxDetails


def token_view(view: View, methods: Sequence[str] = ("GET", "HEAD", "POST")) -> View:
    """Decorates a view whose address may hold a token.

    Every bad token gets the same response, and so does every match that is no longer open.
    """

    @wraps(view)
    def wrapper(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except BadToken as error:
            metrics.count_refusal(error.reason)
            response = bad_token(request)
        except Expired as error:
            metrics.count_refusal("expired")
            response = _expired(request, error)
        patch_vary_headers(response, ["HX-Request"])
        return response

    return require_http_methods(methods)(wrapper)


def safe_token_view(view: View) -> View:
    """Decorates such a view that accepts only GET and HEAD."""
    return token_view(view, ("GET", "HEAD"))


def ended_match_view(
    unseal: Callable[[str], SavedMatch], methods: Sequence[str] = ("GET", "HEAD")
) -> Callable[[View], View]:
    """Decorates a view of an ended match, which is given the match and its token.

    It accepts only GET and HEAD unless told otherwise; a match that isn't over is redirected to its
    play page.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HtmxRequest, token: str, **more: str) -> HttpResponse:
            saved = unseal(token)
            if saved.match.outcome is None:
                return redirect(address("play", token))
            return view(request, saved, token, **more)

        return token_view(wrapper, methods)

    return decorate


MOST_EXPENSIVE = 2
"""How many expensive answers are computed or wait for that. The other threads are for clicks."""
_expensive, _turn = BoundedSemaphore(MOST_EXPENSIVE), Lock()


def one_at_a_time(view: View) -> View:
    """Decorates a view that may take a tenth of a second; it answers 503 if all places are taken.

    Threads share Python's lock, so two such answers at once would not be ready sooner, but would
    slow down clicks.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not _expensive.acquire(blocking=False):
            return one_moment(request, _("The server is busy with other pages of this kind."))
        try:
            with _turn:
                return view(request, *args, **kwargs)
        finally:
            _expensive.release()

    return wrapper


def bad_token(request: HttpRequest) -> HttpResponse:
    sentence = _("It was cut off or damaged, or it is too old.")
    why = _(
        "A match is kept in its link, from the first letter to the last. If you have the whole "
        "link somewhere, copy it again."
    )
    title, ways = _("This link doesn’t work"), [_new_match_link(request, None)]
    return error_page(
        request, 400, title, sentence, why, ways=ways, drawing="wreck", address=reverse("home")
    )


def _new_match_link(request: HttpRequest, setup: Setup | None) -> tuple[str, str]:
    """The address and the text of the link from a lost match to a new one of the same kind."""
    if of_feature := hooks.new_match_link(request, setup):
        return of_feature
    if setup is None:
        return reverse("new", args=["bonn"]), _("A new match")
    return _same_again(setup), _("A new match by the same rules")


def _same_again(setup: Setup) -> str:
    """The address of a new match by the rules of a setup, with the same kind of opponent."""
    preset = setup.preset
    if not setup.persons:
        return reverse("setup", args=[preset.name])
    rules = replace(setup.ruleset, solo=False, begins=preset.ruleset.begins)
    opponent = SOLO if setup.is_solo else FRIEND if setup.remote else setup.opponent
    query = urlencode({"players": "2"} if setup.is_shared else {"opponent": opponent})
    if rules != preset.ruleset:
        query += f"&{rules_query(rules)}"
    return f"{reverse('new', args=[preset.name])}?{query}"


_HOUR = 60 * 60  # seconds
_DAYS_OF_A_DAY = 3  # a date lasts for 50 hours between the world's first clock and its last


class Expired(Exception):
    """An unfinished match is older than this site keeps matches open.

    `setup` is None for a match of a feature's own game.
    """

    def __init__(self, started_hour: int, setup: Setup | None) -> None:
        super().__init__("a match that is no longer open")
        self.started_hour, self.setup = started_hour, setup


def hour_now() -> int:
    """The hour at which a match begins now, as in Setup.started_hour."""
    return int(daily.now().timestamp()) // _HOUR


def check_open(setup: Setup, match: Match | None) -> None:
    """Raises Expired if an unfinished match is older than this site's limit.

    A match that has ended, or whose token has no starting hour, never expires.
    """
    if match is not None and match.outcome is None:
        check_hour(setup.started_hour, is_of_a_day=setup.day is not None, setup=setup)


def check_hour(started_hour: int | None, *, is_of_a_day: bool, setup: Setup | None = None) -> None:
    """Raises Expired if an unfinished match that started in that hour is too old.

    The match of a day stays open for as long as it can be started.
    """
    if settings.MATCH_DAYS is None or started_hour is None:
        return
    days = max(settings.MATCH_DAYS, _DAYS_OF_A_DAY) if is_of_a_day else settings.MATCH_DAYS
    if hour_now() - started_hour > 24 * days:
        raise Expired(started_hour, setup)


def _expired(request: HtmxRequest, error: Expired) -> HttpResponse:
    sentence = ngettext(
        "This match was begun on %(began)s; this site keeps matches open for %(days)s day.",
        "This match was begun on %(began)s; this site keeps matches open for %(days)s days.",
        settings.MATCH_DAYS or 0,
    )
    date = datetime.fromtimestamp(error.started_hour * _HOUR, UTC).date()
    sentence %= {"began": day_name(date), "days": settings.MATCH_DAYS}
    why = _("The whole match is still in its link, but this site opens it only for that long.")
    if error.setup is not None and error.setup.remote:
        why = _("What the server kept of it is deleted 60 days after its last step.")
    title, ways = _("This match is no longer open"), [_new_match_link(request, error.setup)]
    response = error_page(
        request, 410, title, sentence, why, ways=ways, drawing="gone", address=reverse("home")
    )
    if request.htmx:  # the page that sent the request is out of date, too
        response["HX-Refresh"] = "true"
    return response


class Page(NamedTuple):
    """A page of a game, of which htmx swaps a part."""

    address: str
    folder: str
    """Has the templates page.html, and fragment.html for htmx."""
    values: dict[str, Any]
    view: MatchView | None = None
    """What the page of a match shows; `values` are what only the HTML has besides."""

    def having(self, **values: Any) -> Page:
        return self._replace(values={**self.values, **values})

    def showing(self, **changes: Any) -> Page:
        """The page with other values of its view."""
        return self._replace(view=self.view and replace(self.view, **changes))

    def saying(self, sentence: str, *, is_refused: bool = False) -> Page:
        """The page with another sentence as its status."""
        status = Status(sentence, is_refused=is_refused)
        return self.showing(status=status) if self.view else self.having(status=status)

    def refused(self, sentence: str) -> Page:
        """The page with the reason why an action was refused as its status."""
        return self.saying(sentence, is_refused=True)

    @property
    def context(self) -> dict[str, Any]:
        if self.view is None:
            return {"cell_names": None, **self.values}
        names = ("address", "features", "title", "phase", "setup", "status")
        shown = {name: getattr(self.view, name) for name in names}
        cell_names = self.view.setup.cell_names
        return {"view": self.view, "cell_names": cell_names, **shown, **self.values}


def page(
    folder: str, body: str, *, address: str, title: str, phase: str, turn: int, status: str,
    **values: Any,
) -> Page:  # fmt: skip
    """A page of a game that is no match; `body` is the game region's template.

    `turn` counts from 0, and `status` is what has just happened or is to be done.
    """
    given = {"body": body, "address": address, "title": title, "phase": phase, "turn": turn}
    return Page(address, folder, {**given, "status": Status(status), **values})


def show(request: HtmxRequest, page: Page, *, status: int = 200) -> HttpResponse:
    """The page, the part of it that changes for htmx, or JSON."""
    if page.view and is_in_json(request):
        return json_response(match_json(page.view), address=page.address, status=status)
    is_part = bool(request.htmx)
    template = f"{page.folder}/{'fragment' if is_part else 'page'}.html"
    response = render(request, template, page.context, status=status)
    return replace_url(response, page.address) if is_part else response


def show_call(
    request: HttpRequest, template: str, call: CallView, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The page that a friend's link opens, or JSON."""
    if is_in_json(request):
        address = request.get_full_path() if status == 200 else ""
        return json_response(call_json(call), address=address, status=status)
    return render(request, template, {"call": call, **context}, status=status)


def panel(
    request: HtmxRequest, template: str, context: dict[str, Any], *, has_form: bool = False
) -> HttpResponse:
    """A part of a page for htmx, else a page of its own."""
    if is_in_json(request):  # it has nothing for programs, though perhaps a form
        page: dict[str, Any] = {"actions": []} if has_form else {}
        return json_response(page, address=request.get_full_path())
    is_part = bool(request.htmx)
    context = {"panel_title": "", **context, "panel": template, "is_part": is_part}
    return render(request, template if is_part else "game/panel.html", context)


def site(request: HttpRequest) -> dict[str, Any]:
    """The context processor of every page; responses to a POST set their own address."""
    return {
        "language": get_language() or "en",
        "direction": language_shown().direction,
        "languages": offered_languages(),
        "preferences": for_templates(preferences_of(request)),
        "address": request.get_full_path(),
        "menu": hooks.menu,
        "ways_on": hooks.ways,
        "version": own_mark(),
    }


def fragment_or_redirect(request: HtmxRequest, page: Page) -> HttpResponse:
    """The response to an accepted form: the page for a script or a program, else a redirect."""
    return show(request, page) if swaps(request) else see_other(page.address)


def swaps(request: HtmxRequest) -> bool:
    """Whether a script or a program gets the response, which follows no redirect."""
    return bool(request.htmx) or is_in_json(request)


def typed(request: HttpRequest, longest: int, cell_names: CellNames | None = None) -> str:
    """The start of a text that was typed and refused, without what can't be typed.

    `longest` is for names such as `B7`; labels may be four times as long.
    """
    text = request.POST.get("cell", "") if "typed" in request.POST else ""
    longest = 4 * longest if cell_names and cell_names.is_labelled else longest
    return cleaned(text)[:longest]


def lead_to(request: HtmxRequest, where: str) -> HttpResponse:
    """A redirect to a page that htmx doesn't swap in."""
    return HttpResponseClientRedirect(where) if request.htmx else see_other(where)


def address_elsewhere(request: HttpRequest, path: str) -> str:
    """The whole address of a path, for another device if the site is served in the network."""
    here = request.build_absolute_uri(path)
    is_given = settings.LAN_ADDRESS and is_of_this_device(here)
    return urljoin(settings.LAN_ADDRESS, path) if is_given else here


def is_of_this_device(address: str) -> bool:
    """Whether no other device can open an address."""
    return urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")


def see_other(where: str) -> HttpResponse:
    """A 303 redirect, which browsers follow with GET even after a POST."""
    return HttpResponseRedirect(where, status=303)


def address(name: str, token: str) -> str:
    """The address of the view of that name with a token, in the language of the request."""
    before, after = _around(name, get_language() or "en")
    return f"{before}{token}{after}"


def play_address(setup: Setup, token: str) -> str:
    """The address of a match with a token of it, or with the id of one at two devices."""
    return address("duel" if setup.remote else "play", token)


def place_address(draft: Draft, token: str) -> str:
    """The address at which a fleet is placed, with a token of the draft."""
    return address("place" if draft.seat is None else "place_seat", token)


@lru_cache(maxsize=64)  # 20 addresses in two languages
def _around(name: str, _language: str) -> tuple[str, str]:
    before, _token, after = reverse(name, args=["token"]).partition("token")
    return before, after


def path_if_any(name: str, *args: str) -> str:
    """The path of a view that a feature may have; empty if there is none."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


def step_of(text: str, last: int, first: int = 0) -> int:
    """The step that a query asks for, clamped to `first` and `last`; `first` if it is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return min(max(int(text), first), last) if is_number else first
