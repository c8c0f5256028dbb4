"""Serves the site with gunicorn: `python -m battleships_site`.

It refuses wrong environment variables first: gunicorn itself ends with a traceback where
WEB_CONCURRENCY is empty or wrong, before it reads its configuration.
"""

import sys

from battleships_site import environment  # noqa: F401 (it ends the process)

if __name__ == "__main__":
    from gunicorn.app.wsgiapp import run

    sys.argv[1:] = ["--config", "deploy/gunicorn.conf.py", "battleships_site.wsgi", *sys.argv[1:]]
    run()
