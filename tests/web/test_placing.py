"""Placing a fleet through the form, as it works without any script."""

import pytest

from tests.support.device import FORM, Device
from tests.support.page import Page

NEW = "/en/new/bonn/"
FLEET = "A1h5 A3h4 F3h4 A5h3 E5h3 J5v3 A7h2 D7h2 G7h2 A9h2"
ALL_BUT_LAST = FLEET.removesuffix(" A9h2")
FIRST_THREE = "A1h5 A3h4 F3h4"
TOUCH = "Ships must not touch, not even at the corners."
NO_CELL = "That is not a cell of this board."
NOTHING = "Nothing was chosen."


def sent(client: Device, ships: str, form: str, where: str = NEW) -> Page:
    """The answer to the form with these ships, or the page to which it leads."""
    fields = "&".join([*(f"ship={ship}" for ship in ships.split()), form])
    return client.post(where, fields, FORM, follow=True)


def in_hand(html: Page) -> tuple[str, str]:
    """The length that is picked, if any, and the direction of the next ship."""
    picked = html.all(r'name="pick" value="(\d)" checked')
    return "".join(picked), html.first(r'name="direction" value="(\w)" checked')


@pytest.mark.parametrize(
    ("ships", "form", "placed"),
    [
        ("", "place=C4&pick=4&direction=v", "C4v4"),
        ("", "place=C4", "C4h5"),  # the longest that is missing
        ("", "place=J10&pick=4&direction=h", "G10h4"),
        ("C4h3", "turn=D4", "C4v3"),
        ("C10h3", "turn=C10", "C8v3"),
        (FLEET, "action=clear", ""),
    ],
)
def test_a_ship_is_placed_by_its_bow_turns_about_it_slides_in_from_the_edge_and_is_cleared(
    client: Device, ships: str, form: str, placed: str
) -> None:
    assert sent(client, ships, form).ships == placed.split()


@pytest.mark.parametrize(
    ("form", "status", "lies", "is_picked"),
    [
        ("", 422, "A1h5 C4v3", True),
        ("place=F7&direction=v", 200, "A1h5 F7v3", False),
        ("place=F7&direction=h", 200, "A1h5 F7h3", False),
        ("place=C5&direction=h", 200, "A1h5 C4v3", False),
        ("turn=C4&direction=v", 200, "A1h5 C4h3", True),
        ("place=A2&direction=v", 422, "A1h5 C4v3", True),
        ("place=F7&direction=h&pick=2", 200, "A1h5 C4v3 F7h2", False),
    ],
)
def test_a_click_on_a_placed_ship_picks_it_up_to_be_moved_turned_or_put_down(
    client: Device, form: str, status: int, lies: str, is_picked: bool
) -> None:
    html = sent(client, "C4v3 A1h5", "place=C5")
    assert sorted(html.ships) == ["A1h5", "C4v3"]
    assert html.search(r'class="hull is-picked" [^>]*data-x="2" data-y="3"')
    assert in_hand(html) == ("", "v")
    dealt = sent(client, " ".join(html.ships), "action=random", html.where)
    assert {"A1h5", "C4v3"} < set(dealt.ships)
    assert "is-picked" not in dealt, "a fleet of chance lets it go"
    html = sent(client, " ".join(html.ships), form, html.where)
    assert (html.status, sorted(html.ships)) == (status, lies.split())
    assert ("is-picked" in html) is is_picked


def test_the_ship_placed_last_goes_back_into_the_hand(client: Device) -> None:
    html = sent(client, "A1h5 C4v3 E4v3", "action=undo")
    assert (html.ships, in_hand(html)) == (["A1h5", "C4v3"], ("3", "v"))


def test_the_page_names_the_ship_placed_last_and_offers_to_turn_it(client: Device) -> None:
    html = sent(client, "A1h5 C4v3", "action=keep")
    assert "Destroyer at C4" in html
    assert ("turn", "C4") in html.buttons
    empty = client.get(NEW)
    assert 'name="turn" value="" disabled>' in empty
    assert 'name="action" value="undo" aria-disabled="true"' in empty


@pytest.mark.parametrize(
    ("ships", "form", "sentence"),
    [
        ("A1h5", "place=A2&pick=4", f"Cruiser at A2: {TOUCH}"),
        ("A1h5", "place=F2&pick=4", f"Cruiser at F2: {TOUCH}"),
        ("A1h5 C3h4 C7h3", "turn=D3", f"Cruiser at C3 can’t turn. {TOUCH}"),
        ("", "action=undo", "No ship is placed yet."),
        ("", "turn=", "No ship is placed yet."),
        ("", "place=K1", NO_CELL), ("", "place=A0", NO_CELL), ("", "place=%D9%A3", NO_CELL),
        ("A1h5 A1h5", "action=random", "These are not the ships of this fleet."),
        ("A1h4 A2h4", "action=random", TOUCH),
        ("A1h4 A1v4", "action=start", "Two ships cannot lie on the same cell."),
        ("H1h4", "action=start", "The ship would stick out over the edge."),
        ("nonsense", "action=start", "No ship can lie there."),
        ("A1h5", "turn=J9", "No ship can lie there."),
        (ALL_BUT_LAST, "action=start", "1 ship left to place."),
        ("", "action=start", "10 ships left to place."),
        ("", "", NOTHING), ("", "action=bogus", NOTHING), (FLEET, "", NOTHING),
        # All but the battleship, and no five free cells in a line are left for it.
        ("F5h4 B1v4 F9h3 A8v3 D1v3 F1v2 C7v2 H7h2 H2h2", "action=random",
         "The other ships no longer fit: take one back, or clear the board."),
    ],
)  # fmt: skip
def test_an_illegal_step_is_refused_in_one_sentence(
    client: Device, ships: str, form: str, sentence: str
) -> None:
    html = sent(client, ships, form)
    assert (html.status, html.says, html.ships) == (422, sentence, [])


def test_an_illegal_step_leaves_the_fleet_in_the_address_and_the_hand_as_they_were(
    client: Device,
) -> None:
    first = sent(client, FIRST_THREE, "action=keep").where
    html = sent(client, FIRST_THREE, "place=A2&pick=2&direction=v", first)
    assert (html.status, html.ships) == (422, FIRST_THREE.split())
    assert in_hand(html) == ("2", "v")


def test_random_completes_what_is_placed_and_replaces_a_whole_fleet(client: Device) -> None:
    html = sent(client, FIRST_THREE, "action=random")
    assert (html.ships[:3], len(html.ships)) == (FIRST_THREE.split(), 10)
    html = sent(client, FLEET, "action=random")
    assert len(html.ships) == 10
    assert html.ships != FLEET.split()


def test_a_whole_fleet_starts_a_match_in_any_order(client: Device) -> None:
    html = sent(client, " ".join(reversed(FLEET.split())), "action=start")
    assert (html.status, html.seen.phase) == (200, "firing")


def test_the_address_of_a_draft_keeps_it_in_the_other_language(client: Device) -> None:
    html = sent(client, FIRST_THREE, "pick=2&direction=v&action=keep")
    for page in (html, client.get(html.where.replace("/en/", "/de/"))):
        assert (page.ships, in_hand(page)) == (FIRST_THREE.split(), ("2", "v"))


def test_the_options_of_an_address_reach_the_match(client: Device) -> None:
    options = "?opponent=random&again=off&moving=off&hints=on&begins=computer"
    html = sent(client, "", "action=quick", NEW + options)
    assert "One shot a turn." in html
    assert "one ship may move" not in html
    assert html.search(r'name="hints" value="off"\s+aria-pressed="true"')
    assert html.seen.turn == 1  # the computer has had its turn


# --- a match that starts by itself ---


@pytest.mark.parametrize(
    ("whole", "ships", "form", "starts"),
    [
        ("", ALL_BUT_LAST, "place=A9&pick=2", True),
        ("", ALL_BUT_LAST, "action=random", True),
        ("", FIRST_THREE, "place=A9&pick=2", False),
        # In a whole fleet a ship that is moved starts nothing by itself.
        (FLEET, ALL_BUT_LAST, "place=G9&pick=2", False),
        (FLEET, FLEET, "action=random", False),
        (FLEET, FLEET, "turn=G7", False),
        (FLEET, FLEET, "action=start", True),
    ],
)
def test_with_the_last_ship_the_match_starts_where_that_is_preferred(
    client: Device, whole: str, ships: str, form: str, starts: bool
) -> None:
    where = sent(client, whole, "action=keep").where
    if form != "action=start":
        assert "/place/" in sent(client, ships, form, where).where
    client.prefer(start_at_last="on")
    html = sent(client, ships, form, where)
    assert (html.status, "/play/" in html.where) == (200, starts)
    assert "The match starts as soon as the last ship is placed." in client.get(NEW)
