"""The command that makes and rotates keys."""

import base64
import io
import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from game.matches import daily, keyring
from game.matches.keyring import BadToken, Keyring, Purpose
from game.ops import secrets


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "secrets.json"


def printed(path: Path, *words: str) -> list[str]:
    """The lines that the command prints."""
    out = io.StringIO()
    call_command("keys", *words, file=path, stdout=out)
    return out.getvalue().splitlines()


def keys(path: Path, *words: str) -> list[str]:
    """The ids of the keys that it lists."""
    return [line.split()[0] for line in printed(path, *words) if " made " in line]


def minutes_pass(path: Path) -> None:
    long_ago = path.stat().st_mtime - 300
    os.utime(path, (long_ago, long_ago))


def kept_at(path: Path) -> Any:
    return json.loads(path.read_text())


def ring(path: Path) -> Keyring:
    return Keyring(kept_at(path))


def refused(path: Path, *words: str) -> str:
    """The sentence by which the command refuses; the file stays as it was."""
    before = path.read_bytes()
    with pytest.raises(CommandError) as raised:
        keys(path, *words)
    assert path.read_bytes() == before
    return str(raised.value)


def test_a_whole_rotation_keeps_every_match_until_its_key_is_dropped(path: Path) -> None:
    [old] = keys(path, "make")
    token, chain = ring(path).seal(Purpose.PLAY, b"a match"), chain_in(path)
    _, new = keys(path, "add")
    minutes_pass(path)
    keys(path, "use", new)
    assert ring(path).unseal(Purpose.PLAY, token) == b"a match"
    again = ring(path).seal(Purpose.PLAY, b"another")
    assert "another" in refused(path, "drop", new), "the key that seals is never dropped"
    assert keys(path, "drop", old) == [new]
    assert ring(path).unseal(Purpose.PLAY, again) == b"another"
    with pytest.raises(BadToken):
        ring(path).unseal(Purpose.PLAY, token)
    assert chain_in(path) == chain
    secrets.load(path, may_create=False)  # still for its owner only


@pytest.mark.parametrize("words", [("use", "00000000"), ("drop", ""), ("make",)])
def test_what_would_lose_keys_or_names_none_is_refused(path: Path, words: tuple[str, ...]) -> None:
    keys(path, "make")
    assert refused(path, *words)


def test_a_key_is_not_used_before_every_process_can_have_read_it(path: Path) -> None:
    keys(path, "make")
    _, new = keys(path, "add")
    assert re.search(r"wait \d\d? seconds more", refused(path, "use", new))
    keys(path, "use", new, "--at-once")
    assert [key["state"] for key in kept_at(path)["keys"]] == ["accept", "use"]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff\xfe", b'{"secret_key": "x", "keys": []}', b'{"keys": 7}']
)
def test_a_file_that_holds_no_secrets_gets_one_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)
    for act in ("list", "add", "use", "drop", "daily"):
        said = refused(path, act, "00000000")
        assert re.search("form they should have|need one key to use", said)


# --- since when a key hasn't sealed ---


def minute_now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def test_a_key_notes_the_minute_in_which_another_was_used(path: Path) -> None:
    old, new = keys(path, "make") + keys(path, "add")[1:]
    before = minute_now()
    lines = printed(path, "use", new, "--at-once")
    kept = kept_at(path)["keys"]
    assert lines[0].split(", sealed until ")[1] in (before, minute_now())
    assert [(key["state"], "until" in key) for key in kept] == [("accept", True), ("use", False)]
    assert lines == printed(path, "list")
    assert secrets.load(path, may_create=False)["keys"] == kept
    # Another rotation leaves the note of the first as it is.
    long_ago = kept[0]["until"] = "2026-01-02T03:04Z"
    secrets.write(path, kept_at(path) | {"keys": kept})
    third = keys(path, "add")[2]
    for _ in range(2):  # using the key that seals notes nothing
        keys(path, "use", third, "--at-once")
        one, two, three = kept_at(path)["keys"]
        assert (one["until"], "until" in two, "until" in three) == (long_ago, True, False)
    keys(path, "use", old, "--at-once")
    assert "until" not in kept_at(path)["keys"][0], "it seals again"


# --- today's sea; a process that runs ---


def chain_in(path: Path) -> daily.Chain:
    chain = daily.read(secrets.load(path, may_create=False).get("daily"))
    assert chain is not None
    return chain


def test_secrets_are_made_with_a_chain_that_is_shown_but_for_its_end(path: Path) -> None:
    made = printed(path, "make")
    chain, today = chain_in(path), datetime.now(UTC).date()
    assert (chain.length, chain.first) == (3650, today)
    assert made == printed(path, "list")
    assert made[-1] == (
        f"today's sea: 3650 days from {today} to {today + timedelta(days=3649)}, "
        f"first link {chain.first_link.hex()}"
    )
    for secret in (chain.end, chain.link(today), chain.link(chain.last)):
        for spelt in (secret.hex(), base64.b64encode(secret).decode()):
            assert spelt not in "\n".join(made)


def test_a_chain_is_replaced_only_where_that_is_asked_for(path: Path) -> None:
    keys(path, "make")
    first = kept_at(path)
    assert "--anew" in refused(path, "daily")
    lines = printed(path, "daily", "--anew")
    said = " ".join(lines)
    for told in ("new first link", "begun before keep", "logbooks no longer open"):
        assert told in said
    assert kept_at(path)["keys"] == first["keys"]
    assert chain_in(path) != daily.read(first["daily"])
    assert lines[-1].endswith(chain_in(path).first_link.hex())


@pytest.mark.usefixtures("secrets_reread")
def test_a_file_that_was_replaced_within_one_tick_of_the_clock_is_read_again(
    path: Path, settings: Settings
) -> None:
    settings.SECRETS_FILE = path
    keys(path, "make")
    keyring.seal(Purpose.PLAY, b"")
    before, others = path.stat(), secrets.make()
    secrets.write(path, others)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    token = Keyring(others).seal(Purpose.PLAY, b"a match")
    assert keyring.unseal(Purpose.PLAY, token) == b"a match"
    path.unlink()  # running matches go on
    assert keyring.unseal(Purpose.PLAY, token) == b"a match"
