"""Static files as browsers get them: minified, hashed and compressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_MINIFIERS = {".js": jsmin, ".css": cssmin}


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, with scripts and styles minified first."""

    support_js_module_import_aggregation = True
    """Modules import one another by hashed names, so that the browser loads each only once."""

    def save(self, name: str, content: IO[Any], max_length: int | None = None) -> str:
        """Saves a file minified, unless it is minified already."""
        minify = next((one for end, one in _MINIFIERS.items() if name.endswith(end)), None)
        if minify is not None and ".min." not in name:
            content = ContentFile(minify(content.read().decode()).encode())
        saved: str = super().save(name, content, max_length)
        return saved

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        """Hashes and compresses the saved files; Django would read the sources again."""
        return iter(super().post_process({name: (self, name) for name in paths}, **options))


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise's middleware, without the manifest, which only the server reads."""

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        if not url.endswith(f"/{SmallStaticFilesStorage.manifest_name}"):
            super().add_file_to_dictionary(url, path, stat_cache)
