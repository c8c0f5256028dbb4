"""The context of every page."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from game.matches.logbook import is_offered
from game.views.preferences import preferences_of


def site(request: HttpRequest) -> dict[str, Any]:
    """The language, the visitor's preferences, and the address of this page.

    Views that answer a POST set their own address.
    """
    return {
        "language": get_language() or "en",
        "preferences": preferences_of(request).for_templates,
        "address": request.get_full_path(),
        "has_logbook": is_offered(),
    }
