#!/bin/sh
# A line end ends a class field without a semicolon. rjsmin keeps line ends in front of letters, but takes them away in
# front of `#`, with which the name of a private field begins: what is left is a syntax error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rjsmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rjsmin import __version__, jsmin

private = jsmin("class Sea {\n  ships = 5\n  #hits = 0\n}")
public = jsmin("class Sea {\n  ships = 5\n  hits = 0\n}")
print("rjsmin", __version__)
print(private)
print(public)
assert private == "class Sea{ships=5#hits=0}"
assert public == "class Sea{ships=5\nhits=0}"
END
