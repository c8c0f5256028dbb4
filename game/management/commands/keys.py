"""`manage.py keys`: makes, lists and rotates the keys that seal tokens.

A rotation has three steps, each on every machine before the next: `add` makes a key that only opens
tokens; `use` makes it the key that seals; `drop` deletes the old one, and the matches sealed by it
are lost. After `add` every process has to read the file again, which takes half a minute: `use`
refuses to run earlier, since a process without the new key couldn't open the new tokens.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path
from time import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.matches.keyring import REREAD_SECONDS, kid_of
from game.ops import secrets

WAIT_SECONDS = 2 * REREAD_SECONDS
"""The least time between `add` and `use`: twice what a process may take to read the file again."""


class Command(BaseCommand):
    """Replaces the secrets file atomically, so that no process reads half of it."""

    help = "Makes, lists and rotates the keys of the secrets file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=("make", "list", "add", "use", "drop"))
        parser.add_argument("key", nargs="?", help="the id of a key, as `list` shows it")
        parser.add_argument(
            "--at-once", action="store_true", help="use a key that was only just added"
        )
        parser.add_argument(
            "--file", type=Path, default=settings.SECRETS_FILE, help="the secrets file"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Changes the file and prints its keys; raises CommandError, and then changes nothing."""
        path: Path = options["file"]
        act = options["act"]
        if act == "make" and path.exists():
            raise CommandError(f"there are secrets already: {path}")
        try:
            found = secrets.load(path, may_create=act == "make")
            if act in ("add", "use", "drop"):
                _change(found["keys"], path, options)
                secrets.write(path, found)
        except secrets.BadSecrets as error:
            raise CommandError(str(error)) from error
        for key in found["keys"]:
            made = key.get("made", "on an unknown day")
            self.stdout.write(f"{kid_of(key)}  {key['state']:7} made {made}")


def _change(keys: list[dict[str, str]], path: Path, options: dict[str, Any]) -> None:
    if options["act"] == "add":
        keys.append(secrets.make_key("accept"))
        return
    key = _named(keys, options["key"] or "")
    if options["act"] == "use":
        if not options["at_once"]:
            _refuse_haste(path)
        for other in keys:
            other["state"] = "use" if other is key else "accept"
    elif key["state"] == "use":
        raise CommandError("this key seals: let another be used first")
    else:
        keys.remove(key)


def _refuse_haste(path: Path) -> None:
    wait = path.stat().st_mtime + WAIT_SECONDS - time()
    if wait > 0:
        raise CommandError(
            f"the file has only just changed: wait {ceil(wait)} seconds more, until every process "
            "has read it, or say --at-once where none runs"
        )


def _named(keys: list[dict[str, str]], kid: str) -> dict[str, str]:
    for key in keys:
        if kid_of(key) == kid:
            return key
    raise CommandError(f"no such key: {kid!r}; `keys list` shows those there are")
