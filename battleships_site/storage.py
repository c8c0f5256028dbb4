"""Static files as browsers get them: hashed and compressed, and in a wheel or an image minified."""

import re
from collections.abc import Iterator
from typing import IO, Any

from django.core.files.base import ContentFile
from django.http import HttpRequest, HttpResponseNotFound
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
_MANIFEST = CompressedManifestStaticFilesStorage.manifest_name


class SmallStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which can minify scripts and styles first."""

    support_js_module_import_aggregation = True
    """Modules import one another by hashed names, so that the browser loads each only once."""
    is_minifying = False

    def save(self, name: str, content: IO[Any], max_length: int | None = None) -> str:
        """Saves a file, minified if need be."""
        is_source = name.endswith((".css", ".js")) and ".min." not in name
        if self.is_minifying and is_source:
            content = ContentFile(minified(name, content.read().decode()).encode())
        saved: str = super().save(name, content, max_length)
        return saved

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        """Hashes and compresses the saved files; Django would read the sources again."""
        return iter(super().post_process({name: (self, name) for name in paths}, **options))


def minified(name: str, source: str) -> str:
    """Returns a style or a script without comments and spare space, by build-requirements.txt."""
    if name.endswith(".css"):
        import lightningcss

        return lightningcss.process_stylesheet(source, filename=name)
    import minify

    return str(minify.string("application/javascript", source))


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
