"""Seats: a browser's right to act for one side of what the server keeps, such as a duel.

A cookie holds a key of the device. The secret of a seat is derived from it, and the row has the
secret's hash. A seat can be brought to another device, whose cookie then holds its secret, too.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from game.engine.codec import Reader
from game.matches import keyring
from game.matches.keyring import BadToken, Purpose, Sealed
from game.ops.hosts import is_origin_of

SEAT_BYTES = 16
MOST_BROUGHT = 20
"""How many seats from other devices a cookie holds; the oldest are dropped first."""
_PLAIN = "seats"
_SECURE = "__Host-seats"
"""Browsers accept a cookie of this name only from the host itself, over TLS.

Below a path it has another name: see game.web.below.
"""
COOKIE_AGE = 400 * 24 * 60 * 60
"""Seconds until the cookie expires: the longest that browsers allow."""


@dataclass(frozen=True, slots=True)
class Seats:
    """A device's key, from which the secrets of its seats are derived, and those of other ones."""

    device: bytes
    brought: tuple[bytes, ...] = ()

    @classmethod
    def new(cls) -> Seats:
        """Returns the seats of a browser without a cookie."""
        return cls(os.urandom(SEAT_BYTES))

    def own_secret(self, row_id: str, number: int) -> bytes:
        """Returns the secret that the device itself has for a seat, by the seat's number there."""
        text = row_id.encode() + bytes((number,))
        return hmac.digest(self.device, text, hashlib.sha256)[:SEAT_BYTES]

    def secret_of(self, row_id: str, number: int, seat_hash: str) -> bytes | None:
        """Returns the secret with that hash, or None if the browser doesn't hold it."""
        for secret in (self.own_secret(row_id, number), *self.brought):
            if hmac.compare_digest(seat_hash_of(secret), seat_hash):
                return secret
        return None

    def with_secret(self, secret: bytes) -> Seats:
        """Returns the seats with one from another device."""
        others = tuple(other for other in self.brought if other != secret)
        return Seats(self.device, (*others, secret)[-MOST_BROUGHT:])


def seat_hash_of(secret: bytes) -> str:
    """Returns the hash by which a row knows the secret of a seat: 22 characters."""
    return in_base64(hashlib.sha256(secret).digest()[:SEAT_BYTES])


def in_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


# --- the cookie ---


def _decode(content: bytes) -> Seats:
    reader = Reader(content)
    device = reader.take(SEAT_BYTES)
    return Seats(device, tuple(reader.take(SEAT_BYTES) for _ in range(reader.left // SEAT_BYTES)))


_SEATS = Sealed(Purpose.SEATS, lambda seats: seats.device + b"".join(seats.brought), _decode)
seal_seats, unseal_seats = _SEATS.seal, _SEATS.unseal


def seats_of(request: HttpRequest) -> Seats | None:
    """Returns the seats of the browser that sent the request; None if it brings none."""
    text = _cookie_of(request)
    try:
        return unseal_seats(text) if text else None
    except BadToken:  # such as one sealed by a key that was dropped
        return None


def seats_to_claim(request: HttpRequest) -> Seats:
    """Returns the browser's seats, to which one is to be added; new ones if it has none.

    Over TLS a cookie that another host of the domain could have set is ignored, because that host
    would hold the seat, too.
    """
    if request.is_secure() and _SECURE not in request.COOKIES:
        return Seats.new()
    return seats_of(request) or Seats.new()


def _cookie_of(request: HttpRequest) -> str:
    return request.COOKIES.get(_SECURE) or request.COOKIES.get(_PLAIN) or ""


def keep_seats(request: HttpRequest, response: HttpResponse, seats: Seats) -> None:
    """Has the browser keep its seats, unless it does already."""
    if seats != seats_of(request):
        _set(request, response, seats)


def renew_seats(request: HttpRequest, response: HttpResponse) -> None:
    """Seals the browser's seats again if another key than theirs is in use now."""
    seats, is_set = seats_of(request), {_SECURE, _PLAIN} & response.cookies.keys()
    if seats is not None and not is_set and not keyring.is_latest(_cookie_of(request)):
        _set(request, response, seats)


def _set(request: HttpRequest, response: HttpResponse, seats: Seats) -> None:
    name = _SECURE if request.is_secure() else _PLAIN
    from game.web.responses import set_cookie  # loads pages, which the terminal doesn't need

    set_cookie(request, response, name, seal_seats(seats), COOKIE_AGE)


def is_from_here(request: HttpRequest) -> bool:
    """Whether a form says that it comes from a page of this site.

    A seat's cookie carries authority, so a form that doesn't say where it comes from is refused
    here, unlike on other pages.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin", "")
    is_same_scheme = origin.partition("://")[0].lower() == request.scheme
    return is_same_scheme and is_origin_of(origin, request.get_host())
