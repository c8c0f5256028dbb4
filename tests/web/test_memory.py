"""What a browser remembers: signed cookies, of which a bad one is as none."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from game.display.unfinished import Unfinished
from game.matches.daily import preset_of
from game.matches.results import MOST_ENTRIES, MOST_RESULT, Results
from game.views.cookies import CONTINUE, RESULTS, UNCOVERED, UNFINISHED
from game.views.preferences import CHOICES, PREFERENCES, Preferences
from game.views.wrecks import ASKED
from game.web.forms import clean_name
from game.web.memory import MOST_TEXT, Memory, plain_cookies
from tests.support.days import DAY, GAMES, NOON, TODAY, acted, begun
from tests.support.device import Device
from tests.support.features import brought, merged

NOTE = Memory[tuple[str, ...]]("note", (), list, tuple, seconds=60)
CHOSEN = st.builds(Preferences, **{name: st.sampled_from(CHOICES[name]) for name in CHOICES})
LAST = Unfinished("bonn", "admiral", "you", "3f2a9c11")


@given(st.lists(st.text()).map(tuple))
def test_a_value_is_read_as_it_was_written_and_needs_no_quotes(value: Any) -> None:
    text = NOTE.text(value)
    assert NOTE.value(text) == value
    assert re.fullmatch(r"[\w.:-]+", text, re.ASCII)


@given(CHOSEN)
def test_preferences_are_read_as_they_were_chosen(chosen: Any) -> None:
    named = replace(chosen, name="Änne")
    assert PREFERENCES.value(PREFERENCES.text(named)) == named


@pytest.mark.parametrize(
    "text",
    ["", "x", "theme:dark", "é" * 9, "a:b:c", NOTE.text(("a",))[:-1], "." + NOTE.text(("a",)),
     PREFERENCES.text(Preferences(theme="dark"))],
)  # fmt: skip
def test_any_other_text_is_as_none(text: str) -> None:
    assert NOTE.value(text) == ()


@pytest.mark.parametrize(
    ("memory", "found"),
    [(PREFERENCES, []), (PREFERENCES, {"name": 7}), (UNFINISHED, ["bonn"]),
     (UNFINISHED, ["nothing", *LAST[1:]]), (RESULTS, [[1]]), (RESULTS, 5), (CONTINUE, None)],
)  # fmt: skip
def test_what_another_version_signed_is_as_none(memory: Memory[Any], found: Any) -> None:
    text = signing.Signer(salt=memory.name).sign_object(found)
    assert memory.value(text) == memory.default


def test_a_cookie_is_set_where_something_is_new_and_none_holds_the_default() -> None:
    request, response = RequestFactory().get("/", secure=True), HttpResponse()
    NOTE.keep(request, response, ())
    assert not response.cookies
    NOTE.keep(request, response, ("a",))
    kept = response.cookies["note"]
    assert (kept["max-age"], kept["path"], kept["samesite"]) == (60, "/", "Lax")
    assert (kept["httponly"], kept["secure"], kept["domain"]) == (True, True, "")
    request.COOKIES["note"], again = kept.value, HttpResponse()
    NOTE.keep(request, again, ("a",))
    assert not again.cookies
    for forgotten in ((), tuple(map(str, range(2_000)))):
        NOTE.keep(request, again, forgotten)
        assert again.cookies.pop("note")["max-age"] == 0


def test_cookies_of_other_sites_are_not_decoded() -> None:
    header = 'a=1; b="\\303\\"; theme = x=y ;; c; \\"=2; note=é'
    found = {"a": "1", "b": '"\\303\\"', "theme": "x=y", '\\"': "2", "note": "é"}
    assert plain_cookies(header) == found
    client = Device(headers={"cookie": 'x="' + "\\" * 15_000 + f'"; {PREFERENCES.name}=y'})
    assert client.get("/en/").status == 200


# --- all together ---


ON_ABOUT = {
    "language": "your language", "preferences": "your settings",
    RESULTS.name: "your results of up to 32", UNFINISHED.name: "you have not finished",
    CONTINUE.name: "you have not finished", UNCOVERED.name: "20 seconds",
    ASKED.name: "a shot at a wreck", **merged("ON_ABOUT"),
}  # fmt: skip
"""What the page about the game says of each cookie."""
MOST_IN_HEADER = 8_190
"""The longest header line that proxies accept without settings of their own."""


@pytest.mark.usefixtures("chain_file")
def test_all_cookies_together_fit_into_a_header(client: Device, clock: list[datetime]) -> None:
    sundays = (TODAY + number * DAY for number in range(99))
    sunday = next(day for day in sundays if preset_of(day) == "bonn")
    for number in range(-3, 3):
        clock[0] = datetime.combine(sunday + number * DAY, NOON.timetz())
        for game in GAMES.values():
            where = begun(client, f"/en/{game.page}")
            acted(client, where, *game.misses(where, 40))
    days = {name: it.value for name, it in client.cookies.items() if it.value and "-20" in name}
    assert {*days} == {
        f"{game.cookie}{sunday + number * DAY}" for game in GAMES.values() for number in (1, 2)
    }
    usual, many = Preferences(), Results()
    chosen = {
        name: max((one for one in values if one != getattr(usual, name)), key=len)
        for name, values in CHOICES.items()
    }
    name = clean_name("\N{HIRAGANA LETTER A}" * 20)
    for number in range(MOST_ENTRIES):
        many = many.with_first(number % 3, str(number), MOST_RESULT - number)
    cookies = {
        **days,
        **{
            name: it
            for found in brought("longest_cookies").values()
            for name, it in found().items()
        },
        "preferences": PREFERENCES.text(replace(usual.changed(chosen), name=name)),
        "language": "de",
        UNFINISHED.name: UNFINISHED.text(LAST),
        RESULTS.name: RESULTS.text(many),
        UNCOVERED.name: UNCOVERED.text("0" * 32),
        ASKED.name: ASKED.text(tuple(f"{number:08x}" for number in range(5))),
        CONTINUE.name: "A" * MOST_TEXT,
    }
    sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
    assert len(f"Cookie: {sent}") < MOST_IN_HEADER
    client.cookies.load(cookies)
    for where in ("", "settings/", "about/", "new/bonn/"):
        assert client.get(f"/en/{where}", follow=True).status == 200
    about = client.get("/en/about/")
    assert all(phrase in about for phrase in ON_ABOUT.values())
    assert ON_ABOUT.keys() == {re.sub(r"\d.*", "", name) for name in cookies}
