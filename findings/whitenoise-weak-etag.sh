#!/bin/sh
# nginx makes an ETag weak (W/"...") when it compresses an answer of the server behind it. If-None-Match compares weakly,
# but WhiteNoise compares texts: the browser's next request gets the whole file in place of 304.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check whitenoise==6.12.0
cd "$folder"
bin/python - <<'END'
from importlib.metadata import version
from pathlib import Path

from whitenoise import WhiteNoise

Path("files").mkdir()
Path("files/sea.txt").write_text("0123456789")
served = WhiteNoise(lambda environ, start: start("404 Not Found", []) or [], root="files")


def asked(**headers):
    said = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/sea.txt", **headers}
    list(served(environ, lambda line, found: said.append((line, dict(found)))))
    return said[0]


tag = asked()[1]["ETag"]
found = {sent: asked(HTTP_IF_NONE_MATCH=sent)[0] for sent in (tag, f"W/{tag}", f'"other", {tag}')}
print("whitenoise", version("whitenoise"))
for sent, line in found.items():
    print(sent, "->", line)
assert found[tag].startswith("304") and found[f"W/{tag}"].startswith("200")
END
