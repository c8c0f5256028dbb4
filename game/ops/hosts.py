"""Hosts and origins, compared alike however they are written."""

from __future__ import annotations

import re
from ipaddress import IPv6Address

USUAL = {"http": "80", "https": "443"}
"""The port of each scheme, which an address needn't name."""
LAST_PORT = 65_535
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9.-]+?)\.?(?::([0-9]{0,5}))?", re.ASCII)
_LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*", re.ASCII)


def host_and_port(text: str) -> tuple[str, str] | None:
    """Returns `("play.example.org", "8443")` for `Play.Example.org.:8443`; None for no host.

    An address of IPv6 has its shortest form, in brackets. A port that isn't named is empty.
    """
    found = _HOST.fullmatch(text.lower())
    if found is None:
        return None
    name, port = found[1], found[2] and int(found[2])
    if port == 0 or (port and port > LAST_PORT):
        return None
    if name[0] == "[":
        try:
            name = f"[{IPv6Address(name[1:-1]).compressed}]"
        except ValueError:
            return None
    elif not _NAME.fullmatch(name):
        return None
    return name, str(port or "")


def is_origin_of(origin: str, host: str) -> bool:
    """Whether an `Origin` is that of pages with this `Host`.

    A proxy may name a usual port in the latter, even that of another scheme than players use.
    """
    scheme, _, rest = origin.partition("://")
    there, here = host_and_port(rest.partition("/")[0]), host_and_port(host)
    usual = USUAL.get(scheme.lower())
    if there is None or here is None or usual is None or there[0] != here[0]:
        return False
    port = there[1] or usual
    return port == here[1] or (port == usual and here[1] in ("", *USUAL.values()))
