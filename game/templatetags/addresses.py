"""Template filters for addresses."""

from django import template

register = template.Library()


@register.filter
def in_language(address: str, language: str) -> str:
    """The same address under another language's prefix."""
    _, _, rest = address.removeprefix("/").partition("/")
    return f"/{language}/{rest}"


@register.filter
def settings_of(address: str) -> str:
    """The address of the preferences that leads back to an address."""
    path, mark, query = address.partition("?")
    return f"{path.removesuffix('settings/')}settings/{mark}{query}"
