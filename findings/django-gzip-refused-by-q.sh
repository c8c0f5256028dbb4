#!/bin/sh
# `Accept-Encoding: gzip;q=0` says that gzip must not be used. Django's GZipMiddleware packs the answer all the same, as it
# looks for the word alone; it does not read `*` either.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check django==5.2.19
cd "$folder"
bin/python - <<'END'
import django
from django.conf import settings
from django.http import HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.test import RequestFactory

settings.configure()
packed = GZipMiddleware(lambda request: HttpResponse("sea " * 100))


def encoding(accepted):
    request = RequestFactory().get("/", headers={"accept-encoding": accepted})
    return packed(request).headers.get("Content-Encoding")


print("django", django.__version__)
found = {it: encoding(it) for it in ("gzip", "gzip;q=0", "identity, gzip;q=0", "*", "br")}
for accepted, given in found.items():
    print(accepted, "->", given)
assert found == {"gzip": "gzip", "gzip;q=0": "gzip", "identity, gzip;q=0": "gzip", "*": None, "br": None}
END
