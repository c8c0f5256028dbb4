"""Where features join in: what a feature adds to pages, and the moments at which it is called.

A feature registers what it needs of it in the ROW of its `places.py`:

    ROW = Places(addresses=[path("flags/", views.flags, name="flags")])

Before the end of a match only the features are called of which the match has a part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver

from game import feature_list
from game.display import cells
from game.display.boards import BoardView
from game.display.cells import Names
from game.display.match_view import MatchView
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.position import Position
from game.engine.presets import Preset
from game.matches.daily import Chain
from game.matches.day_results import DayResult
from game.matches.draft import Draft
from game.matches.parts import kinds
from game.matches.saved import SavedMatch
from game.matches.setup import Setup
from game.players.registry import Proposed

if TYPE_CHECKING:
    from game.views.preferences import Preferences

Addresses = Sequence[URLPattern | URLResolver]
View = Callable[..., HttpResponse]
A = ParamSpec("A")
T = TypeVar("T")


@dataclass(frozen=True)
class Joined:
    """What a feature adds to one page."""

    view: Any
    """Its values, which its templates find as `it`; on a page of a match they are Marked."""
    links: Mapping[str, str] = field(default_factory=dict)
    results: Sequence[str] = ()
    """Lines of what has come of the match."""
    why: str = ""
    """A sentence behind those that say how the match ended."""
    caption: str = ""
    """A line in place of the title of the enemy's waters."""
    tally: str = ""
    """A line in place of the tally, on the page where the fleet is placed."""
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


class Link(NamedTuple):
    id: str
    address: str
    text: str


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


class Desk(NamedTuple):
    """What the command of a feature may do in a terminal."""

    ask: Callable[[str], str]
    """Returns the next line, after a prompt."""
    say: Callable[[str], None]
    show: Callable[[BoardView, str, Observation, Sequence[str]], None]
    """Draws a board with its title and the ships to find, and sentences below them."""
    seed: bytes | None
    """What decides all chance of the session, if it was given."""


@dataclass(frozen=True)
class Command:
    """A command that a feature brings to the terminal; the game waits meanwhile."""

    name: str
    """Its key in locale/languages.toml, which has its words."""
    page: str
    """The path component of the addresses that are this command when they are typed."""
    help: Callable[[], str]
    begin: Callable[[Desk], Callable[[str], None]]
    """Called once in a session; returns what is done with the rest of a line."""


class TwoDevices(NamedTuple):
    """How two persons play at two devices."""

    view: str
    """The name of the address of such a match."""
    new: Callable[[Any, str], HttpResponse]
    """The response to a player who asks for one of a preset, instead of the page of a draft."""
    styles: tuple[str, ...] = ()
    """The styles of all its pages."""


@dataclass(frozen=True)
class Places:
    """What a feature adds to pages. All of it is optional."""

    addresses: Addresses = ()
    """Its addresses under a language's prefix."""
    bare: Addresses = ()
    """Its addresses without a language."""
    switches: Callable[[], Mapping[str, str]] = dict
    """The legends of its switches in the settings, by the names of their preferences."""
    early: Mapping[str, Callable[[HttpRequest], HttpResponse]] = field(default_factory=dict)
    """What answers the paths that begin so before all else, for those that are asked often."""
    countless: tuple[str, ...] = ()
    """The names of its addresses that have countless queries, which robots should not follow."""
    public: tuple[str, ...] = ()
    """The names of its addresses that search engines should index."""
    games: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """The titles of its own games, by the names that unfinished matches have for them."""
    menu: Callable[[], Sequence[tuple[str, str]]] = tuple
    """The addresses and texts of its entries in the menu."""
    ways: Callable[[], Sequence[tuple[str, str]]] = tuple
    """The addresses and texts of links that lead on from a page that isn't there."""
    new_match_link: Callable[[HttpRequest, Setup | None], tuple[str, str] | None] | None = None
    """The address and the text of a link to a new match, in place of one that doesn't open: one of
    its own, which has that setup, if it could be read."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """Its templates at the named places of pages; see `place` in game.templatetags.pages."""
    always: Mapping[str, str] = field(default_factory=dict)
    """Those that are also shown on pages to which it adds no values."""
    home: Callable[[HttpRequest], Joined | None] | None = None
    """What it adds to the home page."""
    about: Callable[[], object] | None = None
    """Its values on the About page, or None."""
    choosing: Callable[[Preset, Mapping[str, str]], Joined] | None = None
    """What it adds to the page of a preset; it receives the fields of the form."""
    new: Callable[[HttpRequest, Setup], Setup] | None = None
    """What it changes in the setup of a new match; raises Refused or IllegalRules."""
    names: Callable[[Any], Names] | None = None
    """How the cells of a match are called and read whose setup has its part."""
    each_page: Callable[[Any], Joined] | None = None
    """What it adds to each page of a match whose setup has its part."""
    two_devices: TwoDevices | None = None
    draft: Callable[[View], View] | None = None
    """Decorates the view of a draft that has its part; that receives the draft and its token."""
    start: Callable[[Any, Draft, Preferences], HttpResponse] | None = None
    """The response to a fleet that is placed, instead of the match; raises IllegalFleet."""
    placing: Callable[[Draft, Preferences | None], Joined] | None = None
    """What it adds to the page of a draft; None stands for a visitor who isn't told how to play."""
    playing: Callable[[SavedMatch, Observation], Joined] | None = None
    ended: Callable[[HttpRequest, SavedMatch, str], Joined | None] | None = None
    """What it adds to the page of any result, with the match's token."""
    playing_links: tuple[str, ...] = ()
    """The names of its addresses to which the page of a match at one device leads."""
    ended_links: Callable[[SavedMatch, str], Mapping[str, str]] | None = None
    """The addresses that it adds to all pages of an ended match, by the names of their links."""
    public_replay: Callable[[SavedMatch, str], Mapping[str, object]] | None = None
    """What it adds to the values of a replay that anybody may watch, with its token."""
    after: Callable[[HttpRequest, SavedMatch, SavedMatch], SavedMatch] | None = None
    """What it changes in a match after a form; it receives the match before and after."""
    keep: Callable[[HttpRequest, HttpResponse, SavedMatch, str], None] | None = None
    """What it has the browser keep of a match that goes on, with its token; called at the end of
    any match, too."""
    helped: Callable[[HttpRequest, HttpResponse, Position], None] | None = None
    """What it marks when the player has been shown the chances in a position."""
    day: DayGame | None = None
    """Its game of the day."""
    day_ended: Callable[[HttpRequest, HttpResponse, DayResult], None] | None = None
    """How it keeps the result of a game of the day."""
    days: Callable[[HttpRequest], Sequence[DayResult]] | None = None
    """The results of days that the browser keeps."""
    played: Callable[[HttpRequest, SavedMatch], bool] | None = None
    """Whether the browser keeps this very end of a match, so that it was played there."""
    cookies: tuple[str, ...] = ()
    """How the names of its cookies begin that keep what was played."""
    judged: Callable[[HttpRequest, HttpResponse, SavedMatch, int], None] | None = None
    """How it keeps the skill in an ended match, once that is known: from 0 to 100."""
    proposed: Callable[[HttpRequest, SavedMatch], Proposed | None] | None = None
    """The rank that suits the player after an ended match, if it knows that."""
    retry: Callable[[Observation, Preset, Cell], Link | None] | None = None
    """Where a wrong shot can be tried again; it receives what was seen before the shot."""
    resume: Mapping[str, Callable[..., HttpResponse]] = field(default_factory=dict)
    """The views that lead back to its unfinished matches, by the names of their pages' views."""
    call: Callable[[Any], str] | None = None
    """A sentence of a part before the match, in the terminal."""
    outcome: Callable[[SavedMatch], str] | None = None
    """A sentence after the match, in the terminal and in shared text."""
    on_device: Callable[[SavedMatch], str] | None = None
    """What the player's device knows of it besides, in shared text."""
    command: Command | None = None
    """Its command in the terminal."""
    load_help: Callable[[], str] | None = None
    """What the terminal's help says of its tokens."""


@cache
def rows() -> dict[str, Places]:
    """Returns the places of each feature that has any, by its name."""
    return dict(feature_list.rows(feature_list.PLACES))


def every(get: Callable[[Places], T | None]) -> list[T]:
    """Returns what `get` finds in the features' rows, as in `every(lambda row: row.days)`.

    Rows in which it finds nothing are left out.
    """
    return [found for row in rows().values() if (found := get(row))]


def call_each(
    get: Callable[[Places], Callable[A, T | None] | None], *args: A.args, **kwargs: A.kwargs
) -> dict[str, T]:
    """Calls what `get` finds in the features' rows.

    Returns what is returned, unless it is empty, by the names of the features.
    """
    hooks = ((name, get(row)) for name, row in rows().items())
    found = ((name, hook(*args, **kwargs)) for name, hook in hooks if hook)
    return {name: it for name, it in found if it}


def merged(found: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """Returns the entries of all the mappings."""
    return {key: value for mapping in found for key, value in mapping.items()}


def of_parts(parts: tuple[object, ...]) -> Iterator[tuple[object, str, Places]]:
    """Yields the parts of a match, each with the name and the places of its feature."""
    for part in parts:
        if found := kinds().get(type(part)):  # a day may be of no feature
            yield part, found[0], rows()[found[0]]


def menu() -> list[tuple[str, str]]:
    return [*chain.from_iterable(call_each(lambda row: row.menu).values())]


def ways() -> list[tuple[str, str]]:
    """Returns the links that lead on from a page that isn't there."""
    return [*chain.from_iterable(call_each(lambda row: row.ways).values())]


@cache
def games() -> dict[str, Callable[[], str]]:
    """Returns the titles of features' own games, by their names in unfinished matches."""
    return merged(every(lambda row: row.games))


def new_setup(request: HttpRequest, setup: Setup) -> Setup:
    """Returns the setup of a new match, with what features change in it."""
    for change in every(lambda row: row.new):
        setup = change(request, setup)
    return setup


@cache
def two_devices() -> TwoDevices | None:
    return next(iter(every(lambda row: row.two_devices)), None)


def use_names(setup: Setup) -> None:
    """Has cells called as the features of a setup say, until another match is opened."""
    found = (row.names(part) for part, _name, row in of_parts(setup.parts) if row.names)
    cells.use(next(found, None))


def each_page(setup: Setup) -> dict[str, Joined]:
    """Returns what features add to each page of a match with that setup, by their names."""
    found = of_parts(setup.parts)
    return {name: row.each_page(part) for part, name, row in found if row.each_page}


def view_of(setup: Setup) -> str:
    """Returns the name of the address of a match with that setup."""
    found = two_devices() if setup.remote else None
    return found.view if found else "play"


def draft_view(draft: Draft, view: View) -> View:
    """Returns the view of a draft, as its features decorate it."""
    for _part, _name, row in of_parts(draft.parts):
        view = row.draft(view) if row.draft else view
    return view


def starter(draft: Draft) -> Callable[[Any, Draft, Preferences], HttpResponse] | None:
    """Returns what responds to a draft whose fleet is placed, if a feature does."""
    return next((row.start for _part, _name, row in of_parts(draft.parts) if row.start), None)


def placing(draft: Draft, visitor: Preferences | None) -> dict[str, Joined]:
    """Returns what features add to the page of a draft, by their names."""
    found = of_parts(draft.parts + draft.setup.parts)
    return {name: row.placing(draft, visitor) for _part, name, row in found if row.placing}


def playing(saved: SavedMatch, seen: Observation) -> dict[str, Joined]:
    """Returns what features add to the page of a match before its end, by their names."""
    found = of_parts(saved.all_parts)
    return {name: row.playing(saved, seen) for _part, name, row in found if row.playing}


@cache
def playing_links() -> tuple[str, ...]:
    """Returns the names of the addresses that features add to a match at one device."""
    return tuple(chain.from_iterable(every(lambda row: row.playing_links)))


def joining(view: MatchView, found: Mapping[str, Joined]) -> MatchView:
    """Returns the view of a match with what features add to it."""
    if not found:
        return view
    added = found.values()
    return replace(
        view,
        features={name: it.view for name, it in found.items()},
        links={**view.links, **merged(it.links for it in added)},
        caption="".join(it.caption for it in added),
        results=[*view.results, *(line for it in added for line in it.results)],
    )


def after(request: HttpRequest, before: SavedMatch, acted: SavedMatch) -> SavedMatch:
    """Returns the match after a form, with what features change in it."""
    for _part, _name, row in of_parts(acted.all_parts):
        if row.after:
            acted = row.after(request, before, acted)
    return acted


def keep(request: HttpRequest, response: HttpResponse, saved: SavedMatch, token: str) -> None:
    """Has the browser keep what features want of a match that goes on, or has just ended."""
    is_over = saved.match.outcome is not None
    found = rows().values() if is_over else (row for _part, _name, row in of_parts(saved.all_parts))
    for row in found:
        if row.keep:
            row.keep(request, response, saved, token)


def days(request: HttpRequest) -> list[DayResult]:
    """Returns the results of days that the browser keeps."""
    return [*chain.from_iterable(call_each(lambda row: row.days, request).values())]


def day_games() -> list[DayGame]:
    return sorted(every(lambda row: row.day), key=lambda it: it.order)


def outcomes(saved: SavedMatch, *, on_device: bool = False) -> list[str]:
    """Returns the sentences of parts after the match, and what the player's device knows if so."""
    found = [row for _part, _name, row in of_parts(saved.all_parts)]
    said = [row.outcome(saved) for row in found if row.outcome]
    if on_device:
        said += [row.on_device(saved) for row in found if row.on_device]
    return list(filter(None, said))
