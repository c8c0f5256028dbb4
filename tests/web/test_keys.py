"""The command that makes and rotates keys."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from battleships_site import secrets
from game.tokens import BadToken, Keyring, Purpose


@pytest.fixture
def path(tmp_path):
    return tmp_path / "secrets.json"


def keys(path, *words):
    out = io.StringIO()
    call_command("keys", *words, file=path, stdout=out)
    return out.getvalue().split()[::4]


def ring(path):
    return Keyring(json.loads(path.read_text()))


def test_a_whole_rotation_keeps_every_match_until_its_key_is_dropped(path):
    [old] = keys(path, "make")
    token = ring(path).seal(Purpose.PLAY, b"a match")
    _, new = keys(path, "add")
    keys(path, "use", new)
    assert ring(path).unseal(Purpose.PLAY, token) == b"a match"
    again = ring(path).seal(Purpose.PLAY, b"another")
    assert keys(path, "drop", old) == [new]
    assert ring(path).unseal(Purpose.PLAY, again) == b"another"
    with pytest.raises(BadToken):
        ring(path).unseal(Purpose.PLAY, token)
    secrets.load(path, may_create=False)  # still for its owner only


@pytest.mark.parametrize("words", [("use", "00000000"), ("drop", ""), ("make",)])
def test_what_would_lose_keys_or_names_none_is_refused(path, words):
    keys(path, "make")
    before = path.read_text()
    with pytest.raises(CommandError):
        keys(path, *words)
    assert path.read_text() == before


def test_the_key_that_seals_is_never_dropped(path):
    [only] = keys(path, "make")
    with pytest.raises(CommandError, match="another"):
        keys(path, "drop", only)
