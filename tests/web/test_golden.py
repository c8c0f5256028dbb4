"""What any 2.x version has written is read, and today's version writes its samples like that."""

import base64
from pathlib import Path

import pytest
from pytest_django import Settings

from game.matches.keyring import PURPOSES, BadToken, Keyring, Purpose
from game.matches.tokens import recent
from tests.support.device import Device
from tests.support.features import merged
from tests.support.golden import (
    DIGESTS,
    RING,
    ROOT,
    TESTS,
    digests,
    files,
    is_written_as,
    own_seals,
    purpose_of,
    read,
    samples,
    secrets_in,
    unsealed,
)

GOLDEN, SAMPLES = read(), samples()
TOKENS = {name: spellings for name, spellings in GOLDEN.items() if purpose_of(name)}
WAY_OUT = """
It is written differently than before. Every 2.x version reads what an earlier one has written: if
the change is meant, give the format a new version, keep a reader of the old one, and run
python -m tests.support.golden, which writes the samples of this version."""


@pytest.fixture(autouse=True)
def _golden_key(settings: Settings, tmp_path: Path) -> None:
    settings.SECRETS_FILE = secrets_in(tmp_path)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_written_as_it_was_before(name: str) -> None:
    assert is_written_as(name, GOLDEN[name][-1], SAMPLES[name]), WAY_OUT


@pytest.mark.parametrize("name", GOLDEN)
def test_what_any_2_x_version_has_written_is_read(name: str) -> None:
    for spelling in GOLDEN[name]:
        recent.clear()
        assert unsealed(name, spelling) == SAMPLES[name]


def test_no_sample_is_changed_or_lost() -> None:
    # A feature that is deleted takes its samples with it.
    kept = [row for row in DIGESTS.read_text().splitlines() if is_there(row.split()[1])]
    assert digests(files()) == kept


def is_there(path: str) -> bool:
    return (TESTS.parent / path).parent.exists()


def test_there_is_a_sample_of_every_purpose_that_has_to_be_read_later() -> None:
    assert {purpose_of(name) for name in TOKENS} == set(PURPOSES) - merged("SHORT_LIVED").keys()


@pytest.mark.parametrize("name", [name for name in TOKENS if purpose_of(name) == Purpose.PLAY])
def test_a_match_of_any_2_x_version_has_its_page(client: Device, name: str) -> None:
    for spelling in GOLDEN[name]:
        assert client.get(f"/en/play/{spelling}/").status == 200


def test_the_golden_tokens_open_with_no_other_key_and_for_no_other_purpose() -> None:
    other = base64.b64encode(bytes(32)).decode()
    wrong = Keyring({"keys": [{"root": other, "state": "use"}]})
    both = Keyring({"keys": [{"root": other, "state": "use"}, {"root": ROOT, "state": "accept"}]})
    for name, [token, *_] in TOKENS.items():
        purpose = purpose_of(name)
        if purpose is None or purpose in own_seals():
            continue
        assert both.unseal(purpose, token)
        with pytest.raises(BadToken):
            wrong.unseal(purpose, token)
        for stranger in set(PURPOSES) - {purpose}:
            with pytest.raises(BadToken):
                RING.unseal(stranger, token)


@pytest.mark.parametrize("version", [1, 4, 6])
def test_a_token_of_another_version_is_refused_as_such(version: int) -> None:
    data = base64.urlsafe_b64decode(GOLDEN["bonn"][0])
    with pytest.raises(BadToken) as raised:
        RING.unseal(Purpose.PLAY, base64.urlsafe_b64encode(bytes((version,)) + data[1:]).decode())
    assert raised.value.reason == "version"
