#!/bin/sh
# rcssmin knows that `b :is(c)` needs its space, but only outside of blocks. Within @layer, @container, @scope and
# nested rules it takes the space for one behind a property's colon, so that a descendant becomes the element itself.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rcssmin==1.3.0
cd "$folder"
bin/python - <<'END'
from rcssmin import __version__, cssmin

outside = "nav :is(a){color:red}"
found = {css: cssmin(css) for css in (
    outside, f"@layer x{{{outside}}}", f"@container (width>1px){{{outside}}}", f"@scope (p){{{outside}}}",
    "main{nav :hover{color:red}}", "@media print{nav :is(a){color:red}}",
)}
print("rcssmin", __version__)
for css, packed in found.items():
    print(css, "->", packed)
assert found[outside] == outside
changed = ("@layer", "@container", "@scope", "main")
assert all("nav:" in packed for css, packed in found.items() if css.startswith(changed))
assert found["@media print{nav :is(a){color:red}}"] == "@media print{nav :is(a){color:red}}"
END
