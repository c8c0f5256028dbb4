"""The home page, and the page of all games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from game.display.names import preset_cards
from game.display.unfinished import FRIEND
from game.engine.presets import OWN
from game.ops import database
from game.views import cookies, hooks, play
from game.views.answers import see_other
from game.views.decorators import bad_token
from game.views.demo import chart
from game.views.preferences import preferences_of
from game.views.requests import HtmxRequest
from game.web.responses import SwitchedOff


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the match to go on with, one to start at once, and today's games."""
    unfinished = cookies.UNFINISHED.read(request)
    can_meet = database.is_on() and "duel" in hooks.unfinished_games()
    if unfinished is not None and unfinished.opponent == FRIEND and not can_meet:
        unfinished = None
    title = hooks.game_titles().get(unfinished.game) if unfinished else None
    additions = hooks.on_page(request, "home")
    context = {
        "features": {name: it.view for name, it in additions.items()},
        "styles": [style for it in additions.values() for style in it.styles],
        "scripts": [script for it in additions.values() for script in it.scripts],
        "preset_cards": [card for card in preset_cards() if card.preset.is_on_home],
        "unfinished": unfinished.line(title() if title else "") if unfinished else "",
        "length": preferences_of(request).length,
        "chart": chart(),
        "has_database": database.is_on(),
    }
    response = render(request, "home.html", context)
    response["Cache-Control"] = "no-store"  # going back shows what was played meanwhile, too
    return response


_GONE = (400, 403, 410)
"""The status of a match that doesn't open any more, or not in this browser."""


@require_http_methods(["GET", "HEAD", "POST"])
def go_on(request: HtmxRequest) -> HttpResponse:
    """Redirects to the unfinished match; a form removes it from the home page."""
    view, token = cookies.CONTINUE.read(request)
    if request.method == "POST":
        response = see_other(reverse("home"))
    elif not view:
        response = redirect(reverse("home"))
    else:
        of_feature = hooks.unfinished_games().get(view)
        lead_back = of_feature.lead_back if of_feature else None
        if view == "play":
            lead_back = play.lead_back
        try:
            response = lead_back(request, token) if lead_back else bad_token(request)
        except SwitchedOff:  # a feature that needs what the site no longer has
            response = bad_token(request)
        if response.status_code not in _GONE:
            return response
    cookies.drop_unfinished(response)
    return response


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    cards = [card for card in preset_cards() if card.preset is not OWN]
    return render(request, "games.html", {"preset_cards": cards})
