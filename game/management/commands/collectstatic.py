"""`manage.py collectstatic`: Django's, but harmless in a folder that is being served."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.contrib.staticfiles.management.commands import collectstatic
from django.core.management.base import CommandParser

KEPT_DAYS = 30
"""How long files stay that the newest version hasn't, for pages that were opened before."""

UNUSED = "django_htmx/ext/*", "django_htmx/htm?x-4*", "django_htmx/htmx-2.js"
"""Files of django-htmx that no page needs. Some name others in comments, which aren't there."""


class Command(collectstatic.Command):
    help = (
        "Collects the static files in a folder beside STATIC_ROOT, then moves each there. What "
        f"earlier versions had stays for {KEPT_DAYS} days, with --clear, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        told = "collects minified files in that folder, for a wheel or an image"
        parser.add_argument("--minified", type=Path, metavar="FOLDER", help=told)

    def handle(self, **options: Any) -> str | None:
        """Asks nothing, since nothing is lost."""
        if options["minified"]:
            self.storage.is_minifying = True
            self.storage.base_location = self.storage.location = str(options["minified"].resolve())
        patterns = [*options["ignore_patterns"], *UNUSED]
        changed = {"interactive": False, "ignore_patterns": patterns}
        report: str | None = super().handle(**{**options, **changed})
        return report

    def collect(self) -> dict[str, list[str]]:
        if self.dry_run:
            return dict(super().collect())
        storage, root = self.storage, Path(self.storage.location)
        root.mkdir(parents=True, exist_ok=True)
        # The days of the files that are about to be replaced begin now.
        for name in _with_twins(storage.hashed_files.values()):
            with suppress(FileNotFoundError):
                os.utime(root / name)
        with TemporaryDirectory(prefix=f"{root.name}-", dir=root.parent) as folder:
            storage.base_location = storage.location = folder
            try:
                report: dict[str, list[str]] = super().collect()
            finally:
                storage.base_location = storage.location = str(root)
            _publish(Path(folder), root, storage.hashed_files.values(), storage.manifest_name)
        _sweep(root)
        return report


def _with_twins(names: Iterable[str]) -> set[str]:
    """Returns the names of files with those of their compressed twins."""
    return {f"{name}{end}" for name in names for end in ("", ".gz", ".br")}


def _publish(folder: Path, root: Path, hashed: Iterable[str], manifest: str) -> None:
    """Moves all files of a folder: first those with a hash in their name, last the manifest.

    So a process that starts meanwhile finds each file that its manifest names, and no half file.
    """
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()]
    first = _with_twins(hashed)
    for name in sorted(names, key=lambda name: (name == manifest, name not in first)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).replace(root / name)


def _sweep(root: Path) -> None:
    """Deletes what no collection has written or renewed for long."""
    earliest = time.time() - KEPT_DAYS * 24 * 60 * 60
    for path in root.rglob("*"):
        if not path.is_dir() and path.lstat().st_mtime < earliest:
            path.unlink(missing_ok=True)
