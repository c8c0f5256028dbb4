"""The checks of `manage.py check --deploy`: keys, match store, translations and static files."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

from game.ops import secrets

OLDEST = 90
"""Days; an older key should no longer seal tokens."""


@register(Tags.security, deploy=True)
def check_keys(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns messages about secrets that can't be read, that others can read, or that are old."""
    try:
        found = secrets.load(settings.SECRETS_FILE, may_create=False)
        made = next(key["made"] for key in found["keys"] if key["state"] == "use")
        age = (datetime.now(UTC).date() - date.fromisoformat(made)).days
    except secrets.BadSecrets as error:
        return [Error(str(error), id="game.E001")]
    except (KeyError, ValueError):
        return [Error("the key that seals doesn't say when it was made", id="game.E002")]
    if age <= OLDEST:
        return []
    hint = "rotate it: `manage.py keys add`, `keys use`, and in time `keys drop`"
    return [Error(f"the key that seals is {age} days old", hint=hint, id="game.E002")]


@register(Tags.security, deploy=True)
def check_match_store(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message if the match store is a file, which other machines can't read."""
    if not settings.MATCH_STORE.startswith("sqlite:") or settings.IS_ONE_MACHINE:
        return []
    hint = "name a Redis or Valkey, or set BATTLESHIP_ONE_MACHINE=1 where one machine serves all"
    return [Error("the match store is a file of this machine", hint=hint, id="game.E003")]


@register(Tags.translation, deploy=True)
def check_catalogues(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message for each catalogue that is not compiled, or is older than its source."""
    sources = [
        source
        for folder in settings.LOCALE_PATHS
        for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po"))
    ]
    hint = "run `manage.py translations`"
    return [
        Error(f"the catalogue is not compiled: {source}", hint=hint, id="game.E004")
        for source in sources
        if _is_stale(source.with_suffix(".mo"), [source])
    ]


@register(Tags.staticfiles, deploy=True)
def check_static_files(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message if static files are not collected, or have changed since."""
    folders = settings.STATICFILES_DIRS
    files = [path for folder in folders for path in Path(folder).rglob("*") if path.is_file()]
    if not _is_stale(Path(settings.STATIC_ROOT) / "staticfiles.json", files):
        return []
    hint = "run `manage.py collectstatic`"
    return [Error("the static files are not collected", hint=hint, id="game.E005")]


def _is_stale(made: Path, sources: list[Path]) -> bool:
    """Whether a file is missing, or older than one that it is made of."""
    if not made.exists():
        return True
    return any(source.stat().st_mtime > made.stat().st_mtime for source in sources)
