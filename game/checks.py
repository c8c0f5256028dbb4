"""The checks of `manage.py check --deploy`: keys, database, translations and static files."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.checks import WARNING, CheckMessage, Error, Tags, register
from django.utils.translation import to_locale

from game.ops import languages, secrets

OLDEST = 90
"""Days; an older key should no longer seal tokens."""


@register(Tags.security, deploy=True)
def check_keys(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns messages about secrets that can't be read, that others can read, or that are old."""
    try:
        keyring_file = secrets.load(settings.SECRETS_FILE, may_create=False)
        made = next(key["made"] for key in keyring_file["keys"] if key["state"] == "use")
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
def check_database(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message if there is no database."""
    if settings.HAS_DATABASE:
        return []
    hint = "name it by BATTLESHIP_DATABASE, or set BATTLESHIP_ONE_MACHINE=1 where one serves all"
    return [CheckMessage(WARNING, "nobody can play at two devices", hint=hint, id="game.W003")]


@register(Tags.translation, deploy=True)
def check_catalogues(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message for each language whose catalogue isn't compiled, or not since a change."""
    hint, warnings = "run `manage.py translations`", list[CheckMessage]()
    for code in settings.LANGUAGE_TABLE:
        made = [folder / to_locale(code) / "LC_MESSAGES/django.mo" for folder in locale_folders()]
        if code != languages.SOURCE and any(is_stale(it, [it.with_suffix(".po")]) for it in made):
            message = f"the catalogue is not compiled: {code}"
            warnings.append(Error(message, hint=hint, id="game.E004"))
    return warnings


@register(Tags.staticfiles, deploy=True)
def check_static_files(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Returns a message if static files are not collected, or have changed since."""
    if not are_static_files_stale():
        return []
    hint = "run `manage.py collectstatic`"
    return [Error("the static files are not collected", hint=hint, id="game.E005")]


def are_static_files_stale() -> bool:
    """Whether static files are not collected, or have changed since."""
    folders = [*map(Path, settings.STATICFILES_DIRS), *feature_folders("static")]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return is_stale(Path(settings.STATIC_ROOT) / ManifestFilesMixin.manifest_name, files)


def locale_folders() -> list[Path]:
    """Returns the folders of catalogues: the core's, and those of features."""
    of_features = (it for it in feature_folders("locale") if any(it.glob("*/*/django.[pm]o")))
    return [*map(Path, settings.LOCALE_PATHS), *of_features]


def feature_folders(name: str) -> list[Path]:
    """Returns where installed features have a folder of that name, if they have one."""
    configs = apps.get_app_configs()
    return [Path(it.path) / name for it in configs if it.name.startswith("game.features.")]


def is_stale(made: Path, sources: Iterable[Path]) -> bool:
    """Whether a file is missing, or older than one that it is made of. A wheel has no sources."""
    if not made.exists():
        return True
    then = made.stat().st_mtime
    return any(source.exists() and source.stat().st_mtime > then for source in sources)
