"""What the browser checks at the end: the fingerprint it was shown, and both shares of the seed."""

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Request, Route, expect

from game.engine.rules import Ruleset
from tests.support import deep
from tests.support.browser import OpenPage, Page
from tests.support.matches import address, deployed, enemy_ships, won

NEW = "/en/new/milton/?opponent=random"
INSECURE = 'Object.defineProperty(window, "isSecureContext", { value: false });'
TINY = Ruleset(columns=6, rows=6, fleet=(2, 2), moving=False, turns=None)

NOT_HERE = "was not here"
DIFFERS = BREAKS = "do not trust this match"
HOLDS = "it follows from its own half and from the server’s, whose fingerprint it was shown before"
UNSEEN = "None of its own is among them"


def told(page: Page, what: str = "halves") -> str:
    """What the browser says at the end of the shares, or of the fingerprint as a whole."""
    page.unfold("#more")
    page.unfold("details.fair")
    found = page.locator(f"[data-{what}-result]")
    expect(found).not_to_be_empty()
    return found.inner_text()


# --- the fingerprint ---


@pytest.mark.parametrize(
    ("shots", "says", "word"),
    [
        (0, "you were shown before your first shot", "same"),
        pytest.param(1, "after 1 of your shots", "late", marks=pytest.mark.long),
    ],
)
def test_the_browser_finds_the_fingerprint_and_when_it_saw_it(
    open_page: OpenPage, shots: int, says: str, word: str
) -> None:
    saved = deployed(TINY)
    for name in enemy_ships(address(saved))[:shots]:
        saved = replace(saved, match=saved.match.fire(TINY.board.parse(name)))
    page = open_page(saved)
    shown = page.get_attribute("[data-commitment]", "data-commitment")
    page.fire(page.enemy_water, *page.enemy_ships)
    page.see(phase="over")
    assert page.get_attribute("[data-commitment]", "data-commitment") == shown
    assert says in told(page, "fair")
    page.reload()
    page.expects("[data-fair-result]").to_have_attribute("data-fair", word)


@pytest.mark.parametrize(
    ("init", "forged", "says"),
    [
        ("", r"\1", NOT_HERE),
        ("", r"\1ff", DIFFERS),  # another seed than the server had committed itself to
        deep(INSECURE, r"\1", "not served securely"),
    ],
)
def test_who_sees_only_the_end_is_told_to_compare_and_a_forged_seed_is_noticed(
    open_page: OpenPage, init: str, forged: str, says: str
) -> None:
    page = open_page(init=init)
    pattern = r"(data-statement>[^<]*seed )" + ".." * ("ff" in forged)
    page.forging("**/play/**", lambda text: re.sub(pattern, forged, text))
    page.goto(address(won()))
    assert says in told(page, "fair")
    page.expects("details.fair").to_contain_text("| sha256sum")


# --- the shares ---


def own_share(page: Page) -> str:
    """The share that the browser has drawn for the match that this page starts."""
    shown = page.locator("[data-half] code")
    expect(shown).to_have_text(re.compile("^[0-9a-f]{32}$"))
    return shown.text_content() or ""


def begin_and_end(page: Page) -> None:
    """Has a fleet placed, starts, and gives up."""
    page.act("#act-random", "#act-start")
    page.give_up()


def shares_sent(page: Page) -> list[str]:
    """The shares in the forms that the page sends from now on, as the server gets them."""
    found: list[str] = []

    def add(request: Request) -> None:
        if request.method == "POST":
            form = parse_qs(request.post_data or "", keep_blank_values=True)
            found.extend(form.get("half", []))

    page.on("request", add)
    return found


def shares_of(page: Page) -> tuple[str, str]:
    """The hash of the server's share in the match of the page, and the player's own share."""
    seed_shares = page.saved.setup.seed_shares
    return seed_shares.server_seed_hash, seed_shares.client


def test_the_browser_finds_its_share_and_the_servers_at_the_end(open_page: OpenPage) -> None:
    page = open_page(NEW)
    share = own_share(page)
    page.unfold()
    page.unfold("details.fair")
    page.expects("[data-half]").to_be_visible()
    page.expects("details.fair").not_to_contain_text("Without JavaScript")
    server_seed_hash = page.get_attribute("[data-noted]", "data-noted")
    page.press("#more > summary", "Enter")
    page.act("#act-random", "#act-start")
    page.fire(page.enemy_water)
    page.reload()  # it is kept on the device
    page.give_up()
    assert shares_of(page) == (server_seed_hash, share)
    assert HOLDS in told(page)
    assert UNSEEN in told(open_page(page.url)), "another device"
    page.reload()
    page.expects("[data-halves-result]").to_have_attribute("data-halves", "holds")
    page.expects("[data-fair-result]").to_have_attribute("data-fair", "same")


def test_only_the_start_sends_the_share_and_one_that_began_no_match_is_used_up(
    open_page: OpenPage,
) -> None:
    """A server that knew it before could choose a random fleet that suits."""
    page = open_page(NEW, expects="status of 422")
    server_seed_hash = page.get_attribute("[data-noted]", "data-noted")
    first, found = own_share(page), shares_sent(page)
    page.act("#act-start", force=True)
    second = own_share(page)
    assert second != first
    for name in ("#act-random", "#act-random", "#act-turn", "#act-random"):
        page.act(name)
        assert own_share(page) == second
    page.act("#act-start")
    assert found == [first, "", "", "", "", second]
    page.give_up()
    assert shares_of(page) == (server_seed_hash, second)
    assert HOLDS in told(page)


# --- a server that cheats ---


def with_statement(text: str, forged: str = "") -> str:
    """A page at the end with another statement, whose fingerprint goes with it.

    If none is given, its seed does not follow from the shares.
    """
    line = re.search(r"<code data-statement>([^<]*)<", text)
    if line is None:
        return text
    forged = forged or re.sub(r"\|seed \w+$", f"|seed {'0' * 32}", line[1])
    prints = (sha256(one.encode()).hexdigest() for one in (line[1], forged))
    for old, new in ((line[1], forged), tuple(prints)):
        text = text.replace(old, new)
    return text


def put_another_share_in_place_of_the_players(route: Route, request: Request) -> None:
    sent = re.sub(r"(\bhalf=)[0-9a-f]{32}", rf"\g<1>{'0' * 32}", request.post_data or "")
    route.continue_(post_data=sent)


def with_another_hash(text: str) -> str:
    return re.sub(r'data-noted="[0-9a-f]{64}"', f'data-noted="{"0" * 64}"', text)


@pytest.mark.parametrize(
    ("where", "forged"),
    [
        ("**/place/**", None),
        deep("**/new/**", with_another_hash),
        ("**/play/**", with_statement),
    ],
)
def test_a_server_that_cheats_is_told_on(
    open_page: OpenPage, where: str, forged: Callable[[str], str] | None
) -> None:
    page = open_page()
    if forged:
        page.forging(where, forged)
    else:
        page.route(where, put_another_share_in_place_of_the_players)
    page.goto(NEW)
    own_share(page)
    begin_and_end(page)
    assert BREAKS in told(page)
