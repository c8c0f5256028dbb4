"""Spoilt addresses, languages and cookies lead to the pages that were meant, or say what is wrong.

What messengers, mail programs and text editors do to a link is in the lists; each is tried on an
address of every kind.
"""

import logging
import re
import time
from io import StringIO
from itertools import chain
from urllib.parse import quote, unquote

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from game.matches import keyring
from game.matches.keyring import Purpose
from game.ops.addresses import repaired_query
from game.ops.logs import NoTokens
from game.web.repair import RULES
from tests.support import free
from tests.support.device import Device
from tests.support.features import brought
from tests.support.matches import address, ended
from tests.support.page import Page

pytestmark = pytest.mark.usefixtures("chain_file", "clock")
_PLAIN = """
new/bonn/ setup/own/ rules/ settings/ card.png manifest.webmanifest
"""
_WITH_TOKEN = """
place/T/ play/T/ replay/T/ record/T/ film/T/
"""
_WITH_QUERY = """
new/bonn/?size=9&turns=40 replay/T/?step=5 play/T/?look=own
"""
PLAIN, WITH_TOKEN, WITH_QUERY = (text.split() for text in (_PLAIN, _WITH_TOKEN, _WITH_QUERY))
for of_feature in brought("PATHS").values():
    for path in of_feature:
        (WITH_QUERY if "?" in path else WITH_TOKEN if "/T/" in path else PLAIN).append(path)
SETTINGS = "play/T/settings/"
"""A page with any text as the token."""
_BEHIND = """
%3F &gt; &quot; ). ." )** ]( %22 %E2%80%9D %2522 %23top %EF%BB%BF 👍🏽😀 </a> &lt;br/&gt; 。
をご覧ください
"""
BEHIND = [*").,;:!…\"'»«“”‚‘’„`>]}*_~|\\", *_BEHIND.split(), " see you", "). See you!", "\n", "=\n"]
BEHIND += ["\r\n> ", *"\u200b\ufeff\xa0"]
WITHIN = [*"\n +\t\xad\u200b\u2060\xa0\ufeff", "\r\n", "=\n", "=\r\n", "%20", "%0D%0A", "\n> "]
_QUERIES = """
sea=own&amp;columns=8                    sea=own&columns=8
sea=3Down&rows=3D8                       sea=own&rows=8
sea%3Down%26rows%3D8                     sea=own&rows=8
amp;sea=own                              sea=own
hit=B7%252BB8                            hit=B7+B8
sea=o%0D%0Awn                            sea=own
se%0Aa=own                               sea=own
sea=own\\u0026rows=8&amp%3Bcolumns=9     sea=own&rows=8&columns=9
sea=own?utm_source=x                     sea=own
sea=own).&fbclid=a.)                     sea=own&fbclid=a.)
"""
_WHOLE = """
/en//{0} /en\\{1} /EN/{2} {3} {4} /en/{0}/ /{0} /http://localhost/en/{0} //localhost/en/{0}
/https:/LOCALHOST:8000/en/{0} /en/http://localhost/en/{0} /en/{0}](http://localhost/en/{0})
/en/{0}&fbclid=a /xx/{0} /en-GB/{0}. /en_US/{0}
"""
_NOT_OURS = """
/nowhere/ /.env /.git/config /en/rules.html /en/rulesx /api/ /en/Hallo //evil.example
/\\evil.example /https://evil.example/en/rules/ /en/new/nothing)
/static/game/site.css) /wait/x) /T/ /en/T)/ /en/play/T/x/
"""


def sealed(purpose: Purpose = Purpose.PLAY, length: int = 111) -> str:
    return keyring.seal(purpose, bytes(length))


def asked(client: Device, path: str, query: str = "") -> Page:
    """The answer to a path as a server hands it over: decoded once, even with two slashes."""
    return client.get("/", PATH_INFO=path.encode().decode("latin-1"), QUERY_STRING=query)


def leads(client: Device, path: str, query: str = "") -> str:
    """Where a path leads at once, or the status of its answer."""
    answer = asked(client, path, query)
    return answer.headers.get("Location") or str(answer.status)


def some(kinds: list[str], noise: str) -> list[str]:
    """A sixth of the kinds, another one for each noise."""
    return kinds[len(noise.encode()) % 6 :: 6]


@pytest.mark.parametrize("noise", BEHIND)
def test_what_is_added_behind_an_address_of_any_kind_is_left_out(
    client: Device, noise: str
) -> None:
    # Letters that touch the address of the home page are another one.
    home = "" if noise[0] != "を" else "rules/"
    for kind in (home, "play/T/", SETTINGS, *some(PLAIN + WITH_TOKEN, noise)):
        meant = f"/en/{kind.replace('T', sealed())}"
        for where in (f"{meant}{unquote(noise)}", f"{meant}{unquote(noise)}/", f"{meant}{noise}"):
            assert leads(client, where) == meant
        if kind and not kind.endswith(("png", "webmanifest")):
            assert leads(client, f"{meant[:-1]}{noise}") == meant


@pytest.mark.parametrize("noise", [it for it in BEHIND if re.search("[^%\\w\\s\ufeff]", it)])
def test_what_is_added_behind_a_query_is_left_out(client: Device, noise: str) -> None:
    for kind in WITH_QUERY:
        path, _mark, query = f"/en/{kind.replace('T', sealed())}".partition("?")
        meant = [f"{path}?{query}", "200", "422"] if noise[0] in " _" else [f"{path}?{query}"]
        assert leads(client, path, f"{query}{quote(noise, safe='&%;)')}") in meant


@pytest.mark.parametrize("noise", WITHIN)
def test_what_breaks_an_address_of_any_kind_is_left_out(client: Device, noise: str) -> None:
    token = sealed()
    for kind in some(PLAIN + WITH_TOKEN, noise):
        meant = f"/en/{kind.replace('T', token)}"
        for at in range(5, len(meant), 37):
            assert leads(client, f"{meant[:at]}{noise}{meant[at:]}") == meant
    lines = f"/en/play/{noise.join(token[at : at + 40] for at in range(0, len(token), 40))}/).\n"
    assert leads(client, lines) == f"/en/play/{token}/"


@pytest.mark.parametrize("spoilt", _WHOLE.split())
def test_what_is_added_to_a_whole_address_or_changed_in_it_is_undone(
    client: Device, spoilt: str
) -> None:
    for kind in PLAIN + WITH_TOKEN:
        parts = kind.replace("T", sealed()).split("/")
        titles = "/".join(part.title() if len(part) < 40 else part for part in parts)
        meant = "/".join(parts)
        escaped, twice = quote(f"/en/{meant}", safe=""), quote(quote(f"/en/{meant}", safe=""))
        path = spoilt.format(meant, meant.replace("/", "\\"), titles, escaped, twice)
        assert leads(client, path) == f"/en/{meant}"


def test_other_ways_to_spoil_an_address(client: Device) -> None:
    token = keyring.seal(Purpose.PLAY, bytes(105))
    while "--" not in token:
        token = keyring.seal(Purpose.PLAY, bytes(105))
    play = f"/en/play/{token}/"
    for dash in ("–", "—"):
        assert leads(client, play.replace("--", dash)) == play
    for hyphen in ("‑", "%2D", "%252D"):
        assert leads(client, play.replace("-", hyphen).replace("_", "%5F")) == play
    assert leads(client, f"{play[:50]}=3D\r\n{play[50:]}") == play
    assert leads(client, f"{play[:50]}-\n{play[50:]}") == play
    assert leads(client, "/en/setup/bonn\\-still/") == "/en/setup/bonn-still/"
    assert leads(client, f"{play}?step=3") == f"{play}?step=3"
    for page in chain(*brought("SENT").values()):
        assert leads(client, f"/{page}/{token}).") == f"/en/{page}/{token}/"
        assert leads(client, f"/{page}/{token})/", "a=b") == f"/en/{page}/{token}/?a=b"
    assert leads(client, "/Robots.txt).") == "/robots.txt"
    for query, meant in (line.split() for line in _QUERIES.strip().splitlines()):
        assert leads(client, "/en/rules/", query) == f"/en/rules/?{meant}"
        assert leads(client, "/rules", query) == f"/en/rules/?{meant}"
    for query in ("utm_source=x.)", "fbclid=a%20b", "gclid=;", "%E2%80%9D", ")", "%3F"):
        assert asked(client, "/en/rules/", query).status == 200


def test_an_address_that_cannot_be_known_for_certain_gets_its_error(client: Device) -> None:
    token = sealed()
    for path in [*_NOT_OURS.replace("T", token).split(), "/en/\r\nLocation:x/settings/"]:
        assert leads(client, path) == "404", path
    for path in (f"{token[:-1]})", f"{token[:-4]}).", token.lower(), f"{token[1:]})"):
        assert leads(client, f"/en/play/{path}/") == "400"
    spoilt = f"/en/play/{token})/"
    assert client.request("HEAD", spoilt).location == f"/en/play/{token}/"
    assert client.post(spoilt, {"cell": "B7"}).status == 400
    assert client.post("/en/rules)/").status == 404


KINDS = st.sampled_from(["", *PLAIN, *WITH_TOKEN, SETTINGS, *WITH_QUERY])
NOISES = st.lists(st.sampled_from(BEHIND), max_size=4).map("".join)
BEFORE = st.sampled_from(["", "/", "/xx", "/http://localhost", "//localhost/"])


@given(KINDS, NOISES, st.sampled_from(WITHIN), st.integers(0), BEFORE)
def test_whatever_is_around_an_address_it_leads_to_the_page_or_to_an_error(
    kind: str, noise: str, within: str, at: int, before: str
) -> None:
    client, token = Device(), sealed()
    meant = f"/en/{kind.replace('T', token)}"
    path, _mark, query = meant.partition("?")
    at %= len(path)
    path = f"{before}{path[:at]}{within}{path[at:]}"
    answer = asked(client, path if query else path + noise, query and query + quote(noise))
    assert answer.status in (200, 301, 302, 400, 404, 422)
    if answer.status == 302:
        where, _mark, query = answer.location.partition("?")
        assert meant.startswith(where.removesuffix("/"))
        assert repaired_query(query, RULES) == query
        assert asked(client, where, query).headers.get("Location") != answer.location


# --- languages; what it costs, and what logs keep; where people paste ---


@pytest.mark.parametrize("accepted", ["de-AT,de;q=0.9", "en"])
def test_a_language_in_any_spelling_leads_to_one_of_the_site(accepted: str) -> None:
    client = Device(headers={"accept-language": accepted})
    own, token = accepted[:2], sealed()
    for spelling in ("DE", "De", "de-AT", "de_DE", "DE-ch", "de-Latn-DE"):
        for rest in ("", "rules/", f"play/{token}/", "new/bonn/"):
            assert leads(client, f"/{spelling}/{rest}", "a=b") == f"/de/{rest}?a=b"
        assert leads(client, f"/{spelling}") == "/de/"
    known_to_django = free.language(), free.language(3)
    for unknown in (*known_to_django, "xx", "XX", "xx-BR", "xx_Hans_CN"):
        for rest in ("", "rules/", f"play/{token}/", "setup/own/"):
            assert leads(client, f"/{unknown}/{rest}", "a=b") == f"/{own}/{rest}?a=b"
    client.cookies["language"] = "de"
    assert leads(client, "/xx/rules") == "/de/rules/"


_COOKIES = "DE De de-AT DE-at xx / . de/../en de\\073 //evil.example %D9%A3"


@pytest.mark.parametrize("cookie", ["", "x" * 4000, "-" * 4000, "de-" * 300, *_COOKIES.split()])
def test_a_foreign_cookie_leads_to_a_page(cookie: str) -> None:
    language = "de" if re.match("de(-|$)", cookie, re.IGNORECASE) else "en"
    client = Device(headers={"cookie": f"language={cookie}; django_language=fr; csrftoken=x"})
    answer = client.get("/")
    assert (answer.status, answer.location) == (302, f"/{language}/")
    assert leads(client, "/rules/") == f"/{language}/rules/"
    assert client.get(f"/{language}/rules/").status == 200


_WORST = "/ /. /play/ /& &a %25 /settings/ /http://localhost \\ _ /de-a =3D &#1 %FF A ( – amp; ="


def test_the_worst_addresses_are_answered_soon(client: Device) -> None:
    head = f"/play/{sealed()[:8]}"
    for path in (" A", " ", f"{head} ABCD", "ABCD ABCDEFGHIJK ", "\xad", *_WORST.split()):
        for start in ("/en/", f"{head}/A"):
            for query in (False, True):
                text = (path * 8000)[:8000]
                began = time.process_time()
                answer = asked(
                    client, start + ("" if query else text), f"hit={quote(text)}" * query
                )
                assert time.process_time() - began < 0.25, (start, path)
                assert answer.status in (200, 301, 302, 400, 404, 422)


def test_no_log_keeps_a_piece_of_a_spoilt_token(
    client: Device, caplog: pytest.LogCaptureFixture
) -> None:
    token = f"A{sealed()[1:]}"  # of no version, so that no address is repaired
    caplog.handler.addFilter(NoTokens())
    parts = [token[at : at + 12] for at in range(0, len(token), 12)]
    for text in (f"{token})", *(noise.join(parts) for noise in WITHIN)):
        for page in ("/en/play/", "/EN/Play/", "\\en\\play\\", "/en%2Fplay%2F", "/en/play//"):
            with caplog.at_level(logging.DEBUG):
                assert asked(client, f"{page}{text}/").status in (302, 400, 404)
    assert len(caplog.messages) > 50
    assert not [line for line in caplog.messages if any(part in line for part in parts)]


@pytest.mark.parametrize("spoil", ["{}).", "<{}>", "“{}”", "[x]({})", "{}&gt; see you", " {}\n"])
def test_a_pasted_address_is_repaired_as_an_opened_one_is(client: Device, spoil: str) -> None:
    said = StringIO()
    where = address(ended())
    call_command("verify", spoil.format(f"https://x{where[:90]} {where[90:]}"), stdout=said)
    assert "The computer played fair." in said.getvalue()
