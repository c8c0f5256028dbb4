#!/bin/sh
# A comment separates nothing in a selector of CSS: `.a/* x */.b` is an element of both classes. rcssmin writes a space in
# its place, which is the descendant combinator.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rcssmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rcssmin import __version__, cssmin

found = {css: cssmin(css) for css in (".a/* x */.b{top:0}", ".a/* */.b{top:0}", ".a/**/.b{top:0}")}
print("rcssmin", __version__)
for css, packed in found.items():
    print(css, "->", packed)
assert found[".a/* */.b{top:0}"] == ".a .b{top:0}"
END
