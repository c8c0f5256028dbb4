"""How long a site keeps matches open, and the pages in place of lost ones."""

from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from game.display.choices import rules_query
from game.display.names import day_name
from game.engine.match import Match
from game.matches import daily
from game.matches.setup import Setup
from game.views import hooks
from game.views.requests import HtmxRequest
from game.web.forms import FRIEND, SOLO
from game.web.responses import error_page

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


def expired(request: HtmxRequest, error: Expired) -> HttpResponse:
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
    title, ways = _("This match is no longer open"), [new_match_link(request, error.setup)]
    response = error_page(
        request, 410, title, sentence, why, ways=ways, drawing="gone", address=reverse("home")
    )
    if request.htmx:  # the page that sent the request is out of date, too
        response["HX-Refresh"] = "true"
    return response


def new_match_link(request: HttpRequest, setup: Setup | None) -> tuple[str, str]:
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
