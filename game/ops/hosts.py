"""Whether a form's origin is the site's own host."""

import re


def is_origin_of(origin: str, host: str) -> bool:
    """Whether an `Origin` is that of pages with this `Host`; a usual port may be left out.

    A proxy may name in the latter the usual port of another scheme than players use.
    """
    _scheme, mark, rest = origin.partition("://")
    return bool(mark) and _without_usual_port(rest.partition("/")[0]) == _without_usual_port(host)


def _without_usual_port(host: str) -> str:
    return re.sub(r"\.?(:80|:443)?$", "", host.lower())
