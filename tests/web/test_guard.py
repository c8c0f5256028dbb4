"""Headers of every answer, requests that are refused before a view, and logs without tokens."""

import io
import json
import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY
from pytest_django import Settings

from game import checks
from game.engine.observation import observe
from game.matches.tokens import seal_replay
from game.ops import metrics, secrets
from game.ops.logs import Json, NoTokens
from game.views.cookies import CONTINUE, UNFINISHED
from tests.support.device import FORM, Device
from tests.support.features import any_pages, ended_pages
from tests.support.matches import address, ended, opening, saved_at
from tests.support.page import Page, token_in

OF_THIS_SITE = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
POLICY = [
    *(f"{of} 'none'" for of in ("base-uri", "default-src", "frame-ancestors", "object-src")),
    *(f"{of}-src 'self'" for of in ("connect", "img", "manifest", "script", "style")),
    "form-action 'self'",
]
GUARD = {
    "Referrer-Policy": "strict-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def of_every_kind(client: Device) -> list[tuple[int, Page]]:
    """Answers of every status that the site gives, each with the status that it should have."""
    where, over = address(opening()), ended()
    replay, film = address(over, page="replay"), f"/en/film/{seal_replay(over)}/"
    pages = {
        200: f"""/en/ /de/rules/ /en/new/bonn/ /en/manifest.webmanifest /robots.txt /healthz /readyz
                 /static/game/site.css {where} {where}settings/ {replay} {film}""",
        302: f"/ {where.replace('play', 'replay')} {where.replace('play', 'record')}",
        400: f"{film[:-2]}/ /en/play/broken/ /en/replay/broken/ /en/record/broken/",
        404: "/en/nowhere/ /wait/nobody/ /static/nothing.css",
    }
    forms = {
        303: [{"hints": "on"}, {"cell": "B7"}],
        413: [{"cell": "A" * 20_000}],
        422: [{"cell": "Z9"}],
    }
    settings = f"{where}settings/"
    return [
        *((status, client.get(at)) for status in pages for at in pages[status].split()),
        *((status, client.post(where, form)) for status in forms for form in forms[status]),
        (303, client.post(settings, {"theme": "dark"})),
        (422, client.post(settings, {"theme": "purple"})),
        (403, client.post(where, headers={"origin": "null"})),
        (415, client.post(where, "{}", "application/json")),
        (405, client.request("PUT", where)),
        *((405, client.post(at)) for at in (film, "/en/", "/", replay)),
        *((405, client.post(address(over, page=name))) for name in ended_pages()),
    ]


# --- headers ---


def test_every_answer_of_every_status_carries_exactly_this_guard_and_no_cookie_more(
    client: Device,
) -> None:
    for status, answer in of_every_kind(client):
        asked = answer.where
        assert answer.status == status, asked
        directives = re.split("; ?", answer.headers["Content-Security-Policy"])
        assert sorted(directives) == sorted(POLICY), asked
        assert {name: answer.headers.get(name) for name in GUARD} == GUARD, asked
        assert "Strict-Transport-Security" not in answer.headers
        assert "Server-Timing" not in answer.headers
        assert "ETag" not in answer.headers or "/static/" in asked
        kept = {"preferences", UNFINISHED.name, CONTINUE.name} if status == 303 else {"language"}
        assert set(answer.cookies) <= kept
    cookie = client.get("/de/", headers={"accept-language": "en"}).cookies["language"]
    assert (cookie.value, cookie["samesite"], cookie["httponly"]) == ("de", "Lax", True)


def test_a_plain_request_is_sent_to_https_but_a_proxys_own_questions_are_answered(
    client: Device, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
    assert client.get("/en/").location == "https://localhost/en/"
    for where in ("/healthz", "/readyz"):
        assert client.get(where, headers={"host": "10.0.0.7"}).status == 200


# --- methods and bodies ---


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "PROPFIND", "X"])
def test_no_method_but_get_head_and_post_is_taken(client: Device, method: str) -> None:
    for where in ("/", "/en/", "/en/new/bonn/", address(opening())):
        answer = client.request(method, where)
        taken = "GET, HEAD, POST" if "new" in where or "play" in where else "GET, HEAD"
        assert (answer.status, answer.headers["Allow"]) == (405, taken)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data; boundary=x",
         b'--x\r\nContent-Disposition: form-data; name="cell"\r\n\r\nB7\r\n--x--\r\n'),
        ("multipart/mixed", b"cell=B7"),
        ("application/json", b'{"cell": "B7"}'),
        ("application/json; charset=utf-8", b'{"cell": "B7"}'),
        ("text/plain", b"cell=B7"),
        ("application/xml", b"<cell>B7</cell>"),
        ("nonsense", b"\0" * 40),
        (f"{FORM}; charset=ISO-8859-1", b"cell=B7"), (f"{FORM};charset=utf-16", b"c\0e\0"),
        (f'{FORM}; charset="windows-1252"', b"cell=B7"),
    ],
)  # fmt: skip
def test_a_body_that_no_form_of_the_site_sends_is_refused_by_its_name(
    client: Device, content_type: str, body: bytes
) -> None:
    """B11"""
    kind = re.split(r"charset=|;", content_type.removeprefix(f"{FORM};"))[-1].strip(' "')
    kind = kind if FORM in content_type else content_type.partition(";")[0]
    said = f"This site reads {FORM}; charset=utf-8, but this is “{kind}”."
    for where in (address(opening()), "/en/new/bonn/", "/de/watch/bonn/"):
        answer = client.post(where, body, content_type=content_type)
        if where.startswith("/de/"):
            said = f"Diese Website liest {FORM}; charset=utf-8, aber das ist „{kind}“."
        assert (answer.status, answer.says) == (415, said)
    headers = {"accept": "application/json"}
    answer = client.post(address(opening()), body, content_type=content_type, headers=headers)
    assert kind in answer.json()["status"]


@pytest.mark.parametrize(
    "charset", ["utf8", "UTF8", "utf-8", '"UTF-8"', "utf_8", "us-ascii", "ascii", ""]
)
def test_a_form_is_read_however_its_character_set_is_spelt(client: Device, charset: str) -> None:
    """B11"""
    kind = f"{FORM}; charset={charset}" if charset else FORM
    answer = client.post(address(opening()), b"cell=B7", content_type=kind)
    assert answer.status == 303
    assert [it.cell for it in saved_at(answer.location).match.shots[:1]] == [61]


@pytest.mark.parametrize("headers", [{}, {"hx-request": "true"}, {"accept": "application/json"}])
def test_a_form_is_sent_again_to_the_whole_address(
    client: Device, settings: Settings, headers: dict[str, str]
) -> None:
    """B10: without the final slash, without the language, and without https."""
    where = address(opening())
    led = {where[:-1]: (308, where), f"{where[:-1]}?a=b": (308, f"{where}?a=b"),
           where.removeprefix("/en"): (307, where), where[:-1].removeprefix("/en"): (307, where),
           "/en/new/short": (308, "/en/new/short/")}  # fmt: skip
    for asked, to in led.items():
        answer = client.post(asked, {"cell": "B7"}, headers=headers)
        assert (answer.status, answer.location) == to
    assert client.get(where[:-1], headers=headers).status == 301
    settings.SECURE_SSL_REDIRECT = True
    answer = client.post(where, {"cell": "B7"}, headers=headers)
    assert (answer.status, answer.location) == (308, f"https://localhost{where}")


@pytest.mark.parametrize(
    ("header", "value"),
    [
        *(("origin", value) for value in ("https://evil.example", "null", "http://[evil")),
        *(("sec-fetch-site", value) for value in ("cross-site", "same-site")),
    ],
)
def test_a_form_from_another_site_is_refused_in_the_language_of_its_address(
    client: Device, header: str, value: str
) -> None:
    for language, said in (
        ("de", "Zu deiner Sicherheit nimmt diese Website Züge nur von ihren eigenen Seiten an."),
        ("en", "For your safety, this site takes moves from its own pages only."),
    ):
        where = f"/{language}/new/bonn/"
        answer = client.post(where, {"action": "quick"}, headers={header: value})
        assert (answer.status, answer.says) == (403, said)


@pytest.mark.parametrize(
    ("status", "bodies"),
    [
        (303, ["cell=B7", "cell=B7&" * 20]),
        (400, ["x=1&" * 301]),
        (413, ["cell=" + "A" * 16_400]),
        (422, ["", "cell=%00", "cell=%D9%A1", "cell=%FF%FE", "cell=-1", "cell=100"]),
    ],
)
def test_a_form_is_taken_or_refused_by_what_it_holds(
    client: Device, status: int, bodies: list[str]
) -> None:
    client.client.raise_request_exception = False
    for body in bodies:
        answer = client.post(address(opening()), body, FORM, headers=OF_THIS_SITE)
        assert answer.status == status
        assert "Traceback" not in answer


@pytest.mark.parametrize(
    ("host", "own", "foreign"),
    [
        ("localhost", "http://localhost https://localhost:443", "https://localhost:8000 null"),
        ("localhost:443", "https://localhost http://localhost:443", "http://localhost:444"),
        ("localhost:8443", "https://localhost:8443", "https://localhost http://localhost:443"),
        ("[::1]:8000", "http://[::1]:8000", "http://[::1] http://[::2]:8000"),
    ],
)
def test_the_origin_of_a_form_is_compared_with_the_host(
    client: Device, host: str, own: str, foreign: str
) -> None:
    where = address(opening())

    def status(origin: str, **site: str) -> int:
        headers = {"host": host, "origin": origin, **site}
        return client.post(where, {}, headers=headers).status

    assert {origin: status(origin) for origin in own.split()} == dict.fromkeys(own.split(), 422)
    assert {status(origin) for origin in foreign.split()} == {403}
    sites = "same-origin", "same-site", "none", "cross-site", "x"
    assert [status("null", sec_fetch_site=site) for site in sites] == [422, *[403] * 4]


def test_an_unknown_host_is_one_sentence_for_the_player_and_one_line_for_the_operator(
    client: Device, caplog: pytest.LogCaptureFixture
) -> None:
    where, host = address(opening()), "evil\n/play/1ab" + 200 * "c"
    headers = {"host": host, "x-request-id": "5f2c-91d0"}
    answer = client.get(where.replace("/en/", "/de/"), headers=headers)
    assert (answer.status, len(answer.splitlines())) == (400, 1)
    assert answer.startswith("Unter diesem Namen antwortet diese Website nicht.")
    (line,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    shown = "refused a request for the host 'evil??play?…'"
    assert line.getMessage() == f"{shown}, which BATTLESHIP_HOSTS doesn't name [5f2c-91d0]"


# --- production ---


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.json"
    secrets.write(path, secrets.make())
    return path


def test_a_key_older_than_ninety_days_and_a_file_that_others_may_read_are_errors(
    path: Path, settings: Settings
) -> None:
    def told() -> list[tuple[str | None, str]]:
        return [(error.id, error.msg) for error in checks.check_keys(None)]

    settings.SECRETS_FILE = path
    found, today = secrets.load(path, may_create=False), datetime.now(UTC).date()
    old = ("game.E002", "the key that seals is 91 days old")
    for age, errors in ((0, []), (90, []), (91, [old])):
        found["keys"][0]["made"] = str(today - timedelta(age))
        secrets.write(path, found)
        assert told() == errors
    found["keys"][0].pop("made")
    secrets.write(path, found)
    assert told() == [("game.E002", "the key that seals doesn't say when it was made")]
    path.chmod(0o604)
    assert [error_id for error_id, _said in told()] == ["game.E001"]


# --- readiness and counters ---


def test_a_process_without_keys_lives_but_is_not_ready(
    client: Device, settings: Settings, tmp_path: Path
) -> None:
    assert client.get("/readyz", headers={"host": "anything"}).content == b"ready\n"
    for content in (None, "", "{}", '{"secret_key": "x", "keys": []}'):
        settings.SECRETS_FILE = tmp_path / "secrets.json"
        if content is not None:
            settings.SECRETS_FILE.touch(mode=0o600)
            settings.SECRETS_FILE.write_text(content)
        answer = client.get("/readyz")
        assert (answer.status, answer.content) == (503, b"no keys\n")
        assert client.get("/healthz").content == b"ok\n"


def test_moves_refusals_thinking_and_sealing_are_counted(client: Device) -> None:
    reasons = ("seal", "spelling", "key", "version", "form", "action", "foreign")
    samples = {reason: ("battleship_refusals_total", {"reason": reason}) for reason in reasons}
    samples["fire"] = "battleship_moves_total", {"action": "fire"}
    samples["mind"] = "battleship_mind_seconds_count", {"mind": "random"}

    def counts() -> dict[str, float]:
        return {what: REGISTRY.get_sample_value(*it) or 0.0 for what, it in samples.items()}

    where = address(opening())
    token, before = token_in(where), counts()
    client.post(where, {"cell": "B7"})
    client.post(where, {"cell": "Z7"})
    client.post(where, {"cell": "A" * 20_000})
    client.post(where, {}, headers={"origin": "null"})
    client.post(where, b"{}", content_type="application/json")
    last = "A" if token[-9] != "A" else "B"
    version, key, more = urlsafe_b64decode(token[:4])
    heads = ((version ^ 1, key, more), (version, key ^ 1, more))
    others = [f"{urlsafe_b64encode(bytes(head)).decode()}{token[4:]}" for head in heads]
    for bad in (f"{token[:-9]}{last}{token[-8:]}", "x", *others):
        client.get(f"/en/play/{bad}/")
    change = {what: now - before[what] for what, now in counts().items()}
    assert change == dict.fromkeys(before, 1) | {"form": 2}


def test_the_counters_are_at_a_port_of_their_own_and_nowhere_else(client: Device) -> None:
    def site(environ: Any, start_response: Any) -> Any:
        start_response("404 Not Found", [])
        return [b"the site"]

    def ask(application: Any, port: Any) -> Any:
        said = {"SERVER_PORT": port, "REQUEST_METHOD": "GET", "PATH_INFO": "/metrics"}
        return b"".join(application(said, lambda *head: None))

    both = metrics.with_metrics(site, "9464")
    assert b"battleship_moves_total" in ask(both, "9464")
    assert ask(both, "8000") == b"the site"
    assert metrics.with_metrics(site, "") is site
    assert client.get("/metrics").status == 404


# --- logs ---


SMALL = "?columns=6&rows=6&fleet=3-2&moving=off&opponent=random"


def test_no_log_holds_a_piece_of_a_token_after_two_games_and_many_errors(
    client: Device, caplog: pytest.LogCaptureFixture
) -> None:
    """Captures every log at level DEBUG, with tracebacks."""
    stream, issued, asked = io.StringIO(), set(), 0
    handler = logging.StreamHandler(stream)
    handler.addFilter(NoTokens())
    handler.setFormatter(Json())
    client.client.raise_request_exception = False
    with pytest.MonkeyPatch.context() as patch:
        for name in (None, "django"):
            logger = logging.getLogger(name)
            patch.setattr(logger, "handlers", [*logger.handlers, handler])
            caplog.set_level(logging.DEBUG, name)
        for game in range(2):
            where = client.pressed(f"/en/new/own/{SMALL}", {"action": "quick"})
            issued.add(token_in(where))
            while (match := saved_at(where).match).outcome is None:
                cell = observe(match, match.side).targets[0]
                where = client.pressed(where, {"cell": match.ruleset.board.name(cell)})
                issued.add(token_in(where))
            public_replay = seal_replay(saved_at(where))
            issued.add(public_replay)
            asked += errors(client, where, game) + shared_replays(client, public_replay)
    assert asked >= 25
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(lines) >= asked
    assert any("/en/play/…" in line["message"] for line in lines)
    assert any("RuntimeError: at fault" in line.get("traceback", "") for line in lines)
    # What a token is written with, in runs as long as a piece: all else is soon passed over.
    runs = re.findall(r"[A-Za-z0-9_-]{16,}", stream.getvalue())
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", token) for token in issued)
    windows = {run[at : at + 16] for run in set(runs) for at in range(len(run) - 15)}
    pieces = {token[at : at + 16] for token in issued for at in range(len(token) - 15)}
    assert not windows & pieces


def shared_replays(client: Device, token: str) -> int:
    """Sends the token of a shared replay to addresses of all kinds; returns how many refused it."""
    assert client.get(f"/en/film/{token}/").status == 200
    pages = ("play", *ended_pages(), *any_pages())
    asked = [f"/en/film/{token[:-4]}/", f"/de/film/{token[4:]}/"]
    asked += [f"/en/{page}/{token}/" for page in pages]
    assert {client.get(where).status for where in asked} == {400}
    return len(asked)


def errors(client: Device, where: str, game: int) -> int:
    """Sends requests of every bad kind, each with a token or a piece of it; returns how many."""
    token = token_in(where)
    cut = f"/en/play/{token[: 20 + game]}/"
    asked = [
        client.get(cut), client.get(f"/de/place/{token}/"), client.get(f"/en/replay/{token[9:]}/"),
        client.post(where, {"cell": "Z9"}), client.request("PUT", where), client.get(f"{where}x/"),
        client.post(where, {"cell": "A" * 20_000}), client.get(where, headers={"host": "evil"}),
        client.post(where, {}, headers={"origin": f"http://localhost{where}"}),
        client.post(f"{where}settings/", {"theme": "purple"}), client.get(f"{cut}settings/x/"),
    ]  # fmt: skip
    statuses = "400 400 400 422 405 404 413 400 422 422 404"
    assert " ".join(str(answer.status) for answer in asked) == statuses
    with pytest.MonkeyPatch.context() as patch:

        def fault(*given: Any) -> None:
            raise RuntimeError(f"at fault: {where}")

        patch.setattr("game.matches.keyring.unseal", fault)
        assert client.get(where).status == 500
    return len(asked) + 1
