"""Commands for players, operators and translators: `python manage.py NAME`."""
