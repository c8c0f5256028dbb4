"""The template tag for the places at which features join in."""

from __future__ import annotations

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString

from game.views import places

register = template.Library()


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
