"""The addresses of matches and drafts, in the language of the request, and of other pages."""

from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language

from game.matches.draft import Draft
from game.matches.setup import Setup


def address_elsewhere(request: HttpRequest, path: str) -> str:
    """The whole address of a path, for another device if the site is served in the network."""
    here = request.build_absolute_uri(path)
    is_given = settings.LAN_ADDRESS and is_of_this_device(here)
    return urljoin(settings.LAN_ADDRESS, path) if is_given else here


def is_of_this_device(address: str) -> bool:
    """Whether no other device can open an address."""
    return urlsplit(address).hostname in ("127.0.0.1", "localhost", "::1")


def address(name: str, token: str) -> str:
    """The address of the view of that name with a token, in the language of the request."""
    before, after = _around(name, get_language() or "en")
    return f"{before}{token}{after}"


def play_address(setup: Setup, token: str) -> str:
    """The address of a match with a token of it, or with the id of one at two devices."""
    return address("duel" if setup.remote else "play", token)


def place_address(draft: Draft, token: str) -> str:
    """The address at which a fleet is placed, with a token of the draft."""
    return address("place" if draft.seat is None else "place_seat", token)


@lru_cache(maxsize=64)  # 20 addresses in two languages
def _around(name: str, _language: str) -> tuple[str, str]:
    before, _token, after = reverse(name, args=["token"]).partition("token")
    return before, after


def path_if_any(name: str, *args: str) -> str:
    """The path of a view that a feature may have; empty if there is none."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""
