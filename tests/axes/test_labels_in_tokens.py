"""Labels in tokens: rules and labels alone decide the length, and every address has room."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from urllib.parse import urlencode

import pytest

from battleships_site.limits import LONGEST_LINE
from game.engine.codec import action_bytes
from game.features.axes.names import LabelNames
from game.features.axes.parts import Axes
from game.matches.draft import Draft
from game.matches.keyring import OVERHEAD
from game.matches.saved import SavedMatch
from game.matches.token_format import encode_saved
from game.matches.tokens import seal_draft, seal_match, unseal_match
from tests.axes.samples import HOSTILE, NUMBERS, WORDS, labelled
from tests.support.device import Device
from tests.support.features import needs_features
from tests.support.matches import address, saved_at

LARGE = {
    "columns": "15", "rows": "15", "column_labels": ";".join(f"é{it:02}xxéxx" for it in range(15)),
    "row_labels": ";".join(f"è{it:02}xxéx" for it in range(14)) + ";" + "x" * 11 + "è",
    "label_language": "de", "cells": "typed",
}  # fmt: skip
"""Fields of the largest board with labels of 400 bytes."""
BEFORE_AN_ADDRESS = "https://battleship.example.org"
FITS = [
    {"turns": "none"}, {"moving": "on", "again": "on"}, {"moving": "on", "salvo": "on"},
    {"turns": "200"}, {"turns": "400"}, {"turns": "620"}, {"questions": "15", "moving": "off"},
]  # fmt: skip


def asked_for(**more: str) -> Iterator[tuple[str, str]]:
    """Addresses of setups in all ways to play, by the way."""
    fleets = {"few": "5-4-3-3-2", "many": "2" + "-2" * 29}
    ways = {"alone": {"opponent": "alone"}, "computer": {"opponent": "admiral"},
            "two": {"players": "2", "name1": "é" * 24, "name2": "é" * 24}}  # fmt: skip
    for (way, fields), fleet, rules in product(ways.items(), fleets.values(), FITS):
        asked = {"fleet": fleet, "touching": "anywhere", **LARGE, **rules, **fields, **more}
        yield way, f"/en/new/own/?{urlencode(asked)}"


@pytest.mark.parametrize("it", [WORDS, NUMBERS, HOSTILE])
def test_labels_come_back_from_a_token(it: Axes) -> None:
    for axes in (it, replace(it, is_typed=not it.is_typed), replace(it, language="")):
        saved = labelled(axes)
        assert unseal_match(seal_match(saved)).setup.part(Axes) == axes


def test_the_longest_addresses_have_room_or_the_setup_is_refused() -> None:
    """No match begins whose addresses grow longer than servers, browsers and cookies take."""
    found, refused = dict[str, int](), 0
    for way, where in asked_for():
        assert len(f"GET {where} HTTP/1.1") <= LONGEST_LINE
        got = Device().get(where, follow=True)
        if got.status == 422:
            assert got.says == "This match could outgrow its address: set fewer turns."
            refused += 1
            continue
        assert got.status == 200, where
        if "/new/" in got.where:
            got = Device().get(Device().pressed(where, {"action": "quick"}), follow=True)
        if "/place/" in got.where:  # the second of two persons
            got = Device().get(Device().pressed(got.where, {"action": "quick"}), follow=True)
        saved = saved_at(got.where)
        assert saved.setup.part(Axes) is not None
        longest = longest_of(saved)
        assert longest <= 4096 - len("play/") - len("unfinished"), where
        found[way] = max(longest, found.get(way, 0))
    assert len(found) == 3
    assert max(found.values()) > 2500, "the longest were all refused"
    assert refused


def longest_of(saved: SavedMatch) -> int:
    """The characters of the longest token that a match has on its way."""
    rules = saved.match.ruleset
    draft = seal_draft(Draft(saved.setup, saved.match.fleets[0]))
    most = len(encode_saved(saved)) + action_bytes(rules, rules.most_actions) + OVERHEAD
    return max(len(draft), 4 * -(-most // 3))


@needs_features("challenge")
def test_a_challenge_with_labels_fits_its_address_or_is_not_offered() -> None:
    offered = 0
    for way, where in asked_for(turns="60"):
        if way == "two":
            continue
        got = Device().get(where, follow=True)
        if "/new/" in got.where and got.status == 200:
            got = Device().get(Device().pressed(where, {"action": "quick"}), follow=True)
        if got.status == 200:
            over = Device().get(Device().pressed(got.where, {"action": "resign-yes"}), follow=True)
            if "data-challenge" in over:
                offered += 1
                assert len(over.attribute("data-challenge")) <= 4000
    assert offered


def test_an_address_of_an_exercise_is_short_enough_to_be_repaired() -> None:
    for _way, where in asked_for():
        assert len(BEFORE_AN_ADDRESS + where) < 8000


def test_the_field_for_typed_cells_has_room_for_the_names_of_cells() -> None:
    for axes in (WORDS, NUMBERS, HOSTILE):
        saved, names = labelled(axes), LabelNames(axes)
        html = Device().get(address(saved))
        most = int(html.first(r'<input id="typed"[^>]*maxlength="(\d+)"'))
        called = [names.name(cell) for cell in saved.match.ruleset.board.cells]
        assert max(len(name.encode("utf-16-le")) // 2 for name in called) <= most
