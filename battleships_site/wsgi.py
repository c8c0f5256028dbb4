"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the other cores serve other requests
site = get_wsgi_application()

from game.ops import metrics  # noqa: E402 (Django must be set up first)

_, _, _port = os.environ.get("BATTLESHIP_METRICS", "").rpartition(":")
application = metrics.with_metrics(site, _port)
