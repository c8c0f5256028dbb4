"""Samples of duels, and what the tests of all pages, tokens and requests find here."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse

from bench.requests import OWN, Request
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.features.duel.parts import seal_duel, seal_kept_seat, unseal_duel, unseal_kept_seat
from game.features.duel.state import Claim, DuelState
from game.matches.draft import Draft
from game.matches.saved import SavedMatch
from game.matches.setup import Tally
from game.web.seats import MOST_BROUGHT, Seats, seal_seats, seat_hash_of, unseal_seats
from tests.support import golden as golden_samples

DUEL_ID = "AAECAwQFBgcI"
SEATS = Seats(b"a" * 16), Seats(b"b" * 16)

GOLDEN_FORMS = {
    "duel": (seal_duel, unseal_duel),
    "keep": (lambda kept: seal_kept_seat(*kept), unseal_kept_seat),
    "seats": (seal_seats, unseal_seats),
}


def golden() -> dict[str, Any]:
    """A duel in its row, a draft of a seat, a seat that is kept, and a browser's."""
    bonn = PRESETS["bonn"]
    setup = golden_samples.Setup(
        bonn.ruleset, (None, None), bonn, remote=True, tally=Tally((1, 2), 3),
        person_names=("Änne", ""),
    )  # fmt: skip
    fleet = golden_samples.match_of(bonn.ruleset, 2).fleets[1]
    match = golden_samples.match_of(bonn.ruleset, 2)
    moving = DuelState("", 0, 0, ("", ""), setup, match.fleets, match, begun=4)
    secret = SEATS[1].own_secret(DUEL_ID, Side.SECOND)
    claim = Claim(DUEL_ID, Side.SECOND, seat_hash_of(secret))
    return {
        "duel, moving": moving,
        "draft, for a seat": Draft(setup, fleet[:3], 3, parts=(claim,)),
        "keep": (DUEL_ID, secret),
        "seats": SEATS[0].with_secret(b"c" * 16).with_secret(b"d" * 16),
    }


# --- random requests ---

FUZZED = {"draft, for a seat": "seat/{}/", "keep": "keep/{}/"}
"""The page at which each of these samples is asked for."""
KEPT = [("seats", ("new", "seat", "duel", "invite", "keep")), ("wrecks", ("duel",))]
"""The cookies that these pages may set."""


def fuzz_cookie() -> str:
    """The cookie of a browser that holds both seats of every duel here."""
    both = SEATS[0].with_secret(SEATS[1].own_secret(DUEL_ID, Side.SECOND))
    return f"seats={seal_seats(both)}"


# --- what shared tests of pages ask for ---

PATHS = ("new/friend/bonn/", "seat/T/", "duel/T/", "invite/T/", "pairs/T/", "pair/T/", "keep/T/")
ON_ABOUT = {"__Host-seats": "your seats"}
"""What the page about the game says of each cookie."""
ONLY_ITS_OWN = ("two devices",)


def longest_cookies() -> dict[str, str]:
    seats = Seats(bytes(16), tuple(bytes(16) for _seat in range(MOST_BROUGHT)))
    return {"__Host-seats": seal_seats(seats)}


# --- expensive requests ---


def requests(_saved: SavedMatch) -> Iterator[Request]:
    """A request of somebody who is about to invite a friend."""
    invitation = f"{reverse('new_invitation', args=['own'])}?{OWN['15 by 15']}"
    yield Request("new_invitation", "15 by 15", invitation, {"action": "random"})
