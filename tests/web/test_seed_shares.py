"""The shares of a seed on pages: shown as a hash, sent with the form, and revealed at the end."""

from hashlib import sha256

import pytest

from game.matches.seed_shares import SeedShares
from game.matches.tokens import unseal_draft, unseal_match
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.matches import saved_at, verified, with_setup

NEW = "/en/new/bonn/"
FLEET = ["A1h5", "A3h4", "F3h4", "A5h3", "E5h3", "J5v3", "A7h2", "D7h2", "G7h2", "A9h2"]
SHARE = "ffeeddccbbaa99887766554433221100"
START = {"action": "start", "ship": FLEET}


def seed_shares_in(where: str) -> SeedShares:
    """The shares that the draft or the match of an address has."""
    kind, token = where.split("/")[2:4]
    holder = unseal_draft(token) if kind == "place" else unseal_match(token)
    seed_shares = holder.setup.seed_shares
    assert seed_shares is not None
    return seed_shares


def started(client: Device, share: str = SHARE, where: str = "") -> str:
    """The address of a match that was begun from a placing page."""
    return client.pressed(where or client.see(NEW).form, {**START, "half": share})


def given_up(client: Device, where: str) -> str:
    return client.pressed(where, {"action": "resign-yes"})


# --- the placing page ---


@in_both_languages
def test_the_placing_page_shows_the_hash_of_the_servers_share(
    client: Device, language: str
) -> None:
    html = client.see(f"/{language}/new/bonn/")
    seed_shares = seed_shares_in(html.form)
    assert html.attribute("data-noted") == seed_shares.server_seed_hash
    assert f"<code>{seed_shares.server_seed_hash}</code>" in html
    assert '<input type="hidden" name="half" data-noted=' in html
    assert seed_shares.server not in html
    assert "<noscript>" in html.split('id="fair"')[1]


def test_a_draft_keeps_its_share_through_all_its_changes(client: Device) -> None:
    where = client.see(NEW).form
    server_seed_hash = seed_shares_in(where).server_seed_hash
    for fields in (
        {"action": "random"}, {"action": "undo", "ship": FLEET}, {"action": "clear"},
        {"place": "C4"}, {"turn": "C4", "ship": "C4h5"}, {"action": "keep"},
    ):  # fmt: skip
        where = client.post(where, {**fields, "half": SHARE}).location
        assert client.see(where).attribute("data-noted") == server_seed_hash
    refused = client.post(where, {"action": "start"})
    assert refused.status == 422
    assert refused.attribute("data-noted") == server_seed_hash


# --- the start; before the end; the end ---


def test_the_seed_follows_from_both_halves_however_often_the_form_is_sent(client: Device) -> None:
    where = client.see(NEW).form
    once, again = (saved_at(started(client, where=where)) for _ in range(2))
    assert once.setup.seed_shares == SeedShares(seed_shares_in(where).server, SHARE)
    assert once.match.seed == once.setup.seed_shares.seed
    hour = once.setup.started_hour  # the next may have begun
    assert once == with_setup(again, started_hour=hour)
    other = saved_at(started(client, SHARE[::-1], where))
    assert other.match.seed != once.match.seed


@pytest.mark.parametrize(
    "share", ["x", SHARE.upper(), SHARE + "0", SHARE[1:], SHARE + "\n", "g" * 32, "٠" * 32]
)
def test_what_is_no_share_is_refused_with_a_sentence(client: Device, share: str) -> None:
    where = client.see(NEW).form
    html = client.post(where, {**START, "half": share})
    assert html.status == 422
    assert "32 hexadecimal digits" in html.says
    assert html.attribute("data-noted") == seed_shares_in(where).server_seed_hash


def test_the_end_reveals_both_halves_and_the_record_verifies(client: Device) -> None:
    where = client.see(NEW).form
    noted = seed_shares_in(where).server_seed_hash
    over = given_up(client, started(client, where=where))
    seed_shares = seed_shares_in(over)
    html = client.see(over)
    line = html.first(r"<code data-statement>([^<]*)</code>")
    assert line.startswith("battleship-commitment-2|")
    assert line.endswith(
        f"|server {seed_shares.server}|client {SHARE}|seed {seed_shares.seed.hex()}"
    )
    assert html.attribute("data-commitment") == sha256(line.encode()).hexdigest()
    assert f"<code>{noted}</code>" in html
    assert f"printf %s '{seed_shares.line}' | sha256sum | cut -c1-32" in html
    assert "nothing proves" not in html
    record = client.get(over.replace("/play/", "/record/"))
    said = verified(record, "--server-hash", noted, "--share", SHARE)
    assert "the server's seed share is the one whose hash was shown" in said
    assert "The computer played fair." in said
