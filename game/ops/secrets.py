"""The site's secrets: a file that development creates and production must be given.

    {"secret_key": "…", "keys": [{"root": "<base64 of 32 bytes>", "made": "2026-10-20",
                                  "state": "accept", "until": "2026-11-22T12:00Z"},
                                 {"root": "<base64 of 32 bytes>", "made": "2026-11-20",
                                  "state": "use"}],
     "daily": {"end": "<base64 of 32 bytes>", "length": 3650, "first": "2026-11-22"}}

Exactly one key has the state "use" and seals tokens. Keys with the state "accept" only open them;
"until" is the time in UTC at which the key stopped sealing, and is missing if it never sealed.
"daily" is the hash chain of today's sea: its end, its length in days and its first day. It is
optional, and rotating the keys doesn't change it.
"""

import base64
import json
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

SECRET_BYTES = 32
"""The length of a key's root, and of the end of a hash chain."""
DAYS, MOST_DAYS = 3650, 36_500
"""The length of a new hash chain and the greatest length accepted, in days."""
_MINUTE = "%Y-%m-%dT%H:%MZ"
"""The format of "until"."""


class BadSecrets(RuntimeError):
    """The secrets are missing, readable by others, or malformed."""


def load(path: Path, *, may_create: bool) -> dict[str, Any]:
    """Reads the secrets from a file; raises BadSecrets.

    With `may_create` a missing file is created. If several processes start at once, one of them
    creates it and all read the same secrets.
    """
    if may_create and not path.exists():
        _create(path)
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadSecrets(
            f"no secrets at {path}: set BATTLESHIP_SECRETS_FILE to a file made by "
            "`manage.py keys make`, as docs/operations.md describes"
        ) from error
    # Windows tells nothing of others in the mode of a file.
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSecrets(f"{path} may be read by others: give it mode 0600")
    return parse(text)


def parse(text: str) -> dict[str, Any]:
    """Reads secrets from JSON; raises BadSecrets, whose message quotes nothing of the text."""
    try:
        content = json.loads(text)
        keys = [base64.b64decode(key["root"], validate=True) for key in content["keys"]]
        states = [key["state"] for key in content["keys"]]
        sound = bool(content["secret_key"]) and all(len(key) == SECRET_BYTES for key in keys)
        for key in content["keys"]:
            sealed_until(key)
    except (ValueError, KeyError, TypeError) as error:
        raise BadSecrets("the secrets are not in the form they should have") from error
    if not sound or states.count("use") != 1 or not set(states) <= {"use", "accept"}:
        raise BadSecrets("the secrets need one key to use, and keys of 32 bytes")
    if "daily" in content and not _is_chain(content["daily"]):
        raise BadSecrets("the secrets' daily needs an end of 32 bytes, a length and a first day")
    assert isinstance(content, dict)  # noqa: S101 (for the type checker)
    return content


def _is_chain(daily: Any) -> bool:
    """Whether `daily` has the form that make_daily returns."""
    try:
        end = base64.b64decode(daily["end"], validate=True)
        length, first = daily["length"], date.fromisoformat(daily["first"])
        is_bounded = type(length) is int and 1 <= length <= MOST_DAYS
        # Only the canonical spelling, and the last possible day must exist in the calendar.
        is_dated = first.isoformat() == daily["first"] and bool(first + timedelta(MOST_DAYS))
    except (ValueError, KeyError, TypeError, OverflowError):
        return False
    return len(end) == SECRET_BYTES and is_bounded and is_dated


def make() -> dict[str, Any]:
    """New secrets with one key and a new hash chain."""
    keys, daily = [make_key("use")], make_daily()
    return {"secret_key": secrets.token_urlsafe(48), "keys": keys, "daily": daily}


def make_key(state: str) -> dict[str, str]:
    return {"root": _drawn(), "made": datetime.now(UTC).date().isoformat(), "state": state}


def stop_sealing(key: dict[str, str]) -> None:
    """Changes the state from "use" to "accept" and sets "until"; other keys stay unchanged."""
    if key["state"] == "use":
        key |= {"state": "accept", "until": datetime.now(UTC).strftime(_MINUTE)}


def start_sealing(key: dict[str, str]) -> None:
    """Changes the state to "use" and removes "until"."""
    key["state"] = "use"
    key.pop("until", None)


def sealed_until(key: Mapping[str, str]) -> datetime | None:
    """The time in UTC, to the minute, when a key stopped sealing, or None; raises ValueError."""
    if "until" not in key:
        return None
    until = datetime.strptime(key["until"], _MINUTE).replace(tzinfo=UTC)
    if until.strftime(_MINUTE) != key["until"]:  # not the canonical spelling
        raise ValueError("not a minute")
    return until


def make_daily() -> dict[str, str | int]:
    """A new hash chain whose first day is today in UTC."""
    return {"end": _drawn(), "length": DAYS, "first": datetime.now(UTC).date().isoformat()}


def _drawn() -> str:
    return base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def write(path: Path, content: dict[str, Any]) -> None:
    """Replaces the file atomically; raises BadSecrets."""
    _put(path, content, os.replace)


def _create(path: Path) -> None:
    """Creates the file unless it exists; raises BadSecrets.

    Unlike a rename, a link never overwrites. A rename on Windows doesn't either, nor does it need a
    file system with links.
    """
    _put(path, make(), os.rename if os.name == "nt" else os.link)


def _put(path: Path, content: dict[str, Any], name: Callable[[str, Path], None]) -> None:
    """Writes secrets beside `path`, and has `name` give the file that name; raises BadSecrets."""
    draft = ""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)  # made with mode 0600
        with os.fdopen(handle, "w") as file:
            json.dump(content, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process has created it
            name(draft, path)
    except OSError as error:
        raise BadSecrets(f"secrets can't be kept at {path}: {error.strerror}") from error
    finally:
        if draft:
            Path(draft).unlink(missing_ok=True)
