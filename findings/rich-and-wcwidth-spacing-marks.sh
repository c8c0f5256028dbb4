#!/bin/sh
# Two libraries measure text for terminals, and differ where a vowel sign stands beside its letter (Unicode's category
# Mc): rich 15 counts none, wcwidth one. A table that rich has laid out is ragged where the terminal counts as wcwidth.
# A soft hyphen has a column for both, although nobody sees it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rich==15.0.0 wcwidth==0.9.4
cd "$folder"
bin/python - <<'END'
from importlib.metadata import version

from rich.cells import cell_len
from wcwidth import wcswidth

TEXTS = {"Tamil": "\u0bb5\u0bbe", "Hindi": "\u0939\u093f", "accent": "e\u0301", "heart": "\u2764\ufe0f", "hyphen": "a\xadb"}
found = {name: (cell_len(text), wcswidth(text)) for name, text in TEXTS.items()}
print("rich", version("rich"), "wcwidth", version("wcwidth"))
for name, (rich, other) in found.items():
    print(name, "rich", rich, "wcwidth", other)
assert found == {"Tamil": (1, 2), "Hindi": (1, 2), "accent": (1, 1), "heart": (2, 2), "hyphen": (3, 3)}
END
