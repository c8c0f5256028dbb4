#!/usr/bin/env python
"""The command line: `python manage.py help` lists what there is."""

import sys

# Old Pythons read this file, too, so its syntax is theirs.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Battleship needs Python 3.11 or newer, but this is Python " + sys.version.split()[0])

from battleships_site.command import main

if __name__ == "__main__":
    try:
        main()
    except ImportError as error:
        if error.name != "django":
            raise
        sys.exit("Django is missing here: `make setup` installs it for .venv/bin/python manage.py")
