"""Labels in tokens: rules and labels alone decide the length, and every address has room."""

from dataclasses import replace
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
from tests.support.matches import address, saved_at

LARGE = {
    "columns": "15", "rows": "15", "column_labels": ";".join(f"é{it:02}xxéxx" for it in range(15)),
    "row_labels": ";".join(f"è{it:02}xxéx" for it in range(14)) + ";" + "x" * 11 + "è",
    "label_language": "de", "cells": "typed", "touching": "anywhere",
}  # fmt: skip
"""Fields of the largest board with labels of 400 bytes."""
MANY = "2" + "-2" * 29
TWO = {"players": "2", "name1": "é" * 24, "name2": "é" * 24}
FITS = [
    {"turns": "none", "opponent": "alone", "fleet": MANY}, {"turns": "620", "fleet": MANY, **TWO},
    {"turns": "400", "fleet": "5-4-3-3-2", **TWO}, {"moving": "on", "opponent": "admiral"},
    {"moving": "on", "salvo": "on", "fleet": MANY, **TWO},
    {"questions": "15", "moving": "off", "fleet": "5-4-3-3-2", "opponent": "alone"},
]  # fmt: skip


@pytest.mark.parametrize("it", [WORDS, NUMBERS, HOSTILE])
def test_labels_come_back_from_a_token_and_a_typed_name_has_room(it: Axes) -> None:
    for axes in (it, replace(it, is_typed=not it.is_typed), replace(it, language="")):
        saved = labelled(axes)
        assert unseal_match(seal_match(saved)).setup.part(Axes) == axes
    names = LabelNames(it)
    most = int(Device().get(address(saved)).first(r'<input id="typed"[^>]*maxlength="(\d+)"'))
    called = [names.name(cell) for cell in names.board.cells]
    assert max(len(name.encode("utf-16-le")) // 2 for name in called) <= most


def test_the_longest_addresses_have_room_or_the_setup_is_refused() -> None:
    """No match begins whose addresses grow longer than servers, browsers and cookies take."""
    found = []
    for rules in FITS:
        where = f"/en/new/own/?{urlencode(LARGE | rules)}"
        assert len(f"GET {where} HTTP/1.1") <= LONGEST_LINE
        got = Device().get(where, follow=True)
        if got.status == 422:
            assert got.says == "This match could become too long for its address: set fewer turns."
            continue
        assert got.status == 200, where
        while "/new/" in got.where or "/place/" in got.where:  # each of two persons
            got = Device().get(Device().pressed(got.where, {"action": "quick"}), follow=True)
        saved = saved_at(got.where)
        assert saved.setup.part(Axes) is not None
        found.append(longest_of(saved))
    assert 2500 < max(found) <= 4096 - len("play/") - len("unfinished")
    assert 0 < len(found) < len(FITS), "all were refused, or none"


def longest_of(saved: SavedMatch) -> int:
    """The characters of the longest token that a match has on its way."""
    rules = saved.match.ruleset
    draft = seal_draft(Draft(saved.setup, saved.match.fleets[0]))
    most = len(encode_saved(saved)) + action_bytes(rules, rules.most_actions) + OVERHEAD
    return max(len(draft), 4 * -(-most // 3))
