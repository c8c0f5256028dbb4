"""The hit calculator's page: its handles, its addresses, refusals, and what it marks."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.support.days import GAMES, acted, begun
from tests.support.device import Device
from tests.support.features import needs_features
from tests.support.matches import saved_at

SEA = "/en/position/?sea=milton"


def test_the_page_has_its_handles(client: Device) -> None:
    html = client.get(f"{SEA}&water=A1+B2&hit=C3&sunk=D5h3")
    assert (html.status, html.headers["X-Robots-Tag"]) == (200, "noindex")
    assert 'name="robots" content="noindex"' in html
    found, states = html.game, html.cells("enemy")
    assert (found["data-phase"], found["data-exact"]) == ("position", "yes")
    assert int(found["data-fleets"]) > 1_000_000
    assert client.get(SEA).game["data-exact"] == "no"
    marked = {"A1": "water", "B2": "water", "C3": "hit", "D5": "sunk", "E5": "sunk", "F5": "sunk"}
    assert {cell: state for cell, state in states.items() if state != "unknown"} == marked
    told = dict(html.all(r'data-cell="(\w+)" data-state="unknown" data-chance="(\d+)"'))
    assert told.keys() == states.keys() - marked.keys()
    best = max(told, key=lambda cell: int(told[cell]))
    assert found["data-best"] == best
    assert html.says.startswith(f"Best: {best}, {round(int(told[best]) / 10)}%")


def test_it_counts_exactly_where_it_can_and_says_so_in_both_languages(client: Device) -> None:
    where = "position/?sea=ask&sunk=D4h4+D5h5&hit=A1+A2"
    for language, said in (("en", "86 fleets are possible."), ("de", "86 Flotten sind möglich.")):
        html = client.get(f"/{language}/{where}")
        assert (html.game["data-fleets"], html.game["data-exact"]) == ("86", "yes")
        assert said in html.says


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ("brush=water&cell=A1", {"water": "A1"}),
        ("hit=A1&brush=hit&cell=A1", {"brush": "hit"}),
        ("water=A1&brush=hit&cell=A1&ship=4", {"hit": "A1-4", "brush": "hit", "ship": "4"}),
        ("hit=D4&brush=sunk&cell=D4", {"hit": "D4", "from": "D4"}),
        ("hit=D4&from=D4&cell=F4", {"sunk": "D4h3", "brush": "sunk"}),
        ("from=E5&length=3", {"sunk": "3@E5", "brush": "sunk"}),
        ("sunk=D4h3&brush=sunk&cell=E4", {"brush": "sunk"}),
        ("water=J1&line=A1+Wasser+B7+hit+sunk+3+at+E9", {"water": "A1 J1", "hit": "B7",
                                                         "sunk": "3@E9"}),
    ],
)  # fmt: skip
def test_each_press_and_line_leads_to_the_address_of_the_position(
    client: Device, sent: str, fields: dict[str, str]
) -> None:
    answer = client.get(f"{SEA}&{sent}")
    assert answer.status == 302
    assert dict(parse_qsl(urlsplit(answer.location).query)) == {"sea": "milton", **fields}
    assert client.get(answer.location).status == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("water=C2+B3+D3+C4&hit=C3", "The hit at C3 can’t belong to any ship that is left."),
        ("water=A1&line=Z9+water", "That can’t be marked on this sea: Z9."),
        ("water=A1&line=B4", "What is at B4: water, hit or sunk?"),
        ("water=A1+Z9", "That can’t be marked on this sea: Z9."),
        ("from=A1&cell=C3", "No ship of this fleet can lie there: A1–C3."),
    ],
)
def test_a_refusal_is_one_sentence_and_nothing_typed_is_lost(
    client: Device, query: str, said: str
) -> None:
    html = client.get(f"{SEA}&{query}")
    assert (html.status, html.says) == (422, said)
    if "A1" in query and "from" not in query:
        assert html.cells("enemy")["A1"] == "water"
    if "line" in query:
        assert html.attribute('name="line" value') in ("Z9 water", "B4")


@pytest.mark.parametrize(
    "query", ["sea=bonn", "sea=nowhere", "sea=own&moving=on", "sea=own&columns=99", "sea=own&n8=99"]
)
def test_a_sea_that_can_not_be_counted_is_refused(client: Device, query: str) -> None:
    assert client.get(f"/en/position/?{query}").status == 422


@needs_features("daily")
def test_it_marks_the_sea_of_the_day_that_is_under_way(client: Device) -> None:
    where = begun(client, "/en/daily/")
    shot = acted(client, where, *GAMES["sea"].misses(where))
    assert saved_at(shot).setup.assists.used == ()
    client.get("/en/position/")
    assert saved_at(begun(client, "/en/daily/")).setup.assists.used == ("coach",)
