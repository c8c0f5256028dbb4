"""What every template finds: the language, the visitor's preferences and the menu."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from game.display.names import language_shown, offered_languages
from game.views import hooks
from game.views.preferences import preferences_of
from game.web.versions import own_mark


def site(request: HttpRequest) -> dict[str, Any]:
    """The context processor of every page; responses to a POST set their own address."""
    return {
        "language": get_language() or "en",
        "direction": language_shown().direction,
        "languages": offered_languages(),
        "preferences": preferences_of(request),
        "address": request.get_full_path(),
        "menu": hooks.menu,
        "ways_on": hooks.ways,
        "version": own_mark(),
    }
