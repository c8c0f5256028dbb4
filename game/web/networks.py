"""From which network a request comes, as a hash by which rows of a day can be counted."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from game.matches import daily
from game.web.seats import SEAT_BYTES, in_base64


def network_of(request: HttpRequest) -> str:
    """Returns a keyed hash of the day and of the address, or of its /64 if that is IPv6.

    The proxy in front of a site names the address in the last place of `X-Forwarded-For`.
    """
    told = request.META.get("REMOTE_ADDR", "")
    if settings.IS_PRODUCTION:
        told = request.META.get("HTTP_X_FORWARDED_FOR", told).rpartition(",")[2].strip()
    try:
        width = 64 if ipaddress.ip_address(told).version == 6 else 32
        network = str(ipaddress.ip_network(f"{told}/{width}", strict=False))
    except ValueError:  # such as a Unix socket
        network = ""
    said = f"{daily.now().date()} {network}"
    return in_base64(salted_hmac("network", said, algorithm="sha256").digest()[:SEAT_BYTES])
