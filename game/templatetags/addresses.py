"""Template filters for addresses."""

from django import template

register = template.Library()


@register.filter
def in_language(address: str, language: str) -> str:
    """The same address under another language's prefix."""
    _, _, rest = address.removeprefix("/").partition("/")
    return f"/{language}/{rest}"
