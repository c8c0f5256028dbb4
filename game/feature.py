"""What a feature is: an app of Django, whose class says what it adds to pages.

    class FlagConfig(Feature):
        name = "game.features.flag"

        def on_page(self, request, page):
            from game.features.flag.views import on_page

            return on_page(request, page)

Django imports `apps.py` before models, so it holds plain data, and methods that import what they
need. Each method is a hook; a feature overrides those that it needs. Before the end of a match only
the features are called of which the match has a part.

A place of a page, such as `{% place "end" %}`, shows the templates of that name that features have:
`flag/at_end.html` where the feature adds something to the page, `flag/always_end.html` everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from django.apps import AppConfig, apps
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import module_has_submodule

if TYPE_CHECKING:
    from game.display.boards import BoardView
    from game.display.public_values import PublicValues
    from game.engine.geometry import Cell
    from game.engine.observation import Observation
    from game.engine.position import Position
    from game.engine.presets import Preset
    from game.matches.daily import Chain
    from game.matches.day_results import DayResult
    from game.matches.draft import Draft
    from game.matches.saved import SavedMatch
    from game.matches.setup import Setup
    from game.players.registry import Proposed

PageName = Literal["home", "about", "setup"]


@dataclass(frozen=True)
class PageAddition:
    """What a feature adds to one page."""

    view: PublicValues | Mapping[str, object] | None = None
    """Its values, which its templates find as `it`; on a page of a match they are PublicValues."""
    links: Mapping[str, str] = field(default_factory=dict)
    results: Sequence[str] = ()
    """Lines of what has come of the match."""
    why: str = ""
    """A sentence behind those that say how the match ended."""
    caption: str = ""
    """A line in place of the title of the enemy's waters."""
    tally: str = ""
    """A line in place of the tally, where the fleet is placed."""
    call: str = ""
    """A sentence before the match, in the terminal."""
    proposed: Proposed | None = None
    """The rank that suits the player after the match."""
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


class Link(NamedTuple):
    id: str
    address: str
    text: str


class UnfinishedGame(NamedTuple):
    """A kind of matches to which the home page leads back."""

    lead_back: Callable[..., HttpResponse]
    """The view that redirects to the match, or refuses it."""
    game: str = ""
    """The name of the game, if it is no preset."""
    title: Callable[[], str] | None = None
    """What the home page calls that game."""


class DayState(NamedTuple):
    """What the home page says of a game of the day."""

    text: str
    is_done: bool = False
    is_found: bool = False
    """Whether all was found."""


class DayMark(NamedTuple):
    """What the calendar shows of a result: a number with a look of `style`, and words.

    The looks are `sea`, `guesses` and `five`, the first two with `is-lost`; a `sea` may also be
    `is-par` or `is-over`.
    """

    number: int
    style: str
    says: str


@dataclass(frozen=True)
class DayGame:
    """A game that everybody on the site plays on a day."""

    kind: int
    """Its code in DayResult."""
    view: str
    """The name of its address."""
    id: str
    """The id of its link."""
    order: int
    title: Callable[[], str]
    noun: Callable[[], str]
    """What the About page calls it, such as `a new sea`."""
    begun: Callable[[HttpRequest, Chain, date], int]
    """How often the browser has acted in the match of the day that it keeps."""
    state: Callable[[DayResult | None, int], DayState]
    """What it says of a result, or without one of so many actions."""
    mark: Callable[[DayResult], DayMark]
    legend: Callable[[], Sequence[tuple[str, str]]]
    """The styles of its marks, and what they mean."""
    past: str = ""
    """The name of the address of a past day, if that can be played late."""


class TerminalSession(NamedTuple):
    """What the command of a feature may do in a terminal."""

    ask: Callable[[str], str]
    """Returns the next line, after a prompt."""
    say: Callable[[str], None]
    show: Callable[[BoardView, str, Observation, Sequence[str]], None]
    """Draws a board with its title and the ships to find, and sentences below them."""
    seed: bytes | None
    """What decides all chance of the session, if it was given."""


class TerminalCommand(NamedTuple):
    """A command that a feature brings to the terminal; the game waits meanwhile."""

    name: str
    """Its key in locale/languages.toml, which has its words."""
    page: str
    """The path component of the addresses that are this command when they are typed."""
    help: Callable[[], str]
    begin: Callable[[TerminalSession], Callable[[str], None]]
    """Called once in a session; returns what is done with the rest of a line."""


class Feature(AppConfig):
    """An app of Django that can be deleted, or left out by an operator."""

    part = ""
    """The module whose PART says what it adds to matches and tokens; see game.matches.parts."""
    public: tuple[str, ...] = ()
    """The names of its addresses that search engines should index."""
    countless: tuple[str, ...] = ()
    """The names of its addresses that have countless queries, which robots should not follow."""
    playing_links: tuple[str, ...] = ()
    """The names of its addresses to which the page of a match leads before the end."""
    cookies: tuple[str, ...] = ()
    """How the names of its cookies begin that keep what was played."""

    @property
    def urls(self) -> str:
        """The module of its addresses, if it has any: `urlpatterns` and `without_language`."""
        return f"{self.name}.urls" if module_has_submodule(self.module, "urls") else ""

    # --- pages without a match ---

    def menu(self) -> Sequence[tuple[str, str]]:
        """Returns the addresses and texts of its entries in the menu."""
        return ()

    def on_page(self, request: HttpRequest, page: PageName) -> PageAddition | None:
        """Returns what it adds to a page without a match."""
        return None

    def new_match_link(self, request: HttpRequest, setup: Setup | None) -> tuple[str, str] | None:
        """Returns the address and the text of a link to a new match of its own for a lost one.

        The setup is None if it couldn't be read.
        """
        return None

    def unfinished(self) -> Mapping[str, UnfinishedGame]:
        """Returns how its unfinished matches are found again, by the names of their views."""
        return {}

    # --- a match and its setup ---

    def new_setup(self, request: HttpRequest, setup: Setup) -> Setup:
        """Returns the setup of a new match; raises Refused or IllegalRules."""
        return setup

    def placing(self, draft: Draft, *, is_presence_shown: bool) -> PageAddition | None:
        """Returns what it adds to the page of a draft, or of a draft's setup, that has its part."""
        return None

    def playing(self, saved: SavedMatch, seen: Observation) -> PageAddition | None:
        """Returns what it adds to the page of a match that has its part."""
        return None

    def ended(self, request: HttpRequest, saved: SavedMatch, token: str) -> PageAddition | None:
        """Returns what it adds to the page of any result."""
        return None

    def links(self, saved: SavedMatch, token: str) -> Mapping[str, str]:
        """Returns the addresses that it adds to the pages of an ended match, by names."""
        return {}

    def public_replay(self, saved: SavedMatch, token: str) -> Mapping[str, object]:
        """Returns what it adds to the values of a replay that anybody may watch."""
        return {}

    def acted(self, request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
        """Returns the match after a form, if it has its part."""
        return acted

    def on_saved(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str
    ) -> None:
        """Has the browser keep what it wants of a match with its part, or of any that has ended."""

    def outcome(self, saved: SavedMatch, *, on_device: bool) -> str:
        """Returns a sentence of its part after the match, for the terminal and in shared text.

        With `on_device` it says also what the player's device knows.
        """
        return ""

    # --- games of the day, help and skill ---

    def day_game(self) -> DayGame | None:
        return None

    def day_ended(self, request: HttpRequest, response: HttpResponse, result: DayResult) -> None:
        """Keeps the result of a game of the day."""

    def day_results(self, request: HttpRequest) -> Sequence[DayResult]:
        """Returns the results of days that the browser keeps."""
        return ()

    def helped(self, request: HttpRequest, response: HttpResponse, position: Position) -> None:
        """Marks its games in which the chances in a position are a help."""

    def judged(
        self, request: HttpRequest, response: HttpResponse, saved: SavedMatch, skill: int
    ) -> None:
        """Keeps the skill in an ended match, from 0 to 100."""

    def retry(self, seen: Observation, preset: Preset, shot: Cell) -> Link | None:
        """Returns where a wrong shot can be tried again, by what was seen before it."""
        return None

    def command(self) -> TerminalCommand | None:
        """Returns its command in the terminal."""
        return None


@cache
def features() -> tuple[Feature, ...]:
    """Returns the features that are installed, in the order of the menu and of pages."""
    return tuple(app for app in apps.get_app_configs() if isinstance(app, Feature))


def of_parts(parts: tuple[object, ...]) -> Iterator[Feature]:
    """Yields the features of the parts of a match."""
    from game.matches.parts import part_formats

    for part in parts:
        if named := part_formats().get(type(part)):  # a day may be of no feature
            yield next(feature for feature in features() if feature.label == named[0])
