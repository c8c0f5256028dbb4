#!/usr/bin/env python
"""The command line: `python manage.py help` lists what there is."""

from battleships_site.command import main

if __name__ == "__main__":
    main()
