"""Sharing a result and going on elsewhere, as a person with a browser does."""

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.support.browser import PHONE, OpenPage, Page
from tests.support.codes import ONLY_QR
from tests.support.matches import address, begun, won

SHARE = """navigator.share = (what) => { window.shared = what; return Promise.resolve(); };"""


def opened(page: Page, link: str) -> str:
    """What the panel that the link opens copies."""
    address = page.url
    page.click(link)
    page.locator("#panel-title").wait_for()
    page.expects("#panel-title").to_be_focused()
    assert page.url == address
    page.expects("[data-copy]").to_be_visible()
    field = page.locator(".to-copy")
    told = field.get_attribute("data-text")
    return f"{told} {field.input_value()}" if told else field.input_value()


def test_a_result_is_copied_or_handed_to_the_device(open_page: OpenPage) -> None:
    page = open_page(fresh=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(SHARE)
    page.goto(address(won()))
    text = opened(page, "#act-share")
    page.click("[data-copy]")
    page.expects("[data-said]").to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == text
    page.click("[data-share]")
    shared = page.evaluate("window.shared")
    assert f"{shared['text']} {shared['url']}" == text
    page.goto(shared["url"])
    page.expects("h1").to_have_text("Replay")
    page.expects(".told").to_contain_text("Won in ")
    expect(page.get_by_role("link", name="Play a game yourself")).to_be_visible()
    page.fill("#step", "5")
    page.expects("[data-now]").to_have_text("5")


def test_a_running_match_is_scanned_off_a_phone_and_goes_on_there(open_page: OpenPage) -> None:
    refused = "style-src"  # the screenshot's own style
    page = open_page(begun(), size=PHONE, touch=True, expects=refused)
    page.click("#more > summary")
    text = opened(page, "#act-elsewhere")
    assert text == page.url
    page.expects("[data-share]").to_have_count(1)
    seen = Image.open(io.BytesIO(page.locator(".code").screenshot()))
    codes = zxingcpp.read_barcodes(seen, formats=ONLY_QR)
    assert [code.text for code in codes] == [text]
    units = int(re.findall(r"\d+", page.get_attribute(".code svg", "viewBox") or "")[2])
    assert page.box(".code svg").width / units >= 2
    page.locator(".share").get_by_role("button", name="Close").click()
    page.expects("#panel-title").to_be_hidden()
    page.click("#more > summary")
    page.act(page.locator("button[name=cell]").first)
    page.expects("#panel-title").to_have_count(0)
    assert page.url != text


def test_the_panel_closes_and_opens_again_and_its_link_takes_one_line(open_page: OpenPage) -> None:
    page = open_page(won(), size=PHONE)
    opened(page, "#act-share")
    assert page.box(".to-copy").height < 50
    assert page.box(".share").height <= 640
    page.expects("[data-share]").to_be_hidden()
    page.expects("[data-copy]").to_have_class("primary")
    page.keys("Escape")
    page.expects(".share").to_be_hidden()
    opened(page, "#act-share")
    page.wait_for_function("() => document.querySelector('.share img').naturalWidth === 1200")
