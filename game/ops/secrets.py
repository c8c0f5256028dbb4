"""The site's secrets: a file that development creates and production must be given.

    {"secret_key": "…", "keys": [{"root": "<base64 of 32 bytes>", "made": "2026-11-20",
                                  "state": "use"}]}

Exactly one key has the state "use", which seals tokens. Keys with "accept" only open them.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT_BYTES = 32


class BadSecrets(RuntimeError):
    """The secrets are missing, readable by others, or malformed."""


def load(path: Path, *, may_create: bool) -> dict[str, Any]:
    """The secrets in a file, created if missing and allowed; raises BadSecrets.

    If several processes start at once, one creates the file and all read the same secrets.
    """
    if may_create and not path.exists():
        _create(path)
    try:
        mode = path.stat().st_mode
        text = path.read_text(errors="replace")
    except OSError as error:
        raise BadSecrets(
            f"no secrets at {path}: set BATTLESHIP_SECRETS_FILE to a file made by "
            "`manage.py keys make`, as docs/operations.md tells"
        ) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSecrets(f"{path} may be read by others: give it mode 0600")
    return parse(text)


def parse(text: str) -> dict[str, Any]:
    """Secrets from JSON; raises BadSecrets, whose message quotes none of the text."""
    try:
        found = json.loads(text)
        keys = [base64.b64decode(key["root"], validate=True) for key in found["keys"]]
        states = [key["state"] for key in found["keys"]]
        sound = bool(found["secret_key"]) and all(len(key) == ROOT_BYTES for key in keys)
    except (ValueError, KeyError, TypeError) as error:
        raise BadSecrets("the secrets are not in the form they should have") from error
    if not sound or states.count("use") != 1 or not set(states) <= {"use", "accept"}:
        raise BadSecrets("the secrets need one key to use, and keys of 32 bytes")
    assert isinstance(found, dict)  # noqa: S101 (for the type checker)
    return found


def make() -> dict[str, Any]:
    """New secrets with one key."""
    return {"secret_key": secrets.token_urlsafe(48), "keys": [make_key("use")]}


def make_key(state: str) -> dict[str, str]:
    """A new key with that state."""
    root = base64.b64encode(secrets.token_bytes(ROOT_BYTES)).decode()
    return {"root": root, "made": datetime.now(UTC).date().isoformat(), "state": state}


def write(path: Path, found: dict[str, Any]) -> None:
    """Replaces the file atomically, so that no reader sees half of it; raises BadSecrets."""
    os.replace(_draft(path, found), path)


def _create(path: Path) -> None:
    """Creates the file unless it exists: a link, unlike a rename, never overwrites."""
    draft = _draft(path, make())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


def _draft(path: Path, found: dict[str, Any]) -> str:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)  # made with mode 0600
    except OSError as error:
        raise BadSecrets(f"secrets can't be kept at {path}: {error.strerror}") from error
    with os.fdopen(handle, "w") as file:
        json.dump(found, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    return draft
