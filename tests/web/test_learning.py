"""What pages say about the computer's knowledge of the player, and how it is made to forget."""

import re
from hashlib import sha256
from html import unescape

import pytest

from game.engine.chance import Chance
from game.engine.geometry import Cell
from game.engine.observation import Observation
from game.engine.presets import PRESETS
from game.engine.rules import Side
from game.matches.setup import Tally
from game.matches.tokens import unseal_draft
from game.players.belief.rounds import learn_round
from game.players.minds import MINDS
from game.players.originals.random_player import RandomPlayer
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.matches import saved_at, verified
from tests.support.page import Page

EDGE = (
    ("A1h5", "G1h4", "A3v3", "J3v3", "A7v2"),
    ("A1v5", "A7v4", "C1h3", "J1v3", "I10h2"),
    ("F1h5", "J3v4", "A1v3", "A5v3", "A9v2"),
)
"""Fleets for Uppsala's game that lie along the edge."""
RULES = PRESETS["uppsala"].ruleset
NOTICED = {
    "en": "The Admiral noticed: your ships lie along the edge, ",
    "de": "Der Admiral hat bemerkt: Deine Schiffe liegen am Rand, ",
}
FORGET, RESIGN = {"action": "forget"}, {"action": "resign-yes"}


class Witness(RandomPlayer):
    """A mind that records what it is given."""

    def __init__(self) -> None:
        self.learnt: set[tuple[int, ...]] = set()

    def aim(self, seen: Observation, chance: Chance) -> Cell:
        self.learnt.add(seen.learnt)
        return super().aim(seen, chance)


@pytest.fixture
def witness(monkeypatch: pytest.MonkeyPatch) -> Witness:
    """A witness in the admiral's place."""
    mind = Witness()
    monkeypatch.setitem(MINDS, "admiral", mind)
    return mind


def new(language: str = "en") -> str:
    return f"/{language}/new/uppsala/?opponent=admiral"


def started(client: Device, placing: str, number: int) -> str:
    """The address of a match in which the person has placed along the edge."""
    return client.pressed(placing, {"action": "start", "ship": EDGE[number % len(EDGE)]})


def round_played(client: Device, placing: str, number: int = 0, shots: str = "E5") -> str:
    """The address of a round's end: the person placed along the edge and gave up soon."""
    where = started(client, placing, number)
    for cell in shots.split():
        where = client.pressed(where, {"cell": cell})
    return client.pressed(where, RESIGN)


def next_round(client: Device) -> str:
    """The address where the person places for the second round."""
    return client.see(round_played(client, new())).again


def noticed(html: Page) -> str:
    """Returns the sentence about what was noticed; empty if there is none."""
    found = re.search(r'<p class="noticed" data-noticed="\w+">(.*?)\n<button', html, re.DOTALL)
    assert bool(found) is ("data-noticed" in html) is ('value="forget"' in html)
    return unescape(found[1]) if found else ""


@in_both_languages
def test_five_rounds_along_the_edge_are_noticed_and_go_on(
    client: Device, witness: Witness, language: str
) -> None:
    where = new(language)
    learnt: tuple[int, ...] = ()
    for number in range(5):
        assert bool(noticed(client.see(where))) is bool(number)
        over = round_played(client, where, number)
        assert witness.learnt == {learnt}, "known from the first shot to the last, and no more"
        witness.learnt.clear()
        saved = saved_at(over)
        assert saved.setup.learnt == learnt
        learnt = learn_round(learnt, RULES, saved.match.fleets[Side.FIRST])
        html = client.see(over)
        assert noticed(html).startswith(NOTICED[language])
        where = html.again
        assert noticed(client.see(where)) == noticed(html)
        setup = unseal_draft(where.split("/")[3]).setup
        assert (setup.learnt, setup.tally.rounds) == (learnt, number + 1)


# --- forgetting; whom it reaches, and its proof ---


def test_at_the_end_of_a_match_it_forgets(client: Device, witness: Witness) -> None:
    over = round_played(client, next_round(client), 1)
    before = saved_at(over)
    where = client.pressed(over, FORGET)
    html, after = client.see(where), saved_at(where)
    assert not noticed(html)
    assert html.attribute("data-phase") == "over"
    assert (after.match, after.record) == (before.match, before.record)
    following = unseal_draft(html.again.split("/")[3]).setup
    assert (following.learnt, following.tally) == ((), Tally((0, 2)))
    assert not noticed(client.see(html.again))


def test_before_a_match_it_forgets_and_the_ships_stay(client: Device, witness: Witness) -> None:
    where = client.pressed(next_round(client), FORGET | {"ship": EDGE[1][:2]})
    html = client.see(where)
    assert not noticed(html)
    assert html.ships == list(EDGE[1][:2])
    setup = saved_at(started(client, where, 1)).setup
    assert (setup.learnt, setup.tally.rounds) == ((), 1)


def test_the_fingerprint_of_a_later_round_covers_what_was_learnt(client: Device) -> None:
    where = started(client, client.see(round_played(client, new(), shots="")).again, 1)
    shown = client.see(where).attribute("data-commitment")
    for cell in ("E5", "F6"):
        where = client.pressed(where, {"cell": cell})
    over = client.pressed(where, RESIGN)
    line = client.see(over).first(r"<code data-statement>([^<]*)</code>")
    numbers = " ".join(map(str, saved_at(over).setup.learnt))
    assert f"|learnt {numbers}|server " in line
    assert sha256(line.encode()).hexdigest() == shown
    said = verified(client.get(over.replace("/play/", "/record/")))
    assert f"learnt {numbers}\n" in said
    assert "The computer played fair." in said
