"""The WSGI application."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the other cores serve other requests
site = get_wsgi_application()

from battleships_site.limits import within_limits  # noqa: E402 (Django must be set up first)
from battleships_site.loading import load_all  # noqa: E402 (Django must be set up first)
from game.ops import metrics  # noqa: E402 (Django must be set up first)

_, _, _port = os.environ.get("BATTLESHIP_METRICS", "").rpartition(":")
application = within_limits(metrics.with_metrics(site, _port))

# What is loaded stays, so the garbage collector need not look through them again. A collection then
# stops all threads for 7 ms instead of 75.
load_all()
gc.collect()
gc.freeze()
