"""`manage.py keys`: makes, lists and rotates the keys that seal tokens, and begins today's sea.

Finish each step of a rotation on every machine before the next one. `use` refuses to run for a
minute after `add`, in which processes read the file again: one without the new key couldn't open
new tokens. The chain of today's sea is never rotated, as its first link promises all its days.
"""

from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from time import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.matches import daily
from game.matches.keyring import REREAD_SECONDS, kid_of
from game.ops import database, secrets

WAIT_SECONDS = 2 * REREAD_SECONDS
"""The least time between `add` and `use`: twice the time until a process reads the file again."""
MINUTE = "%Y-%m-%d %H:%M UTC"
ANEW = """\
Today's sea begins anew: tell players the site's new first link, which the site shows from now on.
Matches of today's sea that were begun before keep their own first link, and players' sealed
logbooks no longer open."""


class Command(BaseCommand):
    help = "Makes, lists and rotates the keys of the secrets file, and begins today's sea."

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("act", choices=("make", "list", "add", "use", "drop", "daily"))
        add("key", nargs="?", help="the id of a key, as `list` shows it")
        add("--at-once", action="store_true", help="use a key that was only just added")
        add("--anew", action="store_true", help="replace the chain of today's sea")
        add("--file", type=Path, default=settings.SECRETS_FILE, help="the secrets file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Changes the file and prints it; raises CommandError, and then changes nothing."""
        path: Path = options["file"]
        act = options["act"]
        if act == "make" and path.exists():
            raise CommandError(f"there are secrets already: {path}")
        try:
            content = secrets.load(path, may_create=act == "make")
            if act not in ("make", "list"):
                said = _change(content, path, options)
                secrets.write(path, content)
                if said:
                    self.stdout.write(said)
        except secrets.BadSecrets as error:
            raise CommandError(str(error)) from error
        for key in content["keys"]:
            made, until = key.get("made", "on an unknown day"), secrets.sealed_until(key)
            sealed = f", sealed until {until:{MINUTE}}" if until else ""
            self.stdout.write(f"{kid_of(key)}  {key['state']:7} made {made}{sealed}")
        self.stdout.write(_daily_line(content))


def _daily_line(content: dict[str, Any]) -> str:
    """Returns the public facts of the chain, which are all but its end."""
    chain = daily.read(content.get("daily"))
    if chain is None:
        return "today's sea: none; `keys daily` begins it"
    return (
        f"today's sea: {chain.length} days from {chain.first} to {chain.last}, "
        f"first link {chain.first_link.hex()}"
    )


def _change(content: dict[str, Any], path: Path, options: dict[str, Any]) -> str:
    """Changes the secrets, and returns a message, which may be empty; raises CommandError."""
    keys: list[dict[str, str]] = content["keys"]
    if options["act"] == "daily":
        is_anew = "daily" in content
        if is_anew and not options["anew"]:
            raise CommandError(
                "there is a daily already: --anew replaces it, and with it what was promised"
            )
        content["daily"] = secrets.make_daily()
        return ANEW if is_anew else ""
    if options["act"] == "add":
        keys.append(secrets.make_key("accept"))
        return ""
    kid = options["key"] or ""
    key = next((key for key in keys if kid_of(key) == kid), None)
    if key is None:
        raise CommandError(f"no such key: {kid!r}; `keys list` shows those there are")
    if options["act"] == "use":
        wait = path.stat().st_mtime + WAIT_SECONDS - time()
        if wait > 0 and not options["at_once"]:
            raise CommandError(
                f"the file has only just changed: wait {ceil(wait)} seconds more, until every "
                "process has read it, or say --at-once where none runs"
            )
        for other in keys:
            secrets.stop_sealing(other)
        secrets.start_sealing(key)
        return ""
    if key["state"] == "use":
        raise CommandError("this key seals: let another be used first")
    if options["file"] == settings.SECRETS_FILE and database.is_on():
        try:
            database.prepare()
            database.seal_anew()  # what this key has sealed
        except database.DatabaseDown as error:
            raise CommandError(f"nothing is dropped while the database is away: {error}") from None
    keys.remove(key)
    since, until = "an unknown time", secrets.sealed_until(key)
    if until is not None:
        days = (datetime.now(UTC) - until).days
        since = f"{until:{MINUTE}} ({days} day{'' if days == 1 else 's'})"
    return f"{kid} has not sealed since {since}"
