"""A visitor's preferences, and their page, which leads back to the page before it."""

from dataclasses import replace

import pytest

from game.views.preferences import DEFAULTS, NotAPreference
from tests.support import in_both_languages
from tests.support.device import Device
from tests.support.matches import address, opening, saved_at


def preferring(**chosen: str) -> Device:
    client = Device()
    client.prefer(**chosen)
    return client


def test_a_form_changes_what_it_says_and_keeps_the_rest() -> None:
    begun = replace(DEFAULTS, sound="on", theme="dark")
    assert begun.changed({"theme": "light", "cell": "B7"}) == replace(begun, theme="light")
    with pytest.raises(NotAPreference, match="not a theme: 'purple'"):
        begun.changed({"theme": "purple"})


# --- what pages make of it ---


def test_a_page_comes_with_the_theme_that_was_chosen_and_says_so_to_caches(client: Device) -> None:
    plain = client.get("/en/rules/")
    assert '<meta name="color-scheme" content="light dark">' in plain
    assert 'media="(prefers-color-scheme: dark)"' in plain
    html = preferring(theme="dark", speed="relaxed", aim_first="on").get("/en/rules/")
    assert '<html lang="en" data-theme="dark" data-speed="relaxed" data-aim_first="on">' in html
    assert '<meta name="color-scheme" content="dark">' in html
    assert html.search(r'content="#0a1219" data-of="dark"\s+media="all"')
    assert html.search(r'content="#e9e4d7" data-of="light"\s+media="not all"')
    assert "Cookie" in html.headers["Vary"]


def test_the_button_that_fires_is_there_for_those_who_aim_first(client: Device) -> None:
    where = address(opening())
    assert "act-fire" not in client.get(where)
    client = preferring(aim_first="on")
    assert 'data-words="Fire {cell}"' in client.get(where)
    assert client.post(where, {"cell": "B7"}).status == 303  # and the form is what it was


# --- the rank chosen last ---


def opponent(client: Device, where: str) -> str:
    """Returns the mind against which a placing page would begin a match."""
    return saved_at(client.post(f"/en/new/{where}", {"action": "quick"}).location).setup.opponent


def test_the_rank_chosen_last_is_chosen_next_time_in_every_game() -> None:
    client = preferring(theme="dark")
    assert opponent(client, "bonn/?opponent=captain") == "captain"
    assert client.preferred == {"theme": "dark", "rank": "captain"}
    assert opponent(client, "bonn/") == opponent(client, "milton/") == "captain"
    assert client.get("/de/setup/salvo/").search(r'value="captain"\s+checked')
    assert opponent(client, "bonn/?opponent=recruit") == "recruit"
    assert client.preferred == {"theme": "dark", "rank": "recruit"}
    client.post("/en/new/bonn/?players=2", {"action": "quick"})
    client.post("/en/settings/", {"theme": "light"})
    assert client.preferred == {"theme": "light", "rank": "recruit"}
    assert "data-rank" not in client.get("/en/"), "no page tells its styles"


def test_play_now_begins_the_length_that_was_chosen_last() -> None:
    client = preferring(rank="captain")
    for asked, kept in (("short", {"length": "short"}), ("bonn", {})):
        where = client.post("/en/new/bonn/", {"action": "quick", "preset": asked}).location
        setup = saved_at(where).setup
        assert (setup.preset.name, setup.opponent) == (asked, "captain")
        assert client.preferred == {"rank": "captain", **kept}
        assert client.get("/en/").all(r'name="preset" value="(\w+)" checked') == [asked]
    assert client.post("/en/new/bonn/", {"action": "quick", "preset": "x"}).status == 404
    client.post("/en/new/short/", {"action": "quick"})
    assert client.preferred == {"rank": "captain"}, "not by the switch"


# --- the page of settings ---


def test_settings_are_kept_for_a_year_in_one_cookie_that_no_script_reads(client: Device) -> None:
    answer = client.post("/en/settings/", {"theme": "dark", "sound": "on", "volume": "80"})
    assert (answer.status, answer.location) == (303, "/en/")
    assert set(answer.cookies) == {"preferences"}
    kept = answer.cookies["preferences"]
    assert client.preferred == {"theme": "dark", "sound": "on", "volume": "80"}
    assert (kept["samesite"], kept["httponly"], kept["path"]) == ("Lax", True, "/")
    assert (kept["max-age"], kept["secure"]) == (365 * 24 * 60 * 60, "")
    html = client.get("/de/settings/")
    for field, value in (("theme", "dark"), ("sound", "on"), ("start_at_last", "game")):
        assert f'name="{field}" value="{value}" checked' in html
    secure = client.post("/en/settings/", {"theme": "system"}, secure=True)
    assert secure.cookies["preferences"]["secure"] is True
    assert client.preferred == {"sound": "on", "volume": "80"}


@in_both_languages
def test_settings_that_are_not_offered_are_refused_in_one_sentence(
    client: Device, language: str
) -> None:
    answer = client.post(f"/{language}/settings/", {"theme": "purple"})
    said = {"en": "That is not one of the choices.", "de": "Das steht nicht zur Wahl."}
    assert (answer.status, answer.says) == (422, said[language])
    assert "preferences" not in answer.cookies


def test_every_page_leads_to_settings_that_lead_back_to_it(client: Device) -> None:
    playing = address(opening(), language="de")
    for where in ("/en/", "/de/rules/", "/en/new/own/?columns=8&rows=8", playing):
        link = client.get(where).first(r'id="settings".*?href="([^"]*)"')
        assert link.startswith(where.partition("?")[0])
        assert client.get(link).first(r'class="settings".*?action="([^"]*)"') == link
        answer = client.post(link, {"theme": "light"})
        assert (answer.status, answer.location) == (303, where)


def test_the_settings_of_a_match_keep_it_in_the_other_language_and_are_kept_by_nobody(
    client: Device,
) -> None:
    where = address(opening())
    answer = client.get(f"{where}settings/")
    other = answer.first(r'href="([^"]*)" lang="de"')
    assert other == f"/de{where.removeprefix('/en')}settings/"
    for page in (answer, client.see(other), client.see("/en/settings/")):
        assert page.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "back",
    ["nowhere/", "/evil.example/", "https://evil.example/", "//evil.example/", "..//evil.example/",
     "%2F%2Fevil.example/", "%0D%0ALocation:x/", "new/bonn/x/", "rules"],
)  # fmt: skip
def test_settings_lead_back_to_pages_of_the_site_only(client: Device, back: str) -> None:
    where = f"/en/{back}settings/"
    for answer in (client.get(where), client.post(where, {"theme": "dark"})):
        assert answer.status == 404
        assert not answer.cookies
        assert "Location" not in answer.headers
