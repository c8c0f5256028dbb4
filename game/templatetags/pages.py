"""Template tags and filters of all pages: addresses, and the places at which features join in."""

from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template import Context, Template
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from game.feature import features
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


@register.filter
def settings_from(address: str, here: str) -> str:
    """The same address, relative to the page's own if that is shown."""
    where = settings_of(address)
    return where[where.rindex("settings/") :] if address == here else where


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
    shown_there = []
    for feature, at, always in templates_at(name.replace("-", "_")):
        is_known = known is None or feature in known
        for shown in (always, at if is_known else None):
            if shown is not None:
                with context.push(it=known and known.get(feature)):
                    shown_there.append(shown.render(context))
    text = "".join(shown_there)
    return SafeString("" if text.isspace() else text)


@cache
def templates_at(place: str) -> list[tuple[str, Template | None, Template | None]]:
    """Returns the names of features, each with its templates for a place; see game.feature."""
    names = (feature.label for feature in features())
    templates = (
        (name, _template(f"{name}/at_{place}.html"), _template(f"{name}/always_{place}.html"))
        for name in names
    )
    return [row for row in templates if row[1] or row[2]]


def _template(name: str) -> Template | None:
    if name not in template_names():
        return None
    return get_template(name).template  # type: ignore[attr-defined,no-any-return]


@cache
def template_names() -> frozenset[str]:
    """Returns the names of features' templates, which a process reads once, at its start."""
    folders = ((it.label, Path(it.path) / "templates" / it.label) for it in features())
    return frozenset(
        f"{name}/{path.name}" for name, folder in folders for path in folder.glob("*.html")
    )
