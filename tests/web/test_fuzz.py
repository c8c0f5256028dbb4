"""Requests that no browser would send.

Each failure names the seed it was found with. `make fuzz` and `make soak` go on for longer.
"""

import random
import re
from collections import Counter
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from game.engine.presets import PRESETS
from game.feature_list import words
from game.views.cookies import CONTINUE, UNFINISHED
from tests.support import times
from tests.support.device import Device
from tests.support.features import brought, merged
from tests.support.golden import samples, sealed

pytestmark = [pytest.mark.fuzz, pytest.mark.django_db]


WORDS = [
    "", "A1", "B7", "J10", "K11", "Z99", "a1", "٣", "-1", "100", "\0", "é" * 30, "on", "off",
    "friend", "join", "rematch", "again", "shown", "resign-yes", "ask",
    "A1 B2", "C3-4", "3@E5", "A1 water, B7 hit, sunk 3 at E5", "sunk",
    "stay", "0-fore", "3-aft", "99-fore", "0-sideways", "show", "quick", "start", "random", "clear",
    "v", "h", "5", "0", "A3v5", "D2h4", "Z9h2", "nonsense", "<script>", "%00", "9" * 400, "\ud7ff",
    "🚢",
]  # fmt: skip
NAMES = [
    "cell", "steer", "action", "hints", "place", "pick", "direction", "ship", "turn", "step",
    "opponent", "against", "players", "name", "columns", "rows", "fleet", "n5", "name1", "strength",
    "x", "", "__proto__", "ask_from", "ask_to", "questions", "water", "hit", "sunk", "sea", "line",
    "brush", "length", "from",
]  # fmt: skip
HEADERS = [
    ("HX-Request", ["true", "false", "\x7f"]),
    ("HX-Current-URL", ["http://localhost/en/play/x/", "javascript:1", "%"]),
    ("HX-Boosted", ["true"]),
    ("Origin", ["http://localhost", "null", "https://evil.example", "http://[", ""]),
    ("Sec-Fetch-Site", ["same-origin", "none", "cross-site", "x"]),
    (
        "Cookie",
        ["seats=", "language=de", "language=xx", "language=" + "a" * 999, ";;=;", "csrftoken=x"],
    ),
    ("Accept", ["application/json", "*/json;q=x", "application/json," * 99]),
    ("Accept-Language", ["de", "en;q=0", "*;q=x," * 99, "x" * 5000]),
    ("Accept-Encoding", ["gzip", "br", "identity;q=0"]),
    ("Host", ["localhost", "evil.example", "localhost:99999", "[", "LOCALHOST."]),
    ("If-None-Match", ['"x"', "*"]),
    ("Range", ["bytes=0-", "bytes=9-1"]),
    ("X-Forwarded-Proto", ["https", "x"]),
]
BODIES = ["application/x-www-form-urlencoded"] * 12 + [
    "", "multipart/form-data; boundary=x", "application/json", "text/plain; charset=utf-16",
    "application/x-www-form-urlencoded; charset=utf-7",
    "application/x-www-form-urlencoded; charset=x",
]  # fmt: skip
METHODS = ["POST"] * 16 + ["GET"] * 6 + ["HEAD", "PUT", "TRACE", "OPTIONS", "DELETE", "X"]
SOUND = [("hints", "on"), ("action", "show"), ("action", "random"), ("action", "quick"), ("x", "")]
"""The fields that most matches or drafts accept."""


PAGES = {
    "play": ("bonn", "learning", "shares", "questions", "own rules"),
    "replay": ("two persons, given up",),
    "film": ("replay",),
    "place": ("draft", "draft, of the second", "draft, committed"),
}
"""Samples whose tokens are in the addresses of each page."""


@cache
def addresses() -> list[str]:
    found = samples()
    pages = [(f"{page}/{{}}/", name) for page, names in PAGES.items() for name in names]
    pages += [(page, name) for name, page in merged("FUZZED").items()]
    games = [page.format(sealed(name, found[name])) for page, name in pages]
    games += [path for paths in brought("PATHS").values() for path in paths]
    return [f"/{language}/{game}" for language in ("en", "de") for game in games]


def request(chance: random.Random) -> dict[str, Any]:
    """Returns a random request; more than half of them go to the address of an existing match."""
    where = chance.choice(addresses())
    match chance.randrange(8):
        case 0:
            where = where.replace(where.split("/")[3], quote(chance.choice(WORDS), safe=""))
        case 1:
            at = chance.randrange(len(where))
            where = where[:at] + chance.choice("A/%?&é~.") + where[at + 1 :]
        case 2:
            preset = chance.choice([*PRESETS, "nothing"])
            where = (
                f"/{chance.choice(['en', 'de', 'xx'])}/{chance.choice(['new', 'setup'])}/{preset}/"
            )
        case 3:
            where = "/continue/"
    fields = [(chance.choice(NAMES), chance.choice(WORDS)) for _ in range(chance.randrange(4))]
    if chance.random() < 0.5:
        fields = [
            chance.choice(SOUND),
            ("cell", f"{chance.choice('ABCDEFGHIJ')}{chance.randint(1, 10)}"),
        ]
    if chance.random() < 0.3:
        where += "&" if "?" in where else "?"
        where += urlencode([(chance.choice(NAMES), chance.choice(WORDS))])
    body = urlencode(fields).encode()
    if chance.random() < 0.1:
        body = chance.choice([b"\xff\xfe=\x00", b"{}", b"x=1&" * 400, b"cell=" + b"A" * 17_000])
    some = chance.sample(HEADERS, chance.randrange(3))
    cookies = "; ".join(cookie() for cookie in brought("fuzz_cookie").values())
    seated = {"cookie": cookies, "origin": "http://localhost"}
    headers = seated if chance.random() < 0.3 else {}
    if where == "/continue/":
        _, _, view, token, *_ = chance.choice(addresses()).split("/")
        headers = {"cookie": f"{CONTINUE.name}={CONTINUE.text((view, token))}"}
    return {
        "method": chance.choice(METHODS), "where": where, "data": body,
        "content_type": chance.choice(BODIES),
        "headers": {"host": "localhost", **headers}
        | {name: chance.choice(values) for name, values in some},
    }  # fmt: skip


def is_at(asked: dict[str, Any], *pages: str) -> bool:
    """Whether a request names one of the pages."""
    return bool(re.search(f"/({'|'.join(pages)})/", where_of(asked)))


def where_of(asked: dict[str, Any]) -> str:
    return str(asked["where"]).split("?")[0]


@pytest.mark.parametrize("seed", range(times(2, 40, 800)))
def test_no_request_is_answered_by_a_fault_and_each_answer_is_guarded(
    client: Device, seed: int
) -> None:
    client.client.raise_request_exception = False
    chance, found = random.Random(f"requests/{seed}"), Counter[int]()
    for _ in range(125):
        asked = request(chance)
        answer = client.request(**asked)
        client.cookies.clear()
        found[answer.status] += 1
        assert answer.status < 500, asked
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'"), asked
        # Starting a match keeps its rank, each action keeps the match, and one of two persons at
        # one device sees the result of an own action without the curtain; features keep more.
        may_start = asked["method"] == "POST" and answer.status < 400
        kept = {"language", "preferences"} if may_start else {"language"}
        if may_start or where_of(asked).startswith("/continue/"):
            kept |= {UNFINISHED.name, CONTINUE.name}
        may_keep = [
            ("wrecks", ("play",)),
            *(it for kept in brought("KEPT").values() for it in kept),
        ]
        kept |= {name for name, pages in may_keep if is_at(asked, *pages)}
        if may_start and re.search("/(new|place|play)/", where_of(asked)):
            kept |= {"uncovered"}
        assert set(answer.cookies) <= kept, asked
        if re.search(
            "/(continue|new|place|play|replay|watch|film|"
            f"{'|'.join((*words('token_pages'), *words('match_pages')))})/",
            where_of(asked),
        ):
            is_card = answer.status == 200 and where_of(asked).endswith("/card.png")
            assert (answer.headers["Cache-Control"] == "no-store") is not is_card, asked
        assert b"Traceback" not in answer.content, asked
    assert found[200] + found[303] > 5, found
    assert {400, 405, 422} <= set(found), found
