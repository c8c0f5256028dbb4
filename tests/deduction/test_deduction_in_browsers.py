"""The deduction game in browsers: by mouse and keys, its colours, and a limit that passes."""

from playwright.sync_api import Locator, expect

from game.features.deduction.match import Mode
from game.features.deduction.rules import MELBOURNE
from game.features.deduction.saved import DeductionGame, unseal_match
from tests.deduction.samples import address, saved
from tests.support.browser import ONLY_KEYS, PHONE, OpenPage, Page

CHOOSE_THREE = "Choose exactly 3 different cells."
TOP = "document.querySelector('.board').getBoundingClientRect().top + scrollY"


def saved_at(page: Page) -> DeductionGame:
    """The match whose address the page has."""
    return unseal_match(page.url.split("/")[6])


def place_of(page: Page) -> list[str]:
    """The cells of the ships to find."""
    return MELBOURNE.names(saved_at(page).match.mine.place).split()


def wrong(page: Page) -> list[str]:
    """Three cells where the ships do not lie, by no luck."""
    place = set(place_of(page))
    return next(cells for cells in (["A1", "H1", "A3"], ["A1", "H1", "C3"]) if set(cells) != place)


def mark(page: Page, name: str, board: str = "enemy") -> Locator:
    """The checkbox of a cell."""
    return page.cell(board, name).locator("input")


def guess(page: Page, names: list[str]) -> None:
    """Chooses cells with the mouse and sends them."""
    for name in names:
        mark(page, name).click()
    page.act("#act-guess")


def test_a_search_is_won_and_reviewed_with_the_mouse(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.follow("#play-deduction", "#act-quick")
    first = wrong(page)
    guess(page, first)
    page.see(turn="1")
    assert page.says.startswith(f"{' '.join(first)}: ")
    assert page.focused == "act-guess"
    page.act("#act-heat")
    assert 0 < int(page.get_attribute(".left", "data-left") or 0) < 4960
    guess(page, place_of(page))
    page.see(phase="over", outcome="won")
    assert page.focused == "phase"
    for name in place_of(page):
        expect(page.cell("enemy", name)).to_have_attribute("data-state", "ship")
    page.follow("#act-review", page.locator(".judged a").last)
    assert page.count("tr[aria-current], a[aria-current=step]") == 1
    page.follow("#act-again")
    page.see(phase="searching", turn="0")


def test_a_fourth_cell_is_not_chosen_and_the_page_says_why(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.SEARCH)), expects="status of 422")
    send = page.locator("#act-guess")
    expect(send).to_have_attribute("aria-disabled", "true")
    for name in ("B2", "C2", "D2"):
        mark(page, name).click()
    page.expects("[data-count]").to_have_text("3")
    expect(send).not_to_have_attribute("aria-disabled", "true")
    assert page.says == "B2 C2 D2: guess, or take one back."
    mark(page, "E2").click()
    expect(mark(page, "E2")).not_to_be_checked()
    assert page.says == "Only 3 cells can be chosen: take one back first."
    mark(page, "B2").click()
    page.expects("[data-count]").to_have_text("2")
    page.act(send, force=True)
    assert page.says == CHOOSE_THREE
    expect(mark(page, "C2")).to_be_checked()
    page.click("#act-clear")
    page.see(turn="0")


def test_ships_are_hidden_and_searched_for_by_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/en/deduction/", init=ONLY_KEYS)
    page.tab_to("input[value=search]")
    page.keys("ArrowRight " * 2)
    page.tab_to("#act-begin")
    with page.loaded():
        page.keys("Enter")
    page.tab_to("[data-board=own] input")
    for name in ("A1", "D2", "G4"):
        page.walk_to(name)
        page.keys("Space")
    page.tab_to("#act-hide")
    page.act_by_key("Enter")
    page.see(phase="searching")
    assert page.focused == "enemy-A1"
    page.end_series()
    names = wrong(page)
    for name in names:
        page.walk_to(name)
        page.keys("Space")
    page.keys("End ArrowRight")
    assert page.focused == "enemy-H3", "arrows stop at the edge"
    page.act_by_key("Enter")
    page.see(turn="1")
    assert page.focused == "enemy-H3"
    assert saved_at(page).match.mine.guesses == (MELBOURNE.parse(" ".join(names)),)


def test_the_board_stands_still_and_nothing_moves_from_guess_to_guess(open_page: OpenPage) -> None:
    where = address(saved(Mode.SEARCH), "de")
    page = open_page(where, language="de", size=PHONE, motion="no-preference")
    tops = [page.evaluate(TOP)]
    for names in ("A1 H1 A3", "C2 D3 F4"):
        guess(page, names.split())
        assert not page.evaluate("document.getAnimations().length")
        tops.append(page.evaluate(TOP))
    assert len(set(tops)) == 1


# --- colours; typing; a limit that passes ---


def test_guesses_are_typed(open_page: OpenPage) -> None:
    page = open_page(address(saved(Mode.SEARCH)), expects="status of 422")
    page.unfold("details:has(#typed)")
    for typed, says in (("a1, h1 3a", "A1 H1 A3: "), ("a1 h1", CHOOSE_THREE)):
        page.fill("#typed", typed)
        page.act_by_key("Enter")
        assert page.says.startswith(says)
        page.see(turn="1")
        assert page.focused == "typed"
    page.expects("#typed").to_have_value("a1 h1")
