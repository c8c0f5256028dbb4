#!/bin/sh
# Babel drops the header Plural-Forms of a catalogue whose language it doesn't know, and writes that of English in its
# place when it compiles. Kashubian (csb) has three forms, so 5 gets the form of 2. Version 2.19.0 keeps the header.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check babel==2.18.0
cd "$folder"
bin/python - <<'END'
import gettext
from io import BytesIO

import babel
from babel.messages import mofile, pofile

PO = '''
msgid ""
msgstr ""
"Language: {0}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\\n"

msgid "%d ship"
msgid_plural "%d ships"
msgstr[0] "one"
msgstr[1] "few"
msgstr[2] "many"
'''


def forms(language):
    catalogue = pofile.read_po(BytesIO(PO.format(language).encode()))
    compiled = BytesIO()
    mofile.write_mo(compiled, catalogue)
    compiled.seek(0)
    found = gettext.GNUTranslations(compiled)
    return [found.ngettext("%d ship", "%d ships", number) for number in (1, 2, 5)]


print("babel", babel.__version__)
print("csb", forms("csb"))
print("pl", forms("pl"))
assert forms("csb") == ["one", "few", "few"]
assert forms("pl") == ["one", "few", "many"]
END
