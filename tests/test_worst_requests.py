"""No request is dear: each address has its rows in the table, and answers have bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import URLPattern as Pattern

from game.management.commands.worst_requests import dear_requests

MOST_SHOTS = 200
"""In calls of functions, which are the same in each run. Those of the largest salvo take most: no
computer plays there, but each ship has its places drawn."""


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, Pattern):
            yield str(one.name)
        else:
            yield from names(one.url_patterns)
