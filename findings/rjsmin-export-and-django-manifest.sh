#!/bin/sh
# Django's ManifestStaticFilesStorage writes hashed names into the imports and exports of modules, which it finds with
# spaces around `*`. rjsmin writes `export*from"./sea.js"`, so in a packed file the name stays without its hash and the
# browser asks for a file that caches may keep for ever, or that isn't there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check rjsmin==1.3.0 Django==5.2.19
cd "$folder"
bin/python - <<'END'
import re

import django
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from rjsmin import __version__, jsmin


rows = ManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]
patterns = [pattern for pattern, _template in rows]
written = 'export * from "./sea.js";'
packed = jsmin(written)
finds = [any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns) for text in (written, packed)]
print("rjsmin", __version__, "Django", django.__version__)
print(written, finds[0])
print(packed, finds[1])
assert finds == [True, False]
END
