"""Addresses that messengers have spoilt lead to the pages that were meant, and others to errors."""

import logging
from io import StringIO

import pytest
from django.core.management import call_command

from game.matches import keyring
from game.matches.keyring import Purpose
from game.ops.logs import NoTokens
from tests.support.device import Device
from tests.support.matches import address, ended

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
KINDS = ["play/T/", "replay/T/", "play/T/settings/", "rules/", "new/bonn/", "card.png"]
BEHIND = [*').,!…"”>*\n', ").", "](", "&gt;", "👍🏽", "。", "\r\n> "]
WITHIN = [*"\n \t\xad\u200b", "\r\n", "\n> "]


def sealed() -> str:
    return keyring.seal(Purpose.PLAY, bytes(111))


def leads(client: Device, path: str, query: str = "") -> str:
    """Where a path leads at once, or the status of its answer."""
    where = path.encode().decode("latin-1")  # as a server hands it over, even with two slashes
    answer = client.get("/", PATH_INFO=where, QUERY_STRING=query)
    return answer.headers.get("Location") or str(answer.status)


@pytest.mark.parametrize("noise", BEHIND)
def test_what_is_added_behind_an_address_is_left_out(client: Device, noise: str) -> None:
    for kind in KINDS:
        meant = f"/en/{kind.replace('T', sealed())}"
        assert leads(client, f"{meant}{noise}") == meant
        assert leads(client, f"{meant.rstrip('/')}{noise}") == meant


@pytest.mark.parametrize("noise", WITHIN)
def test_what_breaks_an_address_is_left_out(client: Device, noise: str) -> None:
    for kind in KINDS:
        meant = f"/en/{kind.replace('T', sealed())}"
        for at in range(5, len(meant), 37):
            assert leads(client, f"{meant[:at]}{noise}{meant[at:]}") == meant


def test_what_is_added_behind_a_query_is_left_out_where_it_is_refused(client: Device) -> None:
    for noise in (").", "%29", "%E2%80%9D", "%0A"):
        where = "/en/new/own/", f"columns=8&rows=8{noise}"
        assert leads(client, *where) == "/en/new/own/?columns=8&rows=8"
    assert leads(client, "/en/rules/", "utm_source=x.)") == "200"


def test_an_address_that_is_none_of_a_page_gets_its_error(client: Device) -> None:
    token = sealed()
    for path in ("/nowhere/", "/.env", "/en/rulesx", "//evil.example", f"/en/{token})", "/en/a b"):
        assert leads(client, path) == "404", path
    assert leads(client, "/en/play/no/") == "400"
    assert leads(client, "/en/rules") == "/en/rules/"
    spoilt = f"/en/play/{token})/"
    assert client.request("HEAD", spoilt).location == f"/en/play/{token}/"
    assert client.post(spoilt, {"cell": "B7"}).status == 400


def test_no_log_keeps_a_piece_of_a_spoilt_token(
    client: Device, caplog: pytest.LogCaptureFixture
) -> None:
    token = f"A{sealed()[1:]}"  # of no version, so that its page is an error
    caplog.handler.addFilter(NoTokens())
    parts = [token[at : at + 12] for at in range(0, len(token), 12)]
    for text in (f"{token})", *(noise.join(parts) for noise in WITHIN)):
        for page in ("/en/play/", "/EN/Play/", "\\en\\play\\", "/en%2Fplay%2F", "/en/play//"):
            with caplog.at_level(logging.DEBUG):
                assert leads(client, f"{page}{text}/")
    assert len(caplog.messages) > 10
    assert not [line for line in caplog.messages if any(part in line for part in parts)]


@pytest.mark.parametrize("spoil", ["{}).", "<{}>", "“{}”", "[x]({})", "{}&gt; see you", " {}\n"])
def test_the_token_of_a_pasted_address_is_found(spoil: str) -> None:
    said, where = StringIO(), address(ended())
    call_command("verify", spoil.format(f"https://x{where[:90]} {where[90:]}"), stdout=said)
    assert "The computer played fair." in said.getvalue()
