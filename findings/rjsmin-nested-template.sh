#!/bin/sh
# A template literal within another one's ${} is text, too. rjsmin reads it as code and takes away what looks like a
# comment.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rjsmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rjsmin import __version__, jsmin

nested, plain = jsmin("say(`to ${`/* all */`} of you`)"), jsmin("say(`/* all */`)")
print("rjsmin", __version__)
print(nested)
print(plain)
assert nested == "say(`to ${``} of you`)"
assert plain == "say(`/* all */`)"
END
