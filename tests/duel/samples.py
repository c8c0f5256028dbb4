"""Samples of duels, and what the tests of all pages, tokens and requests find here."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.urls import reverse

from bench.matches import begun
from bench.requests import OWN, Request, own_rules
from game.engine.chance import SEED_BYTES
from game.engine.match import Match
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.duel.model import (
    DUEL_ID_BYTES,
    MOST_BROUGHT,
    SEAT_BYTES,
    Claim,
    Duel,
    Seats,
    opened,
    seat_hash_of,
)
from game.features.duel.parts import (
    seal_duel,
    seal_invite,
    seal_kept_seat,
    seal_seats,
    unseal_duel,
    unseal_invite,
    unseal_kept_seat,
    unseal_seats,
)
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Setup, Tally
from tests.duel import duels
from tests.support import golden as golden_samples
from tests.support.device import Device
from tests.support.page import Page

DUEL_ID = bytes(range(16))
SEATS = Seats(b"a" * 16), Seats(b"b" * 16)
HASHES = [seat_hash_of(SEATS[side].seat_secret(DUEL_ID, side)) for side in Side]

GOLDEN_FORMS = {
    "duel": (seal_duel, unseal_duel),
    "invite": (seal_invite, unseal_invite),
    "keep": (lambda kept: seal_kept_seat(*kept), unseal_kept_seat),
    "seats": (seal_seats, unseal_seats),
}


def golden() -> dict[str, Any]:
    """Duels, a draft of a seat, the id of an invitation, a seat that is kept, and a browser's."""
    bonn = PRESETS["bonn"]
    shot = golden_samples.match_of(bonn.ruleset, 2)
    setup = golden_samples.Setup(
        bonn.ruleset, (None, None), bonn, remote=True, tally=Tally((1, 2), 3)
    )
    waiting = opened(setup, DUEL_ID, HASHES[0], shot.fleets[0], "Änne")
    joined = waiting.joined(HASHES[1])
    moving = replace(
        joined, fleets=shot.fleets, match=shot, step=4, setup=replace(setup, started_hour=494_000)
    )
    still = replace(moving, step=2, match=golden_samples.match_of(bonn.ruleset))
    claim = Claim(DUEL_ID, Side.SECOND, HASHES[1])
    return {
        "duel, waiting": waiting,
        "duel, under way": moving,
        "duel, moved": still.acted(Side.FIRST, still.match.steers(Side.FIRST)[0]),
        "duel, wished again": moving.resigned(Side.SECOND).wished(Side.FIRST),
        "draft, for a seat": Draft(joined.setup, shot.fleets[1][:3], 3, parts=(claim,)),
        "invite": DUEL_ID,
        "keep": (DUEL_ID, SEATS[0].seat_secret(DUEL_ID, Side.FIRST)),
        "seats": SEATS[0].with_secret(b"c" * 16).with_secret(b"d" * 16),
    }


# --- random requests ---

FUZZED = {
    **dict.fromkeys(
        ("duel, waiting", "duel, under way", "duel, moved", "duel, wished again"), "duel/{}/"
    ),
    "draft, for a seat": "place/{}/",
    "invite": "invite/{}/",
    "keep": "keep/{}/",
}
"""The page at which each of these samples is asked for."""
KEPT = [("seats", ("new", "place", "duel", "invite", "keep")), ("wrecks", ("duel",))]
"""The cookies that these pages may set."""


def fuzz_cookie() -> str:
    """The cookie of a browser that holds both seats of every duel here."""
    both = SEATS[0].with_secret(SEATS[1].seat_secret(DUEL_ID, Side.SECOND))
    return f"seats={seal_seats(both)}"


# --- what shared tests of pages ask for ---

PATHS = ("new/friend/bonn/", "duel/T/", "invite/T/", "keep/T/")
SENT = ("invite",)
WAYS = ("friend",)
"""The opponents that a setup page offers besides."""
ON_ABOUT = {"__Host-seats": "your seats"}
"""What the page about the game says of each cookie."""
ONLY_ITS_OWN = ("two devices",)


def longest_cookies() -> dict[str, str]:
    seats = Seats(bytes(16), tuple(bytes(16) for _seat in range(MOST_BROUGHT)))
    return {"__Host-seats": seal_seats(seats)}


def before_the_first_move() -> list[list[Page]]:
    """The pages that a browser loads: the one that invites, and the one that is invited."""
    client, first = Device(), duels.inviting("bonn", language="de")
    invited = client.see(duels.invitation(first))
    second = duels.joining(first, language="de")
    joined = second.page
    duels.place(second)
    first.open()
    inviter = [client.see("/de/"), client.see("/de/new/bonn/?opponent=friend"), first.page]
    return [inviter, [invited, joined, second.page]]


BELOW_A_PATH = ["tests/duel/test_duel_views.py"]
"""The tests that are true below a path, too."""


# --- expensive requests ---


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """Requests to a duel by a visitor without a seat there."""
    rules = own_rules()["15 by 15"]
    fleets = begun(Setup(rules, (None, "random"), PRESETS["own"])).match.fleets
    setup = Setup(rules, (None, None), preset=PRESETS["own"], remote=True)
    match = Match(rules, fleets, bytes(SEED_BYTES))
    holders = bytes(SEAT_BYTES), bytes(range(SEAT_BYTES))
    duel = Duel(bytes(DUEL_ID_BYTES), 1, holders, setup, fleets, match)
    yield Request("duel", "without a seat", reverse("duel", args=[seal_duel(duel)]))
    invitation = f"{reverse('new_invitation', args=['own'])}?{OWN['15 by 15']}"
    yield Request("new_invitation", "15 by 15", invitation, {"action": "random"})
    for name in ("invite", "any_invite"):
        where = reverse(name, args=[seal_invite(bytes(DUEL_ID_BYTES))])
        yield Request(name, "to nothing", where)
    kept = seal_kept_seat(bytes(DUEL_ID_BYTES), bytes(SEAT_BYTES))
    yield Request("keep", "a seat of nothing", reverse("keep", args=[kept]))
