"""Every address that holds a token is known as such to logs, headers and the terminal."""

from collections.abc import Iterable, Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from game.feature_list import words
from game.ops.addresses import SECRET_PAGES, TOKEN_PAGES


def routes(patterns: Iterable[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """The route of every address of the site."""
    for one in patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        else:
            yield route


def test_the_pages_before_a_token_are_those_of_the_list() -> None:
    held = [route for route in routes(get_resolver().url_patterns) if ":token>" in route]
    pages = {route.split("<str:")[0].rstrip("/").split("/")[-1] for route in held}
    pages |= {"duel", "invite"} & {*TOKEN_PAGES}  # whose ids of rows are as secret as tokens
    assert pages == set(TOKEN_PAGES)
    early = set(words("secret_pages"))
    assert set(SECRET_PAGES) - pages == early, "which middleware answers before the URLconf"
