"""Static files as browsers get them: minified, hashed and compressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any

from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponseNotFound
from django.http.response import HttpResponseBase
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_MINIFIERS = {".js": jsmin, ".css": cssmin}
_HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
_MANIFEST = CompressedManifestStaticFilesStorage.manifest_name


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

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Refuses files that this copy hasn't in few words: proxies ask every copy."""
        url = request.path_info
        if url.startswith(self.static_prefix) and url not in self.files and not self.find_file(url):
            return HttpResponseNotFound(headers={"Cache-Control": "no-store"})
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def find_file(self, url: str) -> Any:
        """Returns the file at an address, or None."""
        if not url.startswith(self.static_prefix) or url.endswith(f"/{_MANIFEST}"):
            return None
        return super().find_file(url)

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Whether the name has a hash, whichever version it is of."""
        return _HASHED.search(url) is not None
