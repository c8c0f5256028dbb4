"""The mark of this copy's version, which every answer carries: `Battleship-Version: 3f2a9c1e`.

It is a hash of the release, the static files and the templates. Scripts tell by it the site's
answers from those of others, such as a captive portal, and load a page of another version again.
"""

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

HEADER = "Battleship-Version"


@cache
def own_mark() -> str:
    files = getattr(staticfiles_storage, "manifest_hash", "")
    content = sha256(f"{settings.VERSION} {files}".encode())
    for path in sorted((settings.BASE_DIR / "templates").rglob("*")):
        if path.is_file():
            content.update(path.read_bytes())
    return content.hexdigest()[:8]
