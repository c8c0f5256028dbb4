"""Commands for running and measuring the game: `python manage.py NAME`."""
