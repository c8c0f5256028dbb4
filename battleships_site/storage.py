"""Static files as browsers get them: without comments and spare space, hashed, compressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_MINIFIERS = {".js": jsmin, ".css": cssmin}


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's, which hashes and compresses; scripts and styles are made smaller before."""

    def save(self, name: str, content: IO[Any], max_length: int | None = None) -> str:
        """Keeps a file as it is published; what others have made small stays as they made it."""
        minify = next((one for end, one in _MINIFIERS.items() if name.endswith(end)), None)
        if minify is not None and ".min." not in name:
            content = ContentFile(minify(content.read().decode()).encode())
        saved: str = super().save(name, content, max_length)
        return saved

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        """Hashes and compresses what was saved, where Django would take the sources again."""
        return iter(super().post_process({name: (self, name) for name in paths}, **options))
