#!/bin/sh
# A range of one byte, `bytes=0-0`, is valid, and media players send it to learn whether ranges work. WhiteNoise answers
# it by 416, and `bytes=0-1` by 206 with two bytes.
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


def status(**headers):
    said = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/sea.txt", "wsgi.file_wrapper": lambda file, _size=0: file, **headers}
    body = served(environ, lambda line, _headers: said.append(line))
    return said[0], body.read() if hasattr(body, "read") else b"".join(body)


found = {asked: status(HTTP_RANGE=asked) for asked in ("bytes=0-0", "bytes=9-9", "bytes=0-1")}
print("whitenoise", version("whitenoise"))
for asked, (line, body) in found.items():
    print(asked, "->", line, body)
assert found["bytes=0-0"][0].startswith("416") and found["bytes=9-9"][0].startswith("416")
assert found["bytes=0-1"] == ("206 Partial Content", b"01")
END
