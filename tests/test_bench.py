"""The bench asks for every address."""

from collections.abc import Iterable, Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from bench.requests import expensive_requests

pytestmark = pytest.mark.django_db


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLPattern):
            yield str(one.name)
        else:
            yield from names(one.url_patterns)


OF_ROWS = {
    "duel", "invite", "any_invite", "keep", "place_seat", "new_room", "room", "room_table",
    "searched", "join", "any_join", "new_exercise", "exercise", "begin_exercise", "kept_exercise",
    "begin_kept_exercise", "report_exercise", "new_pairs", "pairs", "pair", "any_pair",
}  # fmt: skip
"""The addresses of rows in a database; `bench duel` measures those of matches."""


def test_every_address_of_the_site_is_among_the_requests() -> None:
    requested = {one.name for one in expensive_requests()}
    assert requested == set(names(get_resolver().url_patterns)) - OF_ROWS
