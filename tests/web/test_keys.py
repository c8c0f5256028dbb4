"""The command that makes and rotates keys."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from game.matches import keyring
from game.matches.keyring import BadToken, Keyring, Purpose
from game.ops import secrets


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secrets.json"


def keys(path: Path, *words: str) -> list[str]:
    out = io.StringIO()
    call_command("keys", *words, file=path, stdout=out)
    return out.getvalue().split()[::4]


def minutes_pass(path: Path) -> None:
    long_ago = path.stat().st_mtime - 300
    os.utime(path, (long_ago, long_ago))


def ring(path: Path) -> Keyring:
    return Keyring(json.loads(path.read_text()))


def test_a_whole_rotation_keeps_every_match_until_its_key_is_dropped(path: Path) -> None:
    [old] = keys(path, "make")
    token = ring(path).seal(Purpose.PLAY, b"a match")
    _, new = keys(path, "add")
    minutes_pass(path)
    keys(path, "use", new)
    assert ring(path).unseal(Purpose.PLAY, token) == b"a match"
    again = ring(path).seal(Purpose.PLAY, b"another")
    assert keys(path, "drop", old) == [new]
    assert ring(path).unseal(Purpose.PLAY, again) == b"another"
    with pytest.raises(BadToken):
        ring(path).unseal(Purpose.PLAY, token)
    secrets.load(path, may_create=False)  # still for its owner only


@pytest.mark.parametrize("words", [("use", "00000000"), ("drop", ""), ("make",)])
def test_what_would_lose_keys_or_names_none_is_refused(path: Path, words: tuple[str, ...]) -> None:
    keys(path, "make")
    before = path.read_text()
    with pytest.raises(CommandError):
        keys(path, *words)
    assert path.read_text() == before


def test_the_key_that_seals_is_never_dropped(path: Path) -> None:
    [only] = keys(path, "make")
    with pytest.raises(CommandError, match="another"):
        keys(path, "drop", only)


def test_a_key_is_not_used_before_every_process_can_have_read_it(path: Path) -> None:
    keys(path, "make")
    _, new = keys(path, "add")
    before = path.read_text()
    with pytest.raises(CommandError, match=r"wait \d\d? seconds more"):
        keys(path, "use", new)
    assert path.read_text() == before
    keys(path, "use", new, "--at-once")
    assert [key["state"] for key in json.loads(path.read_text())["keys"]] == ["accept", "use"]


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"\xff\xfe", b'{"keys": 3}'])
@pytest.mark.parametrize("act", ["list", "add", "use", "drop"])
def test_a_file_that_holds_no_secrets_gets_one_sentence(
    path: Path, content: bytes, act: str
) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(CommandError, match="form they should have"):
        keys(path, act, "00000000")
    assert path.read_bytes() == content


def test_a_place_where_no_file_can_be_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match=r"can't be kept at .*: File exists"):
        keys(tmp_path / "file" / "secrets.json", "make")


def test_a_key_without_its_day_is_listed(path: Path) -> None:
    keys(path, "make")
    found = json.loads(path.read_text())
    del found["keys"][0]["made"]
    secrets.write(path, found)
    assert len(keys(path, "list")) == 2, "its id, and the rest of the line"


# --- several machines ---


class Machine:
    """A process on a machine of its own: it has a copy of the file, and reads it now and then."""

    def __init__(self, path: Path, found: dict[str, str | list[dict[str, str]]]) -> None:
        self.path = path
        secrets.write(path, found)
        self.seal(b"")  # it reads its file when it starts

    def given(self, found: dict[str, str | list[dict[str, str]]]) -> None:
        secrets.write(self.path, found)

    def seal(self, content: bytes) -> str:
        with override_settings(SECRETS_FILE=self.path):
            return keyring.seal(Purpose.PLAY, content)

    def open_and_seal(self, token: str) -> str:
        with override_settings(SECRETS_FILE=self.path):
            return keyring.seal(Purpose.PLAY, keyring.unseal(Purpose.PLAY, token) + b".")


def rotated(
    phases: list[dict[str, str | list[dict[str, str]]]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> int:
    """How many clicks fail while two machines take turns and get each phase one after the other."""
    clock = iter(range(0, 10**9, keyring.REREAD_SECONDS + 1))
    monkeypatch.setattr(keyring, "monotonic", lambda: next(clock))
    machines = [Machine(folder / f"{number}.json", phases[0]) for number in range(2)]
    token, failed = machines[0].seal(b""), 0
    for phase in phases[1:]:
        for late in machines:
            late.given(phase)
            for machine in (*machines, *machines):
                try:
                    token = machine.open_and_seal(token)
                except BadToken:
                    failed += 1
    return failed


def test_a_rotation_in_three_phases_costs_no_click_and_a_skipped_phase_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = secrets.make_key("use"), secrets.make_key("use")

    def phase(**states: Any) -> Any:
        both = {"old": old, "new": new}
        keys = [both[name] | {"state": state} for name, state in states.items()]
        return {"secret_key": "x", "keys": keys}

    before, announced = phase(old="use"), phase(old="use", new="accept")
    switched, after = phase(old="accept", new="use"), phase(new="use")
    in_order = [before, announced, switched, after]
    assert rotated(in_order, tmp_path / "whole", monkeypatch) == 0
    assert rotated([before, switched, after], tmp_path / "unannounced", monkeypatch) > 0
    assert rotated([before, announced, after], tmp_path / "hasty", monkeypatch) > 0


def test_a_process_whose_keyring_was_spoilt_goes_on_with_the_one_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 10**9, keyring.REREAD_SECONDS + 1))
    monkeypatch.setattr(keyring, "monotonic", lambda: next(clock))
    machine = Machine(tmp_path / "secrets.json", secrets.make())
    token = machine.seal(b"")
    machine.path.write_text("{}")
    assert machine.open_and_seal(token)
    machine.path.unlink()
    assert machine.open_and_seal(token)
