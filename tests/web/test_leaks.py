"""Two worlds: matches that differ in hidden things only must look the same to the last byte.

In each pair of requests the public history and the click are the same, and the enemy's fleets
differ. Tokens and the commitment are masked, but not their lengths. Everything else has to be
equal: status, headers and body. Planted leaks, which have to be found, test the comparison itself.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from pytest_django import Settings

from game.engine.actions import IllegalAction
from game.engine.chance import Chance
from game.engine.rules import Side
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.seed_shares import SeedShares
from game.matches.tokens import seal_draft, unseal_match
from game.views import answers
from game.views.page import Page
from game.views.requests import HtmxRequest
from tests.support import times
from tests.support.device import HTMX, JSON, Device
from tests.support.matches import address, opening
from tests.support.page import without_tokens
from tests.support.worlds import MATCHES, WORLDS, any_question, replace_everywhere, told, worlds

Fields = dict[str, str]
Pair = tuple[SavedMatch, SavedMatch]
Click = tuple[Pair, Fields | None]
"""The same request in two worlds, with the form's fields; None for a GET."""
Answer = Callable[[HttpRequest], HttpResponse]

PAIRS = times(16, 80, 500)
"""Pairs of requests in each of the worlds: planted leaks are found among PAIRS."""
QUICK = {"bonn", "named", "moving salvo", "alone", "questions, alone"}
"""Worlds of each kind; the others are in `make long`."""
LANGUAGES = ("en", "de")


def clicks(pair: Pair) -> Iterator[Click]:
    """Looks and clicks whose public answers agree in both worlds, refused ones among them."""
    match = pair[0].match
    board = match.ruleset.board
    yield pair, None
    typed = {"cell": "Z9", "typed": "on"}
    for fields in (
        {"cell": "Z9"},
        typed,
        {"hints": "on"},
        {"coach": "on"},
        {"steer": "0-fore"},
        {},
    ):
        yield pair, fields
    if match.is_move_due:
        for steer in match.steers(Side.FIRST)[:3]:
            yield pair, {"steer": f"{steer.ship}-{steer.course.value}"}
    yield from questions(pair)
    fleets = [one.match.placements(Side.SECOND) for one in pair]
    ships = {
        cell
        for one, fleet in zip(pair, fleets, strict=True)
        for index, ship in enumerate(fleet)
        if one.match.is_afloat(Side.SECOND, index)
        for cell in ship.cells
    }
    spent = match.spent(Side.SECOND)
    if ships & set(match.aimed):
        return  # the results of the salvo would be told, and they may differ
    water = [cell for cell in board.cells if cell not in spent | ships]
    # Hits too, on ships that are the same in both worlds: the end of them is told in both.
    same = [
        ship.cells
        for ship, other in zip(*fleets, strict=True)
        if ship == other and set(ship.cells) & spent
    ]
    hits = [cell for ship in same for cell in ship if cell not in spent]
    for cell in (*water[:3], *sorted(spent)[:1], *hits[:2]):
        yield pair, {"cell": board.name(cell)}
    for cell in water[:1]:
        yield pair, {"cell": pair[0].setup.cell_names.name(cell), "typed": "on"}


def questions(pair: Pair) -> Iterator[Click]:
    """Questions with the same answer in both worlds, refused ones, and a look back before one."""
    one, other = (saved.match for saved in pair)
    board, asked = one.ruleset.board, [it for it in one.questions if it.side is Side.FIRST]
    if not one.ruleset.questions:
        return
    refused = [("A1", "Z9"), ("B7", "")]
    if asked:
        refused.append((board.name(asked[0].ask.first), board.name(asked[0].ask.last)))
        before = replace(pair[0], match=one.at(asked[-1].ply))
        yield (before, replace(pair[1], match=other.at(asked[-1].ply))), None
    for first, last in refused:
        yield pair, {"action": "ask", "ask_from": first, "ask_to": last}
    found = 0
    for number in range(20 if one.may_ask else 0):
        ask = any_question(one.ruleset, Chance(bytes(16), "questions", 100 * one.ply + number))
        with suppress(IllegalAction):
            answers = [match.act(ask).questions[-1].is_yes for match in (one, other)]
            if answers[0] is answers[1] and found < 3:
                found += 1
                cells = board.name(ask.first), board.name(ask.last)
                yield pair, {"action": "ask", "ask_from": cells[0], "ask_to": cells[1]}


Pages = Iterator[tuple[list[str], dict[str, Any] | None, int]]
"""Two addresses that differ in what is hidden, what is sent to both, and a number."""


def audit(name: str, most: int = MATCHES) -> Pages:
    """Yields all clicks in at most so many matches of a world, one match after another."""
    found = (click for pair in worlds(name, most) for click in clicks(pair))
    for number, (pair, fields) in enumerate(found):
        language = LANGUAGES[number % 2]
        yield [address(one, language=language) for one in pair], fields, number


# --- what the world outside sees ---


KINDS: tuple[dict[str, str], ...] = ({}, HTMX, JSON)
"""What requests ask for: a whole page, a part of one, and JSON."""


def answer(client: Device, where: str, fields: dict[str, Any] | None, number: int) -> str:
    """Returns the whole answer, the page that it leads to, and what both are made of.

    The text of tokens and of the commitment is left out. A page that a click in HTML leads to is
    asked for in JSON, and the other way round.
    """
    kind = KINDS[number % 3]
    ask = client.get if fields is None else partial(client.post, data=fields)
    got = ask(where, headers=kind)
    if kind is JSON:
        following, kind = got.json().get("address", where), {}
    else:
        following, kind = got.headers.get("HX-Replace-Url", got.next or where), JSON
    text = told(got) + told(client.get(following, headers=kind)) + without_tokens(f"{MADE_OF}")
    MADE_OF.clear()
    return text


MADE_OF: list[Page] = []
"""The values of the pages that are shown."""


@pytest.fixture(autouse=True)
def _values_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    show = answers.show

    def noted(request: HtmxRequest, page: Page, **how: Any) -> HttpResponse:
        MADE_OF.append(page)
        return show(request, page, **how)

    replace_everywhere(monkeypatch, show, noted)


OVER = re.compile('data-phase="over"|"phase": "over"')


def first_difference(pages: Pages) -> tuple[int, bool]:
    """Returns the number of pairs that were compared until one differed, and whether one did."""
    clients = [Device() for _world in range(2)]  # their cookies tell which hints they have seen
    compared = 0
    for pair, fields, number in pages:
        one, other = (
            answer(client, where, fields, number)
            for client, where in zip(clients, pair, strict=True)
        )
        if OVER.search(one) and OVER.search(other):
            continue  # the reveal is lawful
        compared += 1
        if one != other:
            return compared, True
    return compared, False


EACH_WORLD = pytest.mark.parametrize(
    "name", [pytest.param(it, marks=[pytest.mark.long] * (it not in QUICK)) for it in WORLDS]
)


@pytest.mark.fuzz
@EACH_WORLD
def test_two_worlds_with_the_same_public_history_look_the_same(name: str) -> None:
    compared, is_different = first_difference(islice(audit(name), PAIRS))
    assert not is_different
    assert compared >= PAIRS - 5, "too few pairs were found to tell"


# --- the server's share of the seed ---

CLIENT = "ffeeddccbbaa99887766554433221100"
SHARED = 2
"""Matches and drafts of each kind that are compared."""
UNANSWERED: tuple[Fields | None, ...] = (
    None, {"cell": "Z9"}, {"hints": "on"}, {"coach": "on"}, {"action": "resign"}, {},
)  # fmt: skip
"""Looks and clicks that no computer answers: what it does follows from the seed."""
CHANGES: tuple[dict[str, Any] | None, ...] = (
    None, {"place": "C4"}, {"turn": "C4", "ship": "C4h5"}, {"action": "undo", "ship": "C4h5"},
    {"action": "keep", "ship": ["C4h5", "C5h4"]}, {"action": "start"}, {"place": "Z9"},
)  # fmt: skip
"""Looks at a fleet being placed, and its changes, refused ones among them."""


def servers(number: int) -> tuple[str, str]:
    """Two seed shares of the server."""
    chance = Chance(bytes(16), "servers", number)
    return f"{chance.bits(128):032x}", f"{chance.bits(128):032x}"


def with_shares(one: SavedMatch, server: str) -> SavedMatch:
    """Returns the match with a seed that follows from that share and from one of the player's."""
    seed_shares = SeedShares(server, CLIENT)
    setup = replace(one.setup, seed_shares=seed_shares)
    return replace(one, setup=setup, match=replace(one.match, seed=seed_shares.seed))


def matches_with_shares(name: str) -> Pages:
    for number, pair in enumerate(worlds(name)[:SHARED]):
        shared = zip(pair, servers(number), strict=True)
        language = LANGUAGES[number % 2]
        where = [address(with_shares(*one), language=language) for one in shared]
        yield from ((where, fields, number) for fields in UNANSWERED)


def drafts_with_shares() -> Pages:
    for number in range(SHARED):
        drafts = [
            Draft(replace(opening().setup, seed_shares=SeedShares(server)))
            for server in servers(number)
        ]
        where = [f"/{LANGUAGES[number % 2]}/place/{seal_draft(draft)}/" for draft in drafts]
        yield from ((where, fields, number) for fields in CHANGES)


@pytest.mark.parametrize(
    "name",
    ["named"],
)
def test_matches_that_differ_in_the_servers_seed_share_look_the_same(name: str) -> None:
    assert all(one != other for (one, other), _fields, _number in matches_with_shares(name))
    assert first_difference(matches_with_shares(name)) == (SHARED * len(UNANSWERED), False)


def test_fleets_being_placed_look_the_same_whatever_the_servers_seed_share_is() -> None:
    assert first_difference(drafts_with_shares()) == (SHARED * len(CHANGES), False)


# --- planted leaks ---


def hidden(one: SavedMatch) -> int:
    """Returns a number below 100 that depends on hidden values."""
    ships = one.match.placements(Side.SECOND)
    return sum(number * ship.bow for number, ship in enumerate(ships, start=1)) % 100


Leak = Callable[[HttpResponse, int], None]
"""Changes one property of an answer by a hidden number."""


def leaking(get_response: Answer) -> Answer:
    """Middleware that plants the leak of the settings in every answer about a match."""

    def answered(request: HttpRequest) -> HttpResponse:
        secret = hidden(unseal_match(request.path.split("/")[3]))
        response = get_response(request)
        PLANTED[settings.PLANTED](response, secret)  # type: ignore[misc]
        return response

    return answered


def in_text(pattern: str, change: Callable[[int], str]) -> Leak:
    """A leak after the first place where the page has this."""

    def leak(response: HttpResponse, secret: int) -> None:
        text = response.content.decode()
        response.content = re.sub(pattern, rf"\g<0>{change(secret)}", text, count=1).encode()

    return leak


PLANTED: dict[str, Leak] = {
    "a state": in_text('data-state="', lambda secret: ("", "ship")[secret % 2]),
    "a state in JSON": in_text('"rows": ..?"', lambda secret: ("", "ship")[secret % 2]),
    "the length of the page": in_text("</h1>", lambda secret: " " * (secret % 3)),
    "the length of a token": in_text("[A-Za-z0-9_-]{60,}", lambda secret: "AAAA" * (secret % 2)),
    "a header": lambda response, secret: response.__setitem__("ETag", f'"{secret}"'),
}


@pytest.mark.parametrize("leak", PLANTED)
def test_a_planted_leak_is_found(leak: str, settings: Settings) -> None:
    settings.PLANTED = leak
    settings.MIDDLEWARE = [f"{__name__}.leaking", *settings.MIDDLEWARE]
    assert first_difference(islice(audit("bonn"), PAIRS))[1]
