"""What sentences share: plurals, lists of parts, grouped figures, and a cache for each language."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, TypeVarTuple

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

R = TypeVar("R")
Ts = TypeVarTuple("Ts")


def plural(singular: str, many: str, number: int, /, **words: object) -> str:
    """Returns the sentence for a number, which is its `%(count)s` unless `words` has another."""
    return ngettext(singular, many, number) % {"count": number, **words}


def joined(*parts: str, between: str = " ") -> str:
    """Returns the parts that aren't empty as one text."""
    return between.join(filter(None, parts))


def enumerated(*parts: str) -> str:
    """Returns `one, another and the last`; empty without parts."""
    if len(parts) < 2:
        return joined(*parts)
    return _("%(others)s and %(last)s") % {"others": ", ".join(parts[:-1]), "last": parts[-1]}


def grouped(number: float, digits: int = 0) -> str:
    """Returns a number with so many decimals and its thousands set apart, as the language does."""
    return number_format(round(number, digits), digits, use_l10n=True, force_grouping=True)


def signed(number: float) -> str:
    """Returns a number with its sign and one decimal."""
    rounded = round(number, 1)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else "±"
    return sign + grouped(abs(rounded), 1)


def cached_by_language(maxsize: int) -> Callable[[Callable[[*Ts], R]], Callable[[*Ts], R]]:
    """Returns a decorator that keeps a function's results for each language."""

    def decorate(function: Callable[[*Ts], R]) -> Callable[[*Ts], R]:
        @lru_cache(maxsize)
        def in_language(_language: str, *args: *Ts) -> R:
            return function(*args)

        return lambda *args: in_language(get_language() or "en", *args)

    return decorate
