"""Template tags and filters of all pages: addresses, and the places at which features join in."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template import Context
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from game.views import places
from game.views.images import Card

register = template.Library()


@register.filter
def in_language(address: str, language: str) -> str:
    """The same address under another language's prefix."""
    _language, _mark, rest = address.removeprefix(settings.PATH).partition("/")
    return f"{settings.PATH}{language}/{rest}"


@register.filter
def settings_of(address: str) -> str:
    """The address of the settings page that leads back to an address."""
    path, mark, query = address.partition("?")
    return f"{path.removesuffix('settings/')}settings/{mark}{query}"


@register.simple_tag(takes_context=True)
def absolute(context: dict[str, Any], path: str) -> str:
    """The path with the scheme and host of the request."""
    request: HttpRequest = context["request"]
    return request.build_absolute_uri(path)


@register.simple_tag
def site_card(title: str, description: str) -> Card:
    """Returns the card of a page without a match."""
    alt = _("Two boards of Battleship with ships and shots.")
    return Card(title, description, reverse("site_card"), alt)


@register.simple_tag(takes_context=True)
def place(context: Context, name: str) -> SafeString:
    """What features show at a place, such as `home`, or at the end of a match `result` and `more`.

    Each template finds its feature's values as `it`, beside all of the page's. Pages without values
    of features show what all of them have for the place.
    """
    known = context.get("features")
    found = []
    for feature, row in places.rows().items():
        is_known = known is None or feature in known
        if named := row.always.get(name) or (is_known and row.templates.get(name)):
            with context.push(it=known and known.get(feature)):
                found.append(get_template(named).template.render(context))  # type: ignore[attr-defined]
    text = "".join(found)
    return SafeString("" if text.isspace() else text)
