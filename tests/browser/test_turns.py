"""What happens between a click and its answer, and what stays as it was over many turns."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import (
    OpenPage,
    answered,
    cell,
    fire,
    focus,
    forms_sent,
    loaded,
    look,
    middle,
    said,
    see_language,
    target,
    words,
)
from tests.support.browser_matches import (
    MINE,
    STILL,
    begun,
    enemy_ships,
    enemy_water,
    is_firing_late,
    nearly_won,
    place_address,
    play_address,
    played,
)
from tests.support.gestures import hold, sent_and_held

OFFLINE = "ERR_INTERNET_DISCONNECTED|htmx:(sendError|afterRequest)"
"""What Chromium and htmx log where there is no connection."""


# --- one click, one shot ---


def test_many_clicks_while_the_answer_is_slow_send_one_shot(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)))
    waiting = hold(page)
    with answered(page):
        x, y = middle(target(page, "J6"))
        with sent_and_held(page):
            for _ in range(3):
                page.mouse.click(x, y, delay=20)
        target(page, "A10").click()  # nor does a click elsewhere
        waiting[0].continue_()
    assert forms_sent(page) == len(waiting) == 1
    seen = look(page)
    assert (seen.enemy["J6"], seen.enemy["A10"], seen.turn) == ("hit", "unknown", 0)
    expect(page.locator("#game")).not_to_have_attribute("aria-busy", "true")


def test_many_clicks_on_start_begin_one_match(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    waiting = hold(page)
    with answered(page):
        x, y = middle(page.locator("button[value=start]"))
        with sent_and_held(page):
            page.mouse.click(x, y, click_count=2)
        waiting[0].continue_()
    assert forms_sent(page) == len(waiting) == 1
    assert look(page).phase == "firing"
    assert focus(page) == "phase"


# --- where the focus is ---


def test_the_focus_goes_to_what_comes_next_where_the_phase_changes(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    with answered(page):
        page.locator("button[value=start]").click()
    assert focus(page) == "phase"
    aimed = enemy_water(page.url)
    fire(page, aimed)
    assert focus(page) == f"enemy-{aimed}"
    with answered(page):
        page.locator("[data-board=own] button[name=steer]").first.click()
    assert focus(page) == f"enemy-{aimed}"
    page.reload()
    with answered(page):
        page.locator("button[name=hints]").click()
    assert focus(page) == "act-hints"
    page.goto(play_address(nearly_won()))
    for name in enemy_ships(page.url):
        fire(page, name)
    assert look(page).outcome == "won"
    assert focus(page) == "phase"
    assert page.evaluate("scrollY") == 0


def see_the_title_of_a_fresh_page(page: Page) -> None:
    """Sees that the title is the one that the same address has when it is opened anew."""
    shown = page.title()
    page.reload()
    assert shown == page.title()


def test_the_title_follows_from_placing_to_firing_and_to_the_end(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    with answered(page):
        page.locator("button[value=start]").click()
    see_the_title_of_a_fresh_page(page)
    page.goto(play_address(nearly_won(1)))
    fire(page, enemy_ships(page.url)[0])
    see_the_title_of_a_fresh_page(page)


def test_a_key_that_is_held_fires_one_shot(open_page: OpenPage) -> None:
    page = open_page(play_address(begun()))
    target(page, "E5").focus()
    with answered(page):
        for _ in range(5):
            page.keyboard.down("Enter")
    for _ in range(10):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    assert forms_sent(page) == 1
    assert look(page).turn == 2


# --- what stays ---


def test_a_reload_at_any_moment_shows_the_same(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5"))

    def see_the_same_again() -> None:
        before, text, language = look(page), said(page), page.locator("#language")
        link = language.get_attribute("href")
        page.reload()
        assert look(page) == before
        assert said(page) == text
        expect(language).to_have_attribute("href", link or "")

    see_the_same_again()
    with answered(page):
        page.locator("button[value=random]").click()
    see_the_same_again()
    with answered(page):
        page.locator("button[value=start]").click()
    see_the_same_again()
    fire(page, enemy_ships(page.url)[0])
    see_the_same_again()
    fire(page, enemy_water(page.url))
    see_the_same_again()
    with answered(page):
        page.locator(".steer").first.click()
    see_the_same_again()
    page.goto(play_address(nearly_won(1)))
    fire(page, enemy_ships(page.url)[0])
    assert look(page).phase == "over"
    see_the_same_again()


def test_ten_turns_add_nothing_to_the_history_and_keep_the_status_node(
    open_page: OpenPage,
) -> None:
    page = open_page("/en/")
    page.goto(play_address(nearly_won(4)))
    before = page.evaluate("history.length")
    page.evaluate("document.querySelector('[role=status]').isTheSame = true")
    texts = [said(page)]
    for _ in range(6):
        fire(page, enemy_water(page.url))
        texts.append(said(page))
    for name in enemy_ships(page.url):
        fire(page, name)
        texts.append(said(page))
    assert (look(page).phase, look(page).turn) == ("over", 12)
    assert all(before != after for before, after in pairwise(texts))
    assert page.evaluate("document.querySelector('[role=status]').isTheSame")
    assert page.evaluate("history.length") == before
    page.go_back()
    expect(page).to_have_url(re.compile(r"//[^/]+/en/$"))


def test_a_match_leaves_only_its_fingerprint_in_the_browsers_storage(open_page: OpenPage) -> None:
    page = open_page(place_address(MINE))
    with answered(page):
        page.locator("button[value=start]").click()
    fire(page, enemy_ships(page.url)[0])
    with loaded(page):
        page.locator(".brand").click()
    kept = page.evaluate("[{ ...sessionStorage }, { ...localStorage }, document.cookie]")
    [fingerprint] = json.loads(kept[1].pop("battleship-fingerprints"))
    assert re.fullmatch(r"[0-9a-f]{64}", fingerprint)
    assert kept == [{}, {}, ""]


def test_the_status_changes_once_a_turn(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)))
    page.evaluate("""() => {
      window.heard = [];
      const status = document.getElementById("status");
      new MutationObserver(() => heard.push(status.textContent.trim()))
        .observe(status, { childList: true, characterData: true, subtree: true });
    }""")
    for count, name in enumerate(("J6", "E5", "C1"), start=1):
        fire(page, name)
        heard = page.evaluate("heard")
        assert len(heard) == count
        assert heard[-1].startswith(f"{name}: ")


def test_the_language_link_keeps_the_moment_after_a_swap(open_page: OpenPage) -> None:
    page = open_page(play_address(played(is_firing_late)))
    fire(page, enemy_ships(page.url)[0])
    before = look(page)
    for name, language in (("Deutsch", "de"), ("English", "en")):
        with loaded(page):
            page.get_by_role("link", name=name).click()
        see_language(page, language)
        assert look(page) == before


# --- what goes wrong ---


@pytest.mark.parametrize("language", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_click_without_a_connection_is_told_and_changes_nothing(
    open_page: OpenPage, language: str
) -> None:
    page = open_page(play_address(begun(STILL), language), language=language, expects=OFFLINE)
    before, address = look(page), page.url
    page.context.set_offline(True)
    target(page, "J6").click()
    sentence = words("That did not go through. Try again.", language)
    expect(page.locator("[role=status]")).to_have_text(sentence)
    assert (look(page), page.url, focus(page)) == (before, address, "enemy-J6")
    expect(page.locator("#game")).not_to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    fire(page, "J6")
    assert look(page).enemy["J6"] == "hit"


def test_a_ship_dragged_without_a_connection_is_not_lost(open_page: OpenPage) -> None:
    page = open_page(place_address("B2h5"), expects=OFFLINE)
    before = look(page)
    page.context.set_offline(True)
    page.mouse.move(*middle(cell(page, "own", "B2")))
    page.mouse.down()
    page.mouse.move(*middle(cell(page, "own", "B8")), steps=5)
    page.mouse.up()
    expect(page.locator("[role=status]")).to_have_text("That did not go through. Try again.")
    assert look(page) == before
    expect(page.locator(".is-ghost, .is-lifted")).to_have_count(0)
    page.context.set_offline(False)
    with answered(page):
        page.locator("button[value=random]").click()
    assert "B2h5" in look(page).ships


def test_a_key_that_is_gone_in_the_middle_of_a_match_is_told_by_its_own_page(
    open_page: OpenPage,
) -> None:
    page = open_page(
        play_address(begun()), expects="status of 400|Response Status Error Code 400|htmx:"
    )
    forged = play_address(begun())[:-8] + "AAAAAAA/"
    page.evaluate(
        """address => {
          history.replaceState(null, "", address);
          const form = document.querySelector("form.firing");
          form.setAttribute("action", address);
          htmx.process(form);
        }""",
        forged,
    )
    target(page, "J6").click()
    expect(page.locator("h1")).to_have_text("This link doesn’t work")


# --- hints ---


def test_a_spent_cell_says_so_and_costs_no_turn(open_page: OpenPage) -> None:
    page = open_page(play_address(begun(STILL)), expects="status of 422")
    fire(page, "J6")
    before = look(page)
    expect(target(page, "J6")).to_have_attribute("aria-disabled", "true")
    with answered(page):
        target(page, "J6").click(force=True)
    assert said(page).endswith("You know that cell already: choose another.")
    assert look(page) == before
    assert focus(page) == "enemy-J6"
