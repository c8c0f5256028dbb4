#!/bin/sh
# pyte, an emulator of terminals, stops drawing a text at the first sign without a width that isn't a combining accent:
# a joiner, a variation selector, or a vowel sign of an Indic script. All that was fed with it in one call is lost.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check pyte==0.8.2 wcwidth==0.9.4
cd "$folder"
bin/python - <<'END'
from importlib.metadata import version

import pyte


def drawn(*texts):
    screen = pyte.Screen(12, 1)
    stream = pyte.Stream(screen)
    for text in texts:
        stream.feed(text)
    return screen.display[0].rstrip()


found = {ascii(it): drawn(*it) for it in (
    ("a\u200dbcd",), ("a\ufe0fbcd",), ("\u0915\u093f bcd",), ("e\u0301bcd",), ("a\u200d", "bcd"),
)}
print("pyte", version("pyte"))
for fed, shown in found.items():
    print(fed, "->", ascii(shown))
assert list(found.values()) == ["a", "a", "\u0915", "\xe9bcd", "abcd"]
END
