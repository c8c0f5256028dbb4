"""The mark of this copy's version, which every answer carries and pages send back.

    Battleship-Version: 1.1.0-4-1764170000-3f2a9c1e

It has the release, the version of tokens, the second in which the static files were collected, and
a hash of the release, the version of tokens, the static files and the templates. Versions are
compared by the first three, unless their hashes are equal: pages of either copy go on with the
other, wherever and whenever each was built.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage

from game.matches import keyring

HEADER = "Battleship-Version"
COOKIE = "newest"
"""Names a version for some seconds: the one for which a page of an earlier version is reloaded."""
_MARK = re.compile(r"(\d{1,4}(?:\.\d{1,4}){1,3})-(\d{1,3})-(\d{1,12})-([0-9a-f]{8})", re.ASCII)


@cache
def own_mark() -> str:
    manifest = Path(settings.STATIC_ROOT) / ManifestFilesMixin.manifest_name
    collected = int(manifest.stat().st_mtime) if manifest.is_file() else 0
    files = getattr(staticfiles_storage, "manifest_hash", "")
    content = sha256(f"{settings.VERSION} {keyring.VERSION} {files}".encode())
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
            content.update(path.read_bytes())
    return f"{settings.VERSION}-{keyring.VERSION}-{collected}-{content.hexdigest()[:8]}"


def is_newer(mark: str) -> bool:
    """Whether a mark names a later version than this copy's; a text that is no mark doesn't."""
    theirs, ours = _MARK.fullmatch(mark), _MARK.fullmatch(own_mark())
    if not theirs or not ours:
        return False
    return theirs[4] != ours[4] and _order(theirs) > _order(ours)


def _order(mark: re.Match[str]) -> tuple[tuple[int, ...], int, int]:
    return tuple(map(int, mark[1].split("."))), int(mark[2]), int(mark[3])
