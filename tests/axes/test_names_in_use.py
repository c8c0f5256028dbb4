"""Names of cells hold for one answer: no page calls cells as those of a match opened before."""

import re
from threading import Barrier, Thread
from types import SimpleNamespace

import pytest

from game.display import cells, messages
from game.display.cells import called, names_in_use
from game.engine.geometry import Board, Cell
from game.features.axes.parts import Axes
from game.views import hooks
from game.web import middleware
from tests.axes.samples import HOSTILE, NUMBERS, WORDS, labelled, over
from tests.support.device import Device
from tests.support.matches import address, opening, played
from tests.support.page import without_tokens
from tests.support.site_pages import ADDRESSES, address_of

JSON = {"accept": "application/json"}
QUICK = ("home", "thinking", "firing, late", "placing, part", "coach", "replay", "position", "404")


def _fails(device: Device) -> None:
    """A fault within the answer about a match with labels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "status_of", lambda *_: 1 / 0)
        device.client.raise_request_exception = False
        assert device.get(address(labelled(WORDS))).status == 500


def _shown(device: Device) -> None:
    assert "the cat" in device.get(address(labelled(WORDS)))


def _in_json(device: Device) -> None:
    assert "column-labels" in device.get(address(over(NUMBERS)), headers=JSON)


def _refused(device: Device) -> None:
    where, form = address(labelled(HOSTILE)), {"cell": "x", "typed": "on"}
    assert device.post(where, form).status == 422


def _redirected(device: Device) -> None:
    assert device.post(address(labelled(WORDS)), {"cell": "A1"}).status == 303


def _typed_in_this_thread(_device: Device) -> None:
    hooks.use_names(labelled(WORDS).setup)


BEFORE = (_fails, _shown, _in_json, _refused, _redirected, _typed_in_this_thread)
EACH_PAGE = [
    pytest.param(name, marks=[pytest.mark.deep] * (name not in QUICK))
    for name in ADDRESSES
    if not name.startswith("labels")
]


def page(name: str) -> str:
    """What a page of that name says, to a visitor without cookies, but for what is drawn."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.urandom", bytes)
        found = Device().get(address_of(name, "en"))
    return re.sub(r"deal=[\w-]+", "deal=", without_tokens(found))


@pytest.mark.parametrize("name", EACH_PAGE)
def test_a_page_is_the_same_after_any_answer_about_labels(name: str) -> None:
    cells.use(None)
    alone = page(name)
    for before in BEFORE:
        before(Device())
        assert page(name) == alone, before.__name__


def test_a_name_that_stays_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the reset at the beginning of a request another page has the labels."""
    cells.use(None)
    alone = page("thinking")
    monkeypatch.setattr(middleware, "cells", SimpleNamespace(use=lambda _: None))
    ten = Axes(NUMBERS.columns[:10], NUMBERS.rows[:10])
    assert "column-labels" in Device().get(address(labelled(ten)))
    assert page("thinking") != alone


def test_a_match_without_labels_is_called_by_letters_beside_one_with_them() -> None:
    """The same kinds of cells are drawn from a cache, in turn with labels and without."""
    plain, words = played(opening(), 9), played(labelled(WORDS), 9)
    numbers = played(labelled(NUMBERS), 9)
    pages = [address(plain), address(words), address(numbers)]
    first = [Device().get(where) for where in pages]
    for _round in range(2):
        assert [Device().get(where) for where in pages] == first
    assert "the cat" not in first[0]
    assert "the cat" in first[1]
    assert "minus 2" in first[2]
    assert "the cat" not in first[2]


def test_threads_have_names_of_their_own() -> None:
    """Two threads whose answers are computed at the same time."""
    together, said = Barrier(3), dict[str, str]()
    setups = {"words": labelled(WORDS).setup, "numbers": labelled(NUMBERS).setup}

    def ask(name: str) -> None:
        hooks.use_names(setups[name])
        together.wait()
        said[name] = called(Board(8, 8), Cell(0))

    threads = [Thread(target=ask, args=(name,)) for name in setups]
    for thread in threads:
        thread.start()
    cells.use(None)
    together.wait()
    for thread in threads:
        thread.join()
    assert said == {"words": "I / went", "numbers": "(−5 | 5)"}
    assert names_in_use() is None
