"""What 1.0.0 and later versions wrote is read, and written like that: tokens, records, JSON.

The samples of a release are never changed. What a later version writes otherwise, or for the first
time, stands beside them in files of that version.
"""

import base64
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.urls import Resolver404, resolve
from pytest_django import Settings

from battleships_site import __version__
from game.matches.keyring import PURPOSES, BadToken, Keyring, Purpose
from game.matches.tokens import recent
from tests.support.device import Device
from tests.support.features import merged
from tests.support.golden import (
    OWN_SEALS,
    RING,
    ROOT,
    TESTS,
    files,
    is_written_as,
    page_in_json,
    pages,
    pinned,
    purpose_of,
    samples,
    secrets_in,
    tokens,
    unsealed,
    version_of,
)

GOLDEN, PAGES_THEN = tokens(), pages()
SAMPLES = samples()
TOKENS = {name: spellings for name, spellings in GOLDEN.items() if purpose_of(name)}
WAY_OUT = """
It is written differently than before. Every 1.x version reads what an earlier one has written: if
the change is meant, give the format a new version, keep a reader of the old one, and run
python -m tests.support.golden, which adds the new spelling to the old ones."""
FROZEN = """
The samples of a release stay as they are. After the version is raised, those of the release before
are added: sha256sum tests/*/golden_*-VERSION.json >> tests/golden.sha256"""
DIGESTS = TESTS / "golden.sha256"


@pytest.fixture(autouse=True)
def _golden_key(settings: Settings, tmp_path: Path) -> None:
    settings.SECRETS_FILE = secrets_in(tmp_path)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_written_as_it_was_before(name: str) -> None:
    assert is_written_as(name, GOLDEN[name][-1], SAMPLES[name]), WAY_OUT


@pytest.mark.parametrize("name", GOLDEN)
def test_what_any_1_x_version_has_written_is_read(name: str) -> None:
    for spelling in GOLDEN[name]:
        recent.clear()
        assert unsealed(name, spelling) == SAMPLES[name]


def test_no_sample_of_a_release_is_changed_or_lost() -> None:
    rows = (row.split() for row in DIGESTS.read_text().splitlines())
    # A feature that is deleted takes its samples with it.
    kept = {name: digest for digest, name in rows if (TESTS.parent / name).parent.exists()}
    found = {
        str(path.relative_to(TESTS.parent)): sha256(path.read_bytes()).hexdigest()
        for path in files()
        if version_of(path) != __version__
    }
    assert found == kept, FROZEN


def test_there_is_a_sample_of_every_purpose_that_has_to_be_read_later() -> None:
    assert {purpose_of(name) for name in TOKENS} == set(PURPOSES) - merged("SHORT_LIVED").keys()


def missing(then: Any, now: Any, where: str = "") -> list[str]:
    """What a page said then and doesn't say now; it may say more, and its sentences may change."""
    if isinstance(then, dict) and isinstance(now, dict):
        parts = ((f"{where}/{key}", then[key], now.get(key)) for key in then if key != "status")
        return [it for path, one, other in parts for it in missing(one, other, path)]
    if where.endswith("/actions"):
        lost = sorted(buttons(then) - buttons(now or []))
        return [f"{where}: {it}" for it in lost]
    if now is None and "/links/" in where and not is_there(then):
        return []  # it leads to a page of a feature that has been deleted
    return [] if then == now else [f"{where}: {then}, now {now}"]


def is_there(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


def buttons(forms: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """What can be pressed: the address, the name and the value of each button."""
    return {
        (form["address"], name, value)
        for form in forms
        for name, values in form["buttons"].items()
        for value in values
    }


@pytest.mark.parametrize("name", pinned())
def test_the_json_of_a_page_still_says_all_that_it_said(name: str) -> None:
    for spelling in GOLDEN[name]:
        now = page_in_json(name, spelling)
        assert now.get("status") or now["actions"]
        assert [it for then in PAGES_THEN[name] for it in missing(then, now)] == []


@pytest.mark.parametrize("name", [name for name in TOKENS if purpose_of(name) == Purpose.PLAY])
def test_a_match_of_any_1_x_version_has_its_page(client: Device, name: str) -> None:
    for spelling in GOLDEN[name]:
        assert client.get(f"/en/play/{spelling}/").status == 200


def test_the_golden_tokens_open_with_no_other_key_and_for_no_other_purpose() -> None:
    other = base64.b64encode(bytes(32)).decode()
    wrong = Keyring({"keys": [{"root": other, "state": "use"}]})
    both = Keyring({"keys": [{"root": other, "state": "use"}, {"root": ROOT, "state": "accept"}]})
    for name, [token, *_] in TOKENS.items():
        purpose = purpose_of(name)
        if purpose is None or purpose in OWN_SEALS:
            continue
        assert both.unseal(purpose, token)
        with pytest.raises(BadToken):
            wrong.unseal(purpose, token)
        for stranger in set(PURPOSES) - {purpose}:
            with pytest.raises(BadToken):
                RING.unseal(stranger, token)


@pytest.mark.parametrize("version", [1, 3, 5])
def test_a_token_of_another_version_is_refused_as_such(version: int) -> None:
    data = base64.urlsafe_b64decode(GOLDEN["bonn"][0])
    with pytest.raises(BadToken) as raised:
        RING.unseal(Purpose.PLAY, base64.urlsafe_b64encode(bytes((version,)) + data[1:]).decode())
    assert raised.value.reason == "version"
