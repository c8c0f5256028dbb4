#!/bin/sh
# rjsmin tells a regular expression from a division by the sign in front of it, and `=>` isn't among its signs. A `/*`
# within the expression then begins a comment, which ends with the next one: the code in between is gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rjsmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rjsmin import __version__, jsmin

arrow = jsmin("const f = () => /[/*]/;\nfire();\n/* aim */ steer();")
equals = jsmin("const f = /[/*]/;\nfire();\n/* aim */ steer();")
print("rjsmin", __version__)
print(arrow)
print(equals)
assert arrow == "const f=()=>/[steer();"
assert equals == "const f=/[/*]/;fire();steer();"
END
