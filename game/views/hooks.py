"""What all features together add to pages, and the moments at which they are called."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from game.display.match_view import MatchView
from game.display.public_values import PublicValues
from game.engine.observation import Observation
from game.feature import DayGame, PageAddition, PageName, UnfinishedGame, features, of_parts
from game.matches import daily
from game.matches.day_results import DayResult
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup

T = TypeVar("T")
Additions = Mapping[str, PageAddition]
"""What features add to a page, by their names."""


def merged(mappings: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """Returns the entries of all the mappings."""
    return {key: value for mapping in mappings for key, value in mapping.items()}


def menu() -> list[tuple[str, str]]:
    return [*chain.from_iterable(feature.menu() for feature in features())]


def ways() -> list[tuple[str, str]]:
    """Returns the links that lead on from a page that isn't there: to the first game of the day."""
    return [(reverse(game.view), game.title()) for game in day_games()[:1]]


def on_page(request: HttpRequest, page: PageName) -> Additions:
    """Returns what features add to a page without a match."""
    additions = ((feature.label, feature.on_page(request, page)) for feature in features())
    return {name: added for name, added in additions if added}


def new_match_link(request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
    """Returns a feature's link to a new match in place of a lost one, if one of them has such."""
    offered = (feature.new_match_link(request, setup) for feature in features())
    return next(filter(None, offered), None)


def unfinished_games() -> dict[str, UnfinishedGame]:
    """Returns how features' unfinished matches are found again, by the names of their views."""
    return merged(feature.unfinished() for feature in features())


def game_titles() -> dict[str, Callable[[], str]]:
    """Returns the titles of features' own games, by their names."""
    return {it.game: it.title for it in unfinished_games().values() if it.title}


# --- a match and its setup ---


def new_setup(request: HttpRequest, setup: Setup) -> Setup:
    """Returns the setup of a new match, with what features change in it."""
    for feature in features():
        setup = feature.new_setup(request, setup)
    return setup


def placing(draft: Draft, *, is_presence_shown: bool) -> Additions:
    """Returns what features add to the page of a draft."""
    additions = (
        (feature.label, feature.placing(draft, is_presence_shown=is_presence_shown))
        for feature in of_parts(draft.parts + draft.setup.parts)
    )
    return {name: added for name, added in additions if added}


def playing(saved: SavedMatch, seen: Observation) -> Additions:
    """Returns what features add to the page of a match before its end."""
    additions = ((it.label, it.playing(saved, seen)) for it in of_parts(saved.all_parts))
    return {name: added for name, added in additions if added}


def ended(request: HttpRequest, saved: SavedMatch, token: str) -> Additions:
    """Returns what features add to the page of a result."""
    additions = ((feature.label, feature.ended(request, saved, token)) for feature in features())
    return {name: added for name, added in additions if added}


@cache
def playing_links() -> tuple[str, ...]:
    """Returns the names of addresses to which the page of a match leads before the end."""
    return tuple(name for feature in features() for name in feature.playing_links)


def joining(view: MatchView, additions: Additions) -> MatchView:
    """Returns the view of a match with what features add to it."""
    if not additions:
        return view
    added = additions.values()
    return replace(
        view,
        features={
            name: it.view for name, it in additions.items() if isinstance(it.view, PublicValues)
        },
        links={**view.links, **merged(it.links for it in added)},
        caption="".join(it.caption for it in added),
        results=[*view.results, *(line for it in added for line in it.results)],
    )


def acted(request: HttpRequest, before: SavedMatch, after: SavedMatch) -> SavedMatch:
    """Returns the match after a form, with what features change in it."""
    for feature in of_parts(after.all_parts):
        after = feature.acted(request, before, after)
    return after


def on_saved(request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str) -> None:
    """Has the browser keep what features want of a match that goes on, or has just ended."""
    is_over = saved.match.outcome is not None
    for feature in features() if is_over else of_parts(saved.all_parts):
        feature.on_saved(request, response, saved, token)


def outcomes(saved: SavedMatch, *, on_device: bool = False) -> list[str]:
    """Returns the sentences of parts after the match, and what the player's device knows if so."""
    sentences = (it.outcome(saved, on_device=on_device) for it in of_parts(saved.all_parts))
    return list(filter(None, sentences))


# --- games of the day ---


def day_games() -> list[DayGame]:
    """Returns the games of the day; none on a site without a chain of days."""
    if not daily.is_offered():
        return []
    games = (feature.day_game() for feature in features())
    return sorted(filter(None, games), key=lambda game: game.order)


def day_results(request: HttpRequest) -> list[DayResult]:
    """Returns the results of days that the browser keeps."""
    return [*chain.from_iterable(feature.day_results(request) for feature in features())]
