"""The table of the dearest requests, which has to know every address of the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO

from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver

from game.management.commands.worst_requests import dear_requests


def names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for one in patterns:
        if isinstance(one, URLPattern):
            yield str(one.name)
        else:
            yield from names(one.url_patterns)


def test_every_address_of_the_site_stands_in_the_table() -> None:
    assert {one.name for one in dear_requests()} == set(names(get_resolver().url_patterns))


def test_the_command_tells_calls_and_milliseconds_as_shots() -> None:
    out = StringIO()
    call_command("worst_requests", "--only", "rules,card", stdout=out)
    shot, _heads, *lines = out.getvalue().splitlines()
    calls = int(shot.split(": ")[1].split()[0])
    assert calls > 1000
    assert {line.split()[0] for line in lines} == {"rules", "card"}
    for line in lines:
        *_request, answers, counted, shots, _ms, _shots, status = line.split()
        assert (answers, status) == ("1", "200")
        assert abs(int(counted) / calls - float(shots)) < 0.06
