"""The WSGI application."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the other cores serve other requests
site = get_wsgi_application()

from game.ops import metrics  # noqa: E402 (Django must be set up first)

_, _, _port = os.environ.get("BATTLESHIP_METRICS", "").rpartition(":")
application = metrics.with_metrics(site, _port)

# Loaded modules stay, so the garbage collector need not look through them again. A collection then
# stops all threads for 7 ms instead of 75.
import_module("battleships_site.urls")
gc.collect()
gc.freeze()
