#!/bin/sh
# rcssmin takes the spaces out of a quoted url(), so that a file whose name has one isn't found. A string elsewhere,
# such as in content, keeps its own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rcssmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rcssmin import __version__, cssmin

quoted = cssmin('a{background:url("my ship.png");content:"my ship"}')
print("rcssmin", __version__)
print(quoted)
assert quoted == 'a{background:url("myship.png");content:"my ship"}'
END
