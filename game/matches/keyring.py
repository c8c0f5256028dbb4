"""Tokens: bytes sealed into the text of an address, and opened again.

    base64url( 05 | key id 4 | nonce 12 | AES-256-GCM-SIV(bytes) + tag 16 )

The purpose of a token is its associated data, and each purpose has its own key, derived by
HKDF-SHA256 (RFC 5869) from a root of the keyring. GCM-SIV (RFC 8452) stays safe if two processes
draw the same nonce. One to three bytes are added to the content, the last of them their number, so
that base64 needs no padding.
"""

import base64
import logging
import os
import re
import struct
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from game import feature_list
from game.ops import secrets

logger = logging.getLogger(__name__)
T = TypeVar("T")

VERSION = 5
"""The first byte of tokens, that of 2.0. A change of any content raises it, and keeps the earlier
reader: every 2.x reads what any earlier 2.x has written. Parts of features have codes instead."""
REREAD_SECONDS = 30
_HEAD, _KID, NONCE, _TAG = 1, 4, 12, 16
_OVERHEAD = _HEAD + _KID + NONCE + _TAG
OVERHEAD = _OVERHEAD + 3
"""The most bytes that sealing adds to a content, before base64."""
_LONGEST = 4000  # most addresses have one, some two; proxies take request lines of 8,190
_TOKEN_TEXT = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


class BadToken(ValueError):
    """The text is not a token of this site for this purpose.

    `reason` is for logs and counters only: `spelling`, `version`, `key`, `seal` or `record`.
    """

    def __init__(self, text: str = "not a token", reason: str = "record") -> None:
        super().__init__(text)
        self.reason = reason


class Purpose(StrEnum):
    """What a token of the core is for; it can't be opened for another purpose."""

    PLAY = "play"
    DRAFT = "draft"
    REPLAY = "replay"
    SEATS = "seats"


PURPOSES: tuple[str, ...] = (*Purpose, *feature_list.words("purposes"))
"""All purposes, those of features among them."""


def _derive(root: bytes, use: str, length: int) -> bytes:
    # Without a salt: the roots are uniformly random already.
    info = f"battleship/{use}/v1".encode()
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(root)


def kid_of(key: Mapping[str, str]) -> str:
    """The id of a key of the secrets in hexadecimal; tokens name their key by it."""
    return _derive(base64.b64decode(key["root"]), "kid", _KID).hex()


class Keyring:
    """The keys that open tokens, one of which also seals, and the chain of today's sea."""

    def __init__(
        self, content: Mapping[str, Any], version: int = VERSION, *, longest: int = _LONGEST
    ) -> None:
        """`content` has the form described in game.ops.secrets; `longest` is in characters."""
        self._version, self._longest = bytes((version,)), longest
        self._ciphers: dict[bytes, dict[str, AESGCMSIV]] = {}  # by the ids of keys
        for key in content["keys"]:
            root, kid = base64.b64decode(key["root"]), bytes.fromhex(kid_of(key))
            if kid in self._ciphers:
                raise secrets.BadSecrets("two keys have the same id")
            self._ciphers[kid] = {
                purpose: AESGCMSIV(_derive(root, f"token/{purpose}", 32)) for purpose in PURPOSES
            }
            if key["state"] == "use":
                self.kid = kid
        self.daily: Mapping[str, Any] | None = content.get("daily")

    def seal(self, purpose: str, content: bytes, nonce: bytes | None = None) -> str:
        """The content as a token; raises ValueError if that is too long for an address.

        The nonce is random by default. One that is used again only shows which contents are the
        same, since the cipher is AES-GCM-SIV (RFC 8452).
        """
        added = 3 - (len(content) + _OVERHEAD) % 3
        padded = content + bytes(added - 1) + bytes((added,))
        head = self._version + self.kid
        nonce = nonce or os.urandom(NONCE)
        sealed = self._ciphers[self.kid][purpose].encrypt(nonce, padded, _bound(purpose, head))
        token = base64.urlsafe_b64encode(head + nonce + sealed).decode()
        if len(token) > self._longest:
            raise ValueError(f"too long for an address: {len(token)} characters")
        return token

    def unseal(self, purpose: str, token: str) -> bytes:
        """The content of a token; raises BadToken."""
        if len(token) > self._longest or len(token) % 4 or not _TOKEN_TEXT.fullmatch(token):
            raise BadToken(reason="spelling")
        data = base64.urlsafe_b64decode(token)
        head, nonce = data[: _HEAD + _KID], data[_HEAD + _KID : _HEAD + _KID + NONCE]
        if len(data) <= _OVERHEAD:
            raise BadToken(reason="spelling")
        if head[:_HEAD] != self._version:
            raise BadToken(reason="version")
        if (ciphers := self._ciphers.get(head[_HEAD:])) is None:
            raise BadToken(reason="key")
        try:
            sealed = data[_HEAD + _KID + NONCE :]
            padded = ciphers[purpose].decrypt(nonce, sealed, _bound(purpose, head))
        except InvalidTag as error:
            raise BadToken(reason="seal") from error
        return padded[: -padded[-1]]


def _bound(purpose: str, head: bytes) -> bytes:
    """Returns the associated data, whose parts are separated by zero bytes."""
    return b"battleship-token\0" + purpose.encode() + b"\0" + head


class _FileRing:
    """The keyring of a secrets file, which is read again after a change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp, self._checked = _stamp(path), monotonic()
        self._ring = Keyring(secrets.load(path, may_create=False))

    def ring(self) -> Keyring:
        if monotonic() - self._checked > REREAD_SECONDS:
            self._checked = monotonic()
            try:
                stamp = _stamp(self._path)
                if stamp != self._stamp:
                    self._ring = Keyring(secrets.load(self._path, may_create=False))
                    self._stamp = stamp
            # Running matches must survive a broken file; /readyz reports it.
            except (OSError, secrets.BadSecrets):
                from game.ops import metrics  # loads its library

                metrics.STALE.inc()
                logger.exception("the keyring can't be read again: going on with the old one")
        return self._ring


def _stamp(path: Path) -> tuple[int, int]:
    """Returns numbers that change whenever the file is written or replaced."""
    status = path.stat()
    return status.st_mtime_ns, status.st_ino  # two files may be written within one clock tick


_file_ring = cache(_FileRing)


def _ring() -> Keyring:
    return _file_ring(settings.SECRETS_FILE).ring()


def is_ready() -> bool:
    """Whether the secrets can be read now; otherwise the process would miss the next rotation."""
    try:
        Keyring(secrets.load(settings.SECRETS_FILE, may_create=False))
    except secrets.BadSecrets:
        return False
    return True


def seal(purpose: str, content: bytes, nonce: bytes | None = None) -> str:
    """The content as a token of the site's keyring."""
    ring = _ring()
    token = ring.seal(purpose, content, nonce)
    from game.ops import metrics  # loads its library

    metrics.SEALED.labels(ring.kid.hex()).inc()
    return token


def fits(count: int) -> bool:
    """Whether a content of so many bytes, sealed, is short enough for an address."""
    return 4 * -(-(count + OVERHEAD) // 3) <= _LONGEST


def unseal(purpose: str, token: str) -> bytes:
    """The content of a token; raises BadToken."""
    return _ring().unseal(purpose, token)


class Sealed(NamedTuple, Generic[T]):
    """How values of one kind become tokens, and back."""

    purpose: str
    encode: Callable[[T], bytes]
    decode: Callable[[bytes], T]

    def seal(self, value: T, nonce: bytes | None = None) -> str:
        return seal(self.purpose, self.encode(value), nonce)

    def unseal(self, token: str) -> T:
        """Returns what a token holds; raises BadToken for any fault."""
        content = unseal(self.purpose, token)
        try:
            return self.decode(content)
        except (LookupError, ValueError, OverflowError, struct.error) as error:
            raise BadToken from error


def is_latest(token: str) -> bool:
    """Whether a token, which has been unsealed before, was sealed with the key in use."""
    return base64.urlsafe_b64decode(token)[_HEAD : _HEAD + _KID] == _ring().kid


def daily() -> Mapping[str, Any] | None:
    """The chain of today's sea in the site's secrets, as game.ops.secrets writes it, or None."""
    return _ring().daily
