"""Reads environment variables, and refuses each value that can't be meant with one sentence.

It needs neither Django nor the settings, so that gunicorn's configuration may import it.
"""

from __future__ import annotations

import os
import re
import socket
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote, urlsplit

from game.ops.hosts import USUAL, host_and_port

_LOGIN = re.compile(r"(?<=//).*(?=@)", re.DOTALL)
"""A name and a password, which no log should contain."""
_REDIS = "redis://match-store:6379/0"


def refuse(name: str, value: str, what: str) -> NoReturn:
    """Raises SystemExit with a sentence such as `BATTLESHIP_TLS is neither 0 nor 1: 'yes'`."""
    raise SystemExit(f"{name} {what}: {_LOGIN.sub('…', value)!r}")


def flag(name: str) -> bool:
    """Whether a variable is 1; it may be 0, empty or unset."""
    value = os.environ.get(name, "")
    if value not in ("", "0", "1"):
        refuse(name, value, "is neither 0 nor 1")
    return value == "1"


def choice(name: str, *choices: str) -> str:
    """Returns a variable's value, which is one of two; the first if it is unset."""
    value = os.environ.get(name, choices[0])
    if value not in choices:
        refuse(name, value, f"is neither {' nor '.join(sorted(choices, reverse=True))}")
    return value


def number(name: str, what: str) -> int | None:
    """Returns the variable's number of `what` is counted, 1 to 999,999; None if it has none."""
    value = os.environ.get(name, "")
    if not re.fullmatch(r"([1-9][0-9]{0,5})?", value):
        refuse(name, value, f"is not a number of {what} from 1 on")
    return int(value) if value else None


def words(name: str, choices: Collection[str]) -> list[str]:
    """Returns the words of a variable, separated by commas, each of which is one of the choices."""
    found = [word for text in os.environ.get(name, "").split(",") if (word := text.strip())]
    for word in found:
        if word not in choices:
            refuse(name, word, f"names none of {', '.join(choices)}")
    return found


def path(name: str) -> Path | None:
    """Returns the path that a variable names; None if it is unset."""
    value = os.environ.get(name)
    if value is None:
        return None
    if not value.strip():
        refuse(name, value, "names no path")
    return Path(value).absolute()


def redis_address(name: str, value: str) -> str:
    """Returns the address of one Redis, as a replica might lag behind, with its password."""
    try:
        there = urlsplit(value)
        has_host = there.hostname and there.port != 0 and re.fullmatch("/?[0-9]*", there.path)
    except ValueError:  # a port that is none
        has_host = None
    if not has_host or not re.fullmatch(r"rediss?://[^\s,;]+", value):
        refuse(name, value, f"is neither sqlite:PATH nor one address like {_REDIS}")
    password = quote(os.environ.get(f"{name}_PASSWORD", ""), safe="")
    return value.replace("://", f"://:{password}@", 1) if password and "@" not in value else value


def web_address(name: str) -> str:
    """Returns an address with http or https, or nothing."""
    value = os.environ.get(name, "")
    scheme, mark, rest = value.partition("://")
    is_web = mark and scheme in USUAL and host_and_port(re.split("[/?#]", rest)[0])
    if value and not (is_web and re.fullmatch(r"[^\s\"'<>\\]+", value)):
        refuse(name, value, "is not an address with http or https")
    return value


def contact(name: str) -> str:
    """Returns an address of mail, which begins with mailto:, or of a page; or nothing."""
    value = os.environ.get(name, "")
    mail = re.fullmatch(r"(?:mailto:)?([\w.+-]+@[\w-]+(\.[\w-]+)+)", value, re.ASCII)
    if value and not mail and not value.startswith("https://"):
        refuse(name, value, "is neither an address of mail nor one with https")
    return f"mailto:{mail[1]}" if mail else web_address(name)


def site_path(name: str) -> str:
    """Returns the path below which the site is served, `/` by default."""
    value = os.environ.get(name) or "/"
    if not re.fullmatch(r"/([\w~-]+/)*", value, re.ASCII):
        refuse(name, value, "is not a path such as /battleships/")
    return value


# --- hosts ---


def site_hosts(name: str, value: str, *, any_port: bool) -> list[tuple[str, str]]:
    """Returns the site's host names in lower case, each with its port.

    The port is empty for a usual one, and `*` for any, as it is for names without one if
    `any_port`. The name is `*` for any, and `.example.org` includes all below `example.org`.
    """
    if not value.strip():
        return []
    hosts = []
    for item in map(str.strip, value.split(",")):
        found = _parsed(item)
        if found is None:
            meant = _meant(item) or "names such as play.example.org:8443, separated by commas"
            refuse(name, item, f"has an entry that is not the name of a host (write {meant})")
        host, port = found
        hosts.append((host, "*" if not port and any_port else port))
    return hosts


def _parsed(item: str) -> tuple[str, str] | None:
    text, any_port = item.removesuffix(":*"), item.endswith(":*")
    dot = "." if re.match(r"\.[^.]", text) else ""
    if text.partition(":")[0] == "*":  # any name is read as one of them
        text, dot = f"x{text[1:]}", "*"
    found = host_and_port(_ascii(text.removeprefix(dot)))
    if found is None or text.endswith(":") or (any_port and found[1]):
        return None
    host, port = "*" if dot == "*" else dot + found[0], found[1]
    return host, "*" if any_port else "" if port in USUAL.values() else port


def _ascii(name: str) -> str:
    """Returns a name with umlauts and the like in the form `xn--…`, in which browsers send it."""
    return re.sub(
        r"[\w-]+",
        lambda one: one[0] if one[0].isascii() else f"xn--{one[0].encode('punycode').decode()}",
        unicodedata.normalize("NFKC", name).lower(),
    )


def _meant(item: str) -> str:
    """Returns the entry that was probably meant, such as the host of an address; or nothing."""
    plain = item.strip("\"'[]() ").removeprefix("*")
    if plain.count(":") > 1 and _parsed(f"[{plain}]"):
        return f"[{plain}]"
    try:
        there = urlsplit(plain if "//" in plain else f"//{plain}").netloc.rpartition("@")[2]
    except ValueError:
        return ""
    return there if _parsed(there) and there != item else ""


# --- where servers listen ---


def listeners(name: str, default: str) -> list[str]:
    """Returns the addresses at which gunicorn listens.

    Where a socket of IPv6 takes IPv4 as well, 0.0.0.0 at the port of [::] is left out.
    """
    value = os.environ.get(name) or default
    found = [re.sub(r"^ *:(?=\d)", "0.0.0.0:", item).strip() for item in value.split(",") if value]
    for item in found:
        if not _is_listener(item):
            refuse(name, item, "has an entry that is not such as 0.0.0.0:8000 or [::]:8000")
    if not socket.has_ipv6 or not any(item.startswith("[::]:") for item in found):
        return found
    with socket.socket(socket.AF_INET6) as probe:
        if probe.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
            return found
    doubled = {item.replace("[::]:", "0.0.0.0:") for item in found if item.startswith("[::]:")}
    return [item for item in found if item not in doubled]


def _is_listener(item: str) -> bool:
    if re.fullmatch(r"unix:.+|fd://[0-9]+", item):
        return True
    place = host_and_port(item.removeprefix("tcp://"))
    return place is not None and (bool(place[1]) or not place[0].isdigit())
