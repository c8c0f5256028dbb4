"""Template filters for addresses."""

from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from game.views.images import Card

register = template.Library()


@register.filter
def in_language(address: str, language: str) -> str:
    """The same address under another language's prefix."""
    _, _, rest = address.removeprefix(settings.PATH).partition("/")
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
