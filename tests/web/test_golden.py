"""The content of tokens is written as it was when it got its version."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from pytest_django import Settings

from game.matches.keyring import BadToken, Keyring, Purpose
from game.matches.tokens import recent
from tests.support.golden import PATH, RING, ROOT, purpose_of, samples, sealed, secrets_in, unsealed

GOLDEN: dict[str, str] = json.loads(PATH.read_text())
SAMPLES = samples()
WAY_OUT = """
The content of a token has changed, so running matches would no longer open as what they were. If
that is meant, raise VERSION in game/matches/keyring.py, and run python -m tests.support.golden."""


@pytest.fixture(autouse=True)
def _golden_key(settings: Settings, tmp_path: Path) -> None:
    settings.SECRETS_FILE = secrets_in(tmp_path)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_sealed_and_opened_as_ever(name: str) -> None:
    assert sealed(name, SAMPLES[name]) == GOLDEN.get(name), WAY_OUT
    recent.clear()
    assert unsealed(name, GOLDEN[name]) == SAMPLES[name]


def test_there_is_a_golden_token_of_every_purpose_but_the_other_games() -> None:
    """Logbooks have a version of their own. A review or results that can't be opened begin anew."""
    others = {Purpose.DEDUCTION, Purpose.LOGBOOK, Purpose.REVIEW_PROGRESS, Purpose.RESULTS}
    assert {purpose_of(name) for name in GOLDEN} == set(Purpose) - others


def test_the_golden_tokens_open_with_no_other_key_and_for_no_other_purpose() -> None:
    other = base64.b64encode(bytes(32)).decode()
    wrong = Keyring({"keys": [{"root": other, "state": "use"}]})
    both = Keyring({"keys": [{"root": other, "state": "use"}, {"root": ROOT, "state": "accept"}]})
    for name, token in GOLDEN.items():
        purpose = purpose_of(name)
        assert both.unseal(purpose, token)
        with pytest.raises(BadToken):
            wrong.unseal(purpose, token)
        for stranger in set(Purpose) - {purpose}:
            with pytest.raises(BadToken):
                RING.unseal(stranger, token)


@pytest.mark.parametrize("version", [1, 3, 5])
def test_a_token_of_another_version_is_refused_as_such(version: int) -> None:
    data = base64.urlsafe_b64decode(GOLDEN["bonn"])
    with pytest.raises(BadToken) as raised:
        RING.unseal(Purpose.PLAY, base64.urlsafe_b64encode(bytes((version,)) + data[1:]).decode())
    assert raised.value.reason == "version"


@pytest.mark.parametrize(
    ("plain", "sealed"),
    [
        ("", "07f5f4169bbf55a8400cd47ea6fd400f"),
        ("0100000000000000", "c2ef328e5c71c83b843122130f7364b761e0b97427e3df28"),
    ],
)
def test_the_cipher_is_that_of_rfc_8452(plain: str, sealed: str) -> None:
    """Its appendix C.2: the key is 01 and the nonce 03, each filled with zeros."""
    cipher = AESGCMSIV(bytes([1, *bytes(31)]))
    nonce = bytes([3, *bytes(11)])
    assert cipher.encrypt(nonce, bytes.fromhex(plain), b"").hex() == sealed
