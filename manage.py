#!/usr/bin/env python
"""Django's command line: `python manage.py help` lists what there is."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "battleships_site.settings")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    execute_from_command_line(sys.argv)
