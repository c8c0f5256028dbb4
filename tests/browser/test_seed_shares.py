"""The shares of a seed in the browser: it draws its own, keeps a hash, and checks both."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.support.browser import OpenPage, answered, cell, fire, loaded, unfold
from tests.support.browser_matches import enemy_water, saved_at

NEW = "/en/new/milton/?opponent=random"
HOLDS = "it follows from its own half and from the server’s, whose fingerprint it was shown before"
UNSEEN = "None of its own is among them"
BREAKS = "do not trust this match"


def begin(page: Page) -> None:
    """Has a fleet placed, and starts."""
    for name in ("#act-random", "#act-start"):
        with answered(page):
            page.locator(name).click()


def give_up(page: Page) -> None:
    unfold(page)
    for name in ("#act-resign", "#act-resign-yes"):
        with answered(page):
            page.locator(name).click()


def result(page: Page) -> str:
    """What the browser says of the shares at the end."""
    page.locator(".more-figures > summary").click()
    page.locator("details.fair summary").click()
    found = page.locator("[data-halves-result]")
    expect(found).not_to_be_empty()
    return found.inner_text()


def own_share(page: Page) -> str:
    """The share that the browser has drawn for the match that this page starts."""
    shown = page.locator("[data-half] code")
    expect(shown).to_have_text(re.compile("^[0-9a-f]{32}$"))
    return shown.text_content() or ""


def forms(page: Page) -> list[dict[str, list[str]]]:
    """What the page sends from now on, as the server gets it."""
    found: list[dict[str, list[str]]] = []

    def add(request: Request) -> None:
        if request.method == "POST":
            found.append(parse_qs(request.post_data or "", keep_blank_values=True))

    page.on("request", add)
    return found


def seed_shares_in(found: list[dict[str, list[str]]]) -> list[str]:
    return [form["half"][0] for form in found]


def forging(page: Page, where: str, change: Callable[[str], str]) -> None:
    """Has the server answer with other texts than it does."""

    def answer(route: Route) -> None:
        fetched = route.fetch()
        route.fulfill(response=fetched, body=change(fetched.text()))

    page.route(where, answer)


def with_statement(text: str, change: Callable[[str], str]) -> str:
    """A page at the end with another statement, whose fingerprint goes with it."""
    line = re.search(r"<code data-statement>([^<]*)<", text)
    if line is None:
        return text
    forged = change(line[1])
    prints = (sha256(one.encode()).hexdigest() for one in (line[1], forged))
    for old, new in ((line[1], forged), tuple(prints)):
        text = text.replace(old, new)
    return text


def as_if_shown(page: Page, line: str, server_seed_hash: str, share: str) -> None:
    """Has the browser remember a share beside the fingerprint of a statement."""
    print_of = sha256(line.encode()).hexdigest()
    page.evaluate(
        "([print, serverHash, share]) => localStorage.setItem("
        '"battleship-fingerprints", JSON.stringify({ [print]: [0, serverHash, share] }))',
        [print_of, server_seed_hash, share],
    )


def test_the_browser_finds_its_share_and_the_servers_at_the_end(open_page: OpenPage) -> None:
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).to_have_text(re.compile("^[0-9a-f]{32}$"))
    unfold(page)
    page.locator("details.fair summary").click()
    expect(page.locator("[data-half]")).to_be_visible()
    expect(page.locator("details.fair")).not_to_contain_text("Without JavaScript")
    server_seed_hash = page.locator("[data-noted]").get_attribute("data-noted")
    share = own_share(page)
    page.locator("#more > summary").press("Enter")
    begin(page)
    fire(page, enemy_water(page.url))
    page.reload()  # it is kept on the device
    give_up(page)
    seed_shares = saved_at(page.url).setup.seed_shares
    assert seed_shares is not None
    assert (seed_shares.server_seed_hash, seed_shares.client) == (server_seed_hash, share)
    assert HOLDS in result(page)
    page.locator(".more-figures > summary").press("Enter")
    with loaded(page):
        page.locator("#act-review").click()
    expect(page.locator("[data-halves-result]")).to_have_attribute("data-halves", "holds")
    expect(page.locator("[data-fair-result]")).to_have_attribute("data-fair", "same")


def test_only_the_start_sends_the_share(open_page: OpenPage) -> None:
    """A server that knew it before could choose a random fleet that suits."""
    page = open_page(NEW, expects="status of 422")  # not every ship has room to turn
    share, found = own_share(page), forms(page)
    for name in ("#act-random", "#act-random", "#act-turn", "#act-random"):
        with answered(page):
            page.locator(name).click()
        assert own_share(page) == share
    with answered(page):
        page.locator("#act-start").click()
    assert seed_shares_in(found) == ["", "", "", "", share]


def test_a_share_that_was_sent_without_a_start_is_used_up(open_page: OpenPage) -> None:
    page = open_page(NEW, expects="status of 422")
    first, found = own_share(page), forms(page)
    server_seed_hash = page.locator("[data-noted]").get_attribute("data-noted")
    with answered(page):
        page.locator("#act-start").click(force=True)
    second = own_share(page)
    assert second != first
    begin(page)
    assert seed_shares_in(found) == [first, "", second]
    give_up(page)
    seed_shares = saved_at(page.url).setup.seed_shares
    assert seed_shares is not None
    assert (seed_shares.server_seed_hash, seed_shares.client) == (server_seed_hash, second)
    assert HOLDS in result(page)


def test_where_the_last_ship_starts_its_form_sends_the_share(open_page: OpenPage) -> None:
    page = open_page(NEW)
    page.context.add_cookies(
        [{"name": "preferences", "value": "start_at_last:on", "url": page.url.split("/en/")[0]}]
    )
    page.reload()
    first, found = own_share(page), forms(page)
    with answered(page):
        cell(page, "own", "A1").locator("button").click()
    assert own_share(page) == first
    with answered(page):
        page.locator("#act-random").click()
    assert seed_shares_in(found) == ["", first]
    give_up(page)
    assert HOLDS in result(page)


def put_another_share_in_place_of_the_players(page: Page) -> None:
    def swap(route: Route, request: Request) -> None:
        sent = re.sub(r"(\bhalf=)[0-9a-f]{32}", rf"\g<1>{'0' * 32}", request.post_data or "")
        route.continue_(post_data=sent)

    page.route("**/place/**", swap)


def with_another_hash(text: str) -> str:
    return re.sub(r'data-noted="[0-9a-f]{64}"', f'data-noted="{"0" * 64}"', text)


def draw_its_share_again(page: Page) -> None:
    """Every page shows another hash than that of the server's share."""
    for where in ("**/new/**", "**/place/**"):
        forging(page, where, with_another_hash)


def draw_its_share_again_after_a_press(page: Page) -> None:
    """The first page shows another hash than the later ones, which the server keeps to."""
    shown: list[str] = []

    def show_another_first(text: str) -> str:
        shown.append(text)
        return with_another_hash(text) if len(shown) == 1 else text

    forging(page, "**/new/**", show_another_first)


def forge_the_statement_and_its_fingerprint(page: Page) -> None:
    """The seed of the statement does not follow from the shares."""

    def forged(text: str) -> str:
        return with_statement(text, lambda line: re.sub(r"\|seed \w+$", f"|seed {'0' * 32}", line))

    forging(page, "**/play/**", forged)


@pytest.mark.parametrize(
    "cheat",
    [
        put_another_share_in_place_of_the_players,
        draw_its_share_again,
        draw_its_share_again_after_a_press,
        forge_the_statement_and_its_fingerprint,
    ],
)
def test_a_server_that_cheats_is_told_on(
    open_page: OpenPage, cheat: Callable[[Page], None]
) -> None:
    page = open_page()
    cheat(page)
    page.goto(NEW)
    own_share(page)
    begin(page)
    give_up(page)
    assert BREAKS in result(page)


def test_a_statement_without_the_shares_that_were_exchanged_is_told_on(
    open_page: OpenPage,
) -> None:
    """The server takes a share and ends the match as if there had been none."""
    page = open_page(NEW)
    own_share(page)
    begin(page)
    give_up(page)
    seed_shares = saved_at(page.url).setup.seed_shares
    assert seed_shares is not None
    line = page.locator("[data-statement]").text_content() or ""
    for change in (without_shares, broken_client, broken_seed):
        as_if_shown(page, change(line), seed_shares.server_seed_hash, seed_shares.client)
        forging(page, "**/play/**", partial(with_statement, change=change))
        page.reload()
        assert BREAKS in result(page)
        expect(page.locator("[data-fair-result]")).to_have_attribute("data-fair", "same")
        page.unroute_all()


def without_shares(line: str) -> str:
    return re.sub(r"\|server .*(?=\|seed )", "", line).replace("commitment-2", "commitment-1")


def broken_client(line: str) -> str:
    return line.replace("|client ", "|clients ")


def broken_seed(line: str) -> str:
    return line.replace("|seed ", "|seed x")


def test_an_insecure_page_shows_what_to_compare_by_hand(open_page: OpenPage) -> None:
    init = 'Object.defineProperty(window, "isSecureContext", { value: false });'
    page = open_page(NEW, init=init)
    share = own_share(page)
    server_seed_hash = page.locator("[data-noted]").get_attribute("data-noted") or ""
    begin(page)
    give_up(page)
    told = result(page)
    assert server_seed_hash in told
    assert share in told
    expect(page.locator("[data-halves-result]")).to_have_attribute("data-halves", "byHand")


def test_another_device_was_not_there_when_the_shares_were_exchanged(open_page: OpenPage) -> None:
    page = open_page(NEW)
    expect(page.locator("[data-half] code")).not_to_be_empty()
    begin(page)
    give_up(page)
    assert UNSEEN in result(open_page(page.url))


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_without_script_the_page_says_how_weak_the_fleet_is_as_a_share(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(NEW.replace("/en/", f"/{language}/"), language=language, script=False)
    page.locator("#more > summary").click()
    page.locator("details.fair summary").click()
    weak = page.locator("details.fair noscript p")
    expect(weak).to_be_visible()
    expect(weak).to_contain_text("JavaScript")
    expect(page.locator("[data-half]")).to_be_hidden()
    for name in ("#act-random", "#act-start"):
        with loaded(page):
            page.locator(name).click()
    seed_shares = saved_at(page.url).setup.seed_shares
    assert seed_shares is not None
    assert not seed_shares.client
