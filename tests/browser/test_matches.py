"""Whole matches, from the first page to the end of the replay, by each way to act."""

import re
from collections.abc import Callable
from functools import partial

import pytest

from game.engine.presets import PRESETS
from tests.support import deep
from tests.support.browser import LAPTOP, ONLY_KEYS, ONLY_TOUCH, PHONE, OpenPage, Page, words

Act = Callable[[Page, str], None]
"""Presses what a selector finds."""


def by_mouse(page: Page, selector: str) -> None:
    page.locator(selector).first.click()


def by_touch(page: Page, selector: str) -> None:
    if selector == ".steer":
        page.touch(page.locator(".grab"))
    page.touch(page.locator(selector).first)


def by_keys(page: Page, selector: str) -> None:
    if cell := re.search(r"^\[data-board=(\w+)\] \[data-cell=(\w+)\]", selector):
        if not page.focused.startswith(f"{cell[1]}-"):
            page.tab_to(f"[data-board={cell[1]}] button")
        page.walk_to(cell[2])
    else:
        page.tab_to(selector)
    page.keys("Enter")


def by_form(page: Page, selector: str) -> None:
    page.locator(selector).first.click(force=True)  # those that will be refused, too


def cell(board: str, name: str) -> str:
    return f"[data-board={board}] [data-cell={name}] button"


@pytest.mark.parametrize(
    ("act", "language"),
    [deep(by_mouse, "en"), deep(by_touch, "en"), (by_keys, "en"), (by_form, "de")],
)
def test_a_match_is_placed_and_won_and_watched_again(
    open_page: OpenPage, act: Act, language: str
) -> None:
    page = open_page(
        "/",
        language=language,
        size=PHONE if act is by_touch else LAPTOP,
        touch=act is by_touch,
        script=act is not by_form,
        init=ONLY_KEYS if act is by_keys else ONLY_TOUCH if act is by_touch else "",
        expects="status of 422",
    )

    def do(selector: str) -> None:
        with page.answered():
            act(page, selector)

    def go(selector: str) -> None:
        with page.loaded():
            act(page, selector)

    def see_the_same_in_the_other_language() -> None:
        before = page.seen
        for there in ("en", "de"):
            page.follow(f"nav a[hreflang={there}]")
            page.see_language(there)
            assert page.seen == before

    page.see_language(language)
    go(".more-games a[href$='/games/']")
    go("#play-bonn")
    assert (page.seen.phase, page.seen.ships) == ("placing", ())
    do(cell("own", "C3"))  # the longest first
    do(cell("own", "J9"))  # slides in from the edge
    assert page.seen.ships == ("C3h5", "G9h4")
    do(cell("own", "D3"))  # is picked up
    page.expects(".hull.is-picked").to_have_count(1)
    do(cell("own", "A5"))  # and set down elsewhere
    assert page.seen.ships == ("G9h4", "A5h5")
    do(cell("own", "F5"))
    assert words("Ships must not touch, not even at the corners.", language) in page.says
    do("#act-random")
    ships = page.seen.ships
    assert {"G9h4", "A5h5"} < set(ships)
    assert sorted(ship[-1] for ship in ships) == sorted("5443332222")
    do("#act-start")

    for turn in (0, 2):
        assert (page.seen.phase, page.seen.turn) == ("firing", turn)
        if turn:
            lay = ships_in(page)
            do(".steer")
            assert len(lay - ships_in(page)) == 1
        if act is by_form:
            see_the_same_in_the_other_language()
        water = page.enemy_water
        do(cell("enemy", water))
        assert page.seen.enemy[water] == "water"
    page.go_later(left=2)  # the hits in between are all alike
    for name in page.enemy_ships:
        do(cell("enemy", name))
    end = page.seen
    assert (end.phase, end.outcome) == ("over", "won")
    assert list(end.enemy.values()).count("sunk") == 30
    assert words("You win.", language) in page.says

    go("#act-recap")
    page.see_language(language)
    assert set(page.seen.enemy.values()) == {"sea", "ship"}
    step = go if act is by_form else partial(act, page)
    step("[data-go=forward]")
    page.expects("[data-now]").to_have_text("1")
    act(page, "#more > summary")
    step("[data-go=last]")
    last = page.get_attribute("#step", "max") or ""
    page.expects("[data-now]").to_have_text(last)
    assert page.seen.boards == end.boards


def ships_in(page: Page) -> set[str]:
    """The cells of the person's ships."""
    return {name for name, state in page.seen.own.items() if state == "ship"}


# --- every preset ---


def win_volleys(page: Page) -> None:
    """Plays a match of salvos: each shot of a volley at another cell of a ship."""
    while page.seen.outcome is None:
        match = page.saved.match
        board = match.ruleset.board
        ships = [board.parse(name) for name in page.enemy_ships]
        free = [cell for cell in board.cells if cell not in match.spent(match.side.opponent)]
        page.fire(board.name(next(c for c in (*ships, *free) if c not in match.aimed)))


@pytest.mark.parametrize(
    "preset",
    [
        deep("salvo"),
        *(pytest.param(it, marks=pytest.mark.long) for it in PRESETS if it not in ("salvo", "own")),
    ],
)
def test_every_preset_is_played_to_its_end(open_page: OpenPage, preset: str) -> None:
    page = open_page(f"/de/setup/{preset}/?opponent=random", language="de")
    page.follow("#act-random-start")
    if preset == "salvo":
        win_volleys(page)
    else:
        page.fire(page.enemy_water)
        page.go_later(left=3)
        while page.seen.outcome is None:
            page.fire(page.enemy_ships[0])
    page.see(outcome="won")
    page.follow("#act-recap")
    assert page.count(".steps li") == len(page.saved.match.actions)


def test_a_watched_match_plays_at_once(open_page: OpenPage) -> None:
    page = open_page("/en/setup/milton/", motion="no-preference")
    page.click("#watch summary")
    page.select_option("[name=mind1]", "uppsala")
    page.select_option("[name=mind2]", "random")
    page.click("#act-watch")
    page.wait_for_url("**/replay/**")
    page.expects("[data-go=play]").to_have_text("Pause")
    page.expects("[data-now]").not_to_have_text("0")
    page.unfold()
    page.follow(page.get_by_role("button", name="Watch another match"))
    assert page.saved.setup.minds == ("uppsala", "random")
