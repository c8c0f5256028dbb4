"""What a browser remembers: values in signed cookies, each as compact JSON.

    preferences=eyJ0aGVtZSI6ImRhcmsifQ:GLb3…     {"theme":"dark"} and a signature

The signature has no time, so the same value always has the same text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.core import signing
from django.http import HttpRequest, HttpResponse

from game.web.responses import set_cookie

T = TypeVar("T")

YEAR = 365 * 24 * 60 * 60
MOST_TEXT = 2_800
"""The longest text of a cookie. All that are sent to one address fit into a header of 8 kB."""


@dataclass(frozen=True)
class Memory(Generic[T]):
    """A cookie of one kind of value. It has nothing of browsers that remember the default."""

    name: str
    default: T
    to_json: Callable[[T], Any]
    from_json: Callable[[Any], T]
    """Its errors of any kind mean that another version wrote the cookie."""
    seconds: int = YEAR
    path: str = "/"
    """The path below which the browser sends the cookie."""

    def read(self, request: HttpRequest) -> T:
        """Returns what the browser remembers, or the default without a cookie or for a bad one."""
        return self.value(request.COOKIES.get(self.name, ""))

    def keep(self, request: HttpRequest, response: HttpResponse, value: T) -> bool:
        """Has the browser remember the value; returns False if that is too long for a cookie."""
        if value == self.read(request):
            return True
        text = "" if value == self.default else self.text(value)
        if text and len(text) <= MOST_TEXT:
            set_cookie(request, response, self.name, text, self.seconds, path=self.path)
        else:
            self.forget(response)
        return len(text) <= MOST_TEXT

    def forget(self, response: HttpResponse) -> None:
        response.delete_cookie(self.name, path=self.path, samesite="Lax")

    def text(self, value: T) -> str:
        """Returns the text of the cookie; twin of value."""
        return signing.Signer(salt=self.name).sign_object(self.to_json(value), compress=True)

    def value(self, text: str) -> T:
        """Returns what a text says, or the default for one that isn't of this cookie."""
        try:
            return self.from_json(_opened(self.name, text)) if text else self.default
        except (signing.BadSignature, LookupError, TypeError, ValueError, AttributeError):
            return self.default


@lru_cache(maxsize=64)  # a request reads some cookies several times
def _opened(name: str, text: str) -> Any:
    return signing.Signer(salt=name).unsign_object(text)


def plain_cookies(header: str) -> dict[str, str]:
    """Returns the cookies of a header, as texts that nothing decodes.

    No cookie of the site needs quotes. Those of other sites may need them, and decoding these takes
    Django and some Pythons long.
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return {name.strip(): text.strip() for name, equals, text in pairs if equals}
