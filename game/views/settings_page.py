"""The settings page. Its address is that of the page which led to it, with `settings/` added:

    /en/play/TOKEN/settings/?step=3    leads back to    /en/play/TOKEN/?step=3

So the address keeps a running match, and the way back can only lead to a page of this site.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from game.display.choices import choice
from game.display.names import preset_card
from game.engine.presets import PRESETS
from game.views.addresses import path_if_any
from game.views.answers import see_other
from game.views.preferences import NotAPreference, Preferences, preferences_of, save_preferences
from game.views.requests import HtmxRequest


@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HtmxRequest, back: str) -> HttpResponse:
    """Shows and changes the preferences; `back` is the address to return to, without language."""
    there = _address(back, request.GET.urlencode())
    now = preferences_of(request)
    if request.method != "POST":
        return render(request, "settings.html", _context(now, there))
    try:
        chosen = now.changed(request.POST.dict())
    except NotAPreference:
        context = {**_context(now, there), "refused": _("That is not one of the choices.")}
        return render(request, "settings.html", context, status=422)
    # A script stays on its page.
    response = HttpResponse(status=204) if request.htmx else see_other(there)
    save_preferences(request, response, chosen)
    return response


def _address(back: str, query: str) -> str:
    """The address that the page returns to; raises Http404 if there is no such page."""
    path = f"/{get_language()}/{back}"
    try:
        resolve(path)
    except Resolver404:
        raise Http404(path) from None
    where = settings.PATH + path[1:]
    return f"{where}?{query}" if query else where


def _context(now: Preferences, there: str) -> dict[str, Any]:
    switch = {"off": pgettext("switch", "off"), "on": pgettext("switch", "on")}
    starts = {"game": _("by game"), **switch}
    themes = {"system": _("like the device"), "light": _("light"), "dark": _("dark")}
    speeds = {"instant": _("instant"), "normal": _("normal"), "relaxed": _("relaxed")}
    switches = (
        {"presence": _("Show a friend that I’m there")} if path_if_any("duel", "token") else {}
    )
    offered = {
        "theme": (_("Colours"), themes),
        "speed": (_("Speed of effects"), speeds),
        "sound": (_("Sound"), switch),
        "haptics": (_("Vibration on hits"), switch),
        "aim_first": (_("Aim first, then fire"), switch),
        "shortcuts": (_("? opens the help"), switch),
        "start_at_last": (_("Start as soon as the last ship is placed"), starts),
        **{name: (legend, switch) for name, legend in switches.items()},
    }
    choices = {
        name: choice({}, name, legend, labels, getattr(now, name))
        for name, (legend, labels) in offered.items()
    }
    starting = [preset_card(it).title for it in PRESETS.values() if it.starts_at_last]
    return {"there": there, "volume": now.volume, "starting": ", ".join(starting), **choices}
